/* Which revision a request speaks. Docs: docs/internals/mcp.md, "Two eras". */
#ifndef SL_MCP_ERA_H
#define SL_MCP_ERA_H

#include "mcp/message.h"
#include "mcp/service.h"

#define SL_MCP_META "io.modelcontextprotocol/"

/* False: no revision is called so. */
bool sl_mcp_version_of(struct sl_view name, enum sl_mcp_version *version_out);

struct sl_era {
    enum sl_mcp_version version;
    const struct sl_json *client; /* capabilities, of a modern request */
    int code;                     /* 0, or of the error, with its words: */
    const char *why;
    struct sl_view asked; /* SL_RPC_VERSION: what is not spoken */
};

/*
 * A request that carries the modern _meta is modern, whatever came before it. Any other
 * belongs to the handshake: it is `legacy` (NULL: there was none yet) that decides, but
 * initialize and ping need none.
 */
void sl_era_of(const struct sl_message *message,
               const enum sl_mcp_version *legacy, struct sl_era *era_out);

#endif
