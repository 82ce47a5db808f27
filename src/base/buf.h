/*
 * A growing byte buffer with a compulsory cap.
 *
 * A failing append (no memory, or over the cap) marks the buffer as failed and
 * later appends do nothing, so that writers check once, at the end, with
 * sl_buf_check(). The buffer is always NUL-terminated after its len bytes.
 */
#ifndef SL_BASE_BUF_H
#define SL_BASE_BUF_H

#include "base/status.h"
#include "base/view.h"

struct sl_buf {
    char *ptr;
    size_t len;
    size_t cap;
    size_t max;
    enum sl_status failed;
};

void sl_buf_init(struct sl_buf *buf, size_t max); /* allocates nothing */
void sl_buf_release(struct sl_buf *buf);
void sl_buf_truncate(struct sl_buf *buf, size_t len);

void sl_buf_add(struct sl_buf *buf, struct sl_view bytes);
void sl_buf_puts(struct sl_buf *buf, const char *cstr);
void sl_buf_putc(struct sl_buf *buf, char c);
SL_PRINTF(2, 3) void sl_buf_printf(struct sl_buf *buf, const char *format, ...);

/* Appends text as the inside of a JSON string (invalid UTF-8 as U+FFFD). */
void sl_buf_json(struct sl_buf *buf, struct sl_view text);

struct sl_view sl_buf_view(const struct sl_buf *buf);
SL_CHECKED enum sl_status sl_buf_check(const struct sl_buf *buf,
                                       struct sl_error *error);

#endif
