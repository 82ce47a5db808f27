#include "serve/roots.h"

#include "os/file.h"

/* What of the path lies below root; false: it is absolute and elsewhere. */
static bool inner_of(const char *root, struct sl_view path,
                     struct sl_view *inner_out)
{
    struct sl_view base = sl_view_of(root);
    struct sl_view inner = path;
    while (inner.len > 1 && inner.ptr[inner.len - 1] == '/')
        inner.len--;
    if (base.len == 1) /* the root of the file system */
        base.len = 0;
    if (sl_view_starts(inner, "/")) {
        if (!sl_view_eq(sl_view_sub(inner, 0, base.len), base) ||
            (inner.len > base.len && inner.ptr[base.len] != '/'))
            return false;
        inner = inner.len > base.len + 1
                    ? sl_view_sub(inner, base.len + 1, inner.len)
                    : SL_LIT(".");
    }
    *inner_out = inner;
    return true;
}

static enum sl_status refuse(struct sl_view path, const char *why,
                             enum sl_status status, struct sl_error *error)
{
    return sl_error_set(error, status, "%.*s: %s",
                        SL_ARG(sl_view_sub(path, 0, 200)), why);
}

enum sl_status sl_roots_find(struct sl_arena *arena,
                             const struct sl_serve_options *options,
                             struct sl_view path, const char **root_out,
                             const char **path_out, struct sl_error *error)
{
    bool is_link = false;
    if (!options->root_count)
        return refuse(path, "no folder may be read; the server was started "
                            "without --root DIR: pass the text in files",
                      SL_ERR_REFUSED, error);
    for (size_t i = 0; i < options->root_count; i++) {
        const char *root = options->roots[i];
        struct sl_view inner;
        if (!inner_of(root, path, &inner))
            continue;
        bool is_root = sl_view_is(inner, ".");
        if (!is_root && !sl_path_is_inside(inner))
            continue;
        enum sl_path_kind kind =
            is_root ? SL_PATH_FOLDER : sl_path_kind_beneath(root, inner);
        is_link = is_link || kind == SL_PATH_LINK;
        if (kind != SL_PATH_FILE && kind != SL_PATH_FOLDER)
            continue;
        const char *found =
            is_root ? root : sl_path_join(arena, root, inner);
        if (!found)
            return sl_error_nomem(error);
        *root_out = root;
        *path_out = found;
        return SL_OK;
    }
    return is_link ? refuse(path, "it is, or lies behind, a symbolic link",
                            SL_ERR_REFUSED, error)
                   : refuse(path, "no file or folder below a root of this "
                                  "server",
                            SL_ERR_REFUSED, error);
}
