/* Messages that were read and not yet answered, first in, first out. */
#ifndef SL_MCP_QUEUE_H
#define SL_MCP_QUEUE_H

#include "base/limits.h"
#include "mcp/message.h"

struct sl_packet {
    struct sl_json *root; /* owned; NULL: what came was no JSON */
    struct sl_message message;
    bool is_batch;
    bool is_cancelled;
    size_t bytes;         /* of the line */
    const char *why;      /* of what was no JSON; code is message.code */
};

struct sl_queue {
    struct sl_packet items[SL_MAX_MCP_QUEUE];
    size_t first, count;
    size_t bytes; /* of all lines */
};

bool sl_queue_has_room(const struct sl_queue *queue);

/*
 * Reads the line as a packet. A notification that cancels a request of the queue marks
 * that request; SL_ERR_NOMEM is the only failure.
 */
SL_CHECKED enum sl_status sl_queue_add(struct sl_queue *queue,
                                       struct sl_view line,
                                       struct sl_error *error);

/* In place of a line that was too long. */
void sl_queue_add_long(struct sl_queue *queue);

/* NULL: it is empty. */
struct sl_packet *sl_queue_first(struct sl_queue *queue);
void sl_queue_drop(struct sl_queue *queue);

#endif
