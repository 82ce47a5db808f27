/*
 * shmemlore-docs: documentation pages on the user's own machine. `shmemlore
 * docs ...` runs it; it links what the other programs must not (libcurl, libxml2).
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "helpers/docs/command.h"
#include "os/std.h"

struct command {
    const char *name;
    int (*run)(int argc, char **argv);
};

/* One row a command; its help line is in help_text. */
static const struct command commands[] = {
    {"check", sl_docs_check},
    {"convert", sl_docs_convert},
    {"fetch", sl_docs_fetch},
};

static const char help_text[] =
    "Usage: shmemlore docs fetch [OPTION...]     the vendor's pages, politely\n"
    "       shmemlore docs convert FILE|DIR ...  Sphinx HTML to Markdown\n"
    "       shmemlore docs check HTML MD         compare a page with its "
    "Markdown\n"
    "\n"
    "`shmemlore docs COMMAND --help` tells more.\n";

int main(int argc, char **argv)
{
    signal(SIGPIPE, SIG_DFL); /* a reader that has seen enough ends us */
    if (!sl_std_open())
        return SL_EXIT_ERROR;
    if (argc < 2) {
        sl_docs_say("which command? --help tells them");
        return SL_EXIT_ERROR;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return sl_docs_help(help_text);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(argv[1], commands[i].name) == 0)
            return commands[i].run(argc - 1, argv + 1);
    struct sl_error error;
    sl_error_set(&error, SL_ERR_USAGE,
                 "'%.100s' is no command; --help tells them", argv[1]);
    sl_docs_say(error.message);
    return SL_EXIT_ERROR;
}
