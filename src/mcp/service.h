/*
 * What a server of this room serves: a table of methods, and a few words about itself.
 * This room knows the protocol; what the methods mean is the service's.
 */
#ifndef SL_MCP_SERVICE_H
#define SL_MCP_SERVICE_H

#include "base/buf.h"
#include "base/status.h"
#include "json/json.h"

/* Revisions, oldest first. All but the last begin with a handshake ("legacy"). */
enum sl_mcp_version {
    SL_MCP_2024_11_05,
    SL_MCP_2025_03_26,
    SL_MCP_2025_06_18,
    SL_MCP_2025_11_25,
    SL_MCP_2026_07_28,
};
#define SL_MCP_VERSIONS (SL_MCP_2026_07_28 + 1)
#define SL_MCP_LAST_LEGACY SL_MCP_2025_11_25

/* "2024-11-05" and so on. */
const char *sl_mcp_version_name(enum sl_mcp_version version);

/* One request on its way to an answer. */
struct sl_mcp_call {
    enum sl_mcp_version version;
    const struct sl_json *params;  /* an object, or NULL */
    const struct sl_json *client;  /* its capabilities; NULL: legacy */
    struct sl_buf *result; /* gets the members of the result, without braces */
    struct sl_buf *data;   /* of an error: a JSON value, or nothing */
    struct sl_buf *notes;  /* notifications that go out first, whole lines */
    int code;              /* of an error; 0: as the status says */
    bool is_private;       /* the result is of this user or machine alone */
    const char *type;      /* resultType; "complete" */
};

/*
 * Fills call->result. What fails with SL_ERR_NOMEM, SL_ERR_IO or SL_ERR_INTERNAL is
 * told as an internal error, everything else as a fault of the parameters; the message
 * is error's.
 */
typedef enum sl_status sl_mcp_run(void *context, struct sl_mcp_call *call,
                                  struct sl_error *error);

struct sl_mcp_method {
    const char *name;
    sl_mcp_run *run;
    bool is_cached; /* the result says how long it is good, and for whom */
    enum sl_mcp_version first, last; /* revisions that have the method */
};

struct sl_mcp_service {
    const char *name, *title, *version;
    const char *instructions;
    bool tools, resources, prompts, completions; /* capabilities */
    const char *extensions; /* the members of "extensions"; NULL: none */
    const struct sl_mcp_method *methods;
    size_t method_count;
    unsigned ttl_ms;
    bool is_private; /* all that it serves */
    void *context;   /* for methods */
};

#endif
