/* `index usage`: who uses which NVSHMEM name where, of the pinned trees. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/table.h"
#include "base/limits.h"
#include "cite/sources.h"
#include "helpers/index/command.h"
#include "os/file.h"
#include "usage/index.h"

#define SOURCES_YAML "evidence/sources.yaml"
#define MAX_NAMED 64u

static const char help_text[] =
    "Usage: shmemlore index usage [--source ID]... [--tree ID=DIR]...\n"
    "                             [--output FILE] [--coverage FILE] [--all]\n"
    "\n"
    "Reads the pinned trees in the cache (`shmemlore sources sync --all`) and\n"
    "writes evidence/usage.tsv: who uses which name or variable where.\n"
    "\n"
    "  --source ID      only this source (again for more; default: all but\n"
    "                   NVSHMEM itself)\n"
    "  --tree ID=DIR    read DIR in place of the cached tree of ID; of an ID\n"
    "                   that is not in sources.yaml every file is read\n"
    "  --output FILE    write there (`-`: standard output)\n"
    "  --coverage FILE  bytes that the grammars did not understand, per file\n"
    "  --all            also names in comments, strings, documents and\n"
    "                   disabled code where the project uses them too\n"
    "  --threads N      default: one per processor, at most 16; the table is\n"
    "                   the same\n"
    "  --root DIR       the checkout (default: .)\n"
    "\n"
    "Example:\n"
    "  shmemlore index usage --source deepep --output -\n"
    "\n"
    "Exit status: 0 done, 2 any fault.\n";

struct tree_option {
    struct sl_view id;
    const char *folder;
};

struct options {
    const char *root;
    const char *output;
    const char *coverage;
    bool all;
    unsigned threads;
    const char *ids[MAX_NAMED];
    size_t id_count;
    struct tree_option trees[MAX_NAMED];
    size_t tree_count;
};

struct totals {
    size_t files, code_bytes, unparsed, errors, missing, failed, searched;
};

static int fail(const char *message)
{
    sl_index_say(message);
    return SL_EXIT_ERROR;
}

static int put_help(void)
{
    struct sl_buf out;
    sl_buf_init(&out, sizeof help_text);
    sl_buf_puts(&out, help_text);
    bool done = sl_index_flush(&out);
    sl_buf_release(&out);
    return done ? SL_EXIT_DONE : SL_EXIT_ERROR;
}

static bool add_tree(struct options *options, const char *value)
{
    const char *equals = strchr(value, '=');
    if (!equals || equals == value || !equals[1] ||
        options->tree_count == MAX_NAMED)
        return false;
    options->trees[options->tree_count++] = (struct tree_option){
        {value, (size_t)(equals - value)}, equals + 1};
    return true;
}

enum { OPT_ALL = 256, OPT_COVERAGE, OPT_ROOT, OPT_THREADS };

/* 0: go on; else leave with *code. */
static bool read_options(int argc, char **argv, struct options *options,
                         int *code)
{
    static const struct option known[] = {
        {"source", required_argument, NULL, 's'},
        {"tree", required_argument, NULL, 't'},
        {"output", required_argument, NULL, 'o'},
        {"coverage", required_argument, NULL, OPT_COVERAGE},
        {"all", no_argument, NULL, OPT_ALL},
        {"threads", required_argument, NULL, OPT_THREADS},
        {"root", required_argument, NULL, OPT_ROOT},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    uint64_t number;
    int option;
    *code = SL_EXIT_ERROR;
    while ((option = getopt_long(argc, argv, "h", known, NULL)) != -1) {
        switch (option) {
        case 's':
            if (options->id_count == MAX_NAMED)
                return false;
            options->ids[options->id_count++] = optarg;
            break;
        case 't':
            if (!add_tree(options, optarg)) {
                *code = fail("--tree wants ID=DIR");
                return false;
            }
            break;
        case 'o':
            options->output = optarg;
            break;
        case OPT_COVERAGE:
            options->coverage = optarg;
            break;
        case OPT_ALL:
            options->all = true;
            break;
        case OPT_THREADS:
            if (!sl_view_number(sl_view_of(optarg), SL_MAX_USAGE_THREADS,
                                &number) ||
                number == 0) {
                *code = fail("--threads wants a number from 1 to 16");
                return false;
            }
            options->threads = (unsigned)number;
            break;
        case OPT_ROOT:
            options->root = optarg;
            break;
        case 'h':
            *code = put_help();
            return false;
        default:
            return false;
        }
    }
    if (optind < argc) {
        *code = fail("no operands are taken; --help tells more");
        return false;
    }
    return true;
}

static const struct tree_option *find_tree(const struct options *options,
                                           struct sl_view id)
{
    for (size_t i = 0; i < options->tree_count; i++)
        if (sl_view_eq(options->trees[i].id, id))
            return &options->trees[i];
    return NULL;
}

static bool has_path(void *context, struct sl_view path)
{
    const struct sl_source *source = context;
    return sl_source_has_path(source, path);
}

/* The two that are read in depth: all of their variables count. */
static bool is_case_study(struct sl_view id)
{
    return sl_view_starts(id, "deepep") || sl_view_starts(id, "ultraep");
}

static void add_totals(struct totals *totals, const struct sl_usage *usage)
{
    totals->searched += usage->read_bytes;
    for (size_t i = 0; i < usage->file_count; i++) {
        const struct sl_file_report *report = &usage->files[i].report;
        if (!report->parsed && !report->failed)
            continue;
        totals->files++;
        totals->failed += report->failed;
        totals->code_bytes += report->coverage.bytes;
        totals->unparsed += report->failed ? report->coverage.bytes
                                           : report->coverage.unparsed;
        totals->errors += report->coverage.errors;
        totals->missing += report->coverage.missing;
    }
}

static void say_totals(struct sl_view name, const struct totals *t)
{
    fprintf(stderr,
            "%.*s: %zu files parsed, %zu bytes, unparsed %zu (%.3f %%), "
            "%zu ERROR and %zu MISSING nodes, %zu failed; %zu bytes "
            "searched\n",
            SL_ARG(name), t->files, t->code_bytes, t->unparsed,
            t->code_bytes ? 100.0 * (double)t->unparsed / (double)t->code_bytes
                          : 0.0,
            t->errors, t->missing, t->failed, t->searched);
}

/* What one source adds to the two tables. */
struct output {
    struct sl_buf rows, coverage;
    struct totals totals;
};

static enum sl_status add_source(const struct options *options,
                                 struct sl_view id, const char *folder,
                                 const struct sl_source *source,
                                 struct output *out, struct sl_error *error)
{
    struct sl_arena arena;
    struct sl_usage usage;
    struct sl_source pinned = {.title = SL_LIT("")};
    if (source)
        pinned = *source;
    struct sl_usage_request request = {
        .source = id,
        .tree = folder,
        .all_env = is_case_study(id),
        .threads = options->threads,
        .wanted = source ? has_path : NULL,
        .context = &pinned,
    };
    sl_arena_init(&arena, SL_MAX_USAGE_ARENA);
    enum sl_status status = sl_usage_read(&arena, &request, &usage, error);
    if (!status) {
        status = sl_usage_rows(&arena, &usage, options->all, &out->rows, error);
        sl_usage_coverage(&usage, &out->coverage);
        struct totals totals = {0};
        add_totals(&totals, &usage);
        add_totals(&out->totals, &usage);
        say_totals(id, &totals);
        sl_usage_release(&usage);
    }
    sl_arena_release(&arena);
    return status;
}

static bool is_wanted(const struct options *options,
                      const struct sl_source *source)
{
    for (size_t i = 0; i < options->id_count; i++)
        if (sl_view_is(source->id, options->ids[i]))
            return true;
    return options->id_count == 0 && !source->unused;
}

static enum sl_status read_sources(struct sl_arena *arena,
                                   const struct options *options,
                                   struct sl_sources *sources_out,
                                   struct sl_error *error)
{
    struct sl_view yaml;
    const char *path =
        sl_path_join(arena, options->root, SL_LIT(SOURCES_YAML));
    if (!path)
        return sl_error_nomem(error);
    enum sl_status status =
        sl_file_read(arena, path, SL_MAX_SOURCES_YAML, &yaml, error);
    if (!status)
        status = sl_sources_parse(arena, yaml, sources_out, error);
    return status;
}

static enum sl_status check_ids(const struct options *options,
                                const struct sl_sources *sources,
                                struct sl_error *error)
{
    for (size_t i = 0; i < options->id_count; i++) {
        struct sl_view id = sl_view_of(options->ids[i]);
        if (!sl_sources_find(sources, id) && !find_tree(options, id))
            return sl_error_set(error, SL_ERR_USAGE,
                                "no source is called '%.100s'",
                                options->ids[i]);
    }
    return SL_OK;
}

static int by_id(const void *a, const void *b)
{
    const struct sl_source *x = a, *y = b;
    return sl_view_cmp(x->id, y->id);
}

/* One source of the list: its tree, and what it adds. */
static enum sl_status add_pinned(struct sl_arena *arena,
                                 const struct options *options,
                                 const struct sl_source *source,
                                 struct output *out, struct sl_error *error)
{
    const struct tree_option *tree = find_tree(options, source->id);
    const char *folder = tree ? tree->folder : NULL;
    enum sl_status status = SL_OK;
    if (!folder)
        status = sl_source_tree(arena, source, &folder, error);
    if (!status && !sl_path_is_folder(folder))
        status = sl_error_set(error, SL_ERR_NOTFOUND,
                              "no tree of %.*s at %s; `shmemlore sources sync "
                              "%.*s` brings it",
                              SL_ARG(source->id), folder, SL_ARG(source->id));
    if (!status)
        status = add_source(options, source->id, folder, source, out, error);
    return status;
}

static enum sl_status add_all(struct sl_arena *arena,
                              const struct options *options,
                              struct output *out, struct sl_error *error)
{
    struct sl_sources sources = {.count = 0};
    enum sl_status status = read_sources(arena, options, &sources, error);
    if (!status)
        status = check_ids(options, &sources, error);
    if (status)
        return status;
    if (sources.count)
        qsort(sources.items, sources.count, sizeof *sources.items, by_id);
    for (size_t i = 0; !status && i < sources.count; i++)
        if (is_wanted(options, &sources.items[i]))
            status = add_pinned(arena, options, &sources.items[i], out, error);
    for (size_t i = 0; !status && i < options->tree_count; i++)
        if (!sl_sources_find(&sources, options->trees[i].id))
            status = add_source(options, options->trees[i].id,
                                options->trees[i].folder, NULL, out, error);
    return status;
}

static enum sl_status put(struct sl_arena *arena, const char *path,
                          const char *header,
                          const struct sl_buf *rows, struct sl_error *error)
{
    struct sl_buf all;
    sl_buf_init(&all, SL_MAX_OUTPUT);
    sl_buf_puts(&all, header);
    sl_buf_add(&all, sl_buf_view(rows));
    enum sl_status status = sl_buf_check(&all, error);
    if (!status && strcmp(path, "-") == 0) {
        if (!sl_index_flush(&all))
            status = sl_error_set(error, SL_ERR_IO,
                                  "cannot write to standard output");
    } else if (!status) {
        status = sl_table_save(arena, path, sl_buf_view(&all), error);
    }
    sl_buf_release(&all);
    return status;
}

static unsigned processors(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    if (n < 1)
        return 1;
    return n > (long)SL_MAX_USAGE_THREADS ? SL_MAX_USAGE_THREADS : (unsigned)n;
}

int sl_index_usage(int argc, char **argv)
{
    static const char coverage_header[] =
        "source\tpath\tbytes\tunparsed\terrors\tmissing\tblanked\tfailure\n";
    struct options options = {.root = ".", .threads = processors()};
    struct sl_error error = {SL_OK, ""};
    struct sl_arena arena;
    struct output out = {.totals = {0}};
    int code;
    if (!read_options(argc, argv, &options, &code))
        return code;
    sl_arena_init(&arena, SL_MAX_KB_ARENA);
    sl_buf_init(&out.rows, SL_MAX_OUTPUT);
    sl_buf_init(&out.coverage, SL_MAX_OUTPUT);
    enum sl_status status = add_all(&arena, &options, &out, &error);
    const char *path = options.output;
    if (!status && !path)
        path = sl_path_join(&arena, options.root,
                            SL_LIT("evidence/usage.tsv"));
    if (!status)
        status = path ? put(&arena, path, sl_usage_header, &out.rows, &error)
                      : sl_error_nomem(&error);
    if (!status && options.coverage)
        status = put(&arena, options.coverage, coverage_header, &out.coverage,
                     &error);
    if (!status)
        say_totals(SL_LIT("all"), &out.totals);
    sl_buf_release(&out.rows);
    sl_buf_release(&out.coverage);
    sl_arena_release(&arena);
    return status ? fail(error.message) : SL_EXIT_DONE;
}
