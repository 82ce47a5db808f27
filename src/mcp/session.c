#include "mcp/session.h"

#include <string.h>

#include "mcp/era.h"
#include "mcp/lifecycle.h"
#include "mcp/reply.h"

void sl_mcp_session_init(struct sl_mcp_session *session,
                         const struct sl_mcp_service *service)
{
    *session = (struct sl_mcp_session){.service = service};
    sl_buf_init(&session->result, SL_MAX_MCP_ANSWER);
    sl_buf_init(&session->data, SL_MAX_MCP_ANSWER);
    sl_buf_init(&session->notes, SL_MAX_MCP_ANSWER);
    sl_buf_init(&session->line, SL_MAX_MCP_ANSWER);
}

void sl_mcp_session_release(struct sl_mcp_session *session)
{
    for (size_t i = 0; i < session->listen_count; i++)
        sl_json_release(session->listens[i]);
    sl_mcp_asks_release(&session->asks);
    sl_buf_release(&session->result);
    sl_buf_release(&session->data);
    sl_buf_release(&session->notes);
    sl_buf_release(&session->line);
}

/* A buffer that one large answer made is not kept. */
static void empty(struct sl_buf *buf)
{
    if (buf->cap > SL_MCP_CHUNK)
        sl_buf_release(buf);
    sl_buf_truncate(buf, 0);
    buf->failed = SL_OK;
}

static const struct sl_mcp_method *find(const struct sl_mcp_method *methods,
                                        size_t count, struct sl_view name,
                                        enum sl_mcp_version version)
{
    for (size_t i = 0; i < count; i++)
        if (sl_view_is(name, methods[i].name) && version >= methods[i].first &&
            version <= methods[i].last)
            return &methods[i];
    return NULL;
}

static int code_of(const struct sl_mcp_call *call, enum sl_status status)
{
    if (call->code)
        return call->code;
    return status == SL_ERR_NOMEM || status == SL_ERR_IO ||
                   status == SL_ERR_INTERNAL
               ? SL_RPC_INTERNAL
               : SL_RPC_PARAMS;
}

static void put_unknown(struct sl_buf *out, const struct sl_message *message)
{
    struct sl_error why;
    (void)sl_error_set(&why, SL_ERR_NOTFOUND, "Method not found: %.*s",
                       SL_ARG(sl_view_sub(message->method, 0, 100)));
    sl_mcp_put_error(out, message->id, SL_RPC_METHOD, sl_view_of(why.message),
                     SL_LIT(""));
}

static void put_era_error(struct sl_buf *out, struct sl_buf *data,
                          const struct sl_message *message,
                          const struct sl_era *era)
{
    if (era->code == SL_RPC_VERSION) {
        sl_buf_printf(data, "{\"supported\":[\"%s\"],\"requested\":\"",
                      sl_mcp_version_name(SL_MCP_2026_07_28));
        sl_buf_json(data, sl_view_sub(era->asked, 0, 100));
        sl_buf_puts(data, "\"}");
    }
    sl_mcp_put_error(out, message->id, era->code, sl_view_of(era->why),
                     sl_buf_view(data));
}

/* Runs a method: its answer, or the questions that it has first, go to out. */
static void run(struct sl_mcp_session *session,
                const struct sl_mcp_method *method, void *context,
                const struct sl_message *message, const struct sl_era *era,
                struct sl_buf *out)
{
    struct sl_error error = {SL_OK, ""};
    struct sl_mcp_call call = {
        .version = era->version,
        .params = message->params,
        .client = era->client,
        .result = &session->result,
        .data = &session->data,
        .notes = &session->notes,
        .type = "complete",
    };
    enum sl_status status = method->run(context, &call, &error);
    if (!status)
        status = sl_buf_check(call.result, &error);
    sl_buf_add(out, sl_buf_view(call.notes));
    bool asks = !status && era->version <= SL_MCP_LAST_LEGACY &&
                !strcmp(call.type, "input_required");
    if (asks)
        status = sl_mcp_ask(&session->asks, method, message, &call, out,
                            &error);
    if (status)
        sl_mcp_put_error(out, message->id, code_of(&call, status),
                         sl_view_of(error.message), sl_buf_view(call.data));
    else if (!asks)
        sl_mcp_put_result(out, session->service, message->id, &call,
                          method->is_cached);
}

static void find_and_run(struct sl_mcp_session *session,
                         const struct sl_message *message,
                         const struct sl_era *era, struct sl_buf *out)
{
    const struct sl_mcp_service *service = session->service;
    const struct sl_mcp_method *method =
        find(sl_mcp_lifecycle, SL_MCP_LIFECYCLE, message->method, era->version);
    void *context = session;
    if (!method) {
        method = find(service->methods, service->method_count, message->method,
                      era->version);
        context = service->context;
    }
    if (method)
        run(session, method, context, message, era, out);
    else
        put_unknown(out, message);
}

static void empty_all(struct sl_mcp_session *session)
{
    empty(&session->result);
    empty(&session->data);
    empty(&session->notes);
}

/* A request goes on when the client has answered all that was asked for it. */
static void take_response(struct sl_mcp_session *session,
                          const struct sl_message *response,
                          struct sl_buf *out)
{
    struct sl_mcp_ask ask;
    struct sl_json *params = NULL;
    struct sl_error error;
    if (!sl_mcp_ask_answered(&session->asks, response, &ask))
        return;
    struct sl_era era = {.version = ask.version};
    empty_all(session);
    if (!response->result) {
        sl_mcp_put_error(out, ask.id, SL_RPC_INTERNAL,
                         SL_LIT("the client refused what was asked of it"),
                         SL_LIT(""));
    } else if (sl_mcp_ask_params(&ask, &params, &error)) {
        sl_mcp_put_error(out, ask.id, SL_RPC_INTERNAL,
                         sl_view_of(error.message), SL_LIT(""));
    } else {
        struct sl_message again = {
            .kind = SL_MESSAGE_REQUEST, .id = ask.id, .params = params};
        /* the handshake's own methods ask nothing */
        run(session, ask.method, session->service->context, &again, &era, out);
    }
    sl_json_release(params);
    sl_mcp_ask_release(&ask);
}

static void answer_request(struct sl_mcp_session *session,
                           const struct sl_message *message,
                           struct sl_buf *out)
{
    struct sl_era era;
    sl_era_of(message, session->is_legacy ? &session->legacy : NULL, &era);
    empty_all(session);
    if (era.code)
        put_era_error(out, &session->data, message, &era);
    else if (era.version >= SL_MCP_2026_07_28 &&
             sl_view_is(message->method, "subscriptions/listen"))
        sl_mcp_listen(session, message, out);
    else
        find_and_run(session, message, &era, out);
}

void sl_mcp_answer_unread(const struct sl_mcp_session *session, int code,
                          const char *why, struct sl_buf *out)
{
    if (!session->is_legacy || session->legacy >= SL_MCP_2025_11_25)
        sl_mcp_put_error(out, NULL, code, sl_view_of(why), SL_LIT(""));
}

enum sl_status sl_mcp_answer(struct sl_mcp_session *session,
                             const struct sl_message *message,
                             struct sl_buf *out, struct sl_error *error)
{
    switch (message->kind) {
    case SL_MESSAGE_REQUEST:
        answer_request(session, message, out);
        break;
    case SL_MESSAGE_NOTE:
        if (sl_view_is(message->method, "notifications/cancelled")) {
            sl_mcp_unlisten(session, message->params);
            sl_mcp_ask_cancel(&session->asks,
                              sl_json_get(message->params, "requestId"), out);
        }
        break;
    case SL_MESSAGE_RESPONSE:
        take_response(session, message, out);
        break;
    case SL_MESSAGE_FAULTY:
        if (message->id)
            sl_mcp_put_error(out, message->id, message->code,
                             sl_view_of(message->why), SL_LIT(""));
        else if (message->is_answered)
            sl_mcp_answer_unread(session, message->code, message->why, out);
        break;
    }
    return sl_buf_check(out, error);
}

enum sl_status sl_mcp_answer_batch(struct sl_mcp_session *session,
                                   const struct sl_json *batch,
                                   struct sl_buf *out, struct sl_error *error)
{
    size_t count = sl_json_count(batch), answers = 0;
    bool has_batches =
        session->is_legacy && session->legacy == SL_MCP_2025_03_26;
    if (!has_batches || !count || count > SL_MAX_MCP_BATCH) {
        sl_mcp_answer_unread(session, SL_RPC_REQUEST,
                             has_batches ? "a batch is empty or too long"
                                         : "batches are not served",
                             out);
        return sl_buf_check(out, error);
    }
    enum sl_status status = SL_OK;
    for (size_t i = 0; !status && i < count; i++) {
        struct sl_message message;
        sl_message_read(sl_json_at(batch, i), &message);
        if (sl_view_is(message.method, "initialize") ||
            sl_view_is(message.method, "subscriptions/listen")) {
            message.kind = SL_MESSAGE_FAULTY;
            message.code = SL_RPC_REQUEST;
            message.why = "this cannot be part of a batch";
        }
        empty(&session->line);
        status = sl_mcp_answer(session, &message, &session->line, error);
        struct sl_view line = sl_view_trim(sl_buf_view(&session->line));
        if (status || !line.len)
            continue;
        sl_buf_puts(out, answers++ ? "," : "[");
        sl_buf_add(out, line);
    }
    if (answers)
        sl_buf_puts(out, "]\n");
    return status ? status : sl_buf_check(out, error);
}

void sl_mcp_session_end(struct sl_mcp_session *session, struct sl_buf *out)
{
    for (size_t i = 0; i < session->listen_count; i++) {
        sl_mcp_put_listen_end(out, session->service, session->listens[i]);
        sl_json_release(session->listens[i]);
    }
    session->listen_count = 0;
}
