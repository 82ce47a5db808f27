/*
 * `sources` is a program of its own (it alone links libgit2): found beside this
 * one, in ../libexec/shmemlore, or where the build put it.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

static const char *const places[] = {
    "../libexec/shmemlore/shmemlore-sources",
    "shmemlore-sources",
    "src/helpers/sources/shmemlore-sources", /* in the build folder */
};

int sl_cmd_sources(int argc, char **argv)
{
    (void)argc;
    char own[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", own, sizeof own - 1);
    if (n <= 0)
        return sl_cli_usage("cannot find out where this program is: %s",
                            strerror(errno));
    own[n] = '\0';
    char *slash = strrchr(own, '/');
    *slash = '\0';
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct sl_buf path;
        sl_buf_init(&path, PATH_MAX);
        sl_buf_printf(&path, "%s/%s", own, places[i]);
        if (!path.failed && access(path.ptr, X_OK) == 0) {
            argv[0] = path.ptr;
            execv(path.ptr, argv);
        }
        sl_buf_release(&path);
    }
    return sl_cli_usage("the helper shmemlore-sources is not installed: it "
                        "belongs in %s/../libexec/shmemlore",
                        own);
}
