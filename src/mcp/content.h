/* Blocks of content, as results of tools and prompts have them. */
#ifndef SL_MCP_CONTENT_H
#define SL_MCP_CONTENT_H

#include "base/buf.h"

/* ,"key":"value" without the comma; the value is escaped. */
void sl_mcp_put_text(struct sl_buf *out, const char *key, struct sl_view value);

/* {"type":"text",...} */
void sl_mcp_put_text_block(struct sl_buf *out, struct sl_view text);

/* A resource that can be read: title and description may be empty. */
struct sl_mcp_link {
    struct sl_view uri, name, title, description;
    const char *mime;
    size_t size; /* 0: not told */
};

/* The members of a resource or a link to it, without braces. */
void sl_mcp_put_link(struct sl_buf *out, const struct sl_mcp_link *link);

#endif
