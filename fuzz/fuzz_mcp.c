/*
 * What a client writes: framing, JSON-RPC, eras, batches, cancellation, arguments of a
 * tool. The first byte says in which parts the bytes come.
 */
#include "fuzz.h"
#include "mcp/frame.h"
#include "mcp/list.h"
#include "mcp/queue.h"
#include "mcp/session.h"
#include "mcp/tools.h"

static const char definition[] =
    "{\"name\":\"ask\",\"inputSchema\":{\"type\":\"object\",\"properties\":{"
    "\"question\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":100},"
    "\"budget\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":9},"
    "\"files\":{\"type\":\"array\",\"maxItems\":3,\"items\":{\"type\":"
    "\"object\",\"properties\":{\"path\":{\"type\":\"string\"}},"
    "\"required\":[\"path\"],\"additionalProperties\":false}}},"
    "\"required\":[\"question\"],\"additionalProperties\":false}}";

static enum sl_status run_tool(void *context, const struct sl_json *arguments,
                               struct sl_mcp_answer *answer,
                               struct sl_error *error)
{
    int64_t budget;
    struct sl_view question = sl_json_member(arguments, "question");
    (void)context;
    FUZZ_CHECK(question.len >= 1 && question.len <= 400);
    if (sl_json_integer(sl_json_get(arguments, "budget"), &budget))
        FUZZ_CHECK(budget >= 1 && budget <= 9);
    FUZZ_CHECK(sl_json_count(sl_json_get(arguments, "files")) <= 3);
    if (sl_view_is(question, "none"))
        return sl_error_set(error, SL_ERR_NOTFOUND, "none");
    sl_buf_add(&answer->text, question);
    sl_buf_puts(&answer->structured, "{\n}\n");
    return SL_OK;
}

static struct sl_mcp_tool tool;
static struct sl_mcp_tools tools = {.items = &tool, .count = 1};

static enum sl_status call_tools(void *context, struct sl_mcp_call *call,
                                 struct sl_error *error)
{
    (void)context;
    return sl_mcp_tools_call(&tools, call, error);
}

static enum sl_status list_tools(void *context, struct sl_mcp_call *call,
                                 struct sl_error *error)
{
    (void)context;
    return sl_mcp_tools_list(&tools, call, error);
}

/* Asks until the client has said "0"; the questions are as many as it wants. */
static enum sl_status ask(void *context, struct sl_mcp_call *call,
                          struct sl_error *error)
{
    const struct sl_json *said = sl_json_get(call->params, "inputResponses");
    int64_t count = 1;
    (void)context;
    (void)error;
    if (sl_json_get(said, "0")) {
        FUZZ_CHECK(sl_json_get(call->params, "requestState"));
        sl_buf_puts(call->result, "\"said\":");
        sl_json_put(call->result, said);
        return SL_OK;
    }
    (void)sl_json_integer(sl_json_get(call->params, "count"), &count);
    call->type = "input_required";
    sl_buf_puts(call->result, "\"requestState\":0,\"inputRequests\":{");
    for (int64_t i = 0; i < count && i < 12; i++)
        sl_buf_printf(call->result, "%s\"%d\":{\"method\":\"m\"}",
                      i ? "," : "", (int)i);
    sl_buf_putc(call->result, '}');
    return SL_OK;
}

static const struct sl_mcp_method methods[] = {
    {"ask", ask, false, SL_MCP_2024_11_05, SL_MCP_2026_07_28},
    {"tools/call", call_tools, false, SL_MCP_2024_11_05, SL_MCP_2026_07_28},
    {"tools/list", list_tools, true, SL_MCP_2024_11_05, SL_MCP_2026_07_28},
};
static const struct sl_mcp_service service = {
    .name = "n",
    .title = "t",
    .version = "v",
    .instructions = "i",
    .tools = true,
    .completions = true,
    .methods = methods,
    .method_count = sizeof methods / sizeof *methods,
};

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    tool = (struct sl_mcp_tool){SL_LIT(definition), run_tool, true, NULL};
    FUZZ_CHECK(!sl_mcp_tools_open(&tools, NULL));
    return 0;
}

/* Whatever came in, what goes out are whole lines of JSON-RPC. */
static void check_lines(struct sl_view out)
{
    struct sl_view line;
    FUZZ_CHECK(!out.len || out.ptr[out.len - 1] == '\n');
    while (sl_view_cut(&out, '\n', &line)) {
        struct sl_json *root;
        FUZZ_CHECK(!sl_json_parse_nul(line, &root, NULL));
        const struct sl_json *one =
            sl_json_is_array(root) ? sl_json_at(root, 0) : root;
        FUZZ_CHECK(sl_view_is(sl_json_member(one, "jsonrpc"), "2.0"));
        FUZZ_CHECK(!!sl_json_get(one, "result") + !!sl_json_get(one, "error") +
                       !!sl_json_get(one, "method") ==
                   1);
        sl_json_release(root);
    }
}

static void answer_all(struct sl_mcp_session *session, struct sl_queue *queue,
                       struct sl_buf *out)
{
    struct sl_packet *packet;
    while ((packet = sl_queue_first(queue))) {
        if (packet->is_cancelled) {
            FUZZ_CHECK(packet->message.id);
        } else if (packet->is_batch) {
            FUZZ_CHECK(
                !sl_mcp_answer_batch(session, packet->root, out, NULL));
        } else if (packet->root) {
            FUZZ_CHECK(!sl_mcp_answer(session, &packet->message, out, NULL));
        } else {
            sl_mcp_answer_unread(session, packet->message.code, packet->why,
                                 out);
        }
        sl_queue_drop(queue);
        check_lines(sl_buf_view(out));
        sl_buf_truncate(out, 0);
    }
    FUZZ_CHECK(queue->bytes == 0);
}

/* Takes lines off the frame; the queue is worked off when it has this many. */
static void take_lines(struct sl_frame *frame, bool at_end, size_t wait,
                       struct sl_mcp_session *session, struct sl_queue *queue,
                       struct sl_buf *out)
{
    struct sl_view line;
    enum sl_frame_kind kind;
    while ((kind = sl_frame_next(frame, &line)) != SL_FRAME_NONE ||
           (at_end && (kind = sl_frame_end(frame, &line)) != SL_FRAME_NONE)) {
        if (kind == SL_FRAME_LONG) {
            sl_queue_add_long(queue);
        } else {
            FUZZ_CHECK(line.len >= 1 && line.len <= frame->max);
            FUZZ_CHECK(sl_view_find(line, SL_LIT("\n"), 0) == SIZE_MAX);
            FUZZ_CHECK(!sl_queue_add(queue, line, NULL));
        }
        if (queue->count >= wait || !sl_queue_has_room(queue))
            answer_all(session, queue, out);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sl_frame frame;
    struct sl_mcp_session session;
    struct sl_queue queue = {.count = 0};
    struct sl_buf out;
    size_t first = size ? data[0] : 0;
    size_t part = 1 + first % 64, wait = 1 + first / 64;
    struct sl_view rest = {(const char *)data + (size ? 1 : 0),
                           size ? size - 1 : 0};
    sl_frame_init(&frame, 2048);
    sl_mcp_session_init(&session, &service);
    sl_buf_init(&out, SL_MAX_MCP_ANSWER);
    while (rest.len) {
        FUZZ_CHECK(!sl_frame_add(&frame, sl_view_sub(rest, 0, part), NULL));
        rest = sl_view_sub(rest, part, rest.len);
        take_lines(&frame, false, wait, &session, &queue, &out);
    }
    take_lines(&frame, true, wait, &session, &queue, &out);
    answer_all(&session, &queue, &out);
    sl_mcp_session_end(&session, &out);
    check_lines(sl_buf_view(&out));
    sl_buf_release(&out);
    sl_mcp_session_release(&session);
    sl_frame_release(&frame);
    return 0;
}
