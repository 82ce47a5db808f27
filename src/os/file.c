#include "os/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"

static enum sl_status io_error(struct sl_error *error, const char *what,
                               const char *path)
{
    int code = errno;
    return sl_error_set(error, code == ENOENT ? SL_ERR_NOTFOUND : SL_ERR_IO,
                        "cannot %s %s: %s", what, path, strerror(code));
}

/* Reads an open file; closes it in every case. */
static enum sl_status read_fd(struct sl_arena *arena, int fd, const char *name,
                              size_t max, struct sl_view *bytes_out,
                              struct sl_error *error)
{
    enum sl_status status = SL_OK;
    struct stat st;
    if (fstat(fd, &st) != 0) {
        status = io_error(error, "examine", name);
        goto done;
    }
    if (!S_ISREG(st.st_mode)) {
        status = sl_error_set(error, SL_ERR_REFUSED, "%s is not a regular file",
                              name);
        goto done;
    }
    if ((uint64_t)st.st_size > max) {
        status = sl_error_set(error, SL_ERR_LIMIT,
                              "%s has %lld bytes; the limit is %zu", name,
                              (long long)st.st_size, max);
        goto done;
    }
    size_t size = (size_t)st.st_size;
    char *bytes = sl_arena_alloc(arena, size + 1);
    if (!bytes) {
        status = sl_error_nomem(error);
        goto done;
    }
    size_t have = 0;
    while (have < size) { /* a file that shrinks is read as far as it goes */
        ssize_t n = read(fd, bytes + have, size - have);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            status = io_error(error, "read", name);
            goto done;
        }
        if (n == 0)
            break;
        have += (size_t)n;
    }
    bytes[have] = '\0';
    *bytes_out = (struct sl_view){bytes, have};
done:
    close(fd);
    return status;
}

/* O_NONBLOCK: a FIFO must not hang the open; read_fd then refuses it. */
#define OPEN_READ (O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)

enum sl_status sl_file_read(struct sl_arena *arena, const char *path,
                            size_t max, struct sl_view *bytes_out,
                            struct sl_error *error)
{
    int fd = open(path, OPEN_READ);
    if (fd < 0)
        return io_error(error, "open", path);
    return read_fd(arena, fd, path, max, bytes_out, error);
}

bool sl_path_is_inside(struct sl_view path)
{
    if (path.len == 0 || path.len > SL_MAX_PATH || path.ptr[0] == '/' ||
        path.ptr[path.len - 1] == '/' || memchr(path.ptr, '\0', path.len))
        return false;
    struct sl_view part;
    while (sl_view_cut(&path, '/', &part))
        if (part.len == 0 || sl_view_is(part, ".") || sl_view_is(part, ".."))
            return false;
    return true;
}

bool sl_path_resolve(struct sl_view from, struct sl_view path,
                     char path_out[SL_MAX_PATH + 1])
{
    size_t n = from.len;
    while (n && from.ptr[n - 1] != '/')
        n--;
    if (n > SL_MAX_PATH || path.len > SL_MAX_PATH ||
        sl_view_starts(path, "/"))
        return false;
    memcpy(path_out, from.ptr, n); /* empty, or ends with its slash */
    struct sl_view part;
    while (sl_view_cut(&path, '/', &part)) {
        if (part.len == 0 || sl_view_is(part, "."))
            continue;
        if (sl_view_is(part, "..")) {
            if (n == 0)
                return false;
            n--;
            while (n && path_out[n - 1] != '/')
                n--;
            continue;
        }
        if (n + part.len + 1 > SL_MAX_PATH)
            return false;
        memcpy(path_out + n, part.ptr, part.len);
        n += part.len;
        path_out[n++] = '/';
    }
    if (n)
        n--; /* the last slash */
    path_out[n] = '\0';
    return true;
}

enum sl_status sl_file_read_beneath(struct sl_arena *arena, const char *root,
                                    struct sl_view path, size_t max,
                                    struct sl_view *bytes_out,
                                    struct sl_error *error)
{
    if (!sl_path_is_inside(path))
        return sl_error_set(error, SL_ERR_REFUSED,
                            "path '%.*s' is not a plain path inside its tree",
                            SL_ARG(sl_view_sub(path, 0, 200)));
    int dir = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (dir < 0)
        return io_error(error, "open", root);
    struct sl_view rest = path;
    struct sl_view part;
    while (sl_view_cut(&rest, '/', &part)) {
        char name[SL_MAX_PATH + 1];
        memcpy(name, part.ptr, part.len);
        name[part.len] = '\0';
        int flags = rest.len ? O_RDONLY | O_DIRECTORY | O_CLOEXEC : OPEN_READ;
        int next = openat(dir, name, flags | O_NOFOLLOW);
        int code = errno;
        struct stat st;
        bool link = next < 0 &&
                    fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
                    S_ISLNK(st.st_mode);
        close(dir);
        if (link)
            return sl_error_set(error, SL_ERR_REFUSED,
                                "'%.*s' goes through a symbolic link at '%s'",
                                SL_ARG(path), name);
        if (next < 0)
            return sl_error_set(
                error,
                code == ENOENT || code == ENOTDIR ? SL_ERR_NOTFOUND : SL_ERR_IO,
                "cannot open '%.*s' in %s: %s", SL_ARG(path), root,
                strerror(code));
        dir = next;
    }
    char name[512]; /* for messages, which are no longer */
    (void)snprintf(name, sizeof name, "%s/%.*s", root, SL_ARG(path));
    return read_fd(arena, dir, name, max, bytes_out, error);
}

static enum sl_path_kind kind_of(int result, const struct stat *st)
{
    if (result != 0)
        return SL_PATH_NONE;
    switch (st->st_mode & S_IFMT) {
    case S_IFREG:
        return SL_PATH_FILE;
    case S_IFDIR:
        return SL_PATH_FOLDER;
    case S_IFLNK:
        return SL_PATH_LINK;
    default:
        return SL_PATH_OTHER;
    }
}

enum sl_path_kind sl_path_kind_beneath(const char *root, struct sl_view path)
{
    enum sl_path_kind kind = SL_PATH_NONE;
    if (!sl_path_is_inside(path))
        return kind;
    int dir = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct sl_view part;
    while (dir >= 0 && sl_view_cut(&path, '/', &part)) {
        char name[SL_MAX_PATH + 1];
        memcpy(name, part.ptr, part.len);
        name[part.len] = '\0';
        struct stat st;
        kind = kind_of(fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW), &st);
        if (!path.len)
            break;
        int next = -1;
        if (kind == SL_PATH_FOLDER)
            next = openat(dir, name,
                          O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
        if (next < 0 && kind != SL_PATH_LINK)
            kind = SL_PATH_NONE;
        close(dir);
        dir = next;
    }
    if (dir >= 0)
        close(dir);
    return kind;
}

bool sl_path_is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

enum sl_status sl_path_find_folder(const char *path, bool *is_there_out,
                                   struct sl_error *error)
{
    struct stat st;
    bool found = stat(path, &st) == 0;
    if (!found && errno != ENOENT && errno != ENOTDIR)
        return sl_error_set(error, SL_ERR_IO, "cannot look at %s: %s", path,
                            strerror(errno));
    *is_there_out = found && S_ISDIR(st.st_mode);
    return SL_OK;
}

bool sl_path_exists(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0;
}

char *sl_path_join(struct sl_arena *arena, const char *a, struct sl_view b)
{
    if (!*a)
        a = "."; /* "" names no folder, least of all the root */
    size_t n = strlen(a);
    while (n > 1 && a[n - 1] == '/')
        n--;
    char *path = sl_arena_alloc(arena, n + 1 + b.len + 1);
    if (!path)
        return NULL;
    memcpy(path, a, n);
    path[n] = '/';
    memcpy(path + n + 1, b.ptr, b.len);
    return path;
}

enum sl_status sl_file_remove(const char *path, struct sl_error *error)
{
    if (unlink(path) != 0 && errno != ENOENT)
        return io_error(error, "remove", path);
    return SL_OK;
}

enum sl_status sl_folder_make(const char *path, struct sl_error *error)
{
    char part[SL_MAX_PATH + 1];
    size_t n = strlen(path);
    if (n == 0 || n > SL_MAX_PATH)
        return sl_error_set(error, SL_ERR_LIMIT, "path is too long: %s", path);
    memcpy(part, path, n + 1);
    for (size_t i = 1; i <= n; i++) {
        if (part[i] != '/' && part[i] != '\0')
            continue;
        char kept = part[i];
        part[i] = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return io_error(error, "make folder", part);
        part[i] = kept;
    }
    if (!sl_path_is_folder(path))
        return sl_error_set(error, SL_ERR_IO, "%s is not a folder", path);
    return SL_OK;
}

enum sl_status sl_cache_folder(struct sl_arena *arena, const char **path_out,
                               struct sl_error *error)
{
    static const struct {
        const char *variable;
        const char *below;
    } places[] = {
        {"SHMEMLORE_CACHE", ""},
        {"XDG_CACHE_HOME", "shmemlore"},
        {"HOME", ".cache/shmemlore"},
    };
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const char *value = getenv(places[i].variable);
        if (!value || !*value)
            continue;
        if (value[0] != '/')
            return sl_error_set(error, SL_ERR_USAGE,
                                "%s is '%s'; it must be an absolute path",
                                places[i].variable, value);
        if (strlen(value) > SL_MAX_PATH)
            return sl_error_set(error, SL_ERR_USAGE,
                                "%s is longer than %u bytes; name the cache "
                                "with SHMEMLORE_CACHE",
                                places[i].variable, SL_MAX_PATH);
        const char *path =
            *places[i].below
                ? sl_path_join(arena, value, sl_view_of(places[i].below))
                : sl_arena_copy(arena, sl_view_of(value)).ptr;
        if (!path)
            return sl_error_nomem(error);
        *path_out = path;
        return SL_OK;
    }
    return sl_error_set(error, SL_ERR_USAGE,
                        "no cache folder: set SHMEMLORE_CACHE or HOME");
}
