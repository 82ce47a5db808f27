/* The walk of sl_folder_list(): an explicit stack, links never followed. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "os/file.h"

struct walk {
    struct sl_arena *arena;
    const char *root;
    const char *suffix;
    size_t max_files;
    unsigned max_depth;
    bool tolerant; /* what lies deeper is named, and no error */
    struct sl_deep deep;
    size_t deep_cap;
    struct sl_view *files;
    size_t files_len, files_cap;
    struct folder {
        struct sl_view path;
        unsigned depth;
    } *folders; /* still to be read */
    size_t folders_len, folders_cap;
};

static enum sl_status add_file(struct walk *w, struct sl_view path,
                               struct sl_error *error)
{
    if (w->suffix && !sl_view_ends(path, w->suffix))
        return SL_OK;
    if (w->files_len >= w->max_files)
        return sl_error_set(error, SL_ERR_LIMIT,
                            "more than %zu files below %s", w->max_files,
                            w->root);
    w->files = sl_arena_grow(w->arena, w->files, sizeof *w->files,
                             w->files_len, &w->files_cap);
    if (!w->files)
        return sl_error_nomem(error);
    w->files[w->files_len++] = path;
    return SL_OK;
}

static enum sl_status too_deep(struct walk *w, struct sl_view path,
                               struct sl_error *error)
{
    if (!w->tolerant)
        return sl_error_set(error, SL_ERR_LIMIT,
                            "folders are nested more than %u deep below %s",
                            w->max_depth, w->root);
    w->deep.paths = sl_arena_grow(w->arena, w->deep.paths,
                                  sizeof *w->deep.paths, w->deep.count,
                                  &w->deep_cap);
    if (!w->deep.paths)
        return sl_error_nomem(error);
    w->deep.paths[w->deep.count++] = path;
    return SL_OK;
}

static enum sl_status add_folder(struct walk *w, struct sl_view path,
                                 unsigned depth, struct sl_error *error)
{
    if (depth > w->max_depth)
        return too_deep(w, path, error);
    if (w->folders_len >= w->max_files)
        return sl_error_set(error, SL_ERR_LIMIT,
                            "more than %zu folders below %s", w->max_files,
                            w->root);
    w->folders = sl_arena_grow(w->arena, w->folders, sizeof *w->folders,
                               w->folders_len, &w->folders_cap);
    if (!w->folders)
        return sl_error_nomem(error);
    w->folders[w->folders_len++] = (struct folder){path, depth};
    return SL_OK;
}

static enum sl_status read_folder(struct walk *w, struct folder folder,
                                  struct sl_error *error)
{
    const char *full = folder.path.len
                           ? sl_path_join(w->arena, w->root, folder.path)
                           : w->root;
    if (!full)
        return sl_error_nomem(error);
    DIR *dir = opendir(full);
    if (!dir)
        return sl_error_set(error,
                            errno == ENOENT ? SL_ERR_NOTFOUND : SL_ERR_IO,
                            "cannot open folder %s: %s", full, strerror(errno));
    enum sl_status status = SL_OK;
    const struct dirent *entry;
    while (!status && (entry = readdir(dir))) {
        struct stat st;
        if (entry->d_name[0] == '.' ||
            fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        struct sl_view name = sl_view_of(entry->d_name);
        struct sl_view path;
        if (folder.path.len) {
            path.ptr = sl_path_join(w->arena, folder.path.ptr, name);
            path.len = path.ptr ? strlen(path.ptr) : 0;
        } else {
            path = sl_arena_copy(w->arena, name);
        }
        if (!path.ptr)
            status = sl_error_nomem(error);
        else if (S_ISREG(st.st_mode))
            status = add_file(w, path, error);
        else if (S_ISDIR(st.st_mode))
            status = add_folder(w, path, folder.depth + 1, error);
    }
    closedir(dir);
    return status;
}

static int by_bytes(const void *a, const void *b)
{
    return sl_view_cmp(*(const struct sl_view *)a, *(const struct sl_view *)b);
}

static void sort(struct sl_view *paths, size_t count)
{
    if (count)
        qsort(paths, count, sizeof *paths, by_bytes);
}

static enum sl_status walk(struct walk *w, struct sl_view **paths_out,
                           size_t *count_out, struct sl_error *error)
{
    enum sl_status status = add_folder(w, SL_LIT(""), 0, error);
    while (!status && w->folders_len)
        status = read_folder(w, w->folders[--w->folders_len], error);
    if (status)
        return status;
    sort(w->files, w->files_len);
    sort(w->deep.paths, w->deep.count);
    *paths_out = w->files;
    *count_out = w->files_len;
    return SL_OK;
}

enum sl_status sl_folder_list(struct sl_arena *arena, const char *root,
                              const char *suffix, size_t max_files,
                              struct sl_view **paths_out, size_t *count_out,
                              struct sl_error *error)
{
    struct walk w = {.arena = arena,
                     .root = root,
                     .suffix = suffix,
                     .max_files = max_files,
                     .max_depth = SL_MAX_WALK_DEPTH};
    return walk(&w, paths_out, count_out, error);
}

enum sl_status sl_folder_list_to(struct sl_arena *arena, const char *root,
                                 size_t max_files, unsigned max_depth,
                                 struct sl_view **paths_out, size_t *count_out,
                                 struct sl_deep *deep_out,
                                 struct sl_error *error)
{
    struct walk w = {.arena = arena,
                     .root = root,
                     .max_files = max_files,
                     .max_depth = max_depth,
                     .tolerant = true};
    enum sl_status status = walk(&w, paths_out, count_out, error);
    if (!status)
        *deep_out = w.deep;
    return status;
}
