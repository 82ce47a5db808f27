/* mcp: framing, messages, eras, sessions, schemas; nothing of what is served. */
#include "test.h"

#include <string.h>

#include "base/limits.h"
#include "mcp/era.h"
#include "mcp/frame.h"
#include "mcp/list.h"
#include "mcp/queue.h"
#include "mcp/schema.h"
#include "mcp/session.h"
#include "mcp/tools.h"

static struct sl_error error;

#define META                                                        \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":"       \
    "\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{}}"

/* What a frame of 16 bytes makes of the parts, lines joined by '|', '!' for long ones. */
static struct sl_view framed(const struct sl_view *parts, size_t count)
{
    static char text[256];
    struct sl_frame frame;
    struct sl_buf out;
    struct sl_view line;
    sl_frame_init(&frame, 16);
    sl_buf_init(&out, sizeof text - 1);
    for (size_t i = 0; i <= count; i++) {
        enum sl_frame_kind kind;
        if (i < count)
            assert_ok(sl_frame_add(&frame, parts[i], &error));
        while ((kind = sl_frame_next(&frame, &line)) != SL_FRAME_NONE ||
               (i == count &&
                (kind = sl_frame_end(&frame, &line)) != SL_FRAME_NONE)) {
            if (kind == SL_FRAME_LINE)
                sl_buf_add(&out, line);
            sl_buf_puts(&out, kind == SL_FRAME_LINE ? "|" : "!");
        }
    }
    struct sl_view all = sl_buf_view(&out);
    memcpy(text, all.ptr, all.len + 1);
    sl_buf_release(&out);
    sl_frame_release(&frame);
    return (struct sl_view){text, all.len};
}

static void frames(void **state)
{
    (void)state;
    static const struct {
        struct sl_view parts[4];
        const char *expected;
    } cases[] = {
        {{BYTES("a\nb\n")}, "a|b|"},
        {{BYTES("a"), BYTES("b"), BYTES("\nc")}, "ab|c|"},
        {{BYTES("\n\r\n \n\ta \r\n")}, "a|"},
        {{BYTES("0123456789abcdef\n")}, "0123456789abcdef|"},
        {{BYTES("0123456789abcdefg\nx\n")}, "!x|"},
        {{BYTES("0123456789"), BYTES("0123456789"), BYTES("0123\nx\n")}, "!x|"},
        {{BYTES("01234567890123456789"), BYTES("more"), BYTES("more")}, "!"},
        {{BYTES("01234567890123456789"), BYTES("\n"), BYTES("y")}, "!y|"},
        {{BYTES("half")}, "half|"},
        {{BYTES("")}, ""},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_view(framed(cases[i].parts, 4), cases[i].expected);
}

/* However a text is cut into parts, the same lines come out. */
static void frames_in_any_parts(void **state)
{
    (void)state;
    struct sl_view text =
        SL_LIT("one\ntwo and more\n\n01234567890123456789\nthree\n4");
    uint64_t seed = 1;
    for (int round = 0; round < 200; round++) {
        struct sl_view parts[64];
        size_t count = 0;
        for (size_t at = 0; at < text.len && count < COUNT(parts);) {
            size_t n = 1 + test_random(&seed) % 9;
            parts[count++] = sl_view_sub(text, at, at + n);
            at += n;
        }
        assert_view(framed(parts, count), "one|two and more|!three|4|");
    }
}

static void reads(const char *text, enum sl_message_kind kind, int code)
{
    struct sl_json *root;
    struct sl_message message;
    assert_ok(sl_json_parse(sl_view_of(text), &root, &error));
    sl_message_read(root, &message);
    assert_case(message.kind == kind, text);
    if (kind == SL_MESSAGE_FAULTY)
        assert_case(message.code == code && message.why, text);
    sl_json_release(root);
}

static void messages(void **state)
{
    (void)state;
    reads("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"}",
          SL_MESSAGE_REQUEST, 0);
    reads("{\"jsonrpc\":\"2.0\",\"id\":\"\",\"method\":\"\",\"params\":{}}",
          SL_MESSAGE_REQUEST, 0);
    reads("{\"jsonrpc\":\"2.0\",\"method\":\"a\"}", SL_MESSAGE_NOTE, 0);
    reads("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}",
          SL_MESSAGE_RESPONSE, 0);
    reads("{\"jsonrpc\":\"2.0\",\"id\":1}", SL_MESSAGE_FAULTY, SL_RPC_REQUEST);
    reads("{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"a\"}",
          SL_MESSAGE_FAULTY, SL_RPC_REQUEST);
    reads("{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"a\"}",
          SL_MESSAGE_FAULTY, SL_RPC_REQUEST);
    reads("{\"jsonrpc\":\"2.0\",\"id\":1.0,\"method\":\"a\"}",
          SL_MESSAGE_REQUEST, 0);
    reads("{\"jsonrpc\":\"2.1\",\"id\":1,\"method\":\"a\"}",
          SL_MESSAGE_FAULTY, SL_RPC_REQUEST);
    reads("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\",\"params\":[]}",
          SL_MESSAGE_FAULTY, SL_RPC_PARAMS);
    reads("[1]", SL_MESSAGE_FAULTY, SL_RPC_REQUEST);
}

static void ids(void **state)
{
    (void)state;
    struct sl_json *root;
    assert_ok(sl_json_parse(SL_LIT("[1, 1, \"1\", \"1\", 2, null]"), &root,
                            &error));
    const struct sl_json *id[6];
    for (size_t i = 0; i < 6; i++)
        id[i] = sl_json_at(root, i);
    assert_true(sl_rpc_id_eq(id[0], id[1]));
    assert_true(sl_rpc_id_eq(id[2], id[3]));
    assert_false(sl_rpc_id_eq(id[0], id[2]));
    assert_false(sl_rpc_id_eq(id[0], id[4]));
    assert_false(sl_rpc_id_eq(id[5], id[5]));
    assert_false(sl_rpc_id_eq(NULL, NULL));
    sl_json_release(root);
}

/* The code that a request is refused with; 0: it is served. */
static int era_code(const char *text, const enum sl_mcp_version *legacy,
                    enum sl_mcp_version *version_out)
{
    struct sl_json *root;
    struct sl_message message;
    struct sl_era era;
    assert_ok(sl_json_parse(sl_view_of(text), &root, &error));
    sl_message_read(root, &message);
    sl_era_of(&message, legacy, &era);
    *version_out = era.version;
    sl_json_release(root);
    return era.code;
}

#define REQUEST(method, params) \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" method "\"" params "}"

static void eras(void **state)
{
    (void)state;
    enum sl_mcp_version old = SL_MCP_2025_03_26, version;
    assert_int_equal(era_code(REQUEST("a", ""), NULL, &version),
                     SL_RPC_PARAMS);
    assert_int_equal(era_code(REQUEST("ping", ""), NULL, &version), 0);
    assert_int_equal(version, SL_MCP_2025_11_25);
    assert_int_equal(era_code(REQUEST("initialize", ""), NULL, &version), 0);
    assert_int_equal(era_code(REQUEST("a", ""), &old, &version), 0);
    assert_int_equal(version, SL_MCP_2025_03_26);
    assert_int_equal(
        era_code(REQUEST("a", ",\"params\":{" META "}"), &old, &version), 0);
    assert_int_equal(version, SL_MCP_2026_07_28);
    assert_int_equal(
        era_code(REQUEST("a", ",\"params\":{\"_meta\":{\"progressToken\":1}}"),
                 &old, &version),
        0);
    assert_int_equal(version, SL_MCP_2025_03_26);
    for (int i = 0; i < SL_MCP_VERSIONS; i++) {
        const char *name = sl_mcp_version_name((enum sl_mcp_version)i);
        assert_true(sl_mcp_version_of(sl_view_of(name), &version));
        assert_int_equal(version, i);
    }
    assert_false(sl_mcp_version_of(SL_LIT("2025"), &version));
}

static enum sl_status echo(void *context, struct sl_mcp_call *call,
                           struct sl_error *why)
{
    int *calls = context;
    struct sl_view fail = sl_json_member(call->params, "fail");
    ++*calls;
    sl_buf_puts(call->result, "\"a\":\n1");
    if (sl_view_is(fail, "io"))
        return sl_error_set(why, SL_ERR_IO, "io");
    if (sl_view_is(fail, "large"))
        while (!call->result->failed)
            sl_buf_puts(call->result, "0123456789");
    return fail.ptr ? sl_error_set(why, SL_ERR_NOTFOUND, "none") : SL_OK;
}

/* Asks two questions, then a third, then says what came back; "none": asks nothing. */
static enum sl_status ask(void *context, struct sl_mcp_call *call,
                          struct sl_error *why)
{
    const struct sl_json *said = sl_json_get(call->params, "inputResponses");
    (void)context;
    (void)why;
    if (sl_json_get(said, "c")) {
        sl_buf_puts(call->result, "\"said\":");
        sl_json_put(call->result, call->params);
        return SL_OK;
    }
    call->type = "input_required";
    sl_buf_puts(call->result,
                sl_json_get(call->params, "none") ? "\"inputRequests\":{}"
                : said ? "\"inputRequests\":{\"c\":{\"method\":\"m3\"}}"
                       : "\"requestState\":\"s\",\"inputRequests\":{\"a\":{"
                         "\"method\":\"m1\",\"params\":{\"x\":1}},\"b\":{"
                         "\"method\":\"m2\"}}");
    return SL_OK;
}

static const struct sl_mcp_method echo_methods[] = {
    {"ask", ask, false, SL_MCP_2024_11_05, SL_MCP_2026_07_28},
    {"echo", echo, true, SL_MCP_2024_11_05, SL_MCP_2026_07_28},
    {"old", echo, false, SL_MCP_2024_11_05, SL_MCP_2025_03_26},
};

/* What a session answers to the lines, one after the other. */
static struct sl_view session_says(const char *const *lines, size_t count)
{
    int calls = 0;
    const struct sl_mcp_service service = {
        .name = "n",
        .title = "t",
        .version = "v",
        .instructions = "i",
        .tools = true,
        .methods = echo_methods,
        .method_count = COUNT(echo_methods),
        .ttl_ms = 5,
        .context = &calls,
    };
    struct sl_mcp_session session;
    struct sl_queue queue = {.count = 0};
    struct sl_buf out;
    sl_mcp_session_init(&session, &service);
    sl_buf_init(&out, 4 * SL_MAX_MCP_ANSWER);
    for (size_t i = 0; i < count; i++) {
        assert_ok(sl_queue_add(&queue, sl_view_of(lines[i]), &error));
        struct sl_packet *packet = sl_queue_first(&queue);
        if (packet->is_batch)
            assert_ok(sl_mcp_answer_batch(&session, packet->root, &out,
                                          &error));
        else if (packet->root)
            assert_ok(sl_mcp_answer(&session, &packet->message, &out, &error));
        else
            sl_mcp_answer_unread(&session, packet->message.code, packet->why,
                                 &out);
        sl_queue_drop(&queue);
    }
    sl_mcp_session_end(&session, &out);
    struct sl_view said = sl_arena_copy(&test_arena, sl_buf_view(&out));
    sl_buf_release(&out);
    sl_mcp_session_release(&session);
    return said;
}

#define SAYS(expected, ...)                                               \
    do {                                                                  \
        const char *const lines[] = {__VA_ARGS__};                        \
        assert_view(session_says(lines, COUNT(lines)), expected);         \
    } while (0)

#define IS "\"_meta\":{\"io.modelcontextprotocol/serverInfo\":{" \
           "\"name\":\"n\",\"title\":\"t\",\"version\":\"v\"}}"
#define ANSWER(id, rest) "{\"jsonrpc\":\"2.0\",\"id\":" id "," rest "}\n"

static void sessions(void **state)
{
    (void)state;
    SAYS(ANSWER("1", "\"result\":{\"resultType\":\"complete\",\"a\": 1,"
                     "\"ttlMs\":5,\"cacheScope\":\"public\"," IS "}"),
         REQUEST("echo", ",\"params\":{" META "}"));
    SAYS(ANSWER("1", "\"error\":{\"code\":-32602,\"message\":\"none\"}"),
         REQUEST("echo", ",\"params\":{\"fail\":\"x\"," META "}"));
    SAYS(ANSWER("1", "\"error\":{\"code\":-32603,\"message\":\"io\"}"),
         REQUEST("echo", ",\"params\":{\"fail\":\"io\"," META "}"));
    SAYS(ANSWER("1", "\"error\":{\"code\":-32601,\"message\":"
                     "\"Method not found: old\"}"),
         REQUEST("old", ",\"params\":{" META "}"));
    SAYS("{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32700,\"message\":"
         "\"Parse error: the line is not JSON\"}}\n",
         "x");
    SAYS(ANSWER("1", "\"result\":{}"), REQUEST("ping", ""),
         "{\"jsonrpc\":\"2.0\",\"method\":\"n\"}");
}

/* An answer over the cap is an error, and the session goes on. */
static void an_answer_without_end(void **state)
{
    (void)state;
    const char *const lines[] = {
        REQUEST("echo", ",\"params\":{\"fail\":\"large\"," META "}"),
        REQUEST("server/discover", ",\"params\":{" META "}")};
    struct sl_view said = session_says(lines, 2);
    assert_true(sl_view_find(said, SL_LIT("\"code\":-32602"), 0) < 100);
    assert_true(sl_view_find(said, SL_LIT("supportedVersions"), 0) !=
                SIZE_MAX);
}

static void a_handshake(void **state)
{
    (void)state;
#define INITIALIZE(version)                                              \
    REQUEST("initialize", ",\"params\":{\"protocolVersion\":\"" version \
                          "\"}")
#define OPENED(version, title)                                          \
    ANSWER("1", "\"result\":{\"protocolVersion\":\"" version            \
                "\",\"capabilities\":{\"tools\":{}},\"serverInfo\":{"   \
                "\"name\":\"n\"," title "\"version\":\"v\"},"           \
                "\"instructions\":\"i\"}")
    SAYS(OPENED("2024-11-05", "") ANSWER("1", "\"result\":{\"a\": 1}"),
         INITIALIZE("2024-11-05"), REQUEST("echo", ""));
    SAYS(OPENED("2025-06-18", "\"title\":\"t\","), INITIALIZE("2025-06-18"),
         "not JSON");
    SAYS(OPENED("2025-11-25", "\"title\":\"t\","), INITIALIZE("2026-07-28"));
    SAYS(OPENED("2025-03-26", "") "[{\"jsonrpc\":\"2.0\",\"id\":1,"
                                  "\"result\":{}}]\n",
         INITIALIZE("2025-03-26"),
         "[" REQUEST("ping", "") ",{\"jsonrpc\":\"2.0\",\"method\":\"x\"}]");
}

/* A client of an old revision is asked by requests, and answers them as it likes. */
static void questions(void **state)
{
    (void)state;
#define BEGUN OPENED("2025-11-25", "\"title\":\"t\",")
#define BEGIN INITIALIZE("2025-11-25")
#define LINE(id, rest) "{\"jsonrpc\":\"2.0\",\"id\":" id "," rest "}"
#define ASK LINE("7", "\"method\":\"ask\",\"params\":{\"p\":2}")
#define ASKED                                                       \
    ANSWER("\"ask-0\"", "\"method\":\"m1\",\"params\":{\"x\":1}") \
    ANSWER("\"ask-1\"", "\"method\":\"m2\"")
#define REPLY(id, rest) LINE("\"" id "\"", rest)
#define GIVES(id, value) REPLY(id, "\"result\":" value)
#define CANCEL(id)                                                 \
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\"," \
    "\"params\":{\"requestId\":" id "}}"
    SAYS(BEGUN ASKED ANSWER("\"ask-2\"", "\"method\":\"m3\"")
             ANSWER("7", "\"result\":{\"said\":{\"p\":2,\"inputResponses\":{"
                         "\"c\":5}}}"),
         BEGIN, ASK, GIVES("ask-1", "4"), GIVES("ask-0", "3"),
         GIVES("ask-2", "5"), GIVES("ask-2", "6"));
    /* answers to what is not asked, and one that comes twice */
    SAYS(BEGUN ASKED, BEGIN, ASK, GIVES("ask-2", "1"), GIVES("ask-", "1"),
         GIVES("ask-18446744073709551616", "1"), GIVES("0", "1"),
         LINE("0", "\"result\":1"), GIVES("ask-0", "1"),
         GIVES("ask-0", "2"), REPLY("ask-0", "\"error\":{}"));
    SAYS(BEGUN ASKED ANSWER("7", "\"error\":{\"code\":-32603,\"message\":"
                                 "\"the client refused what was asked of "
                                 "it\"}"),
         BEGIN, ASK, REPLY("ask-1", "\"error\":{\"code\":1}"),
         GIVES("ask-0", "1"));
    SAYS(BEGUN ASKED CANCEL("\"ask-1\"") "\n", BEGIN, ASK, CANCEL("8"),
         GIVES("ask-0", "1"), CANCEL("7"), GIVES("ask-1", "1"), CANCEL("7"));
    SAYS(BEGUN ANSWER("1", "\"error\":{\"code\":-32603,\"message\":\"input is "
                           "required, and no question is there, or more than "
                           "8\"}"),
         BEGIN, REQUEST("ask", ",\"params\":{\"none\":1}"));
    SAYS(OPENED("2025-03-26", "") ANSWER(
             "7", "\"error\":{\"code\":-32602,\"message\":\"this asks the "
                  "client a question, which is possible from revision "
                  "2025-06-18 on\"}"),
         INITIALIZE("2025-03-26"), ASK);
    const char *lines[SL_MAX_MCP_ASKS + 2] = {BEGIN};
    for (size_t i = 0; i <= SL_MAX_MCP_ASKS; i++)
        lines[i + 1] = ASK;
    struct sl_view said = session_says(lines, COUNT(lines));
    assert_true(sl_view_find(said, SL_LIT("8 requests wait"), 0) != SIZE_MAX);
    assert_true(sl_view_find(said, SL_LIT("ask-15"), 0) != SIZE_MAX);
    assert_true(sl_view_find(said, SL_LIT("ask-16"), 0) == SIZE_MAX);
}

static enum sl_status schema_check(const char *schema, const char *value)
{
    struct sl_json *a, *b;
    assert_ok(sl_json_parse(sl_view_of(schema), &a, &error));
    assert_ok(sl_json_parse(sl_view_of(value), &b, &error));
    enum sl_status status = sl_schema_check(a, b, &error);
    sl_json_release(a);
    sl_json_release(b);
    return status;
}

static void schemas(void **state)
{
    (void)state;
    static const char schema[] =
        "{\"type\":\"object\",\"properties\":{"
        "\"s\":{\"type\":\"string\",\"minLength\":2,\"maxLength\":3},"
        "\"e\":{\"type\":\"string\",\"enum\":[\"a\",\"b\"]},"
        "\"n\":{\"type\":\"integer\",\"minimum\":-1,\"maximum\":5},"
        "\"l\":{\"type\":\"array\",\"maxItems\":2,\"items\":"
        "{\"type\":\"object\",\"properties\":{\"x\":{\"type\":\"boolean\"}},"
        "\"required\":[\"x\"],\"additionalProperties\":false}}},"
        "\"required\":[\"s\"],\"additionalProperties\":false}";
    static const struct {
        const char *value, *words; /* NULL: it fits */
    } cases[] = {
        {"{\"s\":\"ab\"}", NULL},
        {"{\"s\":\"abc\",\"e\":\"b\",\"n\":-1,\"l\":[{\"x\":true}]}", NULL},
        {"{}", "'s' is missing"},
        {"[]", "arguments must be of type object"},
        {"{\"s\":\"a\"}", "s must have a length of at least 2"},
        {"{\"s\":\"abcd\"}", "of at most 3"},
        {"{\"s\":\"\\u00e4\\u20ac\\ud83d\\ude00\",\"n\":2.0}", NULL},
        {"{\"s\":\"\\u20ac\"}", "s must have a length of at least 2"},
        {"{\"s\":\"ab\",\"e\":\"c\"}", "e must be one of: a, b"},
        {"{\"s\":\"ab\",\"n\":6}", "n must be at most 5"},
        {"{\"s\":\"ab\",\"n\":1.5}", "n must be of type integer"},
        {"{\"s\":\"ab\",\"l\":[{}]}", "'x' is missing"},
        {"{\"s\":\"ab\",\"l\":[{\"x\":1}]}", "x must be of type boolean"},
        {"{\"s\":\"ab\",\"l\":[{\"x\":true,\"y\":1}]}", "no argument 'y'"},
        {"{\"s\":\"ab\",\"l\":[1]}", "l must be of type object"},
        {"{\"s\":\"ab\",\"l\":[{\"x\":true},{\"x\":true},{\"x\":true}]}",
         "at most"},
        {"{\"s\":\"ab\",\"z\":1}", "there are: s, e, n, l"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        enum sl_status status = schema_check(schema, cases[i].value);
        assert_case(status == (cases[i].words ? SL_ERR_USAGE : SL_OK),
                    cases[i].value);
        if (cases[i].words)
            assert_says(cases[i].words);
    }
}

static void pages(void **state)
{
    (void)state;
    static const struct {
        const char *cursor; /* JSON; NULL: none */
        size_t count, begin, end;
        bool bad;
    } cases[] = {
        {NULL, 0, 0, 0, false},
        {NULL, 1, 0, 1, false},
        {NULL, SL_MCP_PAGE, 0, SL_MCP_PAGE, false},
        {NULL, SL_MCP_PAGE + 1, 0, SL_MCP_PAGE, false},
        {"\"200\"", SL_MCP_PAGE + 1, SL_MCP_PAGE, SL_MCP_PAGE + 1, false},
        {"\"200\"", SL_MCP_PAGE, 0, 0, true},
        {"\"1\"", 500, 0, 0, true},
        {"\"\"", 500, 0, 0, true},
        {"200", 500, 0, 0, true},
        {"\"99999999999999999999\"", 500, 0, 0, true},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[64];
        struct sl_json *params;
        struct sl_mcp_page page;
        (void)snprintf(text, sizeof text, "{\"%s\":%s}",
                       cases[i].cursor ? "cursor" : "x",
                       cases[i].cursor ? cases[i].cursor : "1");
        assert_ok(sl_json_parse(sl_view_of(text), &params, &error));
        struct sl_mcp_call call = {.params = params};
        enum sl_status status =
            sl_mcp_page_of(&call, cases[i].count, &page, &error);
        assert_case(status == (cases[i].bad ? SL_ERR_USAGE : SL_OK), text);
        if (!status)
            assert_case(page.begin == cases[i].begin &&
                            page.end == cases[i].end,
                        text);
        sl_json_release(params);
    }
}

/* A cancellation marks what waits, and only that; never the handshake. */
static void queues(void **state)
{
    (void)state;
    struct sl_queue queue = {.count = 0};
    for (int i = 0; i < 3; i++)
        assert_ok(sl_queue_add(&queue,
                               sl_view_of(i == 0   ? REQUEST("initialize", "")
                                          : i == 1 ? REQUEST("a", "")
                                                 : "{\"jsonrpc\":\"2.0\","
                                                   "\"id\":\"1\","
                                                   "\"method\":\"a\"}"),
                               &error));
    assert_ok(sl_queue_add(&queue,
                           SL_LIT("{\"jsonrpc\":\"2.0\",\"method\":"
                                  "\"notifications/cancelled\",\"params\":"
                                  "{\"requestId\":1}}"),
                           &error));
    static const bool cancelled[] = {false, true, false, false};
    for (size_t i = 0; i < COUNT(cancelled); i++) {
        assert_int_equal(sl_queue_first(&queue)->is_cancelled, cancelled[i]);
        sl_queue_drop(&queue);
    }
    assert_null(sl_queue_first(&queue));
    assert_int_equal(queue.bytes, 0);
    size_t many = 0;
    while (sl_queue_has_room(&queue)) {
        assert_ok(sl_queue_add(&queue, SL_LIT("x"), &error));
        many++;
    }
    assert_int_equal(many, SL_MAX_MCP_QUEUE);
    while (sl_queue_first(&queue))
        sl_queue_drop(&queue);
}

static int runs; /* of the tool below */

static enum sl_status count_runs(void *context, const struct sl_json *arguments,
                                 struct sl_mcp_answer *answer,
                                 struct sl_error *why)
{
    struct sl_view q = sl_json_member(arguments, "q");
    (void)context;
    runs++;
    if (sl_view_is(q, "fail"))
        return sl_error_set(why, SL_ERR_USAGE, "failed");
    for (size_t i = 0; i < (sl_view_is(q, "large") ? SL_MAX_MCP_MEMO : 1); i++)
        sl_buf_add(&answer->text, q);
    sl_buf_puts(&answer->structured, "{}");
    return SL_OK;
}

/* What is said of q, and how often the tool has run since the start. */
static int runs_after(struct sl_mcp_tools *tools, const char *q)
{
    struct sl_json *params;
    struct sl_buf result, text;
    sl_buf_init(&text, 1000);
    sl_buf_init(&result, SL_MAX_MCP_ANSWER);
    sl_buf_printf(&text, "{\"name\":\"t\",\"arguments\":{\"q\":\"%s\"}}", q);
    assert_ok(sl_json_parse(sl_buf_view(&text), &params, &error));
    struct sl_mcp_call call = {.version = SL_MCP_2025_11_25,
                               .params = params,
                               .result = &result};
    assert_ok(sl_mcp_tools_call(tools, &call, &error));
    struct sl_view expected = sl_view_of(q);
    assert_true(sl_view_is(expected, "fail") ||
                sl_view_find(sl_buf_view(&result), expected, 0) != SIZE_MAX);
    sl_json_release(params);
    sl_buf_release(&result);
    sl_buf_release(&text);
    return runs;
}

static void memos(void **state)
{
    (void)state;
    struct sl_mcp_tool tool = {
        SL_LIT("{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\","
               "\"properties\":{\"q\":{\"type\":\"string\"}}}}"),
        count_runs, true, NULL};
    struct sl_mcp_tools tools = {.items = &tool, .count = 1};
    assert_ok(sl_mcp_tools_open(&tools, &error));
    runs = 0;
    assert_int_equal(runs_after(&tools, "a"), 1);
    assert_int_equal(runs_after(&tools, "a"), 1);
    assert_int_equal(runs_after(&tools, "b"), 2);
    assert_int_equal(runs_after(&tools, "a"), 2);
    assert_int_equal(runs_after(&tools, "fail"), 3); /* faults are not kept */
    assert_int_equal(runs_after(&tools, "fail"), 4);
    assert_int_equal(runs_after(&tools, "large"), 5); /* nor is what is large */
    assert_int_equal(runs_after(&tools, "large"), 6);
    for (unsigned i = 0; i < SL_MAX_MCP_MEMOS; i++) {
        char q[16];
        (void)snprintf(q, sizeof q, "%u", i);
        assert_int_equal(runs_after(&tools, q), 7 + (int)i);
    }
    int before = runs;
    assert_int_equal(runs_after(&tools, "a"), before + 1); /* it made room */
    assert_int_equal(runs_after(&tools, "15"), before + 1);
    tool.is_pure = false;
    assert_int_equal(runs_after(&tools, "15"), before + 2);
    sl_mcp_tools_close(&tools);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(frames),   TEST(frames_in_any_parts),
        TEST(messages), TEST(ids),
        TEST(eras),     TEST(sessions),
        TEST(an_answer_without_end), TEST(a_handshake),
        TEST(questions),
        TEST(schemas),  TEST(pages),
        TEST(queues),   TEST(memos),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
