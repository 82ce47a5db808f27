/* Envelopes of answers. Each is one line with its newline. */
#ifndef SL_MCP_REPLY_H
#define SL_MCP_REPLY_H

#include "mcp/service.h"

/* id NULL: the error has none. data empty: none. */
void sl_mcp_put_error(struct sl_buf *out, const struct sl_json *id, int code,
                      struct sl_view message, struct sl_view data);

/* call->result with what its revision wants around it. */
void sl_mcp_put_result(struct sl_buf *out, const struct sl_mcp_service *service,
                       const struct sl_json *id, const struct sl_mcp_call *call,
                       bool is_cached);

/* The result of a subscription that ends. */
void sl_mcp_put_listen_end(struct sl_buf *out,
                           const struct sl_mcp_service *service,
                           const struct sl_json *id);

/* "capabilities":{...} */
void sl_mcp_put_capabilities(struct sl_buf *out,
                             const struct sl_mcp_service *service,
                             enum sl_mcp_version version);

/* {"name":...,"version":...} */
void sl_mcp_put_server(struct sl_buf *out,
                       const struct sl_mcp_service *service,
                       enum sl_mcp_version version);

#endif
