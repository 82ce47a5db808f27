#include "mcp/stdio.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "mcp/frame.h"
#include "mcp/queue.h"
#include "mcp/session.h"

_Static_assert(SL_MAX_MCP_MESSAGE == 4u << 20, "queue.c says 4 MiB");

struct loop {
    const struct sl_mcp_stdio *stdio;
    struct sl_mcp_session session;
    struct sl_frame frame;
    struct sl_queue queue;
    struct sl_buf out;
    unsigned logs;
    bool at_end; /* of the input */
    bool is_deaf; /* the client does not read any more */
};

static enum sl_status io_error(struct sl_error *error, const char *what)
{
    return sl_error_set(error, SL_ERR_IO, "cannot %s: %s", what,
                        strerror(errno));
}

enum sl_status sl_mcp_stdio_take(struct sl_mcp_stdio *stdio_out,
                                 struct sl_error *error)
{
    struct sl_mcp_stdio stdio = *stdio_out;
    stdio.in = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
    stdio.out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    bool taken = stdio.in >= 0 && stdio.out >= 0 && nothing >= 0 &&
                 dup2(nothing, STDIN_FILENO) >= 0 &&
                 dup2(STDERR_FILENO, STDOUT_FILENO) >= 0;
    if (!taken)
        return io_error(error, "take standard input and output");
    (void)close(nothing);
    *stdio_out = stdio;
    return SL_OK;
}

static void log_fault(struct loop *loop, const struct sl_message *message,
                      const char *why)
{
    char text[256];
    if (loop->logs++ < SL_MAX_MCP_LOGS) {
        (void)snprintf(text, sizeof text, "a message was refused (%d): %s",
                       message->code, why ? why : "faulty");
        loop->stdio->log(text);
    } else if (loop->logs == SL_MAX_MCP_LOGS + 1) {
        loop->stdio->log("more messages are refused; no more is logged");
    }
}

/* Turns the frame's whole lines into packets, as far as there is room. */
static enum sl_status take_lines(struct loop *loop, struct sl_error *error)
{
    enum sl_status status = SL_OK;
    while (!status && sl_queue_has_room(&loop->queue)) {
        struct sl_view line;
        enum sl_frame_kind kind = sl_frame_next(&loop->frame, &line);
        if (kind == SL_FRAME_NONE && loop->at_end)
            kind = sl_frame_end(&loop->frame, &line);
        if (kind == SL_FRAME_NONE)
            break;
        if (kind == SL_FRAME_LONG)
            sl_queue_add_long(&loop->queue);
        else
            status = sl_queue_add(&loop->queue, line, error);
    }
    return status;
}

static enum sl_status read_some(struct loop *loop, struct sl_error *error)
{
    char chunk[SL_MCP_CHUNK];
    ssize_t n;
    while ((n = read(loop->stdio->in, chunk, sizeof chunk)) < 0) {
        struct pollfd fd = {.fd = loop->stdio->in, .events = POLLIN};
        if (errno == EAGAIN) /* a pipe that the client shares */
            (void)poll(&fd, 1, -1);
        else if (errno != EINTR)
            break;
    }
    if (n < 0)
        return io_error(error, "read from the client");
    loop->at_end = n == 0;
    return sl_frame_add(&loop->frame, (struct sl_view){chunk, (size_t)n},
                        error);
}

/* Whether a read would not wait. */
static bool is_readable(const struct loop *loop)
{
    struct pollfd fd = {.fd = loop->stdio->in, .events = POLLIN};
    return poll(&fd, 1, 0) > 0;
}

/*
 * Reads what is there: for the first message it waits, beyond that it reads ahead, so
 * that a cancellation is seen before the request it means is answered. A client that
 * never stops writing does not keep its own answer back.
 */
static enum sl_status read_ahead(struct loop *loop, struct sl_error *error)
{
    enum sl_status status = take_lines(loop, error);
    unsigned reads = 0;
    while (!status && !loop->at_end && sl_queue_has_room(&loop->queue) &&
           (!loop->queue.count ||
            (reads < SL_MAX_MCP_READS && is_readable(loop)))) {
        status = read_some(loop, error);
        reads++;
        if (!status)
            status = take_lines(loop, error);
    }
    return status;
}

/* EPIPE: the client went away, which is its right. */
static enum sl_status write_all(struct loop *loop, struct sl_error *error)
{
    struct sl_view rest = sl_buf_view(&loop->out);
    while (rest.len) {
        ssize_t n = write(loop->stdio->out, rest.ptr, rest.len);
        if (n < 0 && errno == EPIPE) {
            loop->is_deaf = true;
            break;
        }
        if (n < 0 && errno == EAGAIN) { /* a pipe that the client shares */
            struct pollfd fd = {.fd = loop->stdio->out, .events = POLLOUT};
            (void)poll(&fd, 1, -1);
            continue;
        }
        if (n < 0 && errno != EINTR)
            return io_error(error, "write to the client");
        rest = sl_view_sub(rest, n > 0 ? (size_t)n : 0, rest.len);
    }
    if (loop->out.cap > SL_MCP_CHUNK)
        sl_buf_release(&loop->out);
    sl_buf_truncate(&loop->out, 0);
    return SL_OK;
}

static enum sl_status answer(struct loop *loop, const struct sl_packet *packet,
                             struct sl_error *error)
{
    const struct sl_message *message = &packet->message;
    if (packet->is_cancelled)
        return SL_OK;
    if (message->kind == SL_MESSAGE_FAULTY && !packet->is_batch)
        log_fault(loop, message, packet->root ? message->why : packet->why);
    if (packet->is_batch)
        return sl_mcp_answer_batch(&loop->session, packet->root, &loop->out,
                                   error);
    if (packet->root)
        return sl_mcp_answer(&loop->session, message, &loop->out, error);
    sl_mcp_answer_unread(&loop->session, message->code, packet->why,
                         &loop->out);
    return sl_buf_check(&loop->out, error);
}

/* One packet; its answer is thrown away when it is cancelled meanwhile. */
static enum sl_status step(struct loop *loop, struct sl_error *error)
{
    struct sl_packet *packet = sl_queue_first(&loop->queue);
    if (!packet)
        return SL_OK;
    enum sl_status status = answer(loop, packet, error);
    if (!status)
        status = read_ahead(loop, error);
    if (packet->is_cancelled)
        sl_buf_truncate(&loop->out, 0);
    sl_queue_drop(&loop->queue);
    return status ? status : write_all(loop, error);
}

enum sl_status sl_mcp_serve(const struct sl_mcp_service *service,
                            const struct sl_mcp_stdio *stdio,
                            struct sl_error *error)
{
    struct loop loop = {.stdio = stdio};
    sl_mcp_session_init(&loop.session, service);
    sl_frame_init(&loop.frame, SL_MAX_MCP_MESSAGE);
    sl_buf_init(&loop.out, 2 * SL_MAX_MCP_ANSWER);
    enum sl_status status = SL_OK;
    do {
        status = read_ahead(&loop, error);
        if (!status)
            status = step(&loop, error);
    } while (!status && !loop.is_deaf && (!loop.at_end || loop.queue.count));
    if (!status && !loop.is_deaf) {
        sl_mcp_session_end(&loop.session, &loop.out);
        status = write_all(&loop, error);
    }
    while (loop.queue.count)
        sl_queue_drop(&loop.queue);
    sl_buf_release(&loop.out);
    sl_frame_release(&loop.frame);
    sl_mcp_session_release(&loop.session);
    return status;
}
