/* Looking names up in the table of variables. */
#include <fnmatch.h>
#include <string.h>

#include "api/env.h"
#include "base/limits.h"
#include "search/edit.h"

#define PREFIX "NVSHMEM_"
#define MAX_EDITS 3u

static enum sl_status add(struct sl_arena *arena, struct sl_env_hits *hits,
                          size_t place, struct sl_error *error)
{
    size_t *grown = sl_arena_grow(arena, hits->places, sizeof *grown,
                                  hits->count, &hits->cap);
    if (!grown)
        return sl_error_nomem(error);
    hits->places = grown;
    grown[hits->count++] = place;
    return SL_OK;
}

/* In capitals, NUL-terminated, with prefix before it. */
static enum sl_status capitals(struct sl_arena *arena, const char *prefix,
                               struct sl_view name, struct sl_view *text_out,
                               struct sl_error *error)
{
    if (name.len > SL_MAX_TOKEN)
        return sl_error_set(error, SL_ERR_LIMIT,
                            "a name of %zu bytes; the limit is %u", name.len,
                            SL_MAX_TOKEN);
    size_t head = strlen(prefix);
    char *text = sl_arena_alloc(arena, head + name.len + 1);
    if (!text)
        return sl_error_nomem(error);
    for (size_t i = 0; i < head; i++)
        text[i] = prefix[i];
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        if (c == '\0')
            return sl_error_set(error, SL_ERR_USAGE, "a NUL in a name");
        text[head + i] = sl_is_lower(c) ? (char)(c - ('a' - 'A')) : c;
    }
    *text_out = (struct sl_view){text, head + name.len};
    return SL_OK;
}

static bool is_glob(struct sl_view pattern)
{
    for (size_t i = 0; i < pattern.len; i++)
        if (pattern.ptr[i] == '*' || pattern.ptr[i] == '?' ||
            pattern.ptr[i] == '[')
            return true;
    return false;
}

static bool fits(const struct sl_env *row, const char *wanted, bool glob)
{
    char name[SL_MAX_TOKEN + 1];
    memcpy(name, row->name.ptr, row->name.len);
    name[row->name.len] = '\0';
    return glob ? fnmatch(wanted, name, 0) == 0 : strcmp(wanted, name) == 0;
}

enum sl_status sl_env_find(struct sl_arena *arena,
                           const struct sl_env_table *table,
                           struct sl_view pattern, struct sl_env_hits *hits_out,
                           struct sl_error *error)
{
    struct sl_env_hits hits = {.count = 0};
    bool glob = is_glob(pattern);
    /* as it is, and only when that finds nothing with the prefix */
    static const char *const prefixes[] = {"", PREFIX};
    for (size_t k = 0; k < 2 && hits.count == 0; k++) {
        struct sl_view wanted;
        enum sl_status status = capitals(arena, prefixes[k], pattern, &wanted,
                                         error);
        for (size_t i = 0; !status && i < table->count; i++)
            if (fits(&table->items[i], wanted.ptr, glob))
                status = add(arena, &hits, i, error);
        if (status)
            return status;
    }
    *hits_out = hits;
    return SL_OK;
}

/* Words of the name that are words of the row: for IB_TC among IB_TRAFFIC_... */
static size_t common_words(struct sl_view a, struct sl_view b)
{
    size_t n = 0;
    struct sl_view word, other;
    while (sl_view_cut(&a, '_', &word)) {
        struct sl_view rest = b;
        while (sl_view_cut(&rest, '_', &other))
            if (word.len > 1 && sl_view_eq(word, other)) {
                n++;
                break;
            }
    }
    return n;
}

static struct sl_view without_prefix(struct sl_view name)
{
    return sl_view_starts(name, PREFIX)
               ? sl_view_sub(name, sizeof PREFIX - 1, name.len)
               : name;
}

/* Small is near; SIZE_MAX: not near. */
static size_t distance(struct sl_view wanted, struct sl_view name)
{
    unsigned edits = sl_edit_distance(wanted, name, MAX_EDITS);
    if (edits <= MAX_EDITS && edits * 3 <= wanted.len)
        return edits;
    size_t words = common_words(wanted, name);
    if (words >= 2)
        return 100 - words;
    if (wanted.len >= 4 && sl_view_find(name, wanted, 0) != SIZE_MAX)
        return 100;
    return SIZE_MAX;
}

enum sl_status sl_env_near(struct sl_arena *arena,
                           const struct sl_env_table *table,
                           struct sl_view name, size_t max,
                           struct sl_env_hits *hits_out, struct sl_error *error)
{
    struct sl_view wanted;
    enum sl_status status = capitals(arena, "", name, &wanted, error);
    if (status)
        return status;
    wanted = without_prefix(wanted);
    struct sl_env_hits hits = {.count = 0};
    size_t *far = sl_arena_alloc(arena, (max + 1) * sizeof *far);
    hits.places = sl_arena_alloc(arena, (max + 1) * sizeof *hits.places);
    if (!far || !hits.places)
        return sl_error_nomem(error);
    for (size_t i = 0; i < table->count; i++) {
        if (table->items[i].kind != SL_ENV_RUN)
            continue;
        size_t d = distance(wanted, without_prefix(table->items[i].name));
        if (d == SIZE_MAX)
            continue;
        size_t at = hits.count;
        for (; at > 0 && far[at - 1] > d; at--) {
            far[at] = far[at - 1];
            hits.places[at] = hits.places[at - 1];
        }
        far[at] = d;
        hits.places[at] = i;
        if (hits.count < max)
            hits.count++;
    }
    *hits_out = hits;
    return SL_OK;
}
