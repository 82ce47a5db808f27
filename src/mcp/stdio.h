/*
 * The stdio transport: reads messages from one descriptor, writes answers to another,
 * until the client closes either.
 */
#ifndef SL_MCP_STDIO_H
#define SL_MCP_STDIO_H

#include "mcp/service.h"

struct sl_mcp_stdio {
    int in, out;
    void (*log)(const char *message); /* a fault of the client, one line */
};

/*
 * Takes standard input and output for the protocol: from now on descriptor 0 is empty
 * and 1 is the same as 2, so that nothing but this room's lines is on the wire even if
 * a library prints.
 */
SL_CHECKED enum sl_status sl_mcp_stdio_take(struct sl_mcp_stdio *stdio_out,
                                            struct sl_error *error);

/*
 * Serves until the end of input; what was asked before it is still answered. A client
 * that does not read any more is no error. A request that is cancelled before its
 * answer is written gets none. service and stdio must stay.
 */
SL_CHECKED enum sl_status sl_mcp_serve(const struct sl_mcp_service *service,
                                       const struct sl_mcp_stdio *stdio,
                                       struct sl_error *error);

#endif
