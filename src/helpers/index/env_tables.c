/*
 * The tables of NVSHMEMI_ENV_DEF. The macro is defined so that each entry becomes
 * constants; libclang includes the table as NVSHMEM does, evaluates them and
 * says the lines. Nothing of the tables is parsed here.
 */
#include <string.h>

#include "base/limits.h"
#include "helpers/index/env.h"
#include "os/file.h"
#include "clang/values.h"

#define PREFIX "sl_env_"

/* NVSHMEM_ENV_ALL is the build option that shows what others compile out. */
static const char unit_text[] =
    "typedef __SIZE_TYPE__ size_t;\n"
    "#define NULL nullptr\n"
    "#define NVSHMEM_ENV_ALL\n"
    "#include \"bootstrap_host_transport/env_defs_internal.h\"\n"
    "#define NVSHMEMI_ENV_DEF(NAME, KIND, DEFAULT, CATEGORY, DESC) \\\n"
    "  static const nvshmemi_env_##KIND sl_env_value_##NAME = DEFAULT; \\\n"
    "  static const char *const sl_env_kind_##NAME = #KIND; \\\n"
    "  static const char *const sl_env_group_##NAME = #CATEGORY;\n"
    "#include \"env_defs.h\"\n";

/* Functions are skipped, so the headers of the C library need not be. */
static const char *const empty_headers[] = {
    "alloca.h", "errno.h", "math.h",   "stdbool.h",
    "stddef.h", "stdio.h", "stdlib.h", "string.h",
};
#define EMPTY (sizeof empty_headers / sizeof *empty_headers)
#define NOWHERE "shmemlore-empty"

/* A table, the readers that may fill it, and when they do. */
static const struct {
    const char *folder;
    const char *readers;
    unsigned when;
} tables[] = {
    {"src/include/host/env", "host", SL_WHEN_INIT},
    {"src/modules/transport/common", "transport:", SL_WHEN_TRANSPORT},
    {"src/modules/bootstrap/common", "bootstrap:", SL_WHEN_BOOTSTRAP},
};

/* The package of the tree's release has the headers that CMake makes. */
static enum sl_status made_headers(struct sl_env_work *work,
                                   const char **folder_out,
                                   struct sl_error *error)
{
    static const char *const inner[] = {"include", "nvidia/nvshmem/include"};
    for (size_t i = 0; i < work->package_count; i++) {
        const struct sl_env_package *package = &work->packages[i];
        if (!sl_view_eq(package->release, work->release))
            continue;
        for (size_t k = 0; k < 2; k++) {
            const char *folder = sl_path_join(work->arena, package->folder,
                                              sl_view_of(inner[k]));
            const char *file =
                folder ? sl_path_join(work->arena, folder,
                                      SL_LIT("non_abi/nvshmem_build_options.h"))
                       : NULL;
            if (!file)
                return sl_error_nomem(error);
            if (sl_path_exists(file)) {
                *folder_out = folder;
                return SL_OK;
            }
        }
    }
    return sl_error_set(error, SL_ERR_NOTFOUND,
                        "no package of release %.*s with its headers among the "
                        "%zu given",
                        SL_ARG(work->release), work->package_count);
}

static const char *flag(struct sl_env_work *work, const char *a, const char *b)
{
    struct sl_buf buf;
    sl_buf_init(&buf, SL_MAX_PATH);
    sl_buf_printf(&buf, "%s%s", a, b);
    struct sl_view text = {NULL, 0};
    if (!buf.failed)
        text = sl_arena_copy(work->arena, sl_buf_view(&buf));
    sl_buf_release(&buf);
    return text.ptr;
}

static enum sl_status evaluate(struct sl_env_work *work, const char *tree,
                               const char *table, const char *headers,
                               struct sl_clang_values *values_out,
                               struct sl_error *error)
{
    struct sl_clang_text texts[EMPTY + 1] = {
        {"shmemlore-env.cpp", unit_text},
    };
    for (size_t i = 0; i < EMPTY; i++) {
        texts[i + 1] = (struct sl_clang_text){
            flag(work, NOWHERE "/", empty_headers[i]), "\n"};
        if (!texts[i + 1].path)
            return sl_error_nomem(error);
    }
    const char *source = sl_path_join(work->arena, tree,
                                      SL_LIT("src/include"));
    const char *flags[] = {
        "-xc++",
        "-std=c++17",
        "-nostdinc",
        "-w",
        flag(work, "-I", table),
        source ? flag(work, "-I", source) : NULL,
        flag(work, "-I", headers),
        "-isystem" NOWHERE,
    };
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (!flags[i])
            return sl_error_nomem(error);
    enum sl_status status = sl_clang_evaluate(
        work->arena, texts, EMPTY + 1, flags, sizeof flags / sizeof *flags,
        PREFIX, values_out, error);
    if (!status && values_out->errors)
        status = sl_error_set(error, SL_ERR_SYNTAX, "%.400s",
                              values_out->first_error.ptr);
    if (!status && values_out->unknown)
        status = sl_error_set(error, SL_ERR_SYNTAX,
                              "the front end gives no value for %.*s",
                              SL_ARG(values_out->first_unknown));
    return status;
}

/* The constants of one entry; their names are in unit_text. */
enum part { VALUE, KIND, GROUP, PARTS };

static enum part part_of(struct sl_view name, struct sl_view *variable_out)
{
    static const char *const begins[PARTS] = {PREFIX "value_", PREFIX "kind_",
                                              PREFIX "group_"};
    size_t i = 0;
    while (i < PARTS && !sl_view_starts(name, begins[i]))
        i++;
    if (i < PARTS)
        *variable_out = sl_view_sub(name, strlen(begins[i]), name.len);
    return (enum part)i;
}

/* Two tables may say the same of one variable; another thing is told. */
static void set_field(struct sl_env_work *work, struct sl_view name,
                      struct sl_view *field, struct sl_view text)
{
    if (!field->ptr)
        *field = text;
    else if (!sl_view_eq(*field, text))
        sl_buf_printf(&work->remarks,
                      "differs between tables: %.*s: %.*s and %.*s\n",
                      SL_ARG(name), SL_ARG(*field), SL_ARG(text));
}

static enum sl_status take(struct sl_env_work *work,
                           const struct sl_clang_value *value,
                           struct sl_view path, size_t table,
                           struct sl_error *error)
{
    static const char group[] = "NVSHMEMI_ENV_CAT_";
    struct sl_view variable, full;
    enum part part = part_of(value->name, &variable);
    if (part == PARTS)
        return SL_OK;
    enum sl_status status = sl_env_prefixed(work, variable, &full, error);
    if (status)
        return status;
    struct sl_env_draft *draft = sl_env_draft(work, SL_ENV_RUN, full);
    if (!draft)
        return sl_error_nomem(error);
    draft->from_table = true;
    draft->tables |= 1u << table;
    draft->whens |= tables[table].when;
    struct sl_view text = value->value;
    switch (part) {
    case KIND:
        set_field(work, full, &draft->row.type, text);
        return SL_OK;
    case GROUP:
        if (sl_view_starts(text, group))
            text = sl_view_sub(text, sizeof group - 1, text.len);
        set_field(work, full, &draft->row.category, text);
        return SL_OK;
    default:
        draft->is_text = value->is_text;
        set_field(work, full, &draft->row.fallback, text);
        return sl_env_place(work, draft, path, value->line, error);
    }
}

static struct sl_view name_of_bool(struct sl_view value)
{
    return sl_view_is(value, "0") || sl_view_is(value, "false")
               ? SL_LIT("false")
               : SL_LIT("true");
}

/* `false` reads better than 0 where the type is bool. */
static void name_bools(struct sl_env_work *work)
{
    for (size_t i = 0; i < work->count; i++) {
        struct sl_env *row = &work->drafts[i].row;
        if (sl_view_is(row->type, "bool"))
            row->fallback = name_of_bool(row->fallback);
    }
}

typedef enum sl_status taker(struct sl_env_work *work,
                             const struct sl_clang_value *value,
                             struct sl_view path, size_t table,
                             struct sl_error *error);

/* Every constant of the three tables of a tree, with the table's path. */
static enum sl_status read_all(struct sl_env_work *work, const char *tree,
                               taker *take_one, struct sl_error *error)
{
    const char *headers = NULL;
    enum sl_status status = made_headers(work, &headers, error);
    for (size_t i = 0; !status && i < sizeof tables / sizeof *tables; i++) {
        const char *folder = sl_path_join(work->arena, tree,
                                          sl_view_of(tables[i].folder));
        struct sl_view path = sl_view_of(
            folder ? flag(work, tables[i].folder, "/env_defs.h") : NULL);
        if (!path.ptr)
            return sl_error_nomem(error);
        struct sl_clang_values values;
        status = evaluate(work, tree, folder, headers, &values, error);
        for (size_t k = 0; !status && k < values.count; k++)
            status = take_one(work, &values.items[k], path, i, error);
    }
    return status;
}

enum sl_status sl_env_read_tables(struct sl_env_work *work,
                                  struct sl_error *error)
{
    enum sl_status status = read_all(work, work->tree, take, error);
    if (!status)
        name_bools(work);
    return status;
}

/* --- a later tree ---------------------------------------------------------- */

/* The first table that has the name counts; names of no release are passed over. */
static enum sl_status take_later(struct sl_env_work *work,
                                 const struct sl_clang_value *value,
                                 struct sl_view path, size_t table,
                                 struct sl_error *error)
{
    struct sl_view variable, full;
    enum part part = part_of(value->name, &variable);
    (void)table;
    if (part != VALUE && part != KIND)
        return SL_OK;
    enum sl_status status = sl_env_prefixed(work, variable, &full, error);
    struct sl_env_draft *draft =
        status ? NULL : sl_env_known(work, SL_ENV_RUN, full);
    if (!draft)
        return status;
    struct sl_env_later *later = &draft->later;
    if (part == KIND && !later->type.len)
        later->type = value->value;
    if (part == KIND || later->place.len)
        return SL_OK;
    struct sl_buf buf;
    sl_buf_init(&buf, SL_MAX_PATH);
    sl_buf_printf(&buf, "%.*s:%.*s:%u", SL_ARG(work->later_source),
                  SL_ARG(path), value->line);
    later->place = sl_arena_copy(work->arena, sl_buf_view(&buf));
    later->fallback = value->is_text && !value->value.len ? SL_LIT("\"\"")
                                                          : value->value;
    status = sl_buf_check(&buf, error);
    sl_buf_release(&buf);
    return status || later->place.ptr ? status : sl_error_nomem(error);
}

enum sl_status sl_env_read_later(struct sl_env_work *work,
                                 struct sl_error *error)
{
    if (!work->later_tree)
        return SL_OK;
    enum sl_status status = read_all(work, work->later_tree, take_later, error);
    for (size_t i = 0; !status && i < work->count; i++) {
        struct sl_env_draft *draft = &work->drafts[i];
        struct sl_env_later *later = &draft->later;
        struct sl_view now = draft->row.fallback;
        if (!later->place.len)
            continue;
        if (sl_view_is(later->type, "bool"))
            later->fallback = name_of_bool(later->fallback);
        if (draft->is_text && !now.len)
            now = SL_LIT("\"\"");
        if (sl_view_eq(later->type, draft->row.type) &&
            sl_view_eq(later->fallback, now))
            later->place = SL_LIT(""); /* nothing to tell */
        else
            status = sl_env_add_place(work, draft, later->place, error);
    }
    return status;
}

void sl_env_table_readers(struct sl_env_work *work)
{
    for (size_t k = 0; k < sizeof tables / sizeof *tables; k++) {
        sl_env_set set = work->loaders &
                         sl_env_readers(work, tables[k].readers);
        for (size_t i = 0; i < work->count; i++)
            if (work->drafts[i].tables >> k & 1)
                work->drafts[i].readers |= set;
    }
}
