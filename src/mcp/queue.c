#include "mcp/queue.h"

static struct sl_packet *at(struct sl_queue *queue, size_t place)
{
    return &queue->items[(queue->first + place) % SL_MAX_MCP_QUEUE];
}

bool sl_queue_has_room(const struct sl_queue *queue)
{
    return queue->count < SL_MAX_MCP_QUEUE &&
           queue->bytes < SL_MAX_MCP_QUEUE_BYTES;
}

static void push(struct sl_queue *queue, struct sl_packet packet)
{
    queue->bytes += packet.bytes;
    *at(queue, queue->count++) = packet;
}

static void cancel(struct sl_queue *queue, const struct sl_json *params)
{
    const struct sl_json *id = sl_json_get(params, "requestId");
    for (size_t i = 0; id && i < queue->count; i++) {
        struct sl_packet *packet = at(queue, i);
        /* the protocol forbids to cancel it, and its answer is waited for */
        if (packet->message.kind == SL_MESSAGE_REQUEST &&
            !sl_view_is(packet->message.method, "initialize") &&
            sl_rpc_id_eq(packet->message.id, id))
            packet->is_cancelled = true;
    }
}

static struct sl_packet unread(const char *why, int code, size_t bytes)
{
    return (struct sl_packet){
        .message = {.kind = SL_MESSAGE_FAULTY, .code = code},
        .why = why,
        .bytes = bytes,
    };
}

enum sl_status sl_queue_add(struct sl_queue *queue, struct sl_view line,
                            struct sl_error *error)
{
    struct sl_packet packet = {.bytes = line.len};
    enum sl_status status = sl_json_parse_nul(line, &packet.root, error);
    if (status == SL_ERR_NOMEM)
        return status;
    if (status) {
        push(queue, unread("Parse error: the line is not JSON", SL_RPC_PARSE,
                           line.len));
        return SL_OK;
    }
    packet.is_batch = sl_json_is_array(packet.root);
    if (!packet.is_batch)
        sl_message_read(packet.root, &packet.message);
    if (packet.message.kind == SL_MESSAGE_NOTE &&
        sl_view_is(packet.message.method, "notifications/cancelled"))
        cancel(queue, packet.message.params);
    push(queue, packet);
    return SL_OK;
}

void sl_queue_add_long(struct sl_queue *queue)
{
    push(queue, unread("the message is too long: at most 4 MiB are read",
                       SL_RPC_REQUEST, 0));
}

struct sl_packet *sl_queue_first(struct sl_queue *queue)
{
    return queue->count ? at(queue, 0) : NULL;
}

void sl_queue_drop(struct sl_queue *queue)
{
    struct sl_packet *packet = at(queue, 0);
    sl_json_release(packet->root);
    queue->bytes -= packet->bytes;
    queue->first = (queue->first + 1) % SL_MAX_MCP_QUEUE;
    queue->count--;
}
