#include "mcp/list.h"

#include "base/limits.h"

enum sl_status sl_mcp_page_of(const struct sl_mcp_call *call, size_t count,
                              struct sl_mcp_page *page_out,
                              struct sl_error *error)
{
    const struct sl_json *cursor = sl_json_get(call->params, "cursor");
    struct sl_view text;
    uint64_t begin = 0;
    bool is_ours =
        !cursor || (sl_json_text(cursor, &text) &&
                    sl_view_number(text, count ? count - 1 : 0, &begin) &&
                    begin % SL_MCP_PAGE == 0);
    if (!is_ours)
        return sl_error_set(error, SL_ERR_USAGE,
                            "the cursor is none that this list gave out");
    size_t left = count - (size_t)begin;
    *page_out = (struct sl_mcp_page){
        begin, (size_t)begin + (left < SL_MCP_PAGE ? left : SL_MCP_PAGE)};
    return SL_OK;
}

void sl_mcp_put_next(struct sl_mcp_call *call, const struct sl_mcp_page *page,
                     size_t count)
{
    if (page->end < count)
        sl_buf_printf(call->result, ",\"nextCursor\":\"%zu\"", page->end);
}
