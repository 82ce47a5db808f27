#include "mcp/content.h"

void sl_mcp_put_text(struct sl_buf *out, const char *key, struct sl_view value)
{
    sl_buf_printf(out, "\"%s\":\"", key);
    sl_buf_json(out, value);
    sl_buf_putc(out, '"');
}

void sl_mcp_put_text_block(struct sl_buf *out, struct sl_view text)
{
    sl_buf_puts(out, "{\"type\":\"text\",");
    sl_mcp_put_text(out, "text", text);
    sl_buf_putc(out, '}');
}

void sl_mcp_put_link(struct sl_buf *out, const struct sl_mcp_link *link)
{
    sl_mcp_put_text(out, "uri", link->uri);
    sl_buf_putc(out, ',');
    sl_mcp_put_text(out, "name", link->name);
    if (link->title.len) {
        sl_buf_putc(out, ',');
        sl_mcp_put_text(out, "title", link->title);
    }
    if (link->description.len) {
        sl_buf_putc(out, ',');
        sl_mcp_put_text(out, "description", link->description);
    }
    sl_buf_printf(out, ",\"mimeType\":\"%s\"", link->mime);
    if (link->size)
        sl_buf_printf(out, ",\"size\":%zu", link->size);
}
