/*
 * shmemlore-docs: the vendor's pages on the user's own machine. The only program
 * of the project that links libcurl. `shmemlore docs ...` runs it; nothing here
 * is known to the other programs but the folder that it leaves.
 */
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
    {"fetch", sl_docs_fetch},
};

static const char help_text[] =
    "Usage: shmemlore docs fetch [OPTION...]   the vendor's pages, politely\n"
    "\n"
    "`shmemlore docs COMMAND --help` tells more.\n";

static int put_help(void)
{
    struct sl_buf out;
    sl_buf_init(&out, sizeof help_text);
    sl_buf_puts(&out, help_text);
    bool done = sl_docs_flush(&out);
    sl_buf_release(&out);
    return done ? SL_EXIT_DONE : SL_EXIT_ERROR;
}

int main(int argc, char **argv)
{
    if (!sl_std_open())
        return SL_EXIT_ERROR;
    if (argc < 2) {
        sl_docs_say("which command? --help tells them");
        return SL_EXIT_ERROR;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return put_help();
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(argv[1], commands[i].name) == 0)
            return commands[i].run(argc - 1, argv + 1);
    struct sl_error error;
    sl_error_set(&error, SL_ERR_USAGE,
                 "'%.100s' is no command; --help tells them", argv[1]);
    sl_docs_say(error.message);
    return SL_EXIT_ERROR;
}
