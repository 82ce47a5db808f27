#include "os/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/view.h"

/* The number that the holder left in the file, for a message. */
static long read_holder(int fd)
{
    char text[24];
    ssize_t n = pread(fd, text, sizeof text, 0);
    struct sl_view view = {text, n > 0 ? (size_t)n : 0};
    uint64_t pid;
    if (!sl_view_number(sl_view_trim(view), INT32_MAX, &pid))
        return 0;
    return (long)pid;
}

/* Failing only makes another process's message poorer. */
static void write_holder(int fd)
{
    char text[24];
    int n = snprintf(text, sizeof text, "%ld\n", (long)getpid());
    if (ftruncate(fd, 0) != 0 || pwrite(fd, text, (size_t)n, 0) != n)
        return;
}

enum sl_status sl_file_lock_try(struct sl_file_lock *lock, int folder,
                                const char *name, bool *taken_out,
                                struct sl_error *error)
{
    int fd = openat(folder, name,
                    O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK,
                    0666);
    if (fd < 0)
        return sl_error_set(error, errno == ELOOP ? SL_ERR_REFUSED : SL_ERR_IO,
                            "cannot open the lock file %s (%s)", name,
                            errno == ELOOP ? "it is a symbolic link"
                                           : strerror(errno));
    struct stat st;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
        close(fd);
        return sl_error_set(error, SL_ERR_REFUSED,
                            "the lock file %s is not a regular file", name);
    }
    if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
        write_holder(fd);
        *lock = (struct sl_file_lock){fd, (long)getpid()};
        *taken_out = true;
        return SL_OK;
    }
    int code = errno;
    long holder = read_holder(fd);
    close(fd);
    if (code != EWOULDBLOCK && code != EINTR)
        return sl_error_set(error, SL_ERR_IO, "cannot lock %s: %s", name,
                            strerror(code));
    lock->holder = holder;
    *taken_out = false;
    return SL_OK;
}

#define POLL_MS 20

enum sl_status sl_folder_lock(struct sl_file_lock *lock, const char *path,
                              unsigned milliseconds, bool *taken_out,
                              struct sl_error *error)
{
    static const struct timespec pause = {.tv_nsec = POLL_MS * 1000000L};
    *lock = SL_FILE_LOCK_NONE;
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    *taken_out = true;
    if (fd < 0)
        return SL_OK;
    for (unsigned waited = 0;; waited += POLL_MS) {
        if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
            lock->fd = fd;
            return SL_OK;
        }
        if (errno != EWOULDBLOCK && errno != EINTR)
            break;
        if (waited >= milliseconds) {
            close(fd);
            *taken_out = false;
            return SL_OK;
        }
        (void)nanosleep(&pause, NULL);
    }
    int code = errno;
    close(fd);
    if (code == ENOLCK || code == EOPNOTSUPP || code == ENOSYS ||
        code == EBADF) /* NFS locks only what is open for writing */
        return SL_OK;
    return sl_error_set(error, SL_ERR_IO, "cannot lock %s: %s", path,
                        strerror(code));
}

enum sl_status sl_folder_lock_write(struct sl_file_lock *lock, const char *path,
                                    unsigned milliseconds,
                                    struct sl_error *error)
{
    bool taken;
    enum sl_status status =
        sl_folder_lock(lock, path, milliseconds, &taken, error);
    if (!status && !taken)
        status = sl_error_set(error, SL_ERR_IO,
                              "another program has been writing in %s for %u "
                              "seconds",
                              path, milliseconds / 1000);
    return status;
}

void sl_file_lock_release(struct sl_file_lock *lock)
{
    if (lock->fd >= 0)
        close(lock->fd); /* the lock goes with the descriptor */
    *lock = SL_FILE_LOCK_NONE;
}
