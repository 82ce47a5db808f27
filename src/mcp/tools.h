/* Tools: their list, and calls with arguments that are checked first. */
#ifndef SL_MCP_TOOLS_H
#define SL_MCP_TOOLS_H

#include "mcp/memo.h"
#include "mcp/service.h"

/* What a tool says. */
struct sl_mcp_answer {
    struct sl_buf text;       /* for a reader */
    struct sl_buf structured; /* one JSON object of the output schema */
    struct sl_buf links;      /* content blocks with commas between, or none */
};

/*
 * arguments is an object that fits the input schema. A failure that the caller can mend
 * (anything but memory, I/O and our own faults) becomes a result that is an error.
 */
typedef enum sl_status sl_mcp_tool_run(void *context,
                                       const struct sl_json *arguments,
                                       struct sl_mcp_answer *answer,
                                       struct sl_error *error);

struct sl_mcp_tool {
    struct sl_view definition; /* a Tool object of the protocol, as JSON */
    sl_mcp_tool_run *run;
    bool is_pure; /* the same arguments give the same answer */
    struct sl_json *read; /* the definition; by sl_mcp_tools_open() */
};

struct sl_mcp_tools {
    struct sl_mcp_tool *items;
    size_t count;
    void *context;
    struct sl_mcp_answer answer; /* kept between calls */
    struct sl_memo memo;
};

/* Reads the definitions. After it, also when it fails, comes sl_mcp_tools_close(). */
SL_CHECKED enum sl_status sl_mcp_tools_open(struct sl_mcp_tools *tools,
                                            struct sl_error *error);
void sl_mcp_tools_close(struct sl_mcp_tools *tools);

/* tools/list and tools/call */
SL_CHECKED enum sl_status sl_mcp_tools_list(const struct sl_mcp_tools *tools,
                                            struct sl_mcp_call *call,
                                            struct sl_error *error);
SL_CHECKED enum sl_status sl_mcp_tools_call(struct sl_mcp_tools *tools,
                                            struct sl_mcp_call *call,
                                            struct sl_error *error);

#endif
