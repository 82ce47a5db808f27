/* The tool `env`. */
#include "answer/env.h"
#include "serve/fit.h"

#define SCHEMA "shmemlore.mcp.env/1"

/* Names that the structured form has; the text has as many as fit. */
#define NAMES_MAX 10u

/* Whether the row before has the name: of a variable and a build option, say. */
static bool is_again(const struct sl_env_answer *answer, size_t at)
{
    return at && sl_view_eq(answer->rows[at - 1]->name, answer->rows[at]->name);
}

static void put_names(struct sl_buf *out, const struct sl_env_answer *answer)
{
    size_t count = 0;
    sl_buf_puts(out, ",\"names\":[");
    for (size_t i = 0; i < answer->count; i++) {
        if (is_again(answer, i) || count++ >= NAMES_MAX)
            continue;
        sl_buf_puts(out, count > 1 ? ",\"" : "\"");
        sl_buf_json(out, answer->rows[i]->name);
        sl_buf_putc(out, '"');
    }
    sl_buf_printf(out, "],\"count\":%zu", count);
}

static void put(struct sl_serve *serve, const struct sl_env_answer *found,
                size_t budget, struct sl_mcp_answer *answer)
{
    struct sl_buf *out = &answer->structured;
    bool whole = sl_env_text(&answer->text, serve->corpus, found, budget);
    sl_buf_printf(out,
                  "{\"schema\":\"" SCHEMA "\",\"found\":true,\"here\":%s,"
                  "\"cut\":%s",
                  sl_env_is_here(found) ? "true" : "false",
                  whole ? "false" : "true");
    put_names(out, found);
    if (!found->is_list && !found->nccl && found->count) {
        sl_buf_putc(out, ',');
        sl_mcp_put_text(out, "default", found->rows[0]->fallback);
        sl_buf_putc(out, ',');
        sl_mcp_put_text(out, "type", found->rows[0]->type);
    }
    sl_tool_put_answer_text(answer);
    sl_buf_putc(out, '}');
}

enum sl_status sl_tool_env(void *context, const struct sl_json *arguments,
                           struct sl_mcp_answer *answer, struct sl_error *error)
{
    struct sl_serve *serve = context;
    struct sl_corpus *corpus = serve->corpus;
    struct sl_env_answer found;
    struct sl_view name = sl_json_member(arguments, "name");
    struct sl_view release = sl_json_member(arguments, "release");
    bool from_nccl = false;
    (void)sl_json_bool(sl_json_get(arguments, "from_nccl"), &from_nccl);
    enum sl_status status =
        from_nccl ? sl_env_from_nccl(corpus, name, release, &found, error)
                  : sl_env_ask(corpus, name, release, &found, error);
    if (status == SL_ERR_NOTFOUND) {
        sl_tool_nothing(answer, SCHEMA,
                        "\"here\":false,\"cut\":false,\"names\":[],"
                        "\"count\":0",
                        error);
        return SL_OK;
    }
    if (!status)
        put(serve, &found, sl_tool_budget(arguments), answer);
    return status;
}
