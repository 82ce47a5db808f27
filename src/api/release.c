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

/* 3.4 of 3.4.5; 3.4.5 of 3.4.5-0 and of 3.4.5.1. */
static bool is_part(struct sl_view part, struct sl_view whole)
{
    return part.len && part.len < whole.len &&
           sl_view_eq(sl_view_sub(whole, 0, part.len), part) &&
           !sl_is_digit(whole.ptr[part.len]);
}

/* What may be meant; nothing when there is no saying. */
static void put_hint(struct sl_buf *out, struct sl_view text,
                     const struct sl_view *releases, size_t count)
{
    if (count && is_newest(text))
        sl_buf_printf(out, "; the newest is %.*s", SL_ARG(releases[count - 1]));
    for (size_t i = 0, told = 0; i < count; i++) {
        if (is_part(releases[i], text))
            sl_buf_printf(out, "; the release of that tag is %.*s",
                          SL_ARG(releases[i]));
        if (is_part(text, releases[i]))
            sl_buf_printf(out, "%s%.*s",
                          told++ ? ", " : "; those that begin so: ",
                          SL_ARG(releases[i]));
    }
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
