/* In place of the commands that need libclang, in a build without it. */
#include <string.h>

#include "helpers/index/command.h"

#define HOW                                                              \
    "this build has no libclang, which api and env need: install it "    \
    "(tools/setup check does), then build again (make build)"

static const char help_text[] =
    "Usage: shmemlore index %s [OPTION...]\n"
    "\n"
    "Not in this program: " HOW ".\n"
    "What it does and takes: docs/internals/%s-index.md.\n"
    "\n"
    "Exit status: 2, until then.\n";

static int lacks(const char *name, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") != 0 && strcmp(argv[i], "-h") != 0)
            continue;
        struct sl_buf out;
        sl_buf_init(&out, 2 * sizeof help_text);
        sl_buf_printf(&out, help_text, name, name);
        bool done = sl_index_flush(&out);
        sl_buf_release(&out);
        return done ? SL_EXIT_DONE : SL_EXIT_ERROR;
    }
    sl_index_say(HOW);
    return SL_EXIT_ERROR;
}

int sl_index_api(int argc, char **argv)
{
    return lacks("api", argc, argv);
}

int sl_index_env(int argc, char **argv)
{
    return lacks("env", argc, argv);
}
