#include "os/tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"

/* An export is SL_MAX_TREE_DEPTH deep and lies a little below its root. */
#define MAX_LEVELS (SL_MAX_TREE_DEPTH + 8u)

struct level {
    DIR *dir;
    bool removed; /* something went since the folder was last read from 0 */
    char name[NAME_MAX + 1];
};

struct walk {
    bool remove;
    dev_t device;
    size_t depth;
    struct sl_tree_size size;
    struct level levels[MAX_LEVELS];
};

static enum sl_status refuse(struct sl_error *error, const struct walk *w,
                             const char *name, int code)
{
    return sl_error_set(error, code == ENOENT ? SL_ERR_NOTFOUND : SL_ERR_IO,
                        "cannot %s %.250s: %s", w->remove ? "remove" : "read",
                        name, strerror(code));
}

static enum sl_status push(struct walk *w, int parent, const char *name,
                           struct sl_error *error)
{
    if (w->depth >= MAX_LEVELS || strlen(name) > NAME_MAX)
        return sl_error_set(error, SL_ERR_LIMIT,
                            "folders are nested more than %u deep at %.250s",
                            MAX_LEVELS, name);
    int fd = openat(parent, name,
                    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return refuse(error, w, name, errno);
    struct stat st;
    if (fstat(fd, &st) != 0 || (w->depth && st.st_dev != w->device)) {
        close(fd);
        return sl_error_set(error, SL_ERR_REFUSED,
                            "%.250s is another file system; left alone", name);
    }
    w->device = st.st_dev;
    DIR *dir = fdopendir(fd);
    if (!dir) {
        int code = errno;
        close(fd);
        return refuse(error, w, name, code);
    }
    struct level *level = &w->levels[w->depth++];
    level->dir = dir;
    level->removed = false;
    memcpy(level->name, name, strlen(name) + 1);
    return SL_OK;
}

/* The folder of the top level is read: leave it, and remove it if asked. */
static enum sl_status pop(struct walk *w, int folder, struct sl_error *error)
{
    struct level *top = &w->levels[w->depth - 1];
    if (top->removed) { /* a changed folder may have been read with gaps */
        top->removed = false;
        rewinddir(top->dir);
        return SL_OK;
    }
    closedir(top->dir);
    w->depth--;
    if (!w->remove)
        return SL_OK;
    int parent = folder;
    if (w->depth) {
        w->levels[w->depth - 1].removed = true;
        parent = dirfd(w->levels[w->depth - 1].dir);
    }
    if (unlinkat(parent, top->name, AT_REMOVEDIR) != 0 && errno != ENOENT)
        return refuse(error, w, top->name, errno);
    return SL_OK;
}

static enum sl_status visit(struct walk *w, const char *name,
                            struct sl_error *error)
{
    struct level *top = &w->levels[w->depth - 1];
    struct stat st;
    if (fstatat(dirfd(top->dir), name, &st, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT ? SL_OK : refuse(error, w, name, errno);
    if (S_ISDIR(st.st_mode))
        return push(w, dirfd(top->dir), name, error);
    w->size.files++;
    w->size.bytes += (uint64_t)st.st_size;
    if (!w->remove)
        return SL_OK;
    top->removed = true;
    if (unlinkat(dirfd(top->dir), name, 0) != 0 && errno != ENOENT)
        return refuse(error, w, name, errno);
    return SL_OK;
}

static enum sl_status walk(struct walk *w, int folder, const char *name,
                           struct sl_error *error)
{
    enum sl_status status = push(w, folder, name, error);
    while (!status && w->depth) {
        errno = 0;
        const struct dirent *entry = readdir(w->levels[w->depth - 1].dir);
        if (!entry && errno)
            status = refuse(error, w, w->levels[w->depth - 1].name, errno);
        else if (!entry)
            status = pop(w, folder, error);
        else if (strcmp(entry->d_name, ".") != 0 &&
                 strcmp(entry->d_name, "..") != 0)
            status = visit(w, entry->d_name, error);
    }
    while (w->depth)
        closedir(w->levels[--w->depth].dir);
    return status;
}

enum sl_status sl_tree_measure(int folder, const char *name,
                               struct sl_tree_size *size_out,
                               struct sl_error *error)
{
    struct walk *w = calloc(1, sizeof *w);
    if (!w)
        return sl_error_nomem(error);
    enum sl_status status = walk(w, folder, name, error);
    if (!status)
        *size_out = w->size;
    free(w);
    return status;
}

enum sl_status sl_tree_remove(int folder, const char *name,
                              struct sl_error *error)
{
    if (!*name || strchr(name, '/') || strcmp(name, ".") == 0 ||
        strcmp(name, "..") == 0)
        return sl_error_set(error, SL_ERR_USAGE, "'%.250s' is no plain name",
                            name);
    struct walk *w = calloc(1, sizeof *w);
    if (!w)
        return sl_error_nomem(error);
    w->remove = true;
    enum sl_status status = SL_OK;
    struct stat st;
    if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
        status = errno == ENOENT ? SL_OK : refuse(error, w, name, errno);
    else if (S_ISDIR(st.st_mode))
        status = walk(w, folder, name, error);
    else if (unlinkat(folder, name, 0) != 0 && errno != ENOENT)
        status = refuse(error, w, name, errno);
    free(w);
    return status;
}
