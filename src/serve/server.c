#include "serve/server.h"

#include "base/limits.h"
#include "serve/serve.h"

SL_SERVE_DATA(tool_ask);
SL_SERVE_DATA(tool_env);
SL_SERVE_DATA(tool_show);
SL_SERVE_DATA(tool_symbol);
SL_SERVE_DATA(tool_upgrade);
SL_SERVE_DATA(tool_verify_citation);

/* The knowledge is built in: it does not change while the program runs. */
#define TTL_MS 3600000u

static const char instructions[] =
    "NVSHMEM knowledge with evidence, offline. Ask `ask` before answering from "
    "memory: models get release differences, ordering, variables and internals "
    "of NVSHMEM wrong. `symbol` and `env` say in which releases a name exists; "
    "`show` opens what an answer names; `verify_citation` checks a citation "
    "before it is handed on; `upgrade` says what another release breaks. Quote "
    "the evidence of an answer with it. A claim holds for the release that it "
    "names: say so when the user's is another. The skill skill://nvshmem/"
    "SKILL.md holds the same knowledge as files.";

void sl_serve_begin(struct sl_serve *serve)
{
    sl_arena_rewind(&serve->corpus->arena, serve->mark);
}

static enum sl_status tools_list(void *context, struct sl_mcp_call *call,
                                 struct sl_error *error)
{
    struct sl_serve *serve = context;
    return sl_mcp_tools_list(&serve->tools, call, error);
}

static enum sl_status tools_call(void *context, struct sl_mcp_call *call,
                                 struct sl_error *error)
{
    struct sl_serve *serve = context;
    sl_serve_begin(serve);
    return sl_mcp_tools_call(&serve->tools, call, error);
}

#define ALWAYS SL_MCP_2024_11_05, SL_MCP_2026_07_28
#define MODERN SL_MCP_2026_07_28, SL_MCP_2026_07_28

static const struct sl_mcp_method methods[] = {
    {"tools/call", tools_call, false, ALWAYS},
    {"tools/list", tools_list, true, ALWAYS},
    {"resources/list", sl_serve_resources_list, true, ALWAYS},
    {"resources/read", sl_serve_resources_read, true, ALWAYS},
    {"resources/templates/list", sl_serve_resources_templates, true, ALWAYS},
    {"prompts/list", sl_serve_prompts_list, true, ALWAYS},
    {"prompts/get", sl_serve_prompts_get, false, ALWAYS},
    {"completion/complete", sl_serve_complete, false, SL_MCP_2024_11_05,
     SL_MCP_2026_07_28},
    {"skills/list", sl_serve_skills_list, true, MODERN},
    {"skills/get", sl_serve_skills_get, true, MODERN},
    {"resources/directory/read", sl_serve_directory_read, true, MODERN},
};

enum sl_status sl_serve(struct sl_corpus *corpus,
                        const struct sl_serve_options *options,
                        const struct sl_mcp_stdio *stdio,
                        struct sl_error *error)
{
    struct sl_serve serve = {
        .corpus = corpus,
        .mark = sl_arena_mark(&corpus->arena),
        .options = options,
        .list =
            {
                {SL_SERVE_VIEW(tool_ask), sl_tool_ask, true, NULL},
                {SL_SERVE_VIEW(tool_show), sl_tool_show, false, NULL},
                {SL_SERVE_VIEW(tool_symbol), sl_tool_symbol, true, NULL},
                {SL_SERVE_VIEW(tool_env), sl_tool_env, true, NULL},
                {SL_SERVE_VIEW(tool_upgrade), sl_tool_upgrade, false, NULL},
                {SL_SERVE_VIEW(tool_verify_citation), sl_tool_verify_citation,
                 !corpus->from, NULL},
            },
    };
    serve.tools = (struct sl_mcp_tools){
        .items = serve.list, .count = SL_SERVE_TOOLS, .context = &serve};
    const struct sl_mcp_service service = {
        .name = "shmemlore",
        .title = "NVSHMEM knowledge that can be checked",
        .version = options->version,
        .instructions = instructions,
        .tools = true,
        .resources = true,
        .prompts = true,
        .completions = true,
        .extensions =
            "\"io.modelcontextprotocol/skills\":{\"directoryRead\":true}",
        .methods = methods,
        .method_count = sizeof methods / sizeof *methods,
        .ttl_ms = TTL_MS,
        .is_private = corpus->from != NULL,
        .context = &serve,
    };
    enum sl_status status = sl_mcp_tools_open(&serve.tools, error);
    if (!status)
        status = sl_mcp_serve(&service, stdio, error);
    sl_mcp_tools_close(&serve.tools);
    return status;
}
