/*
 * Questions to the client in the middle of a request. A method asks in one way, the
 * newest revision's: an "input_required" result with inputRequests and requestState,
 * after which the client sends the request again with inputResponses. A client of the
 * revisions with a handshake knows nothing of that: to it the questions go out as
 * requests of the server's own, and the method runs again with what came back.
 */
#ifndef SL_MCP_ASK_H
#define SL_MCP_ASK_H

#include "base/limits.h"
#include "mcp/message.h"
#include "mcp/service.h"

/* A request of the client that waits for its answers. */
struct sl_mcp_ask {
    const struct sl_mcp_method *method;
    enum sl_mcp_version version;
    struct sl_json *id;     /* of the request; owned, as all below */
    struct sl_json *params; /* of it, or NULL */
    struct sl_json *round;  /* the result that asks, as an object */
    struct sl_json *answers[SL_MAX_MCP_QUESTIONS]; /* in the questions' order */
    size_t count, open;     /* questions; those without an answer */
    uint64_t first;         /* the number in the first question's id */
};

struct sl_mcp_asks {
    struct sl_mcp_ask items[SL_MAX_MCP_ASKS];
    size_t count;
    uint64_t next; /* number of the next question */
};

/*
 * Writes the questions of call->result to out, whole lines, and keeps the request.
 * SL_ERR_USAGE: the revision has no questions, or too many are open; SL_ERR_INTERNAL:
 * the result holds none.
 */
SL_CHECKED enum sl_status sl_mcp_ask(struct sl_mcp_asks *asks,
                                     const struct sl_mcp_method *method,
                                     const struct sl_message *request,
                                     const struct sl_mcp_call *call,
                                     struct sl_buf *out,
                                     struct sl_error *error);

/*
 * Takes a response. True when the request it belongs to can go on (all answers are
 * there, or the client refused): *ask_out is then the caller's to release.
 */
bool sl_mcp_ask_answered(struct sl_mcp_asks *asks,
                         const struct sl_message *response,
                         struct sl_mcp_ask *ask_out);

/* The params with which the method runs again; the caller releases them. */
SL_CHECKED enum sl_status sl_mcp_ask_params(const struct sl_mcp_ask *ask,
                                            struct sl_json **params_out,
                                            struct sl_error *error);

/* The client cancels a request: its questions are taken back, as lines in out. */
void sl_mcp_ask_cancel(struct sl_mcp_asks *asks, const struct sl_json *id,
                       struct sl_buf *out);

void sl_mcp_ask_release(struct sl_mcp_ask *ask);
void sl_mcp_asks_release(struct sl_mcp_asks *asks);

#endif
