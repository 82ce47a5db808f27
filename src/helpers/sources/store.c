#include "helpers/sources/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "os/file.h"

#define OPEN_FOLDER (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
#define TEMP_PREFIX ".tmp-"

static enum sl_status io_error(struct sl_error *error, const char *what,
                               const struct sl_store *store, const char *name)
{
    int code = errno;
    bool other = code == EROFS || code == EACCES || code == EPERM ||
                 code == ENOSPC || code == EDQUOT;
    return sl_error_set(error, code == ENOENT ? SL_ERR_NOTFOUND : SL_ERR_IO,
                        "cannot %s %.250s%s%.100s: %s%s", what, store->path,
                        *name ? "/" : "", name, strerror(code),
                        other ? "; SHMEMLORE_CACHE names another cache folder"
                              : "");
}

struct sl_tree_name sl_store_name(const struct sl_source *source)
{
    struct sl_tree_name name;
    (void)snprintf(name.text, sizeof name.text, "%.*s-%.*s",
                   SL_ARG(source->id), SL_ARG(source->commit));
    return name;
}

enum sl_status sl_store_open(struct sl_arena *arena, bool make,
                             struct sl_store *store_out, struct sl_error *error)
{
    const char *cache;
    enum sl_status status = sl_cache_folder(arena, &cache, error);
    if (status)
        return status;
    struct sl_store store = {.dir = -1, .lock = SL_FILE_LOCK_NONE};
    store.path = sl_path_join(arena, cache, SL_LIT("sources"));
    if (!store.path)
        return sl_error_nomem(error);
    if (make) {
        struct sl_error why = {SL_OK, ""};
        status = sl_folder_make(cache, &why);
        if (status)
            return sl_error_set(error, status,
                                "%.400s; SHMEMLORE_CACHE names another cache "
                                "folder",
                                why.message);
        if (mkdir(store.path, 0777) != 0 && errno != EEXIST)
            return io_error(error, "make folder", &store, "");
    }
    store.dir = open(store.path, OPEN_FOLDER);
    struct stat st;
    if (store.dir < 0 && lstat(store.path, &st) == 0 && S_ISLNK(st.st_mode))
        return sl_error_set(error, SL_ERR_REFUSED,
                            "%.300s is a symbolic link; to keep trees "
                            "elsewhere, set SHMEMLORE_CACHE",
                            store.path);
    if (store.dir < 0 && (make || errno != ENOENT))
        return io_error(error, "open", &store, "");
    *store_out = store;
    return SL_OK;
}

void sl_store_close(struct sl_store *store)
{
    sl_file_lock_release(&store->lock);
    if (store->dir >= 0)
        close(store->dir);
    store->dir = -1;
}

enum sl_status sl_store_has(const struct sl_store *store, const char *name,
                            bool *has_out, struct sl_error *error)
{
    struct stat st;
    if (store->dir < 0 ||
        (fstatat(store->dir, name, &st, AT_SYMLINK_NOFOLLOW) != 0 &&
         errno == ENOENT)) {
        *has_out = false;
        return SL_OK;
    }
    if (!S_ISDIR(st.st_mode))
        return sl_error_set(error, SL_ERR_REFUSED,
                            "%.250s/%.100s is not a folder (a link?); remove "
                            "it and sync again",
                            store->path, name);
    *has_out = true;
    return SL_OK;
}

enum sl_status sl_store_sweep(const struct sl_store *store,
                              struct sl_error *error)
{
    int fd = openat(store->dir, ".", OPEN_FOLDER);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    if (!dir) {
        enum sl_status status = io_error(error, "read", store, "");
        if (fd >= 0)
            close(fd);
        return status;
    }
    enum sl_status status = SL_OK;
    const struct dirent *entry;
    while (!status && (entry = readdir(dir)))
        if (strncmp(entry->d_name, TEMP_PREFIX, sizeof TEMP_PREFIX - 1) == 0)
            status = sl_tree_remove(store->dir, entry->d_name, error);
    closedir(dir);
    return status;
}

enum sl_status sl_store_begin(struct sl_arena *arena,
                              const struct sl_store *store,
                              const struct sl_source *source,
                              struct sl_temp *temp_out, struct sl_error *error)
{
    struct sl_temp temp = {.dir = -1, .tree = -1};
    (void)snprintf(temp.name, sizeof temp.name, TEMP_PREFIX "%.*s-%ld",
                   SL_ARG(source->id), (long)getpid());
    temp.path = sl_path_join(arena, store->path, sl_view_of(temp.name));
    if (!temp.path)
        return sl_error_nomem(error);
    if (mkdirat(store->dir, temp.name, 0777) != 0)
        return io_error(error, "make", store, temp.name);
    temp.dir = openat(store->dir, temp.name, OPEN_FOLDER);
    if (temp.dir >= 0 && mkdirat(temp.dir, "tree", 0777) == 0)
        temp.tree = openat(temp.dir, "tree", OPEN_FOLDER);
    if (temp.tree < 0) {
        enum sl_status status = io_error(error, "open", store, temp.name);
        struct sl_error ignored;
        if (sl_store_end(store, &temp, &ignored) != SL_OK)
            return status; /* the first fault is the one to tell */
        return status;
    }
    *temp_out = temp;
    return SL_OK;
}

/*
 * The old tree ends up in temp and goes with it. File systems that cannot swap
 * two names (some network ones) are without the tree for a moment.
 */
static int swap(const struct sl_store *store, const struct sl_temp *temp,
                const char *name)
{
    if (renameat2(temp->dir, "tree", store->dir, name, RENAME_EXCHANGE) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOSYS && errno != ENOTSUP)
        return -1;
    if (renameat(store->dir, name, temp->dir, "old") != 0)
        return -1;
    if (renameat(temp->dir, "tree", store->dir, name) == 0)
        return 0;
    int code = errno;
    (void)renameat(temp->dir, "old", store->dir, name);
    errno = code;
    return -1;
}

enum sl_status sl_store_publish(const struct sl_store *store,
                                struct sl_temp *temp, const char *name,
                                struct sl_error *error)
{
    /* contents first: after a power failure a name must not stand for holes */
    if (syncfs(temp->tree) != 0 &&
        (errno == EIO || errno == ENOSPC || errno == EDQUOT))
        return io_error(error, "write out", store, temp->name);
    bool has;
    enum sl_status status = sl_store_has(store, name, &has, error);
    if (status)
        return status;
    int code = has ? swap(store, temp, name)
                   : renameat(temp->dir, "tree", store->dir, name);
    if (code != 0)
        return io_error(error, "finish", store, name);
    (void)fsync(store->dir); /* some file systems cannot; the tree is there */
    return SL_OK;
}

enum sl_status sl_store_end(const struct sl_store *store, struct sl_temp *temp,
                            struct sl_error *error)
{
    if (temp->tree >= 0)
        close(temp->tree);
    if (temp->dir >= 0)
        close(temp->dir);
    temp->tree = temp->dir = -1;
    return sl_tree_remove(store->dir, temp->name, error);
}
