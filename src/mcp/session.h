/*
 * One client's conversation: messages in, lines out, nothing read or written in here.
 * docs/internals/mcp.md says which requests are answered how.
 */
#ifndef SL_MCP_SESSION_H
#define SL_MCP_SESSION_H

#include "base/limits.h"
#include "mcp/ask.h"
#include "mcp/message.h"
#include "mcp/service.h"

struct sl_mcp_session {
    const struct sl_mcp_service *service;
    enum sl_mcp_version legacy; /* what initialize agreed on */
    bool is_legacy;             /* there was an initialize */
    struct sl_json *listens[SL_MAX_MCP_LISTENS]; /* ids, owned */
    size_t listen_count;
    struct sl_mcp_asks asks;
    struct sl_buf result, data, notes, line; /* kept between requests */
};

/* service must stay. */
void sl_mcp_session_init(struct sl_mcp_session *session,
                         const struct sl_mcp_service *service);
void sl_mcp_session_release(struct sl_mcp_session *session);

/*
 * Appends the answer to a message, as lines, to out: none to a notification or to most
 * responses. A request that asks the client something is answered once all of its
 * answers are there. Failures are those of memory alone.
 */
SL_CHECKED enum sl_status sl_mcp_answer(struct sl_mcp_session *session,
                                        const struct sl_message *message,
                                        struct sl_buf *out,
                                        struct sl_error *error);

/* The same for a batch, where the agreed revision has them: one line, or none. */
SL_CHECKED enum sl_status sl_mcp_answer_batch(struct sl_mcp_session *session,
                                              const struct sl_json *batch,
                                              struct sl_buf *out,
                                              struct sl_error *error);

/*
 * An answer to what could not be read as a message. Revisions before 2025-11-25 have no
 * error without an id: nothing is said in them.
 */
void sl_mcp_answer_unread(const struct sl_mcp_session *session, int code,
                          const char *why, struct sl_buf *out);

/* Ends the subscriptions that are open, with an answer to each. */
void sl_mcp_session_end(struct sl_mcp_session *session, struct sl_buf *out);

#endif
