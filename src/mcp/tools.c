#include "mcp/tools.h"

#include "base/limits.h"
#include "mcp/content.h"
#include "mcp/list.h"
#include "mcp/schema.h"

enum sl_status sl_mcp_tools_open(struct sl_mcp_tools *tools,
                                 struct sl_error *error)
{
    enum sl_status status = SL_OK;
    sl_buf_init(&tools->answer.text, SL_MAX_MCP_ANSWER / 4);
    sl_buf_init(&tools->answer.structured, SL_MAX_MCP_ANSWER / 4);
    sl_buf_init(&tools->answer.links, SL_MAX_MCP_ANSWER / 4);
    sl_memo_init(&tools->memo);
    for (size_t i = 0; !status && i < tools->count; i++)
        status = sl_json_parse(tools->items[i].definition,
                               &tools->items[i].read, error);
    return status;
}

void sl_mcp_tools_close(struct sl_mcp_tools *tools)
{
    for (size_t i = 0; i < tools->count; i++) {
        sl_json_release(tools->items[i].read);
        tools->items[i].read = NULL;
    }
    sl_buf_release(&tools->answer.text);
    sl_buf_release(&tools->answer.structured);
    sl_buf_release(&tools->answer.links);
    sl_memo_release(&tools->memo);
}

enum sl_status sl_mcp_tools_list(const struct sl_mcp_tools *tools,
                                 struct sl_mcp_call *call,
                                 struct sl_error *error)
{
    struct sl_mcp_page page;
    enum sl_status status = sl_mcp_page_of(call, tools->count, &page, error);
    if (status)
        return status;
    sl_buf_puts(call->result, "\"tools\":[");
    for (size_t i = page.begin; i < page.end; i++) {
        sl_buf_puts(call->result, i > page.begin ? "," : "");
        sl_json_put(call->result, tools->items[i].read);
    }
    sl_buf_putc(call->result, ']');
    sl_mcp_put_next(call, &page, tools->count);
    return SL_OK;
}

static struct sl_mcp_tool *find(const struct sl_mcp_tools *tools,
                                struct sl_view name)
{
    for (size_t i = 0; name.ptr && i < tools->count; i++)
        if (sl_view_eq(sl_json_member(tools->items[i].read, "name"), name))
            return &tools->items[i];
    return NULL;
}

static void empty(struct sl_buf *buf)
{
    if (buf->cap > SL_MCP_CHUNK)
        sl_buf_release(buf);
    sl_buf_truncate(buf, 0);
    buf->failed = SL_OK;
}

static void put_answer(struct sl_mcp_call *call,
                       const struct sl_mcp_answer *answer)
{
    sl_buf_puts(call->result, "\"content\":[");
    sl_mcp_put_text_block(call->result, sl_buf_view(&answer->text));
    /* links to resources came with 2025-06-18 */
    if (answer->links.len && call->version >= SL_MCP_2025_06_18) {
        sl_buf_putc(call->result, ',');
        sl_buf_add(call->result, sl_buf_view(&answer->links));
    }
    sl_buf_puts(call->result, "],\"structuredContent\":");
    sl_buf_add(call->result, sl_view_trim(sl_buf_view(&answer->structured)));
    sl_buf_puts(call->result, ",\"isError\":false");
}

static void put_fault(struct sl_mcp_call *call, const struct sl_error *error)
{
    sl_buf_puts(call->result, "\"content\":[");
    sl_mcp_put_text_block(call->result, sl_view_of(error->message));
    sl_buf_puts(call->result, "],\"isError\":true");
}

static enum sl_status run_tool(struct sl_mcp_tools *tools,
                               const struct sl_mcp_tool *tool,
                               const struct sl_json *arguments,
                               struct sl_error *error)
{
    struct sl_mcp_answer *answer = &tools->answer;
    const struct sl_buf *const parts[SL_MEMO_PARTS] = {
        &answer->text, &answer->structured, &answer->links};
    const struct sl_memo_entry *kept =
        tool->is_pure ? sl_memo_find(&tools->memo, tool, arguments) : NULL;
    if (kept) {
        sl_buf_add(&answer->text, sl_buf_view(&kept->parts[0]));
        sl_buf_add(&answer->structured, sl_buf_view(&kept->parts[1]));
        sl_buf_add(&answer->links, sl_buf_view(&kept->parts[2]));
    }
    enum sl_status status =
        kept ? SL_OK : tool->run(tools->context, arguments, answer, error);
    for (size_t i = 0; !status && i < SL_MEMO_PARTS; i++)
        status = sl_buf_check(parts[i], error);
    if (!status && !kept && tool->is_pure)
        sl_memo_keep(&tools->memo, tool, parts);
    return status;
}

static enum sl_status call_tool(struct sl_mcp_tools *tools,
                                const struct sl_mcp_tool *tool,
                                const struct sl_json *arguments,
                                struct sl_error *error)
{
    struct sl_mcp_answer *answer = &tools->answer;
    struct sl_json *none = NULL;
    empty(&answer->text);
    empty(&answer->structured);
    empty(&answer->links);
    enum sl_status status = SL_OK;
    if (!arguments) {
        status = sl_json_parse(SL_LIT("{}"), &none, error);
        arguments = none;
    }
    if (!status)
        status = sl_schema_check(sl_json_get(tool->read, "inputSchema"),
                                 arguments, error);
    if (!status)
        status = run_tool(tools, tool, arguments, error);
    sl_json_release(none);
    return status;
}

enum sl_status sl_mcp_tools_call(struct sl_mcp_tools *tools,
                                 struct sl_mcp_call *call,
                                 struct sl_error *error)
{
    struct sl_view name = sl_json_member(call->params, "name");
    const struct sl_mcp_tool *tool = find(tools, name);
    if (!tool)
        return sl_error_set(error, SL_ERR_USAGE, "Unknown tool: %.*s",
                            SL_ARG(sl_view_sub(name, 0, 100)));
    enum sl_status status = call_tool(
        tools, tool, sl_json_get(call->params, "arguments"), error);
    if (status == SL_ERR_NOMEM || status == SL_ERR_INTERNAL)
        return status;
    if (status)
        put_fault(call, error);
    else
        put_answer(call, &tools->answer);
    return SL_OK;
}
