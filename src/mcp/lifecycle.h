/* The methods that every server has, and subscriptions. Private to this folder. */
#ifndef SL_MCP_LIFECYCLE_H
#define SL_MCP_LIFECYCLE_H

#include "mcp/session.h"

/* initialize, ping, server/discover: their context is the session. */
#define SL_MCP_LIFECYCLE 3u
extern const struct sl_mcp_method sl_mcp_lifecycle[SL_MCP_LIFECYCLE];

/*
 * subscriptions/listen: nothing here ever changes, so none of the wanted notifications
 * is promised; the request stays open until it is cancelled or the client goes.
 */
void sl_mcp_listen(struct sl_mcp_session *session,
                   const struct sl_message *message, struct sl_buf *out);

/* notifications/cancelled */
void sl_mcp_unlisten(struct sl_mcp_session *session,
                     const struct sl_json *params);

#endif
