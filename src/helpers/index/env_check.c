/* The table against the shipped libraries, both ways. */
#include <string.h>

#include "helpers/index/env.h"

/*
 * NVSHMEM_... in the libraries that name no variable of ours; with the reasons and
 * lines in docs/internals/env-index.md. The build options are those of other
 * releases than the tree's, in the text that NVSHMEM_BUILD_VARS defines.
 */
static const char *const excused[] = {
    "NVSHMEM_ARTIFACT_VERSION",            /* build option, 3.7.0 on */
    "NVSHMEM_BUILD_P2P_ONLY",              /* build option, 3.7.0 on */
    "NVSHMEM_CFT_HANDLES_SUPPORT",         /* build option, 3.8.0 */
    "NVSHMEM_DISABLE_COLL_POLL",           /* build option, 3.1.7 */
    "NVSHMEM_ENABLE_CFT_HANDLES",          /* build option, 3.7 */
    "NVSHMEM_GPUNETIO_SUPPORT",            /* build option, 3.7.0 on */
    "NVSHMEM_INIT",                        /* a routine, in a description */
    "NVSHMEM_PRIORITIZE_LOGICAL_ENDPOINT", /* build option, 3.7.0 on */
    "NVSHMEM_PROXY",                       /* domain of the NVTX ranges */
    "NVSHMEM_TEAM_MC_SHARED",              /* team, 3.7.0 on */
    "NVSHMEM_TEAM_SHARED",                 /* team */
};

static bool is_excused(struct sl_view name)
{
    for (size_t i = 0; i < sizeof excused / sizeof *excused; i++)
        if (sl_view_is(name, excused[i]))
            return true;
    return false;
}

static bool has_row(const struct sl_env_table *table, struct sl_view name)
{
    for (size_t i = 0; i < table->count; i++)
        if (sl_view_eq(table->items[i].name, name))
            return true;
    return false;
}

/* Every NVSHMEM_... of the package, whatever its form. */
static enum sl_status check_strings(struct sl_env_work *work,
                                    const struct sl_env_package *package,
                                    const struct sl_env_table *table,
                                    struct sl_env_check *check,
                                    struct sl_error *error)
{
    struct sl_map seen;
    sl_map_init(&seen, work->arena);
    for (size_t i = 0; i < package->string_count; i++) {
        struct sl_view name = package->strings[i].name;
        if (!sl_view_starts(name, "NVSHMEM_") ||
            package->strings[i].form == SL_STRING_ASKED)
            continue;
        bool added;
        if (!sl_map_put(&seen, name, 0, &added))
            return sl_error_nomem(error);
        if (!added)
            continue;
        check->strings++;
        if (has_row(table, name))
            check->strings_known++;
        else if (is_excused(name))
            check->excused++;
        else
            sl_buf_printf(
                &work->remarks, "no variable: %.*s in %.*s, %.*s\n",
                SL_ARG(name), SL_ARG(package->release),
                SL_ARG(package->libraries[package->strings[i].library]));
    }
    return SL_OK;
}

/* A library that should hold a name that one of its readers asks for. */
static void check_pair(struct sl_env_work *work,
                       const struct sl_env_package *package, size_t library,
                       const struct sl_env_draft *draft,
                       struct sl_env_check *check, bool *found)
{
    struct sl_view reader = sl_env_library_reader(work,
                                                  package->libraries[library]);
    sl_env_set set = reader.len ? sl_env_reader(work, reader) : 0;
    bool here = sl_env_in_library(package, library, draft);
    *found = *found || here;
    if (!(draft->readers & set))
        return;
    check->pairs++;
    if (here)
        check->pairs_found++;
    else if (draft->tables && !draft->row.first.len)
        check->excused++; /* compiled out of all: the row's note says so */
    else
        sl_buf_printf(&work->remarks, "not in the library: %.*s, %.*s\n",
                      SL_ARG(draft->row.name),
                      SL_ARG(package->libraries[library]));
}

static void check_rows(struct sl_env_work *work,
                       const struct sl_env_package *package,
                       struct sl_env_check *check)
{
    for (size_t i = 0; i < work->count; i++) {
        const struct sl_env_draft *draft = &work->drafts[i];
        if (draft->row.kind != SL_ENV_RUN ||
            !sl_view_is(draft->row.evidence, "source"))
            continue;
        bool found = false;
        check->rows++;
        for (size_t k = 0; k < package->library_count; k++)
            check_pair(work, package, k, draft, check, &found);
        if (found)
            check->rows_found++;
        else if (draft->tables && !draft->row.first.len)
            check->excused++;
        else
            sl_buf_printf(&work->remarks, "in no library: %.*s\n",
                          SL_ARG(draft->row.name));
    }
}

/* What a library of this release asked for: a row that names it as reader? */
static void check_asked(struct sl_env_work *work,
                        const struct sl_env_package *package,
                        struct sl_env_check *check)
{
    for (size_t i = 0; i < package->string_count; i++) {
        const struct sl_env_string *string = &package->strings[i];
        if (string->form != SL_STRING_ASKED)
            continue;
        const struct sl_env_draft *draft = sl_env_known(work, SL_ENV_RUN,
                                                        string->name);
        struct sl_view library = package->libraries[string->library];
        sl_env_set set = sl_env_reader(work,
                                       sl_env_library_reader(work, library));
        check->asked++;
        if (draft && sl_view_is(draft->row.evidence, "source") &&
            (draft->readers & set))
            check->asked_known++;
        else
            sl_buf_printf(&work->remarks,
                          "asked for and not known: %.*s, %.*s\n",
                          SL_ARG(string->name), SL_ARG(library));
    }
}

enum sl_status sl_env_compare(struct sl_env_work *work,
                              const struct sl_env_table *table,
                              struct sl_env_check *check_out,
                              struct sl_error *error)
{
    struct sl_env_check check = {0};
    enum sl_status status = SL_OK;
    for (size_t i = 0; i < work->package_count && !status; i++) {
        const struct sl_env_package *package = &work->packages[i];
        status = check_strings(work, package, table, &check, error);
        if (!status && sl_view_eq(package->release, work->release)) {
            check_rows(work, package, &check);
            check_asked(work, package, &check);
        }
    }
    if (!status)
        *check_out = check;
    return status;
}
