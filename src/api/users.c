#include "api/users.h"

#include <fnmatch.h>
#include <string.h>

#include "base/limits.h"

#define COLUMNS 9

static const char header[] =
    "source\tname\tkind\tlanguage\towner\thow\tvalue\tcount\tplaces";

/* Splits a line at its tabs; false unless it has exactly COLUMNS fields. */
static bool split(struct sl_view line, struct sl_view *fields)
{
    size_t start = 0, count = 0;
    for (size_t i = 0; i <= line.len; i++) {
        if (i < line.len && line.ptr[i] != '\t')
            continue;
        if (count == COLUMNS)
            return false;
        fields[count++] = sl_view_sub(line, start, i);
        start = i + 1;
    }
    return count == COLUMNS;
}

static bool read_row(struct sl_view line, struct sl_user *user)
{
    struct sl_view f[COLUMNS];
    uint64_t count;
    if (!split(line, f) || !f[0].len || !f[1].len ||
        !sl_view_number(f[7], UINT32_MAX, &count))
        return false;
    *user = (struct sl_user){
        .source = f[0],
        .name = f[1],
        .kind = f[2],
        .language = f[3],
        .own = sl_view_is(f[4], "project"),
        .how = f[5],
        .value = f[6],
        .count = count,
        .places = f[8],
    };
    return true;
}

/* Whether a pasted name, such as nvshmem_*_put, can be the name. */
static bool fits(struct sl_view pasted, struct sl_view name)
{
    char pattern[SL_MAX_USAGE_NAME * 4], text[SL_MAX_USAGE_NAME * 4];
    if (!memchr(pasted.ptr, '*', pasted.len) || pasted.len >= sizeof pattern ||
        name.len >= sizeof text)
        return false;
    memcpy(pattern, pasted.ptr, pasted.len);
    pattern[pasted.len] = '\0';
    memcpy(text, name.ptr, name.len);
    text[name.len] = '\0';
    return fnmatch(pattern, text, FNM_NOESCAPE) == 0;
}

static bool is_wanted(struct sl_view line, struct sl_view name)
{
    struct sl_view source, used;
    if (!name.len)
        return true;
    return sl_view_cut(&line, '\t', &source) &&
           sl_view_cut(&line, '\t', &used) &&
           (sl_view_eq(used, name) || fits(used, name));
}

enum sl_status sl_users_parse(struct sl_arena *arena, struct sl_view bytes,
                              struct sl_view name, struct sl_users *users_out,
                              struct sl_error *error)
{
    struct sl_users users = {.items = NULL};
    struct sl_view line;
    if (!sl_view_line(&bytes, &line) || !sl_view_is(line, header))
        return sl_error_set(error, SL_ERR_SYNTAX,
                            "%s:1: the header line must be: %s", SL_USAGE_TSV,
                            header);
    for (size_t n = 2; sl_view_line(&bytes, &line); n++) {
        if (!is_wanted(line, name))
            continue;
        users.items = sl_arena_grow(arena, users.items, sizeof *users.items,
                                    users.count, &users.cap);
        if (!users.items)
            return sl_error_nomem(error);
        if (!read_row(line, &users.items[users.count++]))
            return sl_error_set(error, SL_ERR_SYNTAX,
                                "%s:%zu: not a row of %d columns",
                                SL_USAGE_TSV, n, COLUMNS);
    }
    *users_out = users;
    return SL_OK;
}

static bool is_one_of(struct sl_view kind, const char *const *kinds)
{
    for (; *kinds; kinds++)
        if (sl_view_is(kind, *kinds))
            return true;
    return false;
}

bool sl_user_is_code(const struct sl_user *user)
{
    static const char *const kinds[] = {
        "call",       "reference", "definition", "declaration", "macro-body",
        "member",     "local",     "import",     "include",     "unparsed",
        "by-name",    "generated", NULL,
    };
    return is_one_of(user->kind, kinds);
}

bool sl_user_is_env(const struct sl_user *user)
{
    return sl_view_starts(user->kind, "env-");
}

bool sl_source_is_study(struct sl_view source)
{
    return sl_view_starts(source, "deepep") ||
           sl_view_starts(source, "ultraep");
}
