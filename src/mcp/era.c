#include "mcp/era.h"

static const char *const names[SL_MCP_VERSIONS] = {
    [SL_MCP_2024_11_05] = "2024-11-05", [SL_MCP_2025_03_26] = "2025-03-26",
    [SL_MCP_2025_06_18] = "2025-06-18", [SL_MCP_2025_11_25] = "2025-11-25",
    [SL_MCP_2026_07_28] = "2026-07-28",
};

const char *sl_mcp_version_name(enum sl_mcp_version version)
{
    return names[version];
}

bool sl_mcp_version_of(struct sl_view name, enum sl_mcp_version *version_out)
{
    for (int i = 0; i < SL_MCP_VERSIONS; i++) {
        if (sl_view_is(name, names[i])) {
            *version_out = (enum sl_mcp_version)i;
            return true;
        }
    }
    return false;
}

static void refuse(struct sl_era *era, int code, const char *why)
{
    era->code = code;
    era->why = why;
}

static bool is_log_level(const struct sl_json *level)
{
    static const char *const levels[] = {"debug", "info",     "notice",
                                         "warning", "error",  "critical",
                                         "alert", "emergency"};
    struct sl_view text;
    if (!sl_json_text(level, &text))
        return false;
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        if (sl_view_is(text, levels[i]))
            return true;
    return false;
}

static void modern(const struct sl_json *meta, struct sl_era *era)
{
    const struct sl_json *level = sl_json_get(meta, SL_MCP_META "logLevel");
    const struct sl_json *info = sl_json_get(meta, SL_MCP_META "clientInfo");
    era->version = SL_MCP_2026_07_28;
    era->client = sl_json_get(meta, SL_MCP_META "clientCapabilities");
    era->asked = sl_json_member(meta, SL_MCP_META "protocolVersion");
    if (!era->asked.ptr)
        refuse(era, SL_RPC_PARAMS,
               "_meta lacks the text " SL_MCP_META "protocolVersion");
    else if (!sl_view_is(era->asked, names[SL_MCP_2026_07_28]))
        refuse(era, SL_RPC_VERSION, "Unsupported protocol version");
    else if (!sl_json_is_object(era->client))
        refuse(era, SL_RPC_PARAMS,
               "_meta lacks the object " SL_MCP_META "clientCapabilities");
    else if (info && !sl_json_is_object(info))
        refuse(era, SL_RPC_PARAMS,
               "_meta: " SL_MCP_META "clientInfo must be an object");
    else if (level && !is_log_level(level))
        refuse(era, SL_RPC_PARAMS, "_meta has an unknown " SL_MCP_META
                                   "logLevel");
}

static bool is_modern(const struct sl_json *meta)
{
    static const char *const keys[] = {SL_MCP_META "protocolVersion",
                                       SL_MCP_META "clientCapabilities",
                                       SL_MCP_META "clientInfo"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (sl_json_get(meta, keys[i]))
            return true;
    return false;
}

void sl_era_of(const struct sl_message *message,
               const enum sl_mcp_version *legacy, struct sl_era *era_out)
{
    const struct sl_json *meta = sl_json_get(message->params, "_meta");
    struct sl_era era = {.version = legacy ? *legacy : SL_MCP_LAST_LEGACY};
    if (is_modern(meta))
        modern(meta, &era);
    else if (!legacy && !sl_view_is(message->method, "initialize") &&
             !sl_view_is(message->method, "ping"))
        refuse(&era, SL_RPC_PARAMS,
               "params._meta must have " SL_MCP_META "protocolVersion and "
               SL_MCP_META "clientCapabilities (2026-07-28), or "
               "`initialize` must come first (2025-11-25 and before)");
    *era_out = era;
}
