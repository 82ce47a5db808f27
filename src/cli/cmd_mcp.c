#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "cli/cli.h"
#include "cli/image.h"
#include "os/file.h"
#include "serve/server.h"

/* A server is one of several programs on its machine: no more than these. */
#define THREADS 2u

static void log_line(const char *message)
{
    (void)sl_cli_usage("mcp: %s", message);
}

/* Adds a root as the system knows it; false has told the user. */
static bool add_root(struct sl_serve_options *options, char **roots,
                     const char *path)
{
    if (options->root_count == SL_MAX_MCP_ROOTS) {
        (void)sl_cli_usage("mcp: at most %u roots", SL_MAX_MCP_ROOTS);
        return false;
    }
    char *real = realpath(path, NULL);
    if (!real || !sl_path_is_folder(real)) {
        (void)sl_cli_usage("mcp: --root %s: %s", path,
                           real ? "not a folder" : strerror(errno));
        free(real);
        return false;
    }
    roots[options->root_count++] = real;
    return true;
}

static int serve(const char *folder, const struct sl_serve_options *options)
{
    struct sl_error error = {SL_OK, ""};
    struct sl_corpus corpus;
    struct sl_mcp_stdio stdio = {.log = log_line};
    if (sl_corpus_open(&corpus, folder, sl_image(), &error)) {
        (void)sl_cli_fail(&error);
        return SL_EXIT_ERROR;
    }
    /* a log that nobody reads must not end the program */
    (void)signal(SIGPIPE, SIG_IGN);
    enum sl_status status = sl_mcp_stdio_take(&stdio, &error);
    if (!status)
        status = sl_serve(&corpus, options, &stdio, &error);
    sl_corpus_close(&corpus);
    if (status)
        (void)sl_cli_fail(&error);
    return status ? SL_EXIT_ERROR : SL_EXIT_FOUND;
}

/* 0: go on; else 1 + the exit status. */
static int read_options(int argc, char **argv, struct sl_serve_options *options,
                        char **roots, const char **folder)
{
    static const struct option table[] = {
        {"root", required_argument, NULL, 'r'},
        {"kb", required_argument, NULL, 'k'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    for (int c; (c = getopt_long(argc, argv, "h", table, NULL)) != -1;) {
        if (c == 'k')
            *folder = optarg;
        else if (c == 'r' && add_root(options, roots, optarg))
            continue;
        else if (c == 'r')
            return 1 + SL_EXIT_ERROR;
        else
            return 1 + (c == 'h' ? sl_cli_help("mcp")
                                 : sl_cli_option("mcp", argv[optind - 1]));
    }
    if (optind < argc)
        return 1 + sl_cli_usage("mcp takes no argument, but '%s'; an agent "
                                "starts it and speaks on standard input",
                                argv[optind]);
    if (isatty(STDIN_FILENO))
        (void)sl_cli_usage("mcp: this waits for an agent's messages, one JSON "
                           "object a line; `shmemlore mcp --help` says how to "
                           "add it to one");
    return 0;
}

int sl_cmd_mcp(int argc, char **argv)
{
    char *roots[SL_MAX_MCP_ROOTS] = {NULL};
    const char *folder = NULL;
    struct sl_serve_options options = {
        .version = SL_VERSION,
        .roots = (const char *const *)roots,
        .threads = THREADS,
    };
    int stop = read_options(argc, argv, &options, roots, &folder);
    int result = stop ? stop - 1 : serve(folder, &options);
    for (size_t i = 0; i < options.root_count; i++)
        free(roots[i]);
    return result;
}
