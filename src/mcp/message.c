#include "mcp/message.h"

static void faulty(struct sl_message *message, int code, const char *why)
{
    message->kind = SL_MESSAGE_FAULTY;
    message->code = code;
    message->why = why;
}

/* False: it is there and neither text nor an integer. */
static bool read_id(const struct sl_json *value, struct sl_message *message)
{
    const struct sl_json *id = sl_json_get(value, "id");
    struct sl_view text;
    int64_t number;
    if (!id)
        return true;
    if (!sl_json_text(id, &text) && !sl_json_integer(id, &number))
        return false;
    message->id = id;
    return true;
}

void sl_message_read(const struct sl_json *value,
                     struct sl_message *message_out)
{
    struct sl_message message = {
        .kind = SL_MESSAGE_NOTE,
        .is_answered = !sl_json_is_object(value) || sl_json_get(value, "id"),
    };
    const struct sl_json *params = sl_json_get(value, "params");
    message.method = sl_json_member(value, "method");
    if (!sl_json_is_object(value))
        faulty(&message, SL_RPC_REQUEST, "a message is a JSON object");
    else if (!read_id(value, &message))
        faulty(&message, SL_RPC_REQUEST,
               "an id is a string or an integer, never null");
    else if (!sl_view_is(sl_json_member(value, "jsonrpc"), "2.0"))
        faulty(&message, SL_RPC_REQUEST, "\"jsonrpc\" must be \"2.0\"");
    else if (!message.method.ptr &&
             (sl_json_get(value, "result") || sl_json_get(value, "error")))
        message.kind = SL_MESSAGE_RESPONSE,
        message.result = sl_json_get(value, "result");
    else if (!message.method.ptr)
        faulty(&message, SL_RPC_REQUEST, "\"method\" must be a string");
    else if (params && !sl_json_is_object(params))
        faulty(&message, SL_RPC_PARAMS, "\"params\" must be an object");
    else if (message.id)
        message.kind = SL_MESSAGE_REQUEST;
    if (sl_json_is_object(params))
        message.params = params;
    *message_out = message;
}

bool sl_rpc_id_eq(const struct sl_json *a, const struct sl_json *b)
{
    struct sl_view text, other_text;
    int64_t number, other;
    if (sl_json_text(a, &text))
        return sl_json_text(b, &other_text) && sl_view_eq(text, other_text);
    return sl_json_integer(a, &number) && sl_json_integer(b, &other) &&
           number == other;
}
