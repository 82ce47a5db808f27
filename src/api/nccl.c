#include "api/nccl.h"

#include "base/limits.h"

#define MAGIC "shmemlore-nccl 1"

static enum sl_status bad(struct sl_error *error, size_t line, const char *what)
{
    return sl_error_set(error, SL_ERR_SYNTAX, "line %zu: %s", line, what);
}

static size_t count_words(struct sl_view text)
{
    size_t n = 0;
    struct sl_view word;
    while (sl_view_cut(&text, ' ', &word))
        n += word.len > 0;
    return n;
}

static enum sl_status parse_row(struct sl_view line, size_t number,
                                struct sl_nccl *row, struct sl_error *error)
{
    struct sl_view *fields[] = {&row->name, &row->counterparts,
                                &row->difference, &row->evidence};
    size_t n = 0;
    while (n < 4 && sl_view_cut(&line, '\t', fields[n]) && fields[n]->len)
        n++;
    if (n < 4 || line.len)
        return bad(error, number, "not four fields between tabs");
    if (!sl_view_starts(row->name, "NCCL_"))
        return bad(error, number, "the name is not of NCCL");
    if (sl_view_is(row->counterparts, "none"))
        row->counterparts.len = 0;
    if (count_words(row->difference) > SL_MAX_NCCL_WORDS)
        return sl_error_set(error, SL_ERR_LIMIT,
                            "line %zu: more than %u words of difference",
                            number, SL_MAX_NCCL_WORDS);
    return SL_OK;
}

enum sl_status sl_nccl_parse(struct sl_arena *arena, struct sl_view bytes,
                             struct sl_nccl_map *map_out,
                             struct sl_error *error)
{
    if (bytes.len > SL_MAX_ENV_TABLE)
        return sl_error_set(error, SL_ERR_LIMIT,
                            "a table of %zu bytes; the limit is %u", bytes.len,
                            SL_MAX_ENV_TABLE);
    struct sl_nccl_map map = {.count = 0};
    struct sl_view rest = bytes;
    struct sl_view line = SL_LIT("");
    if (!sl_view_line(&rest, &line) || !sl_view_is(line, MAGIC))
        return bad(error, 1, "it does not begin with '" MAGIC "'");
    for (size_t number = 2; sl_view_line(&rest, &line); number++) {
        map.items = sl_arena_grow(arena, map.items, sizeof *map.items,
                                  map.count, &map.cap);
        if (!map.items)
            return sl_error_nomem(error);
        struct sl_nccl *row = &map.items[map.count];
        enum sl_status status = parse_row(line, number, row, error);
        if (status)
            return status;
        if (map.count && sl_view_cmp(row[-1].name, row->name) >= 0)
            return bad(error, number, "the names are not sorted");
        map.count++;
    }
    *map_out = map;
    return SL_OK;
}

static bool same_letters(struct sl_view a, struct sl_view b)
{
    for (size_t i = 0; i < a.len && i < b.len; i++)
        if (sl_lower(a.ptr[i]) != sl_lower(b.ptr[i]))
            return false;
    return a.len == b.len;
}

const struct sl_nccl *sl_nccl_find(const struct sl_nccl_map *map,
                                   struct sl_view name)
{
    for (size_t i = 0; i < map->count; i++)
        if (same_letters(map->items[i].name, name))
            return &map->items[i];
    return NULL;
}

/* --- against the table of variables ---------------------------------------- */

static const struct sl_env *run_row(const struct sl_env_table *table,
                                    struct sl_view name)
{
    for (size_t i = 0; i < table->count; i++)
        if (table->items[i].kind == SL_ENV_RUN &&
            sl_view_eq(table->items[i].name, name))
            return &table->items[i];
    return NULL;
}

static enum sl_status check_absent(const struct sl_nccl *row,
                                   const struct sl_env_table *table,
                                   struct sl_view release, struct sl_view words,
                                   struct sl_error *error)
{
    struct sl_view word;
    while (sl_view_cut(&words, ',', &word))
        for (size_t i = 0; i < table->count; i++) {
            const struct sl_env *env = &table->items[i];
            if (env->kind == SL_ENV_RUN &&
                sl_view_find(env->name, word, 0) != SIZE_MAX &&
                sl_env_gate(table, env, release) == SL_ENV_HERE)
                return sl_error_set(
                    error, SL_ERR_SYNTAX,
                    "%.*s: '%.*s' is called absent and is in %.*s",
                    SL_ARG(row->name), SL_ARG(word), SL_ARG(env->name));
        }
    return SL_OK;
}

static enum sl_status check_names(const struct sl_nccl *row,
                                  const struct sl_env_table *table,
                                  struct sl_view names, struct sl_error *error)
{
    struct sl_view name;
    while (sl_view_cut(&names, ',', &name))
        if (!run_row(table, name))
            return sl_error_set(error, SL_ERR_SYNTAX,
                                "%.*s: %.*s is no run-time variable",
                                SL_ARG(row->name), SL_ARG(name));
    return SL_OK;
}

enum sl_status sl_nccl_check(const struct sl_nccl *row,
                             const struct sl_env_table *table,
                             struct sl_view release, struct sl_error *error)
{
    enum sl_status status = check_names(row, table, row->counterparts, error);
    struct sl_view rest = row->evidence, item;
    while (!status && sl_view_cut(&rest, ' ', &item)) {
        size_t colon = sl_view_find(item, SL_LIT(":"), 0);
        struct sl_view said = colon == SIZE_MAX
                                  ? SL_LIT("")
                                  : sl_view_sub(item, colon + 1, item.len);
        if (!said.len)
            status = sl_error_set(error, SL_ERR_SYNTAX,
                                  "%.*s: '%.*s' is no evidence",
                                  SL_ARG(row->name), SL_ARG(item));
        else if (sl_view_starts(item, "absent"))
            status = check_absent(row, table, release, said, error);
        else if (sl_view_starts(item, "observed:"))
            status = check_names(row, table, said, error);
    }
    return status;
}
