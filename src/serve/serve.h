/* What the files of this folder share. */
#ifndef SL_SERVE_SERVE_H
#define SL_SERVE_SERVE_H

#include "mcp/content.h"
#include "mcp/list.h"
#include "mcp/tools.h"
#include "serve/server.h"

#define SL_SERVE_TOOLS 6u

struct sl_serve {
    struct sl_corpus *corpus;
    struct sl_arena_mark mark; /* of its arena, before any request */
    const struct sl_serve_options *options;
    struct sl_mcp_tool list[SL_SERVE_TOOLS];
    struct sl_mcp_tools tools;
};

/* Tools: one file each. */
sl_mcp_tool_run sl_tool_ask;
sl_mcp_tool_run sl_tool_show;
sl_mcp_tool_run sl_tool_symbol;
sl_mcp_tool_run sl_tool_env;
sl_mcp_tool_run sl_tool_upgrade;
sl_mcp_tool_run sl_tool_verify_citation;

/* Methods; each begins a request. */
sl_mcp_run sl_serve_resources_list;
sl_mcp_run sl_serve_resources_templates;
sl_mcp_run sl_serve_resources_read;
sl_mcp_run sl_serve_prompts_list;
sl_mcp_run sl_serve_prompts_get;
sl_mcp_run sl_serve_complete;
sl_mcp_run sl_serve_skills_list;
sl_mcp_run sl_serve_skills_get;
sl_mcp_run sl_serve_directory_read;

/* Gives back what the request before took from the arena. */
void sl_serve_begin(struct sl_serve *serve);

/* Data of an assembler file that the build makes: DEFINITION or prompts/NAME.md. */
#define SL_SERVE_DATA(name)                                           \
    extern const char sl_data_##name[], sl_data_##name##_end[]
#define SL_SERVE_VIEW(name)                                           \
    ((struct sl_view){sl_data_##name,                                 \
                      (size_t)(sl_data_##name##_end - sl_data_##name)})

#endif
