/*
 * `docs`, `index`, `overlap` and `sources` are programs of their own (they alone
 * link libcurl, libxml2, libclang and libgit2): found beside this one, in
 * ../libexec/shmemlore, or where the build put them.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

/* %s: the command, as in shmemlore-sources */
static const char *const places[] = {
    "../libexec/shmemlore/shmemlore-%s",
    "shmemlore-%s",
    "src/helpers/%s/shmemlore-%s", /* in the build folder */
};

/* own/PLACE with the command's name in it, as often as it stands there. */
static void put_path(struct sl_buf *path, const char *own, const char *place,
                     const char *name)
{
    sl_buf_puts(path, own);
    sl_buf_putc(path, '/');
    struct sl_view rest = sl_view_of(place);
    for (size_t at; (at = sl_view_find(rest, SL_LIT("%s"), 0)) != SIZE_MAX;
         rest = sl_view_sub(rest, at + 2, rest.len)) {
        sl_buf_add(path, sl_view_sub(rest, 0, at));
        sl_buf_puts(path, name);
    }
    sl_buf_add(path, rest);
}

static int run_helper(const char *name, char **argv)
{
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
        put_path(&path, own, places[i], name);
        if (!path.failed && access(path.ptr, X_OK) == 0) {
            argv[0] = path.ptr;
            execv(path.ptr, argv);
        }
        sl_buf_release(&path);
    }
    slash = strrchr(own, '/'); /* bin; at the root there is none above it */
    if (slash)
        *slash = '\0';
    return sl_cli_usage("the helper shmemlore-%s is not installed: it belongs "
                        "in %.400s/libexec/shmemlore; `make install` in a "
                        "checkout puts it there with this program",
                        name, own);
}

int sl_cmd_sources(int argc, char **argv)
{
    (void)argc;
    return run_helper("sources", argv);
}

int sl_cmd_docs(int argc, char **argv)
{
    (void)argc;
    return run_helper("docs", argv);
}

int sl_cmd_index(int argc, char **argv)
{
    (void)argc;
    return run_helper("index", argv);
}

int sl_cmd_overlap(int argc, char **argv)
{
    (void)argc;
    return run_helper("overlap", argv);
}
