/*
 * Lines out of a stream of bytes. No I/O in here: bytes go in as they come, lines come
 * out. A line that is longer than the cap is dropped, and told once.
 */
#ifndef SL_MCP_FRAME_H
#define SL_MCP_FRAME_H

#include "base/buf.h"
#include "base/status.h"

struct sl_frame {
    struct sl_buf bytes;
    size_t at;      /* where the first line that was not taken begins */
    size_t looked;  /* up to here there is no newline */
    size_t max;     /* bytes of a line, without its newline */
    bool is_dropping; /* up to the next newline */
};

enum sl_frame_kind {
    SL_FRAME_NONE, /* no whole line is there */
    SL_FRAME_LINE,
    SL_FRAME_LONG, /* a line was longer than max */
};

void sl_frame_init(struct sl_frame *frame, size_t max);
void sl_frame_release(struct sl_frame *frame);

/*
 * Adds at most SL_MCP_CHUNK bytes; sl_frame_next() must have said that there is no
 * whole line left.
 */
SL_CHECKED enum sl_status sl_frame_add(struct sl_frame *frame,
                                       struct sl_view bytes,
                                       struct sl_error *error);

/* Lines that are blank are passed over. The view stays until the next sl_frame_add(). */
enum sl_frame_kind sl_frame_next(struct sl_frame *frame,
                                 struct sl_view *line_out);

/* At the end of the stream: what stands there without a newline. */
enum sl_frame_kind sl_frame_end(struct sl_frame *frame,
                                struct sl_view *line_out);

#endif
