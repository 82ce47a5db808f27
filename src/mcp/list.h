/* Lists in pages. A cursor is the number of the first entry of its page. */
#ifndef SL_MCP_LIST_H
#define SL_MCP_LIST_H

#include "mcp/service.h"

struct sl_mcp_page {
    size_t begin, end; /* of the entries that this page has */
};

/* SL_ERR_USAGE when params has a cursor that this list never gave out. */
SL_CHECKED enum sl_status sl_mcp_page_of(const struct sl_mcp_call *call,
                                         size_t count,
                                         struct sl_mcp_page *page_out,
                                         struct sl_error *error);

/* ,"nextCursor":"N" unless it is the last page. */
void sl_mcp_put_next(struct sl_mcp_call *call, const struct sl_mcp_page *page,
                     size_t count);

#endif
