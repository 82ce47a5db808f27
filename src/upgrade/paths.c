#include "upgrade/paths.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/limits.h"
#include "base/map.h"
#include "os/file.h"

struct folder {
    struct sl_view path;
    unsigned depth;
};

struct walk {
    struct sl_arena *arena;
    struct sl_paths *paths;
    struct folder *folders; /* still to be read */
    size_t folder_count, folder_cap;
    struct sl_map seen; /* device and inode */
    struct sl_error *error;
};

enum sl_status sl_paths_leave(struct sl_arena *arena, struct sl_paths *paths,
                              enum sl_left_kind kind, struct sl_view path,
                              const char *why, struct sl_error *error)
{
    paths->left = sl_arena_grow(arena, paths->left, sizeof *paths->left,
                                paths->left_count, &paths->left_cap);
    struct sl_view text = sl_arena_copy(arena, sl_view_of(why));
    if (!paths->left || !text.ptr)
        return sl_error_nomem(error);
    paths->left[paths->left_count++] = (struct sl_left){kind, path, text};
    return SL_OK;
}

static enum sl_status leave(struct walk *w, enum sl_left_kind kind,
                            struct sl_view path, const char *why)
{
    return sl_paths_leave(w->arena, w->paths, kind, path, why, w->error);
}

/* Whether this is met for the first time, by any name. */
static enum sl_status first_time(struct walk *w, const struct stat *st,
                                 bool *first_out)
{
    const struct {
        dev_t device;
        ino_t inode;
    } id = {st->st_dev, st->st_ino};
    char bytes[sizeof id.device + sizeof id.inode];
    memcpy(bytes, &id.device, sizeof id.device);
    memcpy(bytes + sizeof id.device, &id.inode, sizeof id.inode);
    struct sl_view key =
        sl_arena_copy(w->arena, (struct sl_view){bytes, sizeof bytes});
    if (!key.ptr || !sl_map_put(&w->seen, key, 1, first_out))
        return sl_error_nomem(w->error);
    return SL_OK;
}

static enum sl_status add_file(struct walk *w, struct sl_view path)
{
    struct sl_paths *paths = w->paths;
    if (paths->count >= SL_MAX_TREE_FILES)
        return sl_error_set(w->error, SL_ERR_LIMIT,
                            "more than %u files: name the folders that matter",
                            SL_MAX_TREE_FILES);
    paths->files = sl_arena_grow(w->arena, paths->files, sizeof *paths->files,
                                 paths->count, &paths->cap);
    if (!paths->files)
        return sl_error_nomem(w->error);
    paths->files[paths->count++] = path;
    return SL_OK;
}

static enum sl_status add_folder(struct walk *w, struct sl_view path,
                                 unsigned depth)
{
    if (depth > SL_MAX_TREE_DEPTH)
        return leave(w, SL_LEFT_UNREADABLE, path, "nested too deep");
    w->folders = sl_arena_grow(w->arena, w->folders, sizeof *w->folders,
                               w->folder_count, &w->folder_cap);
    if (!w->folders)
        return sl_error_nomem(w->error);
    w->folders[w->folder_count++] = (struct folder){path, depth};
    return SL_OK;
}

/* Folders of tools, which hold nobody's own code. */
static bool is_tools(struct sl_view name)
{
    static const char *const names[] = {
        ".git",         ".hg",           ".svn",        ".jj",
        ".venv",        ".tox",          ".nox",        ".cache",
        ".mypy_cache",  ".pytest_cache", ".ruff_cache", ".ipynb_checkpoints",
        ".conda",       ".pixi",         "__pycache__", "node_modules"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (sl_view_is(name, names[i]))
            return true;
    return false;
}

static bool is_python_environment(struct walk *w, struct sl_view path)
{
    const char *file = sl_path_join(w->arena, path.ptr, SL_LIT("pyvenv.cfg"));
    return file && sl_path_exists(file);
}

static enum sl_status add_entry(struct walk *w, struct sl_view name,
                                struct sl_view path, const struct stat *st,
                                unsigned depth)
{
    bool first = false;
    if (S_ISLNK(st->st_mode)) {
        w->paths->links++;
        return SL_OK;
    }
    if (!S_ISREG(st->st_mode) && !S_ISDIR(st->st_mode))
        return leave(w, SL_LEFT_UNREAD, path, "neither a file nor a folder");
    enum sl_status status = first_time(w, st, &first);
    if (status || !first)
        return status;
    if (S_ISREG(st->st_mode))
        return add_file(w, path);
    if (is_tools(name) || is_python_environment(w, path))
        return leave(w, SL_LEFT_OUT, path, "a tool's folder");
    return add_folder(w, path, depth);
}

static enum sl_status read_folder(struct walk *w, struct folder folder)
{
    DIR *dir = opendir(folder.path.ptr);
    if (!dir)
        return leave(w, SL_LEFT_UNREADABLE, folder.path,
                     strerror(errno));
    enum sl_status status = SL_OK;
    const struct dirent *entry;
    while (!status && (entry = readdir(dir))) {
        struct sl_view name = sl_view_of(entry->d_name);
        struct stat st;
        if (sl_view_is(name, ".") || sl_view_is(name, ".."))
            continue;
        const char *path = sl_path_join(w->arena, folder.path.ptr, name);
        if (!path)
            status = sl_error_nomem(w->error);
        else if (fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW))
            status = leave(w, SL_LEFT_UNREADABLE, sl_view_of(path),
                           strerror(errno));
        else
            status = add_entry(w, name, sl_view_of(path), &st,
                               folder.depth + 1);
    }
    closedir(dir);
    return status;
}

/* What the user named: links are followed, and nothing is left out. */
static enum sl_status add_named(struct walk *w, const char *path)
{
    struct sl_view view = sl_view_of(path);
    struct stat st;
    bool first = false;
    if (stat(path, &st))
        return leave(w, SL_LEFT_UNREADABLE, view, strerror(errno));
    if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
        return leave(w, SL_LEFT_UNREADABLE, view,
                     "neither a file nor a folder");
    enum sl_status status = first_time(w, &st, &first);
    if (status || !first)
        return status;
    if (S_ISREG(st.st_mode))
        return add_file(w, view);
    while (view.len > 1 && view.ptr[view.len - 1] == '/')
        view.len--;
    view = sl_arena_copy(w->arena, view);
    return view.ptr ? add_folder(w, view, 0) : sl_error_nomem(w->error);
}

static int by_bytes(const void *a, const void *b)
{
    return sl_view_cmp(*(const struct sl_view *)a, *(const struct sl_view *)b);
}

static int by_left(const void *a, const void *b)
{
    const struct sl_left *x = a, *y = b;
    return sl_view_cmp(x->path, y->path);
}

enum sl_status sl_paths_collect(struct sl_arena *arena,
                                const char *const *paths, size_t count,
                                struct sl_paths *paths_out,
                                struct sl_error *error)
{
    struct sl_paths out = {.files = NULL};
    struct walk w = {.arena = arena, .paths = &out, .error = error};
    sl_map_init(&w.seen, arena);
    enum sl_status status = SL_OK;
    for (size_t i = 0; !status && i < count; i++) {
        status = add_named(&w, paths[i]);
        while (!status && w.folder_count)
            status = read_folder(&w, w.folders[--w.folder_count]);
    }
    if (status)
        return status;
    if (out.count)
        qsort(out.files, out.count, sizeof *out.files, by_bytes);
    if (out.left_count)
        qsort(out.left, out.left_count, sizeof *out.left, by_left);
    *paths_out = out;
    return SL_OK;
}
