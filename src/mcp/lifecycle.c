#include "mcp/lifecycle.h"

#include <string.h>

#include "mcp/era.h"
#include "mcp/reply.h"

static void put_instructions(const struct sl_mcp_service *service,
                             struct sl_buf *out)
{
    sl_buf_puts(out, ",\"instructions\":\"");
    sl_buf_json(out, sl_view_of(service->instructions));
    sl_buf_putc(out, '"');
}

/* A revision that is not known is no error: the newest one is offered. */
static enum sl_status initialize(void *context, struct sl_mcp_call *call,
                                 struct sl_error *error)
{
    struct sl_mcp_session *session = context;
    const struct sl_mcp_service *service = session->service;
    enum sl_mcp_version version;
    (void)error;
    if (!sl_mcp_version_of(sl_json_member(call->params, "protocolVersion"),
                           &version) ||
        version > SL_MCP_LAST_LEGACY)
        version = SL_MCP_LAST_LEGACY;
    session->legacy = version;
    session->is_legacy = true;
    sl_buf_printf(call->result, "\"protocolVersion\":\"%s\",",
                  sl_mcp_version_name(version));
    sl_mcp_put_capabilities(call->result, service, version);
    sl_buf_puts(call->result, ",\"serverInfo\":");
    sl_mcp_put_server(call->result, service, version);
    put_instructions(service, call->result);
    return SL_OK;
}

static enum sl_status ping(void *context, struct sl_mcp_call *call,
                           struct sl_error *error)
{
    (void)context;
    (void)call;
    (void)error;
    return SL_OK;
}

static enum sl_status discover(void *context, struct sl_mcp_call *call,
                               struct sl_error *error)
{
    const struct sl_mcp_session *session = context;
    (void)error;
    sl_buf_printf(call->result, "\"supportedVersions\":[\"%s\"],",
                  sl_mcp_version_name(SL_MCP_2026_07_28));
    sl_mcp_put_capabilities(call->result, session->service, call->version);
    put_instructions(session->service, call->result);
    return SL_OK;
}

const struct sl_mcp_method sl_mcp_lifecycle[SL_MCP_LIFECYCLE] = {
    {"initialize", initialize, false, SL_MCP_2024_11_05, SL_MCP_LAST_LEGACY},
    {"ping", ping, false, SL_MCP_2024_11_05, SL_MCP_LAST_LEGACY},
    {"server/discover", discover, true, SL_MCP_2026_07_28, SL_MCP_2026_07_28},
};

static size_t place_of(const struct sl_mcp_session *session,
                       const struct sl_json *id)
{
    for (size_t i = 0; i < session->listen_count; i++)
        if (sl_rpc_id_eq(session->listens[i], id))
            return i;
    return SIZE_MAX;
}

void sl_mcp_listen(struct sl_mcp_session *session,
                   const struct sl_message *message, struct sl_buf *out)
{
    const char *why = NULL;
    int code = SL_RPC_PARAMS;
    if (!sl_json_is_object(sl_json_get(message->params, "notifications")))
        why = "params.notifications must be an object";
    else if (place_of(session, message->id) != SIZE_MAX)
        code = SL_RPC_REQUEST, why = "a subscription with this id is open";
    else if (session->listen_count == SL_MAX_MCP_LISTENS)
        code = SL_RPC_INTERNAL, why = "too many subscriptions are open";
    if (why) {
        sl_mcp_put_error(out, message->id, code, sl_view_of(why), SL_LIT(""));
        return;
    }
    session->listens[session->listen_count++] = sl_json_keep(message->id);
    sl_buf_puts(out, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/"
                     "subscriptions/acknowledged\",\"params\":{\"_meta\":{\""
                     SL_MCP_META "subscriptionId\":");
    sl_json_put(out, message->id);
    sl_buf_puts(out, "},\"notifications\":{}}}\n");
}

void sl_mcp_unlisten(struct sl_mcp_session *session,
                     const struct sl_json *params)
{
    size_t at = place_of(session, sl_json_get(params, "requestId"));
    if (at == SIZE_MAX)
        return;
    sl_json_release(session->listens[at]);
    session->listen_count--;
    memmove(session->listens + at, session->listens + at + 1,
            (session->listen_count - at) * sizeof *session->listens);
}
