#include "os/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *name_of(const struct sl_stream *stream)
{
    return stream->path ? stream->path : "standard input";
}

enum sl_status sl_stream_open(const char *path, struct sl_stream *stream_out,
                              struct sl_error *error)
{
    struct sl_stream stream = {.fd = STDIN_FILENO, .path = path};
    struct stat st;
    if (!path) {
        *stream_out = stream;
        return SL_OK;
    }
    /* a FIFO is not waited for: it is refused */
    stream.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (stream.fd < 0)
        return sl_error_set(error,
                            errno == ENOENT ? SL_ERR_NOTFOUND : SL_ERR_IO,
                            "cannot open %s: %s", path, strerror(errno));
    enum sl_status status = SL_OK;
    if (fstat(stream.fd, &st) != 0)
        status = sl_error_set(error, SL_ERR_IO, "cannot look at %s: %s", path,
                              strerror(errno));
    else if (!S_ISREG(st.st_mode))
        status = sl_error_set(error, SL_ERR_REFUSED,
                              "%s is not a regular file", path);
    if (status) {
        (void)close(stream.fd);
        return status;
    }
    stream.size = (uint64_t)st.st_size;
    *stream_out = stream;
    return SL_OK;
}

enum sl_status sl_stream_read(struct sl_stream *stream, char *into,
                              size_t room, size_t *len_out,
                              struct sl_error *error)
{
    size_t len = 0;
    while (len < room) {
        ssize_t n = read(stream->fd, into + len, room - len);
        if (n == 0)
            break;
        if (n < 0 && errno != EINTR)
            return sl_error_set(error, SL_ERR_IO, "cannot read %s: %s",
                                name_of(stream), strerror(errno));
        if (n > 0)
            len += (size_t)n;
    }
    *len_out = len;
    return SL_OK;
}

void sl_stream_close(struct sl_stream *stream)
{
    if (stream->fd > STDIN_FILENO)
        (void)close(stream->fd);
    stream->fd = -1;
}
