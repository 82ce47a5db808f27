/* The tool `symbol`. */
#include "answer/symbol.h"
#include "serve/fit.h"

#define SCHEMA "shmemlore.mcp.symbol/1"

static void put_symbol(struct sl_buf *out,
                       const struct sl_symbol_answer *answer)
{
    const struct sl_symbol *symbol = answer->symbol;
    sl_buf_putc(out, ',');
    sl_mcp_put_text(out, "name", symbol->name);
    sl_buf_printf(out, ",\"kind\":\"%s\",\"owner\":\"%s\",",
                  sl_symbol_kind_name(symbol->kind),
                  sl_symbol_owner_name(symbol->owner));
    if (answer->here) {
        sl_mcp_put_text(out, "signature", answer->signature);
        sl_buf_putc(out, ',');
    }
    sl_mcp_put_text(out, "first", symbol->first);
    if (!sl_view_is(symbol->last, "-")) {
        sl_buf_putc(out, ',');
        sl_mcp_put_text(out, "last", symbol->last);
    }
}

enum sl_status sl_tool_symbol(void *context, const struct sl_json *arguments,
                              struct sl_mcp_answer *answer,
                              struct sl_error *error)
{
    struct sl_serve *serve = context;
    struct sl_symbol_answer found;
    struct sl_buf *out = &answer->structured;
    enum sl_status status = sl_symbol_ask(
        serve->corpus, sl_json_member(arguments, "name"),
        sl_json_member(arguments, "release"), &found, error);
    if (status == SL_ERR_NOTFOUND) {
        sl_tool_nothing(answer, SCHEMA, "\"here\":false,\"cut\":false", error);
        return SL_OK;
    }
    if (status)
        return status;
    bool whole = sl_symbol_text(&answer->text, serve->corpus, &found,
                                sl_tool_budget(arguments));
    sl_buf_printf(out,
                  "{\"schema\":\"" SCHEMA "\",\"found\":true,\"here\":%s,"
                  "\"cut\":%s",
                  found.is_list || found.here ? "true" : "false",
                  whole ? "false" : "true");
    if (found.is_list)
        sl_buf_printf(out, ",\"count\":%zu", found.name_count);
    else if (found.symbol)
        put_symbol(out, &found);
    sl_tool_put_answer_text(answer);
    sl_buf_putc(out, '}');
    return SL_OK;
}
