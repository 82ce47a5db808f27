/* The tool `ask`. */
#include "answer/ask.h"
#include "base/limits.h"
#include "serve/fit.h"
#include "serve/uri.h"

#define SCHEMA "shmemlore.mcp.ask/1"

static void put_sections(struct sl_buf *out, const struct sl_answer *answer)
{
    sl_buf_puts(out, ",\"sections\":[");
    for (size_t i = 0; i < answer->count; i++) {
        const struct sl_answer_section *section = &answer->sections[i];
        sl_buf_puts(out, i ? ",{" : "{");
        sl_mcp_put_text(out, "id", section->found.id);
        sl_buf_puts(out, ",\"uri\":\"");
        sl_uri_put_section(out, section->found.id);
        sl_buf_printf(out, "\",\"cut\":%s}", section->cut ? "true" : "false");
    }
    sl_buf_puts(out, "],\"more\":[");
    for (size_t i = 0; i < answer->more_count; i++) {
        sl_buf_puts(out, i ? ",\"" : "\"");
        sl_buf_json(out, answer->more[i]);
        sl_buf_putc(out, '"');
    }
    sl_buf_putc(out, ']');
}

static void put_link(struct sl_buf *links, struct sl_view citation)
{
    struct sl_buf uri;
    sl_buf_init(&uri, SL_MAX_PATH * 4);
    sl_uri_put_lines(&uri, citation);
    struct sl_mcp_link link = {
        .uri = sl_buf_view(&uri), .name = citation, .mime = "text/plain"};
    sl_buf_puts(links, links->len ? ",{\"type\":\"resource_link\","
                                  : "{\"type\":\"resource_link\",");
    sl_mcp_put_link(links, &link);
    sl_buf_putc(links, '}');
    sl_buf_release(&uri);
}

/* The best sections' citations, the first few. */
static void put_links(const struct sl_answer *answer, struct sl_buf *links)
{
    size_t count = 0;
    for (size_t i = 0; i < answer->count; i++) {
        const struct sl_answer_section *section = &answer->sections[i];
        for (size_t k = 0; k < section->evidence_count; k++) {
            if (section->evidence[k].kind != SL_REF_CITATION)
                continue;
            if (count++ == SL_MAX_MCP_LINKS)
                return;
            put_link(links, section->evidence[k].ref);
        }
    }
}

enum sl_status sl_tool_ask(void *context, const struct sl_json *arguments,
                           struct sl_mcp_answer *answer, struct sl_error *error)
{
    struct sl_serve *serve = context;
    struct sl_ask_options options = {3, sl_tool_budget(arguments)};
    struct sl_answer found;
    int64_t limit;
    if (sl_json_integer(sl_json_get(arguments, "sections"), &limit))
        options.limit = (size_t)limit;
    enum sl_status status =
        sl_ask(serve->corpus, sl_json_member(arguments, "question"), &options,
               &found, error);
    if (status == SL_ERR_NOTFOUND) {
        sl_tool_nothing(answer, SCHEMA,
                        "\"weak\":false,\"sections\":[],\"more\":[]", error);
        return SL_OK;
    }
    if (status)
        return status;
    sl_answer_text(&answer->text, serve->corpus, &found);
    sl_buf_printf(&answer->structured,
                  "{\"schema\":\"" SCHEMA "\",\"found\":true,\"weak\":%s",
                  found.weak ? "true" : "false");
    sl_tool_put_answer_text(answer);
    put_sections(&answer->structured, &found);
    sl_buf_putc(&answer->structured, '}');
    put_links(&found, &answer->links);
    return SL_OK;
}
