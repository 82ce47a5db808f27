#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

void sl_buf_init(struct sl_buf *buf, size_t max)
{
    *buf = (struct sl_buf){.max = max};
}

void sl_buf_release(struct sl_buf *buf)
{
    free(buf->ptr);
    *buf = (struct sl_buf){.max = buf->max};
}

void sl_buf_truncate(struct sl_buf *buf, size_t len)
{
    if (len < buf->len) {
        buf->len = len;
        buf->ptr[len] = '\0';
    }
}

/* Makes room for extra bytes and the NUL; false marks the buffer as failed. */
static bool reserve(struct sl_buf *buf, size_t extra)
{
    if (buf->failed)
        return false;
    if (extra > buf->max - buf->len) {
        buf->failed = SL_ERR_LIMIT;
        return false;
    }
    size_t need = buf->len + extra + 1;
    if (need <= buf->cap)
        return true;
    size_t cap = buf->cap ? buf->cap : 256;
    while (cap < need)
        cap *= 2;
    char *grown = realloc(buf->ptr, cap);
    if (!grown) {
        buf->failed = SL_ERR_NOMEM;
        return false;
    }
    buf->ptr = grown;
    buf->cap = cap;
    return true;
}

void sl_buf_add(struct sl_buf *buf, struct sl_view bytes)
{
    if (!reserve(buf, bytes.len))
        return;
    if (bytes.len)
        memcpy(buf->ptr + buf->len, bytes.ptr, bytes.len);
    buf->len += bytes.len;
    buf->ptr[buf->len] = '\0';
}

void sl_buf_puts(struct sl_buf *buf, const char *cstr)
{
    sl_buf_add(buf, sl_view_of(cstr));
}

void sl_buf_putc(struct sl_buf *buf, char c)
{
    sl_buf_add(buf, (struct sl_view){&c, 1});
}

void sl_buf_printf(struct sl_buf *buf, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (n > 0 && reserve(buf, (size_t)n)) {
        (void)vsnprintf(buf->ptr + buf->len, (size_t)n + 1, format, again);
        buf->len += (size_t)n;
    } else if (n < 0 && !buf->failed) {
        buf->failed = SL_ERR_INTERNAL;
    }
    va_end(again);
}

/* Where the run of ASCII that JSON takes as it is ends. */
static size_t plain_end(struct sl_view text, size_t at)
{
    while (at < text.len && text.ptr[at] >= 0x20 && text.ptr[at] < 0x7f &&
           text.ptr[at] != '"' && text.ptr[at] != '\\')
        at++;
    return at;
}

void sl_buf_json(struct sl_buf *buf, struct sl_view text)
{
    size_t i = 0;
    while (i < text.len && !buf->failed) {
        size_t end = plain_end(text, i);
        sl_buf_add(buf, sl_view_sub(text, i, end));
        if ((i = end) == text.len)
            break;
        unsigned char c = (unsigned char)text.ptr[i];
        size_t n = sl_utf8_length(text, i);
        if (n == 0) {
            sl_buf_puts(buf, "\xef\xbf\xbd");
            i++;
            continue;
        }
        if (c == '"' || c == '\\') {
            sl_buf_putc(buf, '\\');
            sl_buf_putc(buf, (char)c);
        } else if (c == '\n') {
            sl_buf_puts(buf, "\\n");
        } else if (c == '\t') {
            sl_buf_puts(buf, "\\t");
        } else if (c < 0x20 || c == 0x7f) {
            sl_buf_printf(buf, "\\u%04x", c);
        } else if (sl_utf8_steers(text, i, n)) {
            const unsigned char *s = (const unsigned char *)text.ptr + i;
            unsigned code = n == 2 ? (s[0] & 0x1fu) << 6 | (s[1] & 0x3fu)
                                   : (s[0] & 0x0fu) << 12 |
                                         (s[1] & 0x3fu) << 6 | (s[2] & 0x3fu);
            sl_buf_printf(buf, "\\u%04x", code);
        } else {
            sl_buf_add(buf, sl_view_sub(text, i, i + n));
        }
        i += n;
    }
}

struct sl_view sl_buf_view(const struct sl_buf *buf)
{
    return (struct sl_view){buf->ptr ? buf->ptr : "", buf->len};
}

enum sl_status sl_buf_check(const struct sl_buf *buf, struct sl_error *error)
{
    if (buf->failed == SL_ERR_LIMIT)
        return sl_error_set(error, SL_ERR_LIMIT,
                            "output would pass its cap of %zu bytes", buf->max);
    if (buf->failed)
        return sl_error_set(error, buf->failed, "out of memory for output");
    return SL_OK;
}
