#include "mcp/reply.h"

#include <string.h>

#include "mcp/era.h"

/*
 * Whatever a service put into its JSON, a message is one line: a newline outside of a
 * string is white space, and inside of one it cannot be.
 */
static void close_line(struct sl_buf *out, size_t begin)
{
    for (char *at = out->ptr ? out->ptr + begin : NULL;
         at && (at = memchr(at, '\n', (size_t)(out->ptr + out->len - at)));)
        *at = ' ';
    sl_buf_putc(out, '\n');
}

static void open_line(struct sl_buf *out, const struct sl_json *id)
{
    sl_buf_puts(out, "{\"jsonrpc\":\"2.0\",");
    if (id) {
        sl_buf_puts(out, "\"id\":");
        sl_json_put(out, id);
        sl_buf_putc(out, ',');
    }
}

void sl_mcp_put_error(struct sl_buf *out, const struct sl_json *id, int code,
                      struct sl_view message, struct sl_view data)
{
    size_t begin = out->len;
    open_line(out, id);
    sl_buf_printf(out, "\"error\":{\"code\":%d,\"message\":\"", code);
    sl_buf_json(out, message);
    sl_buf_putc(out, '"');
    if (data.len) {
        sl_buf_puts(out, ",\"data\":");
        sl_buf_add(out, data);
    }
    sl_buf_puts(out, "}}");
    close_line(out, begin);
}

void sl_mcp_put_server(struct sl_buf *out,
                       const struct sl_mcp_service *service,
                       enum sl_mcp_version version)
{
    sl_buf_puts(out, "{\"name\":\"");
    sl_buf_json(out, sl_view_of(service->name));
    if (version >= SL_MCP_2025_06_18) {
        sl_buf_puts(out, "\",\"title\":\"");
        sl_buf_json(out, sl_view_of(service->title));
    }
    sl_buf_puts(out, "\",\"version\":\"");
    sl_buf_json(out, sl_view_of(service->version));
    sl_buf_puts(out, "\"}");
}

void sl_mcp_put_result(struct sl_buf *out, const struct sl_mcp_service *service,
                       const struct sl_json *id, const struct sl_mcp_call *call,
                       bool is_cached)
{
    size_t begin = out->len;
    struct sl_view members = sl_buf_view(call->result);
    open_line(out, id);
    sl_buf_puts(out, "\"result\":{");
    if (call->version >= SL_MCP_2026_07_28) {
        bool is_private = call->is_private || service->is_private;
        sl_buf_printf(out, "\"resultType\":\"%s\",", call->type);
        sl_buf_add(out, members);
        if (members.len)
            sl_buf_putc(out, ',');
        if (is_cached)
            sl_buf_printf(out, "\"ttlMs\":%u,\"cacheScope\":\"%s\",",
                          service->ttl_ms, is_private ? "private" : "public");
        sl_buf_puts(out, "\"_meta\":{\"" SL_MCP_META "serverInfo\":");
        sl_mcp_put_server(out, service, call->version);
        sl_buf_putc(out, '}');
    } else {
        sl_buf_add(out, members);
    }
    sl_buf_puts(out, "}}");
    close_line(out, begin);
}

void sl_mcp_put_listen_end(struct sl_buf *out,
                           const struct sl_mcp_service *service,
                           const struct sl_json *id)
{
    size_t begin = out->len;
    open_line(out, id);
    sl_buf_puts(out, "\"result\":{\"resultType\":\"complete\",\"_meta\":{\""
                     SL_MCP_META "subscriptionId\":");
    sl_json_put(out, id);
    sl_buf_puts(out, ",\"" SL_MCP_META "serverInfo\":");
    sl_mcp_put_server(out, service, SL_MCP_2026_07_28);
    sl_buf_puts(out, "}}}");
    close_line(out, begin);
}

void sl_mcp_put_capabilities(struct sl_buf *out,
                             const struct sl_mcp_service *service,
                             enum sl_mcp_version version)
{
    const struct {
        const char *name;
        bool has;
    } list[] = {
        {"tools", service->tools},
        {"resources", service->resources},
        {"prompts", service->prompts},
        {"completions", service->completions && version >= SL_MCP_2025_03_26},
    };
    bool next = false;
    sl_buf_puts(out, "\"capabilities\":{");
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        if (!list[i].has)
            continue;
        sl_buf_printf(out, "%s\"%s\":{}", next ? "," : "", list[i].name);
        next = true;
    }
    if (service->extensions && version >= SL_MCP_2026_07_28)
        sl_buf_printf(out, "%s\"extensions\":{%s}", next ? "," : "",
                      service->extensions);
    sl_buf_putc(out, '}');
}
