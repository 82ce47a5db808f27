#include "os/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
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

enum sl_status sl_lock_try(struct sl_lock *lock, int folder, const char *name,
                           bool *taken_out, struct sl_error *error)
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
        *lock = (struct sl_lock){fd, (long)getpid()};
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

void sl_lock_release(struct sl_lock *lock)
{
    if (lock->fd >= 0)
        close(lock->fd); /* the lock goes with the descriptor */
    *lock = SL_LOCK_NONE;
}
