#include "api/release.h"

#include "base/buf.h"

#define LIST_MAX 900u

static bool is_newest(struct sl_view text)
{
    static const char *const words[] = {"latest", "newest", "current"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (sl_view_is(text, words[i]))
            return true;
    return false;
}

#define MAX_NUMBERS 4u
#define MAX_DIGITS 6u

/* 3, 4 and 5 of v3.4.5, of 3,4,5 and of nvshmem-3.4.5rc1; a release's are all of it. */
struct numbers {
    unsigned items[MAX_NUMBERS];
    size_t count;
};

static struct numbers numbers_of(struct sl_view text)
{
    struct numbers out = {.count = 0};
    size_t at = 0;
    while (at < text.len && !sl_is_digit(text.ptr[at]))
        at++;
    while (at < text.len && sl_is_digit(text.ptr[at]) &&
           out.count < MAX_NUMBERS) {
        size_t begin = at;
        unsigned value = 0;
        for (; at < text.len && sl_is_digit(text.ptr[at]); at++)
            if (at - begin < MAX_DIGITS)
                value = value * 10 + (unsigned)(text.ptr[at] - '0');
        if (at - begin > MAX_DIGITS)
            return (struct numbers){.count = 0};
        out.items[out.count++] = value;
        at += at < text.len && (text.ptr[at] == '.' || text.ptr[at] == ',');
    }
    return out;
}

/* By the numbers that both have: below 0, 0, above 0. */
static int compare(const struct numbers *a, const struct numbers *b)
{
    for (size_t i = 0; i < a->count && i < b->count; i++)
        if (a->items[i] != b->items[i])
            return a->items[i] < b->items[i] ? -1 : 1;
    return 0;
}

/* 3.4.5-0 of 3.4.5: how NVSHMEM's tags are spelled. */
static bool is_tag(struct sl_view text, struct sl_view release)
{
    size_t at = release.len + 1;
    if (text.len <= at || text.ptr[release.len] != '-' ||
        !sl_view_eq(sl_view_sub(text, 0, release.len), release))
        return false;
    while (at < text.len && sl_is_digit(text.ptr[at]))
        at++;
    return at == text.len;
}

/* Where it would stand among them, and which it may be. */
static void put_place(struct sl_buf *out, const struct numbers *asked,
                      const struct sl_view *releases, size_t count)
{
    size_t below = 0, alike = 0, first = 0;
    bool longer = false; /* it has as many numbers as they have, or more */
    for (size_t i = 0; i < count; i++) {
        struct numbers one = numbers_of(releases[i]);
        int order = compare(asked, &one);
        below += order > 0;
        if (order == 0 && !alike++)
            first = i;
        longer |= order == 0 && asked->count >= one.count;
    }
    if (alike == count && !longer)
        return; /* they all begin so: they are listed */
    if (alike && longer)
        sl_buf_printf(out, "; %.*s may be meant", SL_ARG(releases[first]));
    else if (alike)
        for (size_t i = 0; i < alike; i++)
            sl_buf_printf(out, "%s%.*s",
                          i ? ", " : "; those that begin so: ",
                          SL_ARG(releases[first + i]));
    else if (below == count)
        sl_buf_printf(out, "; the newest of them is %.*s",
                      SL_ARG(releases[count - 1]));
    else if (!below)
        sl_buf_printf(out, "; the oldest of them is %.*s", SL_ARG(releases[0]));
    else
        sl_buf_printf(out, "; next to it: %.*s and %.*s",
                      SL_ARG(releases[below - 1]), SL_ARG(releases[below]));
}

/* What may be meant; nothing when there is no saying. */
static void put_hint(struct sl_buf *out, struct sl_view text,
                     const struct sl_view *releases, size_t count)
{
    if (count && is_newest(text)) {
        sl_buf_printf(out, "; the newest is %.*s", SL_ARG(releases[count - 1]));
        return;
    }
    for (size_t i = 0; i < count; i++)
        if (is_tag(text, releases[i])) {
            sl_buf_printf(out, "; the release of that tag is %.*s",
                          SL_ARG(releases[i]));
            return;
        }
    struct numbers asked = numbers_of(text);
    if (count && asked.count)
        put_place(out, &asked, releases, count);
}

static enum sl_status unknown(struct sl_view text,
                              const struct sl_view *releases, size_t count,
                              struct sl_error *error)
{
    struct sl_buf known;
    sl_buf_init(&known, LIST_MAX);
    for (size_t i = 0; i < count; i++)
        sl_buf_printf(&known, "%s%.*s", i ? ", " : "", SL_ARG(releases[i]));
    put_hint(&known, text, releases, count);
    struct sl_view list = sl_buf_view(&known);
    if (!count)
        list = SL_LIT("none");
    enum sl_status status =
        text.len ? sl_error_set(error, SL_ERR_USAGE,
                                "no release %.*s is among those read: %.*s",
                                SL_ARG(sl_view_sub(text, 0, 40)), SL_ARG(list))
                 : sl_error_set(error, SL_ERR_USAGE,
                                "an empty release; those read are %.*s",
                                SL_ARG(list));
    sl_buf_release(&known);
    return status;
}

enum sl_status sl_release_read(struct sl_view text,
                               const struct sl_view *releases, size_t count,
                               struct sl_view *release_out,
                               struct sl_error *error)
{
    struct sl_view bare = sl_view_trim(text);
    if (bare.len > 1 && (bare.ptr[0] == 'v' || bare.ptr[0] == 'V'))
        bare = sl_view_sub(bare, 1, bare.len);
    for (size_t i = 0; i < count; i++)
        if (sl_view_eq(releases[i], bare)) {
            *release_out = releases[i];
            return SL_OK;
        }
    return unknown(bare, releases, count, error);
}

enum sl_status sl_release_pair(const struct sl_view *releases, size_t count,
                               struct sl_view *from, struct sl_view *to,
                               struct sl_error *error)
{
    struct sl_view first, second;
    enum sl_status status =
        sl_release_read(*from, releases, count, &first, error);
    if (!status)
        status = sl_release_read(*to, releases, count, &second, error);
    if (!status) {
        *from = first;
        *to = second;
    }
    return status;
}
