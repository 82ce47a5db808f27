/* `index api`: the headers of each package, read, merged, written or compared. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/table.h"
#include "base/limits.h"
#include "helpers/index/check.h"
#include "helpers/index/command.h"
#include "helpers/index/layout.h"
#include "helpers/index/merge.h"
#include "os/file.h"

static const char help_text[] =
    "Usage: shmemlore index api [--package DIR]... [--output FILE] [--check]\n"
    "\n"
    "Reads the headers of NVSHMEM packages with libclang and writes what\n"
    "every release declares to evidence/symbols.tsv; what a name was like in\n"
    "other releases to signatures.tsv, and where the members of each struct\n"
    "lie to members.tsv, both beside it.\n"
    "\n"
    "  --package DIR  NAME-VERSION with include/nvshmem.h, as\n"
    "                 tools/nvshmem-packages leaves it; without any: all of\n"
    "                 evidence/packages.tsv in CACHE/packages\n"
    "  --output FILE  where to write the table; - for standard output\n"
    "  --check        write nothing; compare with the tables that are there,\n"
    "                 as far as the given packages reach\n"
    "  --root DIR     the project (default: the folder one is in)\n"
    "  --stubs DIR    the stand-in headers (default: ROOT/stubs)\n"
    "  --help         this text\n"
    "\n"
    "Exit status: 0 done, 1 --check found differences, 2 any fault.\n";

struct package {
    const char *path;
    struct sl_view version; /* as the folder's name says */
};

struct request {
    struct sl_arena *arena;
    struct package *packages;
    size_t count, cap;
    const char *root;
    const char *stubs;
    const char *output;
    bool check;
    bool help;
};

enum { OPT_PACKAGE = 256, OPT_OUTPUT, OPT_CHECK, OPT_ROOT, OPT_STUBS };

static enum sl_status add_package(struct request *request, const char *path,
                                  struct sl_error *error)
{
    struct package *packages = sl_arena_grow(request->arena, request->packages,
                                             sizeof *packages, request->count,
                                             &request->cap);
    if (!packages)
        return sl_error_nomem(error);
    request->packages = packages;
    struct sl_view name = sl_view_of(path);
    while (name.len && name.ptr[name.len - 1] == '/')
        name.len--;
    size_t dash = name.len;
    while (dash > 0 && name.ptr[dash - 1] != '-' && name.ptr[dash - 1] != '/')
        dash--;
    if (dash == 0 || name.ptr[dash - 1] != '-')
        return sl_error_set(error, SL_ERR_USAGE,
                            "%.300s: a package's folder is called "
                            "NAME-VERSION",
                            path);
    packages[request->count++] = (struct package){
        path, sl_view_sub(name, dash, name.len)};
    return SL_OK;
}

static enum sl_status read_arguments(int argc, char **argv,
                                     struct request *request,
                                     struct sl_error *error)
{
    static const struct option options[] = {
        {"package", required_argument, NULL, OPT_PACKAGE},
        {"output", required_argument, NULL, OPT_OUTPUT},
        {"check", no_argument, NULL, OPT_CHECK},
        {"root", required_argument, NULL, OPT_ROOT},
        {"stubs", required_argument, NULL, OPT_STUBS},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    opterr = 0;
    int option;
    enum sl_status status = SL_OK;
    while (!status &&
           (option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
        if (option == OPT_PACKAGE)
            status = add_package(request, optarg, error);
        else if (option == OPT_OUTPUT)
            request->output = optarg;
        else if (option == OPT_CHECK)
            request->check = true;
        else if (option == OPT_ROOT)
            request->root = optarg;
        else if (option == OPT_STUBS)
            request->stubs = optarg;
        else if (option == 'h')
            request->help = true;
        else
            return sl_error_set(error, SL_ERR_USAGE,
                                "api: '%.100s' is not understood; --help "
                                "tells more",
                                argv[optind - 1]);
    }
    if (!status && optind < argc)
        status = sl_error_set(error, SL_ERR_USAGE,
                              "api: '%.100s' is not an option; --help tells "
                              "more",
                              argv[optind]);
    return status;
}

/* Every package of evidence/packages.tsv. */
static enum sl_status add_all(struct request *request, struct sl_error *error)
{
    const char *cache, *path;
    struct sl_view text, line, name, version;
    enum sl_status status = sl_table_read(request->arena, request->root,
                                          SL_PACKAGES_TSV, SL_MAX_SYMBOLS_FILE,
                                          &text, error);
    if (!status)
        status = sl_cache_folder(request->arena, &cache, error);
    if (status)
        return status;
    (void)sl_view_line(&text, &line); /* the header */
    while (!status && sl_view_line(&text, &line)) {
        if (!sl_view_cut(&line, '\t', &name) ||
            !sl_view_cut(&line, '\t', &version))
            return sl_error_set(error, SL_ERR_SYNTAX, "%s: not 5 columns",
                                SL_PACKAGES_TSV);
        struct sl_buf buf;
        sl_buf_init(&buf, SL_MAX_PATH);
        sl_buf_printf(&buf, "packages/%.*s-%.*s", SL_ARG(name),
                      SL_ARG(version));
        path = sl_path_join(request->arena, cache, sl_buf_view(&buf));
        sl_buf_release(&buf);
        if (!path)
            return sl_error_nomem(error);
        if (!sl_path_is_folder(path))
            return sl_error_set(error, SL_ERR_NOTFOUND,
                                "%.300s is not there: run "
                                "tools/nvshmem-packages",
                                path);
        status = add_package(request, path, error);
    }
    return status;
}

/* Ascending; of one release the package with the greater name first. */
static int by_version(const void *a, const void *b)
{
    const struct package *x = a, *y = b;
    int order = sl_release_cmp(x->version, y->version);
    return order ? order : -strcmp(x->path, y->path);
}

static void say_twin(const struct package *package,
                     const struct sl_merge_twin *twin)
{
    size_t all = twin->only_first + twin->only_second + twin->other_signature;
    if (!all)
        return;
    char text[400];
    (void)snprintf(text, sizeof text,
                   "%.200s: %zu names fewer, %zu more, %zu otherwise than in "
                   "the release's other package (%.*s)",
                   package->path, twin->only_first, twin->only_second,
                   twin->other_signature, SL_ARG(twin->example));
    sl_index_say(text);
}

/* What all releases come to. */
struct tables {
    struct sl_merge merge;
    struct sl_layout layout;
    struct sl_symbols symbols;
    struct sl_members members;
};

static enum sl_status read_one(struct tables *tables,
                               const struct request *request,
                               const struct package *package, bool is_twin,
                               struct sl_error *error)
{
    struct sl_arena arena; /* of one release: it goes when it is merged */
    sl_arena_init(&arena, SL_MAX_INDEX_ARENA);
    struct sl_release release;
    enum sl_status status = sl_headers_read(&arena, package->path,
                                            request->stubs, &release, error);
    if (!status && !sl_view_eq(release.version, package->version))
        status = sl_error_set(error, SL_ERR_SYNTAX,
                              "%.300s: its headers say %.*s", package->path,
                              SL_ARG(release.version));
    struct sl_merge_twin twin = {0, 0, 0, SL_LIT("")};
    if (!status && is_twin)
        status = sl_merge_add_twin(&tables->merge, &release, &twin, error);
    else if (!status)
        status = sl_merge_add(&tables->merge, &release, error);
    if (!status && !is_twin)
        status = sl_layout_add(&tables->layout, &release, error);
    if (!status)
        say_twin(package, &twin);
    sl_arena_release(&arena);
    return status;
}

static enum sl_status read_all(struct request *request, struct tables *tables,
                               struct sl_error *error)
{
    enum sl_status status = SL_OK;
    if (request->count == 0)
        status = add_all(request, error);
    if (status)
        return status;
    qsort(request->packages, request->count, sizeof *request->packages,
          by_version);
    for (size_t i = 0; i < request->count && !status; i++) {
        const struct package *package = &request->packages[i];
        bool is_twin = i > 0 && sl_release_cmp(package[-1].version,
                                               package->version) == 0;
        status = read_one(tables, request, package, is_twin, error);
    }
    return status;
}

/* NAME in the folder of FILE. */
static const char *path_beside(struct sl_arena *arena, const char *file,
                               const char *name)
{
    const char *slash = strrchr(file, '/');
    struct sl_view folder = {file, slash ? (size_t)(slash - file) : 0};
    folder = sl_arena_copy(arena, slash ? folder : SL_LIT("."));
    return folder.ptr ? sl_path_join(arena, folder.ptr, sl_view_of(name))
                      : NULL;
}

struct outputs {
    struct sl_buf symbols, signatures, members;
};

static enum sl_status check_outputs(const struct outputs *out,
                                    struct sl_error *error)
{
    enum sl_status status = sl_buf_check(&out->symbols, error);
    if (!status)
        status = sl_buf_check(&out->signatures, error);
    return status ? status : sl_buf_check(&out->members, error);
}

/* FILE, signatures.tsv and members.tsv beside it: all three, or none. */
static enum sl_status write_beside(const struct request *request,
                                   const char *path, const struct outputs *out,
                                   struct sl_error *error)
{
    struct sl_file_new files[] = {
        {path, sl_buf_view(&out->symbols)},
        {path_beside(request->arena, path, "signatures.tsv"),
         sl_buf_view(&out->signatures)},
        {path_beside(request->arena, path, "members.tsv"),
         sl_buf_view(&out->members)},
    };
    if (sl_path_is_stream(path)) /* nothing lies beside it */
        return sl_file_write(path, files[0].bytes, error);
    return files[1].path && files[2].path
               ? sl_tables_save(request->arena, files, 3, error)
               : sl_error_nomem(error);
}

static enum sl_status write_tables(const struct request *request,
                                   const struct tables *tables,
                                   struct sl_error *error)
{
    const char *path = request->output;
    if (!path)
        path = sl_path_join(request->arena, request->root,
                            sl_view_of(SL_SYMBOLS_TSV));
    if (!path)
        return sl_error_nomem(error);
    struct outputs out;
    sl_buf_init(&out.symbols, SL_MAX_SYMBOLS_FILE);
    sl_buf_init(&out.signatures, SL_MAX_SYMBOLS_FILE);
    sl_buf_init(&out.members, SL_MAX_SYMBOLS_FILE);
    sl_symbols_write(&out.symbols, &tables->symbols);
    sl_signatures_write(&out.signatures, &tables->symbols);
    sl_members_write(&out.members, &tables->members);
    enum sl_status status = check_outputs(&out, error);
    if (!status && strcmp(path, "-") != 0)
        status = write_beside(request, path, &out, error);
    else if (!status && !sl_index_flush(&out.symbols))
        status = sl_error_set(error, SL_ERR_IO, "nothing was written");
    sl_buf_release(&out.symbols);
    sl_buf_release(&out.signatures);
    sl_buf_release(&out.members);
    return status;
}

static enum sl_status load_members(const struct request *request,
                                   struct sl_members *members,
                                   struct sl_error *error)
{
    struct sl_view text;
    enum sl_status status =
        sl_table_read(request->arena, request->root, SL_MEMBERS_TSV,
                      SL_MAX_SYMBOLS_FILE, &text, error);
    return status ? status
                  : sl_members_parse(request->arena, text, members, error);
}

static enum sl_status check_tables(const struct request *request,
                                   const struct tables *tables,
                                   size_t *differences_out,
                                   struct sl_error *error)
{
    struct sl_symbols committed;
    struct sl_members members;
    enum sl_status status = sl_symbols_load(request->arena, request->root,
                                            &committed, error);
    if (!status)
        status = load_members(request, &members, error);
    if (status)
        return status;
    struct sl_buf out;
    sl_buf_init(&out, SL_MAX_OUTPUT);
    status = sl_check_tables(request->arena, &out, &committed,
                             &tables->symbols, differences_out, error);
    if (!status)
        status = sl_layout_check(request->arena, &out, &members,
                                 &tables->members, tables->merge.releases,
                                 tables->merge.release_count, differences_out,
                                 error);
    if (!status && !sl_index_flush(&out))
        status = sl_error_set(error, SL_ERR_IO, "nothing was written");
    sl_buf_release(&out);
    return status;
}

static int run(struct request *request, struct sl_error *error)
{
    struct tables tables;
    size_t differences = 0;
    sl_merge_init(&tables.merge, request->arena);
    sl_layout_init(&tables.layout, request->arena);
    if (!request->stubs)
        request->stubs = sl_path_join(request->arena, request->root,
                                      SL_LIT("stubs"));
    enum sl_status status = request->stubs ? SL_OK : sl_error_nomem(error);
    if (!status)
        status = read_all(request, &tables, error);
    if (!status)
        status = sl_merge_finish(&tables.merge, &tables.symbols, error);
    if (!status)
        status = sl_layout_finish(&tables.layout, tables.merge.releases,
                                  &tables.members, error);
    if (!status && request->check)
        status = check_tables(request, &tables, &differences, error);
    else if (!status)
        status = write_tables(request, &tables, error);
    if (status)
        return SL_EXIT_ERROR;
    return differences ? SL_EXIT_FINDINGS : SL_EXIT_DONE;
}

int sl_index_api(int argc, char **argv)
{
    struct sl_arena arena;
    struct sl_error error = {SL_OK, ""};
    sl_arena_init(&arena, SL_MAX_INDEX_ARENA);
    struct request request = {.arena = &arena, .root = "."};
    int code = SL_EXIT_ERROR;
    if (read_arguments(argc, argv, &request, &error) == SL_OK) {
        if (request.help) {
            struct sl_buf out;
            sl_buf_init(&out, sizeof help_text);
            sl_buf_puts(&out, help_text);
            code = sl_index_flush(&out) ? SL_EXIT_DONE : SL_EXIT_ERROR;
            sl_buf_release(&out);
        } else {
            code = run(&request, &error);
        }
    }
    if (error.status)
        sl_index_say(error.message);
    sl_arena_release(&arena);
    return code;
}
