/* The tables of names, and whether a name or a pattern is in them. */
#include <fnmatch.h>
#include <string.h>

#include "api/nccl.h"
#include "api/table.h"
#include "base/limits.h"
#include "os/file.h"
#include "verify/names.h"

enum table {
    SYMBOLS,
    SIGNATURES,
    PACKAGES,
    ENV,
    USAGE,
    NCCL,
    OBSERVED,
    TABLES
};

static const char *const table_files[TABLES] = {
    [SYMBOLS] = SL_SYMBOLS_TSV,   [SIGNATURES] = SL_SIGNATURES_TSV,
    [PACKAGES] = SL_PACKAGES_TSV, [ENV] = SL_ENV_TSV,
    [USAGE] = SL_USAGE_TSV,       [NCCL] = SL_NCCL_TSV,
    [OBSERVED] = "evidence/env-observed.tsv",
};

static enum sl_status fault(struct sl_checks *checks, const char *file,
                            const struct sl_error *why, struct sl_error *error)
{
    if (why->status == SL_ERR_NOMEM)
        return sl_error_nomem(error);
    sl_checks_table_fault(checks, file, why);
    return SL_OK;
}

static enum sl_status read_table(struct sl_checks *checks, const char *name,
                                 struct sl_view *bytes_out,
                                 struct sl_error *error)
{
    struct sl_error why = {SL_OK, ""};
    *bytes_out = SL_LIT("");
    enum sl_status status = sl_table_read(&checks->arena, checks->root, name,
                                          SL_MAX_SYMBOLS_FILE, bytes_out, &why);
    if (status == SL_ERR_SYNTAX)
        return fault(checks, name, &why, error);
    return status == SL_OK || status == SL_ERR_NOTFOUND
               ? SL_OK
               : sl_error_set(error, status, "%s", why.message);
}

static enum sl_status add_names(struct sl_names *names, struct sl_error *error)
{
    for (size_t i = 0; i < names->env.count; i++)
        if (!sl_map_put(&names->variables, names->env.items[i].name, 1, NULL))
            return sl_error_nomem(error);
    for (size_t i = 0; i < names->users.count; i++)
        if (!sl_map_put(&names->used, names->users.items[i].name, 1, NULL))
            return sl_error_nomem(error);
    return SL_OK;
}

/* Tables that are there say by their sums that they are whole. */
static void check_sums(struct sl_checks *checks)
{
    const char *path =
        sl_path_join(&checks->arena, checks->root, SL_LIT(SL_TABLE_SUMS));
    if (path && !sl_path_exists(path))
        sl_report_fault(checks->report, SL_LIT(SL_TABLE_SUMS), 0, "table-sums",
                        "(cd evidence && sha256sum *.tsv >SHA256SUMS)",
                        "no sums: a table that was cut short would not be "
                        "noticed");
}

static enum sl_status parse_tables(struct sl_checks *checks,
                                   const struct sl_view *texts,
                                   struct sl_names *names,
                                   struct sl_error *error)
{
    struct sl_symbols_text text = {texts[SYMBOLS], texts[SIGNATURES],
                                   texts[PACKAGES]};
    struct sl_error why = {SL_OK, ""};
    const char *file = SL_SYMBOLS_TSV;
    enum sl_status status = sl_symbols_select(&checks->arena, &text, NULL, NULL,
                                              &names->symbols, &why);
    if (!status) {
        file = SL_ENV_TSV;
        status = sl_env_parse(&checks->arena, texts[ENV], &names->env, &why);
    }
    if (!status) {
        file = SL_USAGE_TSV;
        status = sl_users_parse(&checks->arena, texts[USAGE], SL_LIT(""),
                                &names->users, &why);
    }
    names->there = !status;
    return status ? fault(checks, file, &why, error) : add_names(names, error);
}

enum sl_status sl_names_load(struct sl_checks *checks,
                             struct sl_names *names_out, struct sl_error *error)
{
    struct sl_names names = {.there = false};
    struct sl_view texts[TABLES];
    enum sl_status status = SL_OK;
    sl_map_init(&names.variables, &checks->arena);
    sl_map_init(&names.used, &checks->arena);
    sl_map_init(&names.patterns, &checks->arena);
    *names_out = names;
    for (size_t i = 0; !status && i < TABLES; i++)
        status = read_table(checks, table_files[i], &texts[i], error);
    if (status || !texts[SYMBOLS].len)
        return status;
    check_sums(checks);
    if (!texts[ENV].len || !texts[USAGE].len)
        return SL_OK;
    status = parse_tables(checks, texts, &names, error);
    if (!status && names.there)
        *names_out = names;
    return status;
}

bool sl_names_have(const struct sl_names *names, struct sl_view name)
{
    return sl_symbols_find(&names->symbols, name) ||
           sl_map_get(&names->variables, name) ||
           sl_map_get(&names->used, name);
}

bool sl_names_own(const struct sl_names *names, struct sl_view project,
                  struct sl_view name)
{
    for (size_t i = 0; i < names->users.count; i++) {
        const struct sl_user *user = &names->users.items[i];
        if (user->own && sl_view_eq(user->name, name) &&
            sl_view_eq(sl_view_sub(user->source, 0, project.len), project))
            return true;
    }
    return false;
}

static bool fits(const char *glob, size_t literal, struct sl_view name)
{
    char text[SL_MAX_TOKEN * 4];
    if (name.len < literal || name.len >= sizeof text ||
        memcmp(name.ptr, glob, literal) != 0)
        return false;
    memcpy(text, name.ptr, name.len);
    text[name.len] = '\0';
    return fnmatch(glob, text, FNM_NOESCAPE) == 0;
}

static bool any_fits(const struct sl_map *map, const char *glob, size_t literal)
{
    for (size_t i = 0; i < map->cap; i++)
        if (map->slots[i].key.ptr && fits(glob, literal, map->slots[i].key))
            return true;
    return false;
}

static bool glob_fits(const struct sl_names *names, const char *glob)
{
    size_t literal = strcspn(glob, "*?[");
    for (size_t i = 0; i < names->symbols.count; i++)
        if (fits(glob, literal, names->symbols.items[i].name))
            return true;
    return any_fits(&names->variables, glob, literal) ||
           any_fits(&names->used, glob, literal);
}

/*
 * The glob of a pattern without braces: `...` and what stands for something (TYPE in a
 * name in small letters) become `*`; what ends in `_` is a beginning.
 */
static void put_glob(struct sl_buf *glob, struct sl_view pattern)
{
    bool small = sl_view_starts(pattern, "nvshmem");
    for (size_t i = 0; i < pattern.len;) {
        char c = pattern.ptr[i];
        size_t n = 1;
        if ((unsigned char)c >= 0x80) {
            while (i + n < pattern.len &&
                   (unsigned char)pattern.ptr[i + n] >= 0x80)
                n++;
            c = '*';
        } else if (small && sl_is_upper(c)) {
            while (i + n < pattern.len && sl_is_upper(pattern.ptr[i + n]))
                n++;
            c = '*';
        }
        sl_buf_putc(glob, c);
        i += n;
    }
    if (sl_view_ends(pattern, "_"))
        sl_buf_putc(glob, '*');
}

static enum sl_status one_fits(struct sl_checks *checks, struct sl_names *names,
                               struct sl_view pattern, bool *fits_out,
                               struct sl_error *error)
{
    struct sl_buf glob;
    sl_buf_init(&glob, SL_MAX_TOKEN * 8);
    put_glob(&glob, pattern);
    struct sl_view key = sl_arena_copy(&checks->arena, sl_buf_view(&glob));
    enum sl_status status = sl_buf_check(&glob, error);
    sl_buf_release(&glob);
    if (status || !key.ptr)
        return status ? status : sl_error_nomem(error);
    bool added;
    size_t *value = sl_map_put(&names->patterns, key, 0, &added);
    if (!value)
        return sl_error_nomem(error);
    if (added)
        *value = memchr(key.ptr, '*', key.len) ? glob_fits(names, key.ptr)
                                               : sl_names_have(names, key);
    *fits_out = *value != 0;
    return SL_OK;
}

enum sl_status sl_names_fit(struct sl_checks *checks, struct sl_names *names,
                            struct sl_view pattern, bool *fits_out,
                            struct sl_error *error)
{
    size_t open = sl_view_find(pattern, SL_LIT("{"), 0);
    size_t close = open == SIZE_MAX
                       ? SIZE_MAX
                       : sl_view_find(pattern, SL_LIT("}"), open);
    if (close == SIZE_MAX)
        return one_fits(checks, names, pattern, fits_out, error);
    struct sl_view rest = sl_view_sub(pattern, open + 1, close), word;
    struct sl_buf one;
    enum sl_status status = SL_OK;
    *fits_out = true;
    sl_buf_init(&one, SL_MAX_TOKEN * 8);
    while (!status && *fits_out && sl_view_cut(&rest, ',', &word)) {
        sl_buf_truncate(&one, 0);
        sl_buf_printf(&one, "%.*s%.*s%.*s",
                      SL_ARG(sl_view_sub(pattern, 0, open)), SL_ARG(word),
                      SL_ARG(sl_view_sub(pattern, close + 1, pattern.len)));
        status = sl_buf_check(&one, error);
        if (!status)
            status = one_fits(checks, names, sl_buf_view(&one), fits_out,
                              error);
    }
    sl_buf_release(&one);
    return status;
}
