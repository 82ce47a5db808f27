/*
 * A server of what the protocol's conformance suite asks for: its texts, pictures and
 * questions. It shows that src/mcp serves any service, and is built for tests alone.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "mcp/list.h"
#include "mcp/message.h"
#include "mcp/stdio.h"

/* A red pixel, and a moment of silence. */
#define PNG "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8Dw" \
            "HwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
#define WAV "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA="

#define TEXT(s) "{\"type\":\"text\",\"text\":\"" s "\"}"
#define IMAGE "{\"type\":\"image\",\"data\":\"" PNG "\",\"mimeType\":\"image/png\"}"
#define RESOURCE(uri, mime, s)                                              \
    "{\"type\":\"resource\",\"resource\":{\"uri\":\"" uri "\",\"mimeType\":\"" \
    mime "\",\"text\":\"" s "\"}}"
#define CONTENT(blocks) "\"content\":[" blocks "]"
#define MESSAGE(content) "{\"role\":\"user\",\"content\":" content "}"

/* One question to the client, as an input request. */
#define ELICIT(key, message, name, type)                                  \
    "\"" key "\":{\"method\":\"elicitation/create\",\"params\":{"        \
    "\"mode\":\"form\",\"message\":\"" message "\",\"requestedSchema\":{" \
    "\"type\":\"object\",\"properties\":{\"" name "\":{\"type\":\"" type \
    "\"}},\"required\":[\"" name "\"]}}}"
#define SAMPLE(key, text, tokens)                                           \
    "\"" key "\":{\"method\":\"sampling/createMessage\",\"params\":{"       \
    "\"messages\":[{\"role\":\"user\",\"content\":" TEXT(text) "}],"        \
    "\"maxTokens\":" tokens "}}"
/* A form with a whole schema, given as its properties. */
#define FORM(key, message, properties)                                    \
    "\"" key "\":{\"method\":\"elicitation/create\",\"params\":{"        \
    "\"mode\":\"form\",\"message\":\"" message "\",\"requestedSchema\":{" \
    "\"type\":\"object\",\"properties\":{" properties "}}}}"
#define CHOICES(word) "[\"" word "1\",\"" word "2\",\"" word "3\"]"
#define TITLED(word)                                                      \
    "[{\"const\":\"" word "1\",\"title\":\"One\"},"                     \
    "{\"const\":\"" word "2\",\"title\":\"Two\"},"                      \
    "{\"const\":\"" word "3\",\"title\":\"Three\"}]"
#define ROOTS(key) "\"" key "\":{\"method\":\"roots/list\",\"params\":{}}"

/* A tool or prompt that says the same whenever it has what it asks for. */
struct round {
    const char *key;   /* of the response that this round answers; NULL: none */
    const char *state; /* that must come back with it; NULL: none */
    const char *asks;  /* input requests; NULL: the result is complete */
    const char *gives; /* the state to bring back, or the complete result */
};

struct item {
    const char *name;
    const char *result; /* NULL: see rounds */
    struct round rounds[3];
    const char *needs; /* a capability of the client */
};

static const struct item items[] = {
    {"test_simple_text",
     CONTENT(TEXT("This is a simple text response for testing.")), {{0}}, NULL},
    {"test_image_content", CONTENT(IMAGE), {{0}}, NULL},
    {"test_audio_content",
     CONTENT("{\"type\":\"audio\",\"data\":\"" WAV
             "\",\"mimeType\":\"audio/wav\"}"),
     {{0}}, NULL},
    {"test_embedded_resource",
     CONTENT(RESOURCE("test://embedded-resource", "text/plain",
                      "This is an embedded resource content.")),
     {{0}}, NULL},
    {"test_multiple_content_types",
     CONTENT(TEXT("Multiple content types test:") "," IMAGE "," RESOURCE(
         "test://mixed-content-resource", "application/json",
         "{\\\"test\\\":\\\"data\\\",\\\"value\\\":123}")),
     {{0}}, NULL},
    {"test_error_handling",
     "\"isError\":true," CONTENT(TEXT(
         "This tool intentionally returns an error for testing")),
     {{0}}, NULL},
    {"test_tool_with_progress", CONTENT(TEXT("done")), {{0}}, NULL},
    {"test_tool_with_logging", CONTENT(TEXT("logged")), {{0}}, NULL},
    {"test_logging_tool", CONTENT(TEXT("no log was asked for")), {{0}}, NULL},
    {"test_missing_capability", CONTENT(TEXT("sampled")), {{0}}, "sampling"},
    {"test_streaming_elicitation", NULL,
     {{NULL, NULL, ELICIT("user_name", "Name?", "name", "string"), NULL},
      {"user_name", NULL, NULL, CONTENT(TEXT("Hello"))}},
     "elicitation"},
    {"test_input_required_result_elicitation", NULL,
     {{NULL, NULL, ELICIT("user_name", "What is your name?", "name", "string"),
       NULL},
      {"user_name", NULL, NULL, CONTENT(TEXT("Hello, %s!"))}}, NULL},
    {"test_input_required_result_sampling", NULL,
     {{NULL, NULL,
       SAMPLE("capital_question", "What is the capital of France?", "100"),
       NULL},
      {"capital_question", NULL, NULL, CONTENT(TEXT("The model said: %s"))}},
     NULL},
    {"test_input_required_result_list_roots", NULL,
     {{NULL, NULL, ROOTS("client_roots"), NULL},
      {"client_roots", NULL, NULL, CONTENT(TEXT("Roots: %s"))}}, NULL},
    {"test_input_required_result_request_state", NULL,
     {{NULL, NULL, ELICIT("confirm", "Please confirm", "ok", "boolean"), "one"},
      {"confirm", "one", NULL, CONTENT(TEXT("state-ok"))}}, NULL},
    {"test_input_required_result_tampered_state", NULL,
     {{NULL, NULL, ELICIT("confirm", "Please confirm", "ok", "boolean"), "one"},
      {"confirm", "one", NULL, CONTENT(TEXT("state-ok"))}}, NULL},
    {"test_input_required_result_multiple_inputs", NULL,
     {{NULL, NULL,
       ELICIT("user_name", "What is your name?", "name", "string") ","
       SAMPLE("greeting", "Generate a greeting", "50") ","
       ROOTS("client_roots"), "all"},
      {"client_roots", "all", NULL, CONTENT(TEXT("all there"))}}, NULL},
    {"test_input_required_result_multi_round", NULL,
     {{NULL, NULL,
       ELICIT("step1", "Step 1: What is your name?", "name", "string"), "r1"},
      {"step1", "r1",
       ELICIT("step2", "Step 2: What is your favorite color?", "color",
              "string"), "r2"},
      {"step2", "r2", NULL, CONTENT(TEXT("both steps"))}}, NULL},
    {"test_input_required_result_capabilities", NULL,
     {{NULL, NULL, SAMPLE("greeting", "Generate a greeting", "50"), NULL},
      {"greeting", NULL, NULL, CONTENT(TEXT("done"))}}, NULL},
    {"test_sampling", NULL,
     {{NULL, NULL, SAMPLE("answer", "Test prompt for sampling", "100"), NULL},
      {"answer", NULL, NULL, CONTENT(TEXT("The model said: %s"))}}, NULL},
    {"test_elicitation", NULL,
     {{NULL, NULL,
       ELICIT("form", "Please provide your information", "username", "string"),
       NULL},
      {"form", NULL, NULL, CONTENT(TEXT("The user said: %s"))}}, NULL},
    {"test_elicitation_sep1034_defaults", NULL,
     {{NULL, NULL,
       FORM("form", "Please check these",
            "\"name\":{\"type\":\"string\",\"default\":\"John Doe\"},"
            "\"age\":{\"type\":\"integer\",\"default\":30},"
            "\"score\":{\"type\":\"number\",\"default\":95.5},"
            "\"status\":{\"type\":\"string\",\"enum\":[\"active\","
            "\"inactive\",\"pending\"],\"default\":\"active\"},"
            "\"verified\":{\"type\":\"boolean\",\"default\":true}"), NULL},
      {"form", NULL, NULL, CONTENT(TEXT("The user said: %s"))}}, NULL},
    {"test_elicitation_sep1330_enums", NULL,
     {{NULL, NULL,
       FORM("form", "Please choose",
            "\"untitledSingle\":{\"type\":\"string\",\"enum\":"
            CHOICES("option") "},"
            "\"titledSingle\":{\"type\":\"string\",\"oneOf\":"
            TITLED("value") "},"
            "\"legacyEnum\":{\"type\":\"string\",\"enum\":" CHOICES("opt")
            ",\"enumNames\":[\"One\",\"Two\",\"Three\"]},"
            "\"untitledMulti\":{\"type\":\"array\",\"items\":{\"type\":"
            "\"string\",\"enum\":" CHOICES("option") "}},"
            "\"titledMulti\":{\"type\":\"array\",\"items\":{\"anyOf\":"
            TITLED("value") "}}"), NULL},
      {"form", NULL, NULL, CONTENT(TEXT("The user said: %s"))}}, NULL},
};

static const struct item prompts[] = {
    {"test_simple_prompt",
     "\"messages\":[" MESSAGE(TEXT("This is a simple prompt for testing.")) "]",
     {{0}}, NULL},
    {"test_prompt_with_image",
     "\"messages\":[" MESSAGE(IMAGE) ","
     MESSAGE(TEXT("Please analyze the image above.")) "]", {{0}}, NULL},
    {"test_input_required_result_prompt", NULL,
     {{NULL, NULL,
       ELICIT("user_context", "What context should the prompt use?", "context",
              "string"), NULL},
      {"user_context", NULL, NULL, "\"messages\":[" MESSAGE(TEXT("with %s")) "]"}},
     NULL},
};
#define WITH_ARGUMENTS "test_prompt_with_arguments"
#define WITH_RESOURCE "test_prompt_with_embedded_resource"

static const struct item *find(const struct item *list, size_t count,
                               struct sl_view name)
{
    for (size_t i = 0; i < count; i++)
        if (sl_view_is(name, list[i].name))
            return &list[i];
    return NULL;
}

static void put_string(struct sl_buf *out, struct sl_view text)
{
    sl_buf_putc(out, '"');
    sl_buf_json(out, text);
    sl_buf_putc(out, '"');
}

/* What the client said, as text inside of a JSON string. */
static void put_response(struct sl_buf *out, const struct sl_json *response)
{
    struct sl_buf text;
    sl_buf_init(&text, SL_MAX_MCP_ANSWER);
    sl_json_put(&text, response);
    sl_buf_json(out, sl_buf_view(&text));
    sl_buf_release(&text);
}

/* An answer to an input request is an object that was accepted, or a result. */
static bool is_usable(const struct sl_json *response)
{
    struct sl_view action = sl_json_member(response, "action");
    return sl_json_is_object(response) &&
           (!action.ptr || sl_view_is(action, "accept")) &&
           sl_json_count(response) > 0;
}

static void put_round(const struct round *round, const struct sl_json *response,
                      struct sl_mcp_call *call)
{
    struct sl_view text = sl_view_of(round->gives);
    size_t hole = sl_view_find(text, SL_LIT("%s"), 0);
    if (round->asks) {
        call->type = "input_required";
        sl_buf_printf(call->result, "\"inputRequests\":{%s}", round->asks);
        if (round->gives)
            sl_buf_printf(call->result, ",\"requestState\":\"%s\"",
                          round->gives);
    } else if (hole != SIZE_MAX) {
        sl_buf_add(call->result, sl_view_sub(text, 0, hole));
        put_response(call->result, response);
        sl_buf_add(call->result, sl_view_sub(text, hole + 2, text.len));
    } else {
        sl_buf_add(call->result, text);
    }
}

static enum sl_status run_rounds(const struct item *item,
                                 struct sl_mcp_call *call,
                                 struct sl_error *error)
{
    const struct sl_json *responses =
        sl_json_get(call->params, "inputResponses");
    struct sl_view state = sl_json_member(call->params, "requestState");
    for (size_t i = 2; i > 0; i--) {
        const struct round *round = &item->rounds[i];
        const struct sl_json *response =
            round->key ? sl_json_get(responses, round->key) : NULL;
        if (!response || !is_usable(response))
            continue;
        if (round->state && !sl_view_is(state, round->state))
            return sl_error_set(error, SL_ERR_USAGE,
                                "requestState is not what was given out");
        put_round(round, response, call);
        return SL_OK;
    }
    put_round(&item->rounds[0], NULL, call);
    return SL_OK;
}

static void put_progress(struct sl_mcp_call *call)
{
    const struct sl_json *token = sl_json_get(
        sl_json_get(call->params, "_meta"), "progressToken");
    for (int i = 0; token && i <= 100; i += 50) {
        sl_buf_puts(call->notes, "{\"jsonrpc\":\"2.0\",\"method\":"
                                 "\"notifications/progress\",\"params\":{"
                                 "\"progressToken\":");
        sl_json_put(call->notes, token);
        sl_buf_printf(call->notes, ",\"progress\":%d,\"total\":100}}\n", i);
    }
}

static void put_logs(struct sl_mcp_call *call)
{
    static const char *const lines[] = {"Tool execution started",
                                        "Tool processing data",
                                        "Tool execution completed"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        sl_buf_printf(call->notes,
                      "{\"jsonrpc\":\"2.0\",\"method\":"
                      "\"notifications/message\",\"params\":{\"level\":"
                      "\"info\",\"data\":\"%s\"}}\n",
                      lines[i]);
}

static enum sl_status run_item(const struct item *item,
                               struct sl_mcp_call *call, struct sl_error *error)
{
    if (item->needs && !sl_json_get(call->client, item->needs)) {
        call->code = SL_RPC_CAPABILITY;
        sl_buf_printf(call->data, "{\"requiredCapabilities\":{\"%s\":{}}}",
                      item->needs);
        return sl_error_set(error, SL_ERR_USAGE,
                            "Missing required client capability: %s",
                            item->needs);
    }
    if (!item->result)
        return run_rounds(item, call, error);
    if (!strcmp(item->name, "test_tool_with_progress"))
        put_progress(call);
    if (!strcmp(item->name, "test_tool_with_logging") &&
        call->version <= SL_MCP_LAST_LEGACY)
        put_logs(call);
    sl_buf_puts(call->result, item->result);
    return SL_OK;
}

static enum sl_status tools_list(void *context, struct sl_mcp_call *call,
                                 struct sl_error *error)
{
    struct sl_mcp_page page;
    size_t count = sizeof items / sizeof *items;
    (void)context;
    enum sl_status status = sl_mcp_page_of(call, count, &page, error);
    sl_buf_puts(call->result, "\"tools\":[");
    for (size_t i = 0; !status && i < count; i++)
        sl_buf_printf(call->result,
                      "%s{\"name\":\"%s\",\"description\":\"A fixture\","
                      "\"inputSchema\":{\"type\":\"object\"}}",
                      i ? "," : "", items[i].name);
    sl_buf_putc(call->result, ']');
    return status;
}

static enum sl_status tools_call(void *context, struct sl_mcp_call *call,
                                 struct sl_error *error)
{
    struct sl_view name = sl_json_member(call->params, "name");
    const struct item *item = find(items, sizeof items / sizeof *items, name);
    (void)context;
    return item ? run_item(item, call, error)
                : sl_error_set(error, SL_ERR_USAGE, "Unknown tool: %.*s",
                               SL_ARG(sl_view_sub(name, 0, 100)));
}

#define ARGUMENT(name) \
    "{\"name\":\"" name "\",\"description\":\"A fixture\",\"required\":true}"

static enum sl_status prompts_list(void *context, struct sl_mcp_call *call,
                                   struct sl_error *error)
{
    (void)context;
    (void)error;
    sl_buf_puts(call->result, "\"prompts\":[");
    for (size_t i = 0; i < sizeof prompts / sizeof *prompts; i++)
        sl_buf_printf(call->result,
                      "{\"name\":\"%s\",\"description\":\"A fixture\"},",
                      prompts[i].name);
    sl_buf_puts(call->result,
                "{\"name\":\"" WITH_ARGUMENTS "\",\"description\":"
                "\"A fixture\",\"arguments\":["
                ARGUMENT("arg1") "," ARGUMENT("arg2") "]},{\"name\":\""
                WITH_RESOURCE "\",\"description\":\"A fixture\","
                "\"arguments\":[" ARGUMENT("resourceUri")
                "]}]");
    return SL_OK;
}

static enum sl_status prompts_get(void *context, struct sl_mcp_call *call,
                                  struct sl_error *error)
{
    struct sl_view name = sl_json_member(call->params, "name");
    const struct sl_json *given = sl_json_get(call->params, "arguments");
    const struct item *item =
        find(prompts, sizeof prompts / sizeof *prompts, name);
    struct sl_buf *out = call->result;
    (void)context;
    if (item)
        return run_item(item, call, error);
    if (sl_view_is(name, WITH_ARGUMENTS)) {
        sl_buf_puts(out, "\"messages\":[{\"role\":\"user\",\"content\":{"
                         "\"type\":\"text\",\"text\":\"Prompt with arguments: "
                         "arg1='");
        sl_buf_json(out, sl_json_member(given, "arg1"));
        sl_buf_puts(out, "', arg2='");
        sl_buf_json(out, sl_json_member(given, "arg2"));
        sl_buf_puts(out, "'\"}}]");
    } else if (sl_view_is(name, WITH_RESOURCE)) {
        sl_buf_puts(out, "\"messages\":[{\"role\":\"user\",\"content\":{"
                         "\"type\":\"resource\",\"resource\":{\"uri\":");
        put_string(out, sl_json_member(given, "resourceUri"));
        sl_buf_puts(out, ",\"mimeType\":\"text/plain\",\"text\":\"Embedded "
                         "resource content for testing.\"}}},"
                    MESSAGE(TEXT("Please process the embedded resource above."))
                    "]");
    } else {
        return sl_error_set(error, SL_ERR_USAGE, "Unknown prompt: %.*s",
                            SL_ARG(sl_view_sub(name, 0, 100)));
    }
    return SL_OK;
}

static enum sl_status resources_list(void *context, struct sl_mcp_call *call,
                                     struct sl_error *error)
{
    (void)context;
    (void)error;
    sl_buf_puts(call->result,
                "\"resources\":[{\"uri\":\"test://static-text\",\"name\":"
                "\"text\",\"mimeType\":\"text/plain\"},{\"uri\":"
                "\"test://static-binary\",\"name\":\"binary\",\"mimeType\":"
                "\"image/png\"}]");
    return SL_OK;
}

static enum sl_status templates_list(void *context, struct sl_mcp_call *call,
                                     struct sl_error *error)
{
    (void)context;
    (void)error;
    sl_buf_puts(call->result,
                "\"resourceTemplates\":[{\"uriTemplate\":\"test://template/"
                "{id}/data\",\"name\":\"data\",\"mimeType\":"
                "\"application/json\"}]");
    return SL_OK;
}

static enum sl_status resources_read(void *context, struct sl_mcp_call *call,
                                     struct sl_error *error)
{
    struct sl_view uri = sl_json_member(call->params, "uri");
    struct sl_view id = sl_view_sub(uri, 16, uri.len > 5 ? uri.len - 5 : 0);
    struct sl_buf *out = call->result;
    (void)context;
    sl_buf_puts(out, "\"contents\":[{\"uri\":");
    put_string(out, uri);
    if (sl_view_is(uri, "test://static-text")) {
        sl_buf_puts(out, ",\"mimeType\":\"text/plain\",\"text\":\"This is the "
                         "content of the static text resource.\"}]");
    } else if (sl_view_is(uri, "test://static-binary")) {
        sl_buf_puts(out, ",\"mimeType\":\"image/png\",\"blob\":\"" PNG "\"}]");
    } else if (sl_view_starts(uri, "test://template/") &&
               sl_view_ends(uri, "/data")) {
        sl_buf_puts(out, ",\"mimeType\":\"application/json\",\"text\":\"{"
                         "\\\"id\\\":\\\"");
        sl_buf_json(out, id);
        sl_buf_puts(out, "\\\",\\\"templateTest\\\":true,\\\"data\\\":\\\"Data "
                         "for ID: ");
        sl_buf_json(out, id);
        sl_buf_puts(out, "\\\"}\"}]");
    } else {
        sl_buf_puts(call->data, "{\"uri\":");
        put_string(call->data, uri);
        sl_buf_putc(call->data, '}');
        return sl_error_set(error, SL_ERR_NOTFOUND, "Resource not found");
    }
    return SL_OK;
}

static enum sl_status complete(void *context, struct sl_mcp_call *call,
                               struct sl_error *error)
{
    (void)context;
    (void)error;
    sl_buf_puts(call->result, "\"completion\":{\"values\":[\"paris\",\"park\"],"
                              "\"total\":2,\"hasMore\":false}");
    return SL_OK;
}

/* logging/setLevel, resources/subscribe and its end: nothing comes of them. */
static enum sl_status accept(void *context, struct sl_mcp_call *call,
                             struct sl_error *error)
{
    (void)context;
    (void)call;
    (void)error;
    return SL_OK;
}

static void log_line(const char *message)
{
    fprintf(stderr, "fixture: %s\n", message);
}

#define LEGACY SL_MCP_2024_11_05, SL_MCP_LAST_LEGACY
#define ALWAYS SL_MCP_2024_11_05, SL_MCP_2026_07_28

int main(void)
{
    static const struct sl_mcp_method methods[] = {
        {"tools/list", tools_list, true, ALWAYS},
        {"tools/call", tools_call, false, ALWAYS},
        {"prompts/list", prompts_list, true, ALWAYS},
        {"prompts/get", prompts_get, false, ALWAYS},
        {"resources/list", resources_list, true, ALWAYS},
        {"resources/templates/list", templates_list, true, ALWAYS},
        {"resources/read", resources_read, true, ALWAYS},
        {"completion/complete", complete, false, ALWAYS},
        {"logging/setLevel", accept, false, LEGACY},
        {"resources/subscribe", accept, false, LEGACY},
        {"resources/unsubscribe", accept, false, LEGACY},
    };
    static const struct sl_mcp_service service = {
        .name = "fixture",
        .title = "A server for the conformance suite",
        .version = "1",
        .instructions = "For tests.",
        .tools = true,
        .resources = true,
        .prompts = true,
        .completions = true,
        .methods = methods,
        .method_count = sizeof methods / sizeof *methods,
    };
    struct sl_error error = {SL_OK, ""};
    struct sl_mcp_stdio stdio = {.log = log_line};
    (void)signal(SIGPIPE, SIG_IGN);
    if (sl_mcp_stdio_take(&stdio, &error) ||
        sl_mcp_serve(&service, &stdio, &error)) {
        log_line(error.message);
        return 2;
    }
    return 0;
}
