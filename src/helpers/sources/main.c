/*
 * shmemlore-sources: the only program of the project that links libgit2 and
 * opens sockets for it. `shmemlore sources ...` runs it; nothing here is known
 * to the other programs but the folder that it leaves in the cache.
 */
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "helpers/sources/command.h"
#include "os/file.h"
#include "os/std.h"

#define SOURCES_YAML "evidence/sources.yaml"

/* A handler can reach nothing else; only is_stopped() and main() read it. */
static volatile sig_atomic_t caught_signal;

static void on_signal(int number)
{
    caught_signal = number;
}

static bool is_stopped(void *context)
{
    (void)context;
    return caught_signal != 0;
}

/* The second of the same signal ends the process at once. */
static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    action.sa_flags = (int)SA_RESETHAND; /* no SA_RESTART: reads must end */
    sigemptyset(&action.sa_mask);
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction old;
        /* what nohup or a shell's background job ignores stays ignored */
        if (sigaction(numbers[i], NULL, &old) == 0 &&
            old.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
    }
    /* a server or reader that hangs up must not end us amid our files */
    signal(SIGPIPE, SIG_IGN);
}

static const char help_text[] =
    "Usage: shmemlore sources list [--json] [ID...]\n"
    "       shmemlore sources sync [--from DIR|URL] [--force] [--json]\n"
    "                              [--quiet] [--all | ID...]\n"
    "       shmemlore sources drift --from DIR [--lines FILE | --write]\n"
    "                               [--json] [--quiet] ID [REV]\n"
    "\n"
    "The public source trees that citations point into, each pinned by commit\n"
    "in evidence/sources.yaml (outside a checkout: the one built in).\n"
    "\n"
    "  list   what is pinned, under which licence, and what is in the cache\n"
    "  sync   bring the pinned trees (default: the main ones) into the\n"
    "         cache, as plain files in CACHE/sources/ID-COMMIT\n"
    "  drift  where the cited lines of a source stand at another commit:\n"
    "         same, moved, changed, ambiguous (the text is there, whether it\n"
    "         is the cited one is not sure) or gone. REV is a tag, branch or\n"
    "         commit of the repository DIR (default: its HEAD). It needs a\n"
    "         checkout of this project (its citations, and the line manifest\n"
    "         of the old tree), here or by --root; not the old tree\n"
    "\n"
    "  --from DIR|URL  take them from a local repository, from a folder of\n"
    "                  repositories (DIR/ID, DIR/ID.git, DIR/OWNER+NAME/repo,\n"
    "                  DIR/OWNER/NAME, DIR/NAME, ...) or from another URL,\n"
    "                  https or file; the commit id is checked all the same.\n"
    "                  drift: a folder only\n"
    "  --lines FILE    drift: of these lines, PATH:LINE or PATH:FIRST-LAST\n"
    "                  one a line, in place of what is cited\n"
    "  --write         drift: pin REV, and move in the text, the tables, the\n"
    "                  lock and the manifest what is same or moved; the rest\n"
    "                  stays as it is, for review. All files change, or none\n"
    "  --all           also the trees that are not or hardly cited\n"
    "  --force         write trees again that are there already\n"
    "  --root DIR      the project to take evidence/sources.yaml from\n"
    "  --sources-file FILE   the same, by the file's own path\n"
    "  --json          one JSON object on standard output\n"
    "  --quiet         only errors\n"
    "  --help          this text\n"
    "\n"
    "Examples:\n"
    "  shmemlore sources list\n"
    "  shmemlore sources sync nvshmem deepep\n"
    "\n"
    "CACHE is $SHMEMLORE_CACHE, else $XDG_CACHE_HOME/shmemlore, else\n"
    "~/.cache/shmemlore. Exit status: 0 done, 2 any fault, 130 interrupted;\n"
    "drift: 1 when something is neither same nor moved.\n";

static void put_help(void)
{
    struct sl_buf out;
    sl_buf_init(&out, sizeof help_text);
    sl_buf_puts(&out, help_text);
    sl_flush(&out);
    sl_buf_release(&out);
}

struct arguments {
    const char *command;
    const char *root;
    const char *file;
    bool help;
    bool all;
    char **ids;
    int id_count;
};

enum {
    OPT_ALL = 256,
    OPT_FROM,
    OPT_FORCE,
    OPT_ROOT,
    OPT_FILE,
    OPT_JSON,
    OPT_LINES,
    OPT_WRITE,
};

static const struct option options[] = {
    {"all", no_argument, NULL, OPT_ALL},
    {"from", required_argument, NULL, OPT_FROM},
    {"force", no_argument, NULL, OPT_FORCE},
    {"root", required_argument, NULL, OPT_ROOT},
    {"sources-file", required_argument, NULL, OPT_FILE},
    {"json", no_argument, NULL, OPT_JSON},
    {"lines", required_argument, NULL, OPT_LINES},
    {"write", no_argument, NULL, OPT_WRITE},
    {"quiet", no_argument, NULL, 'q'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static bool read_arguments(int argc, char **argv, struct arguments *args,
                           struct sl_request *request)
{
    opterr = 0; /* getopt would print the argument as it is */
    int option;
    while ((option = getopt_long(argc, argv, "hq", options, NULL)) != -1) {
        switch (option) {
        case OPT_ALL:
            args->all = true;
            break;
        case OPT_FROM:
            request->from = optarg;
            break;
        case OPT_FORCE:
            request->force = true;
            break;
        case OPT_ROOT:
            args->root = optarg;
            break;
        case OPT_FILE:
            args->file = optarg;
            break;
        case OPT_JSON:
            request->json = true;
            break;
        case OPT_LINES:
            request->lines = optarg;
            break;
        case OPT_WRITE:
            request->write = true;
            break;
        case 'q':
            request->quiet = true;
            break;
        case 'h':
            args->help = true;
            return true;
        default:
            sl_say(sl_view_of(argv[optind - 1]),
                   "no option, or its value is missing; --help lists them");
            return false;
        }
    }
    if (optind == argc) {
        sl_say(SL_LIT(""), "say `list`, `sync` or `drift`; --help tells more");
        return false;
    }
    args->command = argv[optind];
    args->ids = argv + optind + 1;
    args->id_count = argc - optind - 1;
    return true;
}

/* evidence/sources.yaml as it was at build time, by tools/embed. */
extern const char sl_data_sources_yaml[], sl_data_sources_yaml_end[];

/* What to use outside a checkout. */
static struct sl_view sl_sources_default(void)
{
    return (struct sl_view){
        sl_data_sources_yaml,
        (size_t)(sl_data_sources_yaml_end - sl_data_sources_yaml)};
}

static enum sl_status read_yaml(struct sl_arena *arena,
                                const struct arguments *args,
                                struct sl_view *yaml_out,
                                struct sl_error *error)
{
    const char *path = args->file;
    if (!path && args->root) {
        path = sl_path_join(arena, args->root, SL_LIT(SOURCES_YAML));
        if (!path)
            return sl_error_nomem(error);
    }
    if (!path && !sl_path_exists(SOURCES_YAML)) {
        *yaml_out = sl_sources_default();
        return SL_OK;
    }
    return sl_file_read(arena, path ? path : SOURCES_YAML, SL_MAX_SOURCES_YAML,
                        yaml_out, error);
}

static enum sl_status unknown_id(const struct sl_sources *sources,
                                 const char *id, struct sl_error *error)
{
    struct sl_buf ids;
    sl_buf_init(&ids, 300);
    for (size_t i = 0; i < sources->count; i++)
        sl_buf_printf(&ids, "%s%.*s", i ? ", " : "",
                      SL_ARG(sources->items[i].id));
    sl_error_set(error, SL_ERR_USAGE, "no source is called '%.100s'; %s: %s",
                 id, sources->count == 1 ? "there is" : "there are",
                 sl_buf_view(&ids).ptr);
    sl_buf_release(&ids);
    return SL_ERR_USAGE;
}

/* The named sources, or all, in the file's order; each once. */
static enum sl_status select_sources(struct sl_arena *arena,
                                     const struct arguments *args,
                                     bool list, struct sl_request *request,
                                     struct sl_error *error)
{
    struct sl_view yaml;
    struct sl_sources sources;
    enum sl_status status = read_yaml(arena, args, &yaml, error);
    if (!status)
        status = sl_sources_parse(arena, yaml, &sources, error);
    if (status)
        return status;
    for (int i = 0; i < args->id_count; i++)
        if (!sl_sources_find(&sources, sl_view_of(args->ids[i])))
            return unknown_id(&sources, args->ids[i], error);
    request->sources =
        sl_arena_alloc(arena, sources.count * sizeof *request->sources);
    if (!request->sources)
        return sl_error_nomem(error);
    for (size_t i = 0; i < sources.count; i++) {
        bool wanted = args->id_count == 0 &&
                      (args->all || list ||
                       !(sources.items[i].uncited || sources.items[i].partly));
        for (int k = 0; k < args->id_count && !wanted; k++)
            wanted = sl_view_is(sources.items[i].id, args->ids[k]);
        if (wanted)
            request->sources[request->count++] = &sources.items[i];
    }
    return SL_OK;
}

enum command { LIST, SYNC, DRIFT, COMMANDS };

/* What of drift's arguments does not go together, as a message; NULL: it does. */
static const char *misused_drift(const struct arguments *args,
                                 const struct sl_request *request)
{
    if (args->id_count < 1 || args->id_count > 2)
        return "drift is of one source: drift --from DIR ID [REV]";
    if (request->force || args->all)
        return "--force and --all belong to sync";
    if (args->file)
        return "drift reads and writes a checkout: name it with --root";
    if (!args->root && !sl_path_exists(SOURCES_YAML))
        return "drift is about the citations of a checkout, and this folder is "
               "none: go there, or name it with --root DIR";
    if (request->write && request->lines)
        return "--write moves what is cited, --lines is something else";
    return NULL;
}

/* The same of all commands. */
static const char *misused(const struct arguments *args, enum command command,
                           const struct sl_request *request)
{
    if (command == LIST && (request->from || request->force))
        return "--from and --force belong to sync";
    if (command != DRIFT)
        return request->write || request->lines
                   ? "--write and --lines belong to drift"
                   : NULL;
    return misused_drift(args, request);
}

static int run(struct arguments *args, struct sl_request *request)
{
    static const char *const names[COMMANDS] = {"list", "sync", "drift"};
    static int (*const functions[COMMANDS])(const struct sl_request *) = {
        sl_list, sl_sync, sl_drift_run};
    struct sl_error error = {SL_OK, ""};
    enum command command = LIST;
    while (command < COMMANDS && strcmp(args->command, names[command]) != 0)
        command++;
    if (command == COMMANDS) {
        sl_error_set(&error, SL_ERR_USAGE,
                     "'%.100s' is neither list, sync nor drift; --help tells "
                     "more",
                     args->command);
        sl_say(SL_LIT(""), error.message);
        return SL_EXIT_ERROR;
    }
    const char *why = misused(args, command, request);
    if (why) {
        sl_say(SL_LIT(""), why);
        return SL_EXIT_ERROR;
    }
    if (command == DRIFT) {
        request->rev = args->id_count == 2 ? args->ids[1] : NULL;
        args->id_count = 1;
        if (!args->root)
            args->root = ".";
        request->root = args->root;
    }
    if (select_sources(request->arena, args, command == LIST, request,
                       &error) != SL_OK) {
        sl_say(SL_LIT(""), error.message);
        return SL_EXIT_ERROR;
    }
    return functions[command](request);
}

int main(int argc, char **argv)
{
    struct arguments args = {.command = NULL};
    if (!sl_std_open())
        return SL_EXIT_ERROR;
    struct sl_arena arena;
    struct sl_request request = {.arena = &arena, .stop = is_stopped};
    if (!read_arguments(argc, argv, &args, &request))
        return SL_EXIT_ERROR;
    catch_signals();
    sl_arena_init(&arena, SL_MAX_KB_ARENA);
    int code = SL_EXIT_DONE;
    if (args.help)
        put_help();
    else
        code = run(&args, &request);
    sl_arena_release(&arena);
    if (caught_signal)
        return 128 + caught_signal;
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    if (ferror(stdout) && poll(&out, 1, 0) == 1 && (out.revents & POLLERR)) {
        (void)signal(SIGPIPE, SIG_DFL); /* the work is done: end as others do */
        (void)raise(SIGPIPE);
    }
    return ferror(stdout) ? SL_EXIT_ERROR : code;
}
