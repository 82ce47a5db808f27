/*
 * shmemlore-index: the only program of the project that links libclang.
 * `shmemlore index ...` runs it; nothing here is known to the other programs
 * but the tables below evidence/ that it leaves.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "helpers/index/command.h"
#include "os/std.h"

struct command {
    const char *name;
    int (*run)(int argc, char **argv);
};

/* One row a command; its help line is in help_text. */
static const struct command commands[] = {
    {"api", sl_index_api},
    {"env", sl_index_env},
    {"tables", sl_index_tables},
    {"usage", sl_index_usage},
};

static const char help_text[] =
    "Usage: shmemlore index api [OPTION...]       the names of every release\n"
    "       shmemlore index env [OPTION...]       environment variables\n"
    "       shmemlore index tables [OPTION...]    generated tables\n"
    "       shmemlore index usage [OPTION...]     who uses which name where\n"
    "\n"
    "`shmemlore index COMMAND --help` tells more.\n";

static int put_help(void)
{
    struct sl_buf out;
    sl_buf_init(&out, sizeof help_text);
    sl_buf_puts(&out, help_text);
    bool done = sl_index_flush(&out);
    sl_buf_release(&out);
    return done ? SL_EXIT_DONE : SL_EXIT_ERROR;
}

int main(int argc, char **argv)
{
    signal(SIGPIPE, SIG_DFL); /* a reader that has seen enough ends us */
    if (!sl_std_open())
        return SL_EXIT_ERROR;
    if (argc < 2) {
        sl_index_say("which command? --help tells them");
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
    sl_index_say(error.message);
    return SL_EXIT_ERROR;
}
