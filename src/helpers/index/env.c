/* `index env`: evidence/env.tsv from a source tree and the shipped libraries. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/table.h"
#include "base/limits.h"
#include "cite/sources.h"
#include "helpers/index/command.h"
#include "helpers/index/env.h"
#include "os/file.h"

#define STRINGS "/lib/strings.tsv"

static const char help_text[] =
    "Usage: shmemlore index env [--tree nvshmem=DIR] [--package DIR]...\n"
    "                           [--output FILE] [--check] [--root DIR]\n"
    "\n"
    "The environment variables that NVSHMEM reads, into evidence/env.tsv:\n"
    "from its source tree, from the strings of its shipped libraries and from\n"
    "what these asked for when they were run (evidence/env-observed.tsv).\n"
    "\n"
    "  --tree nvshmem=DIR  the source tree (default: the pinned one, in the\n"
    "                      cache)\n"
    "  --package DIR       a released package, NAME-VERSION, as\n"
    "                      tools/nvshmem-packages leaves it; may be given\n"
    "                      again (default: all in CACHE/packages)\n"
    "  --output FILE       where to write (default: evidence/env.tsv)\n"
    "  --check             write nothing; compare with FILE\n"
    "  --root DIR          the project (default: .)\n"
    "  --help              this text\n"
    "\n"
    "Prints how names and libraries agree. Exit status: 0 they do, 1 they do\n"
    "not, 2 any other fault.\n";

struct arguments {
    const char *tree;
    const char *root;
    const char *output;
    const char **packages;
    size_t package_count, package_cap;
    bool check;
    bool help;
};

enum { OPT_TREE = 256, OPT_PACKAGE, OPT_OUTPUT, OPT_CHECK, OPT_ROOT };

static void say(const char *message)
{
    fprintf(stderr, "shmemlore index env: %s\n", message);
}

static bool add_package(struct sl_arena *arena, struct arguments *args,
                        const char *folder)
{
    const char **grown = sl_arena_grow(arena, args->packages, sizeof *grown,
                                       args->package_count, &args->package_cap);
    if (!grown)
        return false;
    args->packages = grown;
    grown[args->package_count++] = folder;
    return true;
}

static bool read_arguments(struct sl_arena *arena, int argc, char **argv,
                           struct arguments *args)
{
    static const struct option options[] = {
        {"tree", required_argument, NULL, OPT_TREE},
        {"package", required_argument, NULL, OPT_PACKAGE},
        {"output", required_argument, NULL, OPT_OUTPUT},
        {"check", no_argument, NULL, OPT_CHECK},
        {"root", required_argument, NULL, OPT_ROOT},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    static char name[] = "shmemlore index env"; /* for getopt's messages */
    argv[0] = name;
    int option;
    while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
        switch (option) {
        case OPT_TREE:
            args->tree = optarg;
            break;
        case OPT_PACKAGE:
            if (!add_package(arena, args, optarg))
                return false;
            break;
        case OPT_OUTPUT:
            args->output = optarg;
            break;
        case OPT_CHECK:
            args->check = true;
            break;
        case OPT_ROOT:
            args->root = optarg;
            break;
        case 'h':
            args->help = true;
            return true;
        default:
            return false; /* getopt_long has told */
        }
    }
    if (optind < argc)
        say("no arguments but options; --help lists them");
    return optind == argc;
}

/* --- where things are ------------------------------------------------------ */

/* Of the tag v3.4.5-0: 3.4.5. */
static struct sl_view release_of_tag(struct sl_view tag)
{
    size_t begin = sl_view_starts(tag, "v") ? 1 : 0;
    return sl_view_sub(tag, begin, sl_view_find(tag, SL_LIT("-"), begin));
}

/* Another state of the same repository, pinned beside the release. */
static enum sl_status find_later(struct sl_env_work *work,
                                 const struct sl_sources *sources,
                                 const struct sl_source *pinned,
                                 struct sl_error *error)
{
    for (size_t i = 0; i < sources->count; i++) {
        const struct sl_source *source = &sources->items[i];
        if (source == pinned || source->uncited ||
            !sl_view_eq(source->repository, pinned->repository))
            continue;
        work->later_source = source->id;
        return sl_source_tree_open(work->arena, source, &work->later_tree,
                                   error);
    }
    return SL_OK;
}

static enum sl_status find_tree(struct sl_env_work *work,
                                const struct arguments *args,
                                struct sl_error *error)
{
    work->source = SL_LIT("nvshmem");
    struct sl_view yaml;
    struct sl_sources sources;
    const char *path = sl_path_join(work->arena, args->root,
                                    SL_LIT("evidence/sources.yaml"));
    if (!path)
        return sl_error_nomem(error);
    enum sl_status status = sl_file_read(work->arena, path, SL_MAX_SOURCES_YAML,
                                         &yaml, error);
    if (!status)
        status = sl_sources_parse(work->arena, yaml, &sources, error);
    if (status)
        return status;
    const struct sl_source *source = sl_sources_find(&sources, work->source);
    if (!source)
        return sl_error_set(error, SL_ERR_NOTFOUND, "%s has no source nvshmem",
                            path);
    work->release = release_of_tag(source->tag);
    status = find_later(work, &sources, source, error);
    if (status)
        return status;
    if (!args->tree)
        return sl_source_tree(work->arena, source, &work->tree, error);
    struct sl_view tree = sl_view_of(args->tree);
    if (!sl_view_starts(tree, "nvshmem="))
        return sl_error_set(error, SL_ERR_USAGE,
                            "--tree takes nvshmem=DIR, not %.100s", args->tree);
    work->tree = args->tree + strlen("nvshmem=");
    return SL_OK;
}

/* Every folder of CACHE/packages that has lib/strings.tsv. */
static enum sl_status find_packages(struct sl_arena *arena,
                                    struct arguments *args,
                                    struct sl_error *error)
{
    const char *cache;
    enum sl_status status = sl_cache_folder(arena, &cache, error);
    if (status)
        return status;
    const char *root = sl_path_join(arena, cache, SL_LIT("packages"));
    struct sl_view *paths;
    size_t count;
    if (!root)
        return sl_error_nomem(error);
    status = sl_folder_list(arena, root, STRINGS, SL_MAX_TREE_FILES, &paths,
                            &count, error);
    for (size_t i = 0; i < count && !status; i++) {
        struct sl_view name = sl_view_sub(paths[i], 0,
                                          paths[i].len - strlen(STRINGS));
        if (sl_view_find(name, SL_LIT("/"), 0) != SIZE_MAX)
            continue;
        const char *folder = sl_path_join(arena, root, name);
        if (!folder || !add_package(arena, args, folder))
            status = sl_error_nomem(error);
    }
    if (!status && !args->package_count)
        status = sl_error_set(error, SL_ERR_NOTFOUND,
                              "%s holds no package; tools/nvshmem-packages "
                              "brings them",
                              root);
    return status;
}

/* --- the work -------------------------------------------------------------- */

static enum sl_status gather(struct sl_env_work *work, struct arguments *args,
                             struct sl_env_table *table,
                             struct sl_env_check *check, struct sl_error *error)
{
    enum sl_status status = find_tree(work, args, error);
    if (!status && !args->package_count)
        status = find_packages(work->arena, args, error);
    if (!status)
        status = sl_env_read_packages(work, args->packages, args->package_count,
                                      error);
    if (!status)
        status = sl_env_read_observed(work, args->root, error);
    if (!status)
        status = sl_env_read_tables(work, error);
    if (!status)
        status = sl_env_read_uses(work, error);
    if (status)
        return status;
    sl_env_table_readers(work);
    status = sl_env_read_python(work, error);
    if (!status)
        status = sl_env_read_cmake(work, error);
    if (!status)
        status = sl_env_gates(work, error);
    if (!status)
        status = sl_env_read_later(work, error);
    if (!status)
        status = sl_env_finish(work, table, error);
    if (!status)
        status = sl_env_compare(work, table, check, error);
    return status ? status : sl_buf_check(&work->remarks, error);
}

static void put_report(const struct sl_env_work *work,
                       const struct sl_env_table *table,
                       const struct sl_env_check *check)
{
    size_t kinds[4] = {0}, binary = 0;
    for (size_t i = 0; i < table->count; i++) {
        kinds[table->items[i].kind]++;
        binary += !sl_view_is(table->items[i].evidence, "source");
    }
    printf("%.*s", SL_ARG(sl_buf_view(&work->remarks)));
    printf("%zu files, %zu packages, %zu releases\n", work->files,
           work->package_count, work->release_count);
    printf("%zu rows: %zu run (%zu without a source line), %zu foreign, "
           "%zu build, %zu tool\n",
           table->count, kinds[SL_ENV_RUN], binary, kinds[SL_ENV_FOREIGN],
           kinds[SL_ENV_BUILD], kinds[SL_ENV_TOOL]);
    printf("NVSHMEM_ strings of the libraries that are rows: %zu of %zu\n",
           check->strings_known, check->strings);
    printf("run-time rows of %.*s that are in a library: %zu of %zu\n",
           SL_ARG(work->release), check->rows_found, check->rows);
    printf("the same for each library that reads it: %zu of %zu\n",
           check->pairs_found, check->pairs);
    printf(
        "the other way, what those libraries asked for when run: %zu of %zu\n",
        check->asked_known, check->asked);
    printf("differences that are explained: %zu\n", check->excused);
}

static bool agrees(const struct sl_env_check *check)
{
    return check->strings_known + check->rows_found + check->pairs_found +
               check->asked_known + check->excused ==
           check->strings + check->rows + check->pairs + check->asked;
}

static enum sl_status same_as_file(struct sl_arena *arena, const char *path,
                                   struct sl_view bytes, bool *same_out,
                                   struct sl_error *error)
{
    struct sl_view old;
    enum sl_status status = sl_file_read(arena, path, SL_MAX_ENV_TABLE, &old,
                                         error);
    if (!status)
        *same_out = sl_view_eq(old, bytes);
    return status;
}

static int run(struct sl_env_work *work, struct arguments *args)
{
    struct sl_error error = {SL_OK, ""};
    struct sl_env_table table;
    struct sl_env_check check = {0};
    struct sl_buf out;
    sl_buf_init(&out, SL_MAX_ENV_TABLE);
    bool same = true;
    enum sl_status status = gather(work, args, &table, &check, &error);
    if (!status) {
        sl_env_write(&out, &table);
        status = sl_buf_check(&out, &error);
    }
    const char *path = args->output;
    if (!path)
        path = sl_path_join(work->arena, args->root,
                            SL_LIT("evidence/env.tsv"));
    if (!status && !path)
        status = sl_error_nomem(&error);
    if (!status)
        status = args->check ? same_as_file(work->arena, path,
                                            sl_buf_view(&out), &same, &error)
                             : sl_table_save(work->arena, path,
                                             sl_buf_view(&out), &error);
    sl_buf_release(&out);
    if (status) {
        say(error.message);
        return SL_EXIT_ERROR;
    }
    put_report(work, &table, &check);
    if (!same)
        printf("%s is not what the sources and libraries give\n", path);
    return same && agrees(&check) ? SL_EXIT_DONE : SL_EXIT_FINDINGS;
}

int sl_index_env(int argc, char **argv)
{
    struct sl_arena arena;
    sl_arena_init(&arena, SL_MAX_KB_ARENA);
    struct sl_env_work work = {.arena = &arena};
    struct arguments args = {.root = "."};
    sl_buf_init(&work.remarks, SL_MAX_OUTPUT);
    sl_map_init(&work.index, &arena);
    int code = SL_EXIT_ERROR;
    if (!read_arguments(&arena, argc, argv, &args))
        code = SL_EXIT_ERROR;
    else if (args.help)
        code = fputs(help_text, stdout) < 0 ? SL_EXIT_ERROR : SL_EXIT_DONE;
    else
        code = run(&work, &args);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        say("cannot write to standard output");
        code = SL_EXIT_ERROR;
    }
    sl_buf_release(&work.remarks);
    sl_arena_release(&arena);
    return code;
}
