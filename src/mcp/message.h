/* One JSON-RPC 2.0 message, as MCP allows them. */
#ifndef SL_MCP_MESSAGE_H
#define SL_MCP_MESSAGE_H

#include "base/status.h"
#include "json/json.h"

/* Codes of JSON-RPC and of MCP. */
enum {
    SL_RPC_PARSE = -32700,
    SL_RPC_REQUEST = -32600,
    SL_RPC_METHOD = -32601,
    SL_RPC_PARAMS = -32602,
    SL_RPC_INTERNAL = -32603,
    SL_RPC_NO_RESOURCE = -32002, /* 2025-11-25 and before it */
    SL_RPC_CAPABILITY = -32021,
    SL_RPC_VERSION = -32022,
};

enum sl_message_kind {
    SL_MESSAGE_REQUEST,
    SL_MESSAGE_NOTE,     /* a notification */
    SL_MESSAGE_RESPONSE, /* to a question of the server, see ask.h */
    SL_MESSAGE_FAULTY,   /* see code and why */
};

struct sl_message {
    enum sl_message_kind kind;
    const struct sl_json *id;     /* text or integer; NULL where there is none */
    struct sl_view method;
    const struct sl_json *params; /* an object, or NULL */
    const struct sl_json *result; /* of a response; NULL: it is an error */
    bool is_answered; /* it has an id, if a wrong one: silence would be a hang */
    int code;         /* of what is faulty */
    const char *why;
};

/* Reads a value as a message; views into it. Never fails: it may be faulty. */
void sl_message_read(const struct sl_json *value,
                     struct sl_message *message_out);

/* Whether two ids are the same (1 is not "1"). NULL is none. */
bool sl_rpc_id_eq(const struct sl_json *a, const struct sl_json *b);

#endif
