/*
 * What the shipped libraries hold and ask for: lib/strings.tsv of each package
 * (tools/library-strings) and evidence/env-observed.tsv (tools/observe-env),
 * releases, and names that no source line tells of.
 */
#include <stdlib.h>
#include <string.h>

#include "api/table.h"
#include "base/limits.h"
#include "helpers/index/env.h"
#include "os/file.h"

#define OBSERVED "evidence/env-observed.tsv"

static const char *const forms[] = {"whole", "tail", "inside"};

static enum sl_status find_library(struct sl_env_work *work,
                                   struct sl_env_package *package,
                                   struct sl_view name, size_t *place_out,
                                   struct sl_error *error)
{
    size_t n = package->library_count;
    for (size_t i = n; i-- > 0;)
        if (sl_view_eq(package->libraries[i], name)) {
            *place_out = i;
            return SL_OK;
        }
    struct sl_view *grown = sl_arena_grow(work->arena, package->libraries,
                                          sizeof *grown, n,
                                          &package->library_cap);
    if (!grown)
        return sl_error_nomem(error);
    package->libraries = grown;
    grown[n] = name;
    *place_out = package->library_count++;
    return SL_OK;
}

static enum sl_status add_string(struct sl_env_work *work,
                                 struct sl_env_package *package,
                                 struct sl_view library, int form,
                                 struct sl_view name, struct sl_error *error)
{
    struct sl_env_string *strings = sl_arena_grow(
        work->arena, package->strings, sizeof *strings, package->string_count,
        &package->string_cap);
    if (!strings)
        return sl_error_nomem(error);
    package->strings = strings;
    struct sl_env_string *string = &strings[package->string_count];
    *string = (struct sl_env_string){.form = form, .name = name};
    enum sl_status status = find_library(work, package, library,
                                         &string->library, error);
    if (!status)
        package->string_count++;
    return status;
}

/* LIBRARY FORM NAME */
static enum sl_status read_strings(struct sl_env_work *work,
                                   struct sl_env_package *package,
                                   const char *path, struct sl_error *error)
{
    struct sl_view rest, line;
    enum sl_status status = sl_file_read(work->arena, path, SL_MAX_ENV_TABLE,
                                         &rest, error);
    for (size_t number = 1; !status && sl_view_line(&rest, &line); number++) {
        struct sl_view fields[3] = {{NULL, 0}, {NULL, 0}, {NULL, 0}};
        size_t n = 0;
        while (n < 3 && sl_view_cut(&line, '\t', &fields[n]))
            n++;
        int form = 0;
        while (form < 3 && !sl_view_is(fields[1], forms[form]))
            form++;
        if (n < 3 || line.len || form == 3)
            return sl_error_set(error, SL_ERR_SYNTAX,
                                "%s: line %zu: not what library-strings writes",
                                path, number);
        status = add_string(work, package, fields[0], form, fields[2], error);
    }
    return status;
}

/* NAME-VERSION or NAME-VERSION/: what is after the last dash. */
static struct sl_view release_of(const char *folder)
{
    struct sl_view v = sl_view_of(folder);
    while (v.len && v.ptr[v.len - 1] == '/')
        v.len--;
    size_t at = v.len;
    while (at && v.ptr[at - 1] != '-' && v.ptr[at - 1] != '/')
        at--;
    return sl_view_sub(v, at, v.len);
}

static enum sl_status read_package(struct sl_env_work *work, const char *folder,
                                   struct sl_error *error)
{
    struct sl_env_package *grown = sl_arena_grow(
        work->arena, work->packages, sizeof *grown, work->package_count,
        &work->package_cap);
    const char *path = sl_path_join(work->arena, folder,
                                    SL_LIT("lib/strings.tsv"));
    if (!grown || !path)
        return sl_error_nomem(error);
    work->packages = grown;
    struct sl_env_package *package = &grown[work->package_count];
    *package = (struct sl_env_package){.folder = folder,
                                       .release = release_of(folder)};
    enum sl_status status = read_strings(work, package, path, error);
    package->was_run = sl_arena_alloc(work->arena, package->library_count + 1);
    if (!status && !package->was_run)
        status = sl_error_nomem(error);
    if (!status)
        work->package_count++;
    return status;
}

/* --- what was observed ----------------------------------------------------- */

/* The library of this stem in the package; false: it has none. */
static bool library_of(const struct sl_env_package *package,
                       struct sl_view stem, size_t *place_out)
{
    for (size_t i = 0; i < package->library_count; i++) {
        struct sl_view name = package->libraries[i];
        size_t dot = sl_view_find(name, SL_LIT("."), 0);
        if (sl_view_eq(sl_view_sub(name, 0, dot), stem)) {
            *place_out = i;
            return true;
        }
    }
    return false;
}

/* LIBRARY NAME FIRST LAST into every package of those releases. */
static enum sl_status add_observed(struct sl_env_work *work,
                                   const struct sl_view fields[4],
                                   struct sl_error *error)
{
    enum sl_status status = SL_OK;
    for (size_t i = 0; i < work->package_count && !status; i++) {
        struct sl_env_package *package = &work->packages[i];
        size_t library;
        if (sl_env_release_cmp(package->release, fields[2]) < 0 ||
            sl_env_release_cmp(package->release, fields[3]) > 0 ||
            !library_of(package, fields[0], &library))
            continue;
        status = add_string(work, package, package->libraries[library],
                            SL_STRING_ASKED, fields[1], error);
        package->was_run[library] = true;
        package->has_asked = true;
    }
    return status;
}

enum sl_status sl_env_read_observed(struct sl_env_work *work, const char *root,
                                    struct sl_error *error)
{
    struct sl_view rest, line;
    enum sl_status status = sl_table_read(work->arena, root, OBSERVED,
                                          SL_MAX_ENV_TABLE, &rest, error);
    for (size_t number = 1; !status && sl_view_line(&rest, &line); number++) {
        struct sl_view fields[4] = {{NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}};
        size_t n = 0;
        while (n < 4 && sl_view_cut(&line, '\t', &fields[n]))
            n++;
        if (n < 4 || line.len)
            return sl_error_set(error, SL_ERR_SYNTAX,
                                OBSERVED
                                ": line %zu: not what observe-env writes",
                                number);
        status = add_observed(work, fields, error);
    }
    return status;
}

static int release_order(const void *a, const void *b)
{
    return sl_env_release_cmp(*(const struct sl_view *)a,
                              *(const struct sl_view *)b);
}

enum sl_status sl_env_read_packages(struct sl_env_work *work,
                                    const char *const *folders, size_t count,
                                    struct sl_error *error)
{
    for (size_t i = 0; i < count; i++) {
        enum sl_status status = read_package(work, folders[i], error);
        if (status)
            return status;
    }
    work->releases = sl_arena_alloc(work->arena,
                                    (count + 1) * sizeof *work->releases);
    if (!work->releases)
        return sl_error_nomem(error);
    for (size_t i = 0; i < work->package_count; i++)
        work->releases[i] = work->packages[i].release;
    qsort(work->releases, count, sizeof *work->releases, release_order);
    for (size_t i = 0; i < count; i++)
        if (!work->release_count ||
            !sl_view_eq(work->releases[work->release_count - 1],
                        work->releases[i]))
            work->releases[work->release_count++] = work->releases[i];
    return SL_OK;
}

struct sl_view sl_env_library_reader(struct sl_env_work *work,
                                     struct sl_view file)
{
    static const struct {
        const char *begin, *reader;
    } names[] = {
        {"libnvshmem_host.so", "host"},
        {"nvshmem_bootstrap_", "bootstrap:"},
        {"nvshmem_transport_", "transport:"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!sl_view_starts(file, names[i].begin))
            continue;
        if (i == 0)
            return SL_LIT("host");
        size_t begin = strlen(names[i].begin);
        size_t end = sl_view_find(file, SL_LIT("."), begin);
        struct sl_buf buf;
        sl_buf_init(&buf, SL_MAX_PATH);
        sl_buf_printf(&buf, "%s%.*s", names[i].reader,
                      SL_ARG(sl_view_sub(file, begin, end)));
        struct sl_view text = {NULL, 0};
        if (!buf.failed)
            text = sl_arena_copy(work->arena, sl_buf_view(&buf));
        sl_buf_release(&buf);
        return text;
    }
    return SL_LIT("");
}

/* The bytes that stand in the library: without the prefix where a macro adds it. */
static struct sl_view written(const struct sl_env_draft *draft)
{
    struct sl_view name = draft->row.name;
    if (draft->from_table)
        name = sl_view_sub(name, strlen("NVSHMEM_"), name.len);
    return name;
}

static bool has(struct sl_view string, struct sl_view name)
{
    if (sl_view_eq(string, name))
        return true;
    /* a word alone is the tail of too much */
    if (sl_view_find(name, SL_LIT("_"), 0) == SIZE_MAX || string.len < name.len)
        return false;
    return sl_view_eq(sl_view_sub(string, string.len - name.len, string.len),
                      name);
}

bool sl_env_in_library(const struct sl_env_package *package, size_t library,
                       const struct sl_env_draft *draft)
{
    struct sl_view name = written(draft);
    bool asks = package->was_run[library] && draft->row.kind == SL_ENV_RUN;
    for (size_t i = 0; i < package->string_count; i++) {
        const struct sl_env_string *string = &package->strings[i];
        if (string->library != library)
            continue;
        if (asks ? string->form == SL_STRING_ASKED &&
                       sl_view_eq(string->name, draft->row.name)
                 : string->form <= SL_STRING_TAIL && has(string->name, name))
            return true;
    }
    return false;
}

static size_t release_place(const struct sl_env_work *work,
                            struct sl_view release)
{
    size_t i = 0;
    while (i < work->release_count && !sl_view_eq(work->releases[i], release))
        i++;
    return i;
}

/* When a library reads its table: see env_tables.c for the sources' part. */
static unsigned when_of(struct sl_view reader)
{
    if (sl_view_is(reader, "host"))
        return SL_WHEN_INIT;
    return sl_view_starts(reader, "transport:") ? SL_WHEN_TRANSPORT
                                                : SL_WHEN_BOOTSTRAP;
}

/* Names without a source line were marked where they were found. */
static void mark_seen(struct sl_env_work *work,
                      const struct sl_env_package *package,
                      struct sl_env_draft *draft)
{
    if (!sl_view_is(draft->row.evidence, "source"))
        return;
    size_t at = release_place(work, package->release);
    bool run = draft->row.kind == SL_ENV_RUN;
    for (size_t i = 0; i < package->library_count; i++) {
        if (!sl_env_in_library(package, i, draft))
            continue;
        draft->seen[at] |= !(package->has_asked && run) || package->was_run[i];
        struct sl_view name = sl_env_library_reader(work,
                                                    package->libraries[i]);
        sl_env_set reader = name.len ? sl_env_reader(work, name) : 0;
        if (run && package->was_run[i]) {
            draft->asked[at] |= reader;
            draft->whens |= when_of(name);
        }
        /* a string tells of those alone that the sources name */
        else
            draft->held[at] |= reader & draft->readers;
    }
}

/* --- names that only libraries know --------------------------------------- */

/* Values and enumerators that stand between the names of a table. */
static const char *const no_names[] = {
    "AF_INET", "AF_INET6",          "DEVICE", "FILE_DESCRIPTOR", "HOME",
    "NVSHMEM", "NVSHMEM_CONF_FILE",
};

static bool is_no_name(struct sl_view string)
{
    for (size_t i = 0; i < sizeof no_names / sizeof *no_names; i++)
        if (sl_view_is(string, no_names[i]))
            return true;
    return false;
}

/* A run-time draft of the table with this name (without the prefix), or NULL. */
static struct sl_env_draft *table_draft(struct sl_env_work *work,
                                        struct sl_view string,
                                        struct sl_error *error,
                                        enum sl_status *status)
{
    struct sl_view full;
    *status = sl_env_prefixed(work, string, &full, error);
    return *status ? NULL : sl_env_known(work, SL_ENV_RUN, full);
}

/*
 * The strings of a table stand side by side in a library, in the order of the
 * table: *first_out and *last_out are the outermost of those known from source
 * (names of one word do not count, they stand elsewhere too).
 */
static enum sl_status find_table(struct sl_env_work *work,
                                 const struct sl_env_package *package,
                                 size_t library, size_t *first_out,
                                 size_t *last_out, struct sl_error *error)
{
    size_t first = SIZE_MAX, last = 0;
    enum sl_status status = SL_OK;
    for (size_t i = 0; i < package->string_count && !status; i++) {
        const struct sl_env_string *string = &package->strings[i];
        if (string->library != library || string->form != SL_STRING_WHOLE ||
            sl_view_find(string->name, SL_LIT("_"), 0) == SIZE_MAX)
            continue;
        const struct sl_env_draft *draft = table_draft(work, string->name,
                                                       error, &status);
        if (!draft || !sl_view_is(draft->row.evidence, "source"))
            continue;
        if (first == SIZE_MAX)
            first = i;
        last = i;
    }
    *first_out = first;
    *last_out = last;
    return status;
}

static enum sl_status add_unknown(struct sl_env_work *work,
                                  const struct sl_env_package *package,
                                  size_t library, struct sl_view full,
                                  bool asked, struct sl_error *error)
{
    struct sl_env_draft *draft = sl_env_draft(work, SL_ENV_RUN, full);
    if (!draft)
        return sl_error_nomem(error);
    if (sl_view_is(draft->row.evidence, "source"))
        return SL_OK;
    struct sl_view reader = sl_env_library_reader(work,
                                                  package->libraries[library]);
    size_t at = release_place(work, package->release);
    draft->from_table = true;
    draft->seen[at] = true;
    if (!asked)
        draft->held[at] |= sl_env_reader(work, reader);
    if (asked) {
        draft->asked[at] |= sl_env_reader(work, reader);
        draft->whens |= when_of(reader);
        draft->row.evidence = SL_LIT("observed");
    }
    return SL_OK;
}

/* A library that was not run: what stands inside its table. */
static enum sl_status add_from_table(struct sl_env_work *work,
                                     const struct sl_env_package *package,
                                     size_t library, struct sl_error *error)
{
    size_t first, last;
    enum sl_status status = find_table(work, package, library, &first, &last,
                                       error);
    if (status || first == SIZE_MAX)
        return status;
    for (size_t i = first; i <= last && !status; i++) {
        const struct sl_env_string *string = &package->strings[i];
        if (string->form != SL_STRING_WHOLE || is_no_name(string->name))
            continue;
        struct sl_view full;
        status = sl_env_prefixed(work, string->name, &full, error);
        if (!status)
            status = add_unknown(work, package, library, full, false, error);
    }
    return status;
}

static enum sl_status add_names(struct sl_env_work *work,
                                const struct sl_env_package *package,
                                struct sl_error *error)
{
    enum sl_status status = SL_OK;
    for (size_t k = 0; k < package->library_count && !status; k++)
        if (!package->has_asked)
            status = add_from_table(work, package, k, error);
    for (size_t i = 0; i < package->string_count && !status; i++) {
        const struct sl_env_string *string = &package->strings[i];
        if (string->form == SL_STRING_ASKED)
            status = add_unknown(work, package, string->library, string->name,
                                 true, error);
    }
    return status;
}

static void set_gate(struct sl_env_work *work, struct sl_env_draft *draft,
                     struct sl_error *error, enum sl_status *status)
{
    size_t first = 0, last = work->release_count;
    while (first < work->release_count && !draft->seen[first])
        first++;
    if (first == work->release_count)
        return;
    while (!draft->seen[last - 1])
        last--;
    for (size_t i = first; i < last; i++)
        if (!draft->seen[i])
            sl_buf_printf(&work->remarks, "missing in between: %.*s in %.*s\n",
                          SL_ARG(draft->row.name), SL_ARG(work->releases[i]));
    draft->row.last = work->releases[last - 1];
    draft->row.first = work->releases[first];
    if (first > 0)
        return;
    char text[64] = "<=";
    struct sl_view oldest = work->releases[0];
    size_t n = oldest.len < sizeof text - 3 ? oldest.len : sizeof text - 3;
    memcpy(text + 2, oldest.ptr, n);
    draft->row.first = sl_arena_copy(work->arena,
                                     (struct sl_view){text, n + 2});
    if (!draft->row.first.ptr)
        *status = sl_error_nomem(error);
}

enum sl_status sl_env_gates(struct sl_env_work *work, struct sl_error *error)
{
    enum sl_status status = SL_OK;
    for (size_t i = 0; i < work->package_count && !status; i++)
        status = add_names(work, &work->packages[i], error);
    for (size_t i = 0; i < work->count && !status; i++) {
        struct sl_env_draft *draft = &work->drafts[i];
        if (draft->row.kind != SL_ENV_RUN && draft->row.kind != SL_ENV_FOREIGN)
            continue;
        for (size_t k = 0; k < work->package_count; k++)
            mark_seen(work, &work->packages[k], draft);
        set_gate(work, draft, error, &status);
    }
    return status;
}
