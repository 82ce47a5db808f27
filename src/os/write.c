/* Files, written whole or not at all. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "os/file.h"

/* One file on its way: complete, under a name of its own. */
struct staged {
    char temporary[SL_MAX_PATH + 16];
    bool there;
};

static enum sl_status io_error(struct sl_error *error, const char *what,
                               const char *path)
{
    int code = errno;
    return sl_error_set(error, code == ENOENT ? SL_ERR_NOTFOUND : SL_ERR_IO,
                        "cannot %s %s: %s", what, path, strerror(code));
}

static enum sl_status write_fd(int fd, const char *name, struct sl_view bytes,
                               struct sl_error *error)
{
    size_t done = 0;
    while (done < bytes.len) {
        ssize_t n = write(fd, bytes.ptr + done, bytes.len - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return io_error(error, "write", name);
        done += (size_t)n;
    }
    return SL_OK;
}

bool sl_path_is_stream(const char *path)
{
    struct stat st, link;
    if (lstat(path, &link) != 0 || stat(path, &st) != 0)
        return false;
    if (S_ISLNK(link.st_mode) && strncmp(path, "/dev/", 5) == 0)
        return true; /* /dev/stdout, whatever it leads to */
    return !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

/* A device or a FIFO stays what it is: replacing it would take it away. */
static enum sl_status write_stream(const char *path, struct sl_view bytes,
                                   struct sl_error *error)
{
    struct stat st;
    int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return io_error(error, "open", path);
    enum sl_status status = SL_OK;
    if (fstat(fd, &st) != 0)
        status = io_error(error, "examine", path);
    else if (S_ISBLK(st.st_mode))
        status = sl_error_set(error, SL_ERR_REFUSED,
                              "%s is a disk, no file to write to", path);
    else
        status = write_fd(fd, path, bytes, error);
    if (close(fd) != 0 && !status)
        status = io_error(error, "close", path);
    return status;
}

/*
 * The rights of the file that is to be replaced, and its owner where that is allowed
 * (root's runs take nobody's file away); of a new one, what the umask leaves.
 */
static int take_rights(int fd, const char *path)
{
    struct stat st;
    if (lstat(path, &st) == 0 && S_ISREG(st.st_mode)) {
        (void)!fchown(fd, st.st_uid, st.st_gid);
        return fchmod(fd, st.st_mode & 0777);
    }
    mode_t mask = umask(0);
    umask(mask);
    return fchmod(fd, 0666 & ~mask);
}

enum sl_status sl_file_stage(const char *path, struct sl_view bytes,
                             char *temporary_out, size_t room,
                             struct sl_error *error)
{
    int n = snprintf(temporary_out, room, "%s.XXXXXX", path);
    if (n < 0 || (size_t)n >= room)
        return sl_error_set(error, SL_ERR_LIMIT, "path is too long: %s", path);
    if (sl_path_is_folder(path)) {
        errno = EISDIR;
        return io_error(error, "replace", path);
    }
    int fd = mkstemp(temporary_out);
    if (fd < 0)
        return io_error(error, "write beside", path);
    enum sl_status status = write_fd(fd, path, bytes, error);
    if (!status && (take_rights(fd, path) != 0 || fsync(fd) != 0))
        status = io_error(error, "finish", path);
    if (close(fd) != 0 && !status)
        status = io_error(error, "close", path);
    if (status)
        unlink(temporary_out);
    return status;
}

static enum sl_status stage(const struct sl_file_new *file,
                            struct staged *staged, struct sl_error *error)
{
    enum sl_status status =
        sl_file_stage(file->path, file->bytes, staged->temporary,
                      sizeof staged->temporary, error);
    staged->there = !status;
    return status;
}

/* All complete before the first takes its place. */
static enum sl_status write_set(const struct sl_file_new *files, size_t count,
                                struct staged *staged, struct sl_error *error)
{
    enum sl_status status = SL_OK;
    for (size_t i = 0; i < count && !status; i++)
        status = stage(&files[i], &staged[i], error);
    for (size_t i = 0; i < count && !status; i++) {
        if (rename(staged[i].temporary, files[i].path) != 0)
            status = io_error(error, "replace", files[i].path);
        else
            staged[i].there = false;
    }
    for (size_t i = 0; i < count; i++)
        if (staged[i].there)
            unlink(staged[i].temporary);
    return status;
}

enum sl_status sl_files_write(const struct sl_file_new *files, size_t count,
                              struct sl_error *error)
{
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    if (count == 1 && sl_path_is_stream(files[0].path))
        return write_stream(files[0].path, files[0].bytes, error);
    for (size_t i = 0; i < count; i++)
        if (sl_path_is_stream(files[i].path))
            return sl_error_set(error, SL_ERR_REFUSED,
                                "%s is not a regular file", files[i].path);
    struct staged *staged = calloc(count ? count : 1, sizeof *staged);
    if (!staged)
        return sl_error_nomem(error);
    sigset_t held, before;
    sigemptyset(&held);
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
        sigaddset(&held, ending[i]);
    /* who interrupts now ends us when the files are whole, and none is left */
    pthread_sigmask(SIG_BLOCK, &held, &before);
    enum sl_status status = write_set(files, count, staged, error);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    free(staged);
    return status;
}

enum sl_status sl_file_write(const char *path, struct sl_view bytes,
                             struct sl_error *error)
{
    struct sl_file_new file = {path, bytes};
    return sl_files_write(&file, 1, error);
}
