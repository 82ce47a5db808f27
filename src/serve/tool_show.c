/* The tool `show`. */
#include "answer/show.h"
#include "base/limits.h"
#include "serve/fit.h"

#define SCHEMA "shmemlore.mcp.show/1"

/* "kind":"X" of what show says in JSON, which begins with it. */
static struct sl_view kind_of(struct sl_view json)
{
    struct sl_view key = SL_LIT("\"kind\":\"");
    size_t begin = sl_view_find(json, key, 0);
    if (begin == SIZE_MAX)
        return SL_LIT("none");
    begin += key.len;
    return sl_view_sub(json, begin, sl_view_find(json, SL_LIT("\""), begin));
}

static void put(struct sl_mcp_answer *answer, struct sl_view whole,
                struct sl_view kind, size_t budget)
{
    bool cut = sl_tool_cut(&answer->text, whole, budget);
    sl_buf_printf(&answer->structured,
                  "{\"schema\":\"" SCHEMA "\",\"found\":true,"
                  "\"kind\":\"%.*s\",\"bytes\":%zu,\"cut\":%s",
                  SL_ARG(kind), whole.len, cut ? "true" : "false");
    sl_tool_put_answer_text(answer);
    sl_buf_putc(&answer->structured, '}');
}

enum sl_status sl_tool_show(void *context, const struct sl_json *arguments,
                            struct sl_mcp_answer *answer,
                            struct sl_error *error)
{
    struct sl_serve *serve = context;
    struct sl_view ref = sl_json_member(arguments, "ref");
    struct sl_buf whole, json;
    sl_buf_init(&json, SL_MAX_OUTPUT);
    sl_buf_init(&whole, SL_MAX_OUTPUT);
    enum sl_status status = sl_show(serve->corpus, ref, false, SL_MAX_OUTPUT,
                                    &whole, error);
    if (!status)
        status = sl_show(serve->corpus, ref, true, SL_MAX_OUTPUT, &json,
                         error);
    if (!status)
        status = sl_buf_check(&whole, error);
    if (!status) {
        put(answer, sl_buf_view(&whole), kind_of(sl_buf_view(&json)),
            sl_tool_budget(arguments));
    } else if (status == SL_ERR_NOTFOUND) {
        sl_tool_nothing(answer, SCHEMA,
                        "\"kind\":\"none\",\"bytes\":0,\"cut\":false", error);
        status = SL_OK;
    }
    sl_buf_release(&json);
    sl_buf_release(&whole);
    return status;
}
