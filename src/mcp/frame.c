#include "mcp/frame.h"

#include <string.h>

#include "base/limits.h"

/* A buffer that one large message made is not kept. */
#define KEPT (256u << 10)

void sl_frame_init(struct sl_frame *frame, size_t max)
{
    *frame = (struct sl_frame){.max = max};
    sl_buf_init(&frame->bytes, max + SL_MCP_CHUNK);
}

void sl_frame_release(struct sl_frame *frame)
{
    sl_buf_release(&frame->bytes);
}

enum sl_status sl_frame_add(struct sl_frame *frame, struct sl_view bytes,
                            struct sl_error *error)
{
    struct sl_buf *buf = &frame->bytes;
    size_t rest = buf->len - frame->at;
    if (frame->at) {
        memmove(buf->ptr, buf->ptr + frame->at, rest);
        sl_buf_truncate(buf, rest);
        frame->looked -= frame->at;
        frame->at = 0;
    }
    if (!rest && buf->cap > KEPT)
        sl_buf_release(buf);
    sl_buf_add(buf, bytes);
    return sl_buf_check(buf, error);
}

/* Takes the bytes up to `end` off; next: where the following line begins. */
static enum sl_frame_kind take(struct sl_frame *frame, size_t end, size_t next,
                               struct sl_view *line_out)
{
    struct sl_view line = sl_view_sub(sl_buf_view(&frame->bytes), frame->at,
                                      end);
    bool dropped = frame->is_dropping;
    frame->at = next;
    frame->looked = next;
    frame->is_dropping = false;
    if (dropped)
        return SL_FRAME_NONE;
    if (line.len > frame->max)
        return SL_FRAME_LONG;
    line = sl_view_trim(line);
    if (!line.len)
        return SL_FRAME_NONE;
    *line_out = line;
    return SL_FRAME_LINE;
}

enum sl_frame_kind sl_frame_next(struct sl_frame *frame,
                                 struct sl_view *line_out)
{
    struct sl_view all = sl_buf_view(&frame->bytes);
    size_t end;
    while ((end = sl_view_find(all, SL_LIT("\n"), frame->looked)) != SIZE_MAX) {
        enum sl_frame_kind kind = take(frame, end, end + 1, line_out);
        if (kind != SL_FRAME_NONE)
            return kind;
    }
    frame->looked = all.len;
    if (!frame->is_dropping && all.len - frame->at > frame->max) {
        frame->is_dropping = true;
        frame->at = all.len;
        return SL_FRAME_LONG;
    }
    if (frame->is_dropping)
        frame->at = all.len;
    return SL_FRAME_NONE;
}

enum sl_frame_kind sl_frame_end(struct sl_frame *frame,
                                struct sl_view *line_out)
{
    size_t end = frame->bytes.len;
    return take(frame, end, end, line_out);
}
