#include "mcp/ask.h"

#include <inttypes.h>
#include <string.h>

/* The id of a question: a text, so that no client takes it for one of its own. */
#define ID_START "ask-"
#define ID_FORMAT ID_START "%" PRIu64

void sl_mcp_ask_release(struct sl_mcp_ask *ask)
{
    sl_json_release(ask->id);
    sl_json_release(ask->params);
    sl_json_release(ask->round);
    for (size_t i = 0; i < ask->count; i++)
        sl_json_release(ask->answers[i]);
    *ask = (struct sl_mcp_ask){0};
}

void sl_mcp_asks_release(struct sl_mcp_asks *asks)
{
    for (size_t i = 0; i < asks->count; i++)
        sl_mcp_ask_release(&asks->items[i]);
    asks->count = 0;
}

static void take_out(struct sl_mcp_asks *asks, size_t at,
                     struct sl_mcp_ask *ask_out)
{
    *ask_out = asks->items[at];
    asks->count--;
    memmove(asks->items + at, asks->items + at + 1,
            (asks->count - at) * sizeof *asks->items);
}

/* {members}, as a method writes its result. */
static enum sl_status read_round(const struct sl_buf *members,
                                 struct sl_json **round_out,
                                 struct sl_error *error)
{
    struct sl_buf text;
    sl_buf_init(&text, SL_MAX_MCP_ANSWER + 2);
    sl_buf_putc(&text, '{');
    sl_buf_add(&text, sl_buf_view(members));
    sl_buf_putc(&text, '}');
    enum sl_status status = sl_buf_check(&text, error);
    if (!status)
        status = sl_json_parse(sl_buf_view(&text), round_out, error);
    sl_buf_release(&text);
    return status;
}

static void put_question(struct sl_buf *out, uint64_t number,
                         const struct sl_json *question)
{
    const struct sl_json *params = sl_json_get(question, "params");
    sl_buf_printf(out, "{\"jsonrpc\":\"2.0\",\"id\":\"" ID_FORMAT
                       "\",\"method\":", number);
    sl_json_put(out, sl_json_get(question, "method"));
    if (params) {
        sl_buf_puts(out, ",\"params\":");
        sl_json_put(out, params);
    }
    sl_buf_puts(out, "}\n");
}

enum sl_status sl_mcp_ask(struct sl_mcp_asks *asks,
                          const struct sl_mcp_method *method,
                          const struct sl_message *request,
                          const struct sl_mcp_call *call, struct sl_buf *out,
                          struct sl_error *error)
{
    struct sl_mcp_ask ask = {.method = method, .version = call->version};
    struct sl_view key;
    const struct sl_json *question;
    void *cursor = NULL;
    /* before it a request may be part of a batch, whose answer is one line */
    if (call->version < SL_MCP_2025_06_18)
        return sl_error_set(error, SL_ERR_USAGE,
                            "this asks the client a question, which is "
                            "possible from revision 2025-06-18 on");
    if (asks->count == SL_MAX_MCP_ASKS)
        return sl_error_set(error, SL_ERR_USAGE,
                            "%u requests wait for the client's answers "
                            "already: answer those first", SL_MAX_MCP_ASKS);
    enum sl_status status = read_round(call->result, &ask.round, error);
    if (status)
        return status;
    const struct sl_json *questions = sl_json_get(ask.round, "inputRequests");
    ask.count = ask.open = sl_json_count(questions);
    if (!ask.count || ask.count > SL_MAX_MCP_QUESTIONS) {
        ask.count = 0;
        sl_mcp_ask_release(&ask);
        return sl_error_set(error, SL_ERR_INTERNAL,
                            "input is required, and no question is there, or "
                            "more than %u", SL_MAX_MCP_QUESTIONS);
    }
    ask.first = asks->next;
    while (sl_json_each(questions, &cursor, &key, &question))
        put_question(out, asks->next++, question);
    ask.id = sl_json_keep(request->id);
    ask.params = sl_json_keep(request->params);
    asks->items[asks->count++] = ask;
    return SL_OK;
}

/* The number in a question's id; false for any other id. */
static bool number_of(const struct sl_json *id, uint64_t *number_out)
{
    struct sl_view text;
    if (!sl_json_text(id, &text) || !sl_view_starts(text, ID_START))
        return false;
    return sl_view_number(sl_view_sub(text, sizeof ID_START - 1, text.len),
                          UINT64_MAX, number_out);
}

bool sl_mcp_ask_answered(struct sl_mcp_asks *asks,
                         const struct sl_message *response,
                         struct sl_mcp_ask *ask_out)
{
    uint64_t number;
    if (!number_of(response->id, &number))
        return false;
    for (size_t i = 0; i < asks->count; i++) {
        struct sl_mcp_ask *ask = &asks->items[i];
        uint64_t place = number - ask->first;
        if (number < ask->first || place >= ask->count || ask->answers[place])
            continue; /* an answer that comes twice is passed over */
        ask->answers[place] = sl_json_keep(response->result);
        ask->open -= response->result != NULL;
        if (response->result && ask->open)
            return false;
        take_out(asks, i, ask_out);
        return true;
    }
    return false;
}

/* The members of params but those that an earlier round added, each with its comma. */
static void put_params(struct sl_buf *out, const struct sl_json *params)
{
    struct sl_view key;
    const struct sl_json *value;
    void *cursor = NULL;
    while (sl_json_each(params, &cursor, &key, &value)) {
        if (sl_view_is(key, "inputResponses") ||
            sl_view_is(key, "requestState"))
            continue;
        sl_buf_putc(out, '"');
        sl_buf_json(out, key);
        sl_buf_puts(out, "\":");
        sl_json_put(out, value);
        sl_buf_putc(out, ',');
    }
}

enum sl_status sl_mcp_ask_params(const struct sl_mcp_ask *ask,
                                 struct sl_json **params_out,
                                 struct sl_error *error)
{
    const struct sl_json *question, *state = sl_json_get(ask->round,
                                                         "requestState");
    struct sl_view key;
    void *cursor = NULL;
    struct sl_buf text;
    size_t i = 0;
    sl_buf_init(&text, SL_MAX_MCP_ANSWER);
    sl_buf_putc(&text, '{');
    put_params(&text, ask->params);
    if (state) {
        sl_buf_puts(&text, "\"requestState\":");
        sl_json_put(&text, state);
        sl_buf_putc(&text, ',');
    }
    sl_buf_puts(&text, "\"inputResponses\":{");
    while (sl_json_each(sl_json_get(ask->round, "inputRequests"), &cursor,
                        &key, &question)) {
        sl_buf_puts(&text, i ? ",\"" : "\"");
        sl_buf_json(&text, key);
        sl_buf_puts(&text, "\":");
        sl_json_put(&text, ask->answers[i++]);
    }
    sl_buf_puts(&text, "}}");
    enum sl_status status = sl_buf_check(&text, error);
    if (!status)
        status = sl_json_parse_nul(sl_buf_view(&text), params_out, error);
    sl_buf_release(&text);
    return status;
}

void sl_mcp_ask_cancel(struct sl_mcp_asks *asks, const struct sl_json *id,
                       struct sl_buf *out)
{
    struct sl_mcp_ask ask;
    size_t at = 0;
    while (id && at < asks->count && !sl_rpc_id_eq(asks->items[at].id, id))
        at++;
    if (!id || at == asks->count)
        return;
    take_out(asks, at, &ask);
    for (size_t i = 0; i < ask.count; i++)
        if (!ask.answers[i])
            sl_buf_printf(out, "{\"jsonrpc\":\"2.0\",\"method\":"
                               "\"notifications/cancelled\",\"params\":{"
                               "\"requestId\":\"" ID_FORMAT "\"}}\n",
                          ask.first + i);
    sl_mcp_ask_release(&ask);
}
