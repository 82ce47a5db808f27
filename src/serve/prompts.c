#include "serve/prompts.h"

#include <string.h>

#include "answer/ask.h"
#include "base/limits.h"
#include "serve/serve.h"
#include "serve/uri.h"

SL_SERVE_DATA(prompts);
SL_SERVE_DATA(prompt_debug_hang);
SL_SERVE_DATA(prompt_choose_approach);
SL_SERVE_DATA(prompt_review_code);

/* The text of a prompt, and what the knowledge base is asked for it. */
struct prompt {
    const char *name;
    struct sl_view text;
    const char *asks;     /* the argument that is a question, or NULL: */
    const char *question; /* this one is asked */
};

static bool find(struct sl_view name, struct prompt *prompt_out)
{
    const struct prompt prompts[] = {
        {"debug_hang", SL_SERVE_VIEW(prompt_debug_hang), "symptom", NULL},
        {"choose_approach", SL_SERVE_VIEW(prompt_choose_approach), "task",
         NULL},
        {"review_code", SL_SERVE_VIEW(prompt_review_code), NULL,
         "Which mistakes in ordering, signals and symmetric memory should a "
         "review look for?"},
    };
    for (size_t i = 0; i < sizeof prompts / sizeof *prompts; i++) {
        if (sl_view_is(name, prompts[i].name)) {
            *prompt_out = prompts[i];
            return true;
        }
    }
    return false;
}

/* The definition of a prompt out of the list; NULL. */
static const struct sl_json *definition_of(const struct sl_json *list,
                                           struct sl_view name)
{
    for (size_t i = 0; name.ptr && i < sl_json_count(list); i++)
        if (sl_view_eq(sl_json_member(sl_json_at(list, i), "name"), name))
            return sl_json_at(list, i);
    return NULL;
}

static enum sl_status read_list(struct sl_json **list_out,
                                struct sl_error *error)
{
    return sl_json_parse(SL_SERVE_VIEW(prompts), list_out, error);
}

enum sl_status sl_prompt_has(struct sl_view prompt, struct sl_view argument,
                             bool *has_out, struct sl_error *error)
{
    struct sl_json *list;
    enum sl_status status = read_list(&list, error);
    if (status)
        return status;
    const struct sl_json *arguments =
        sl_json_get(definition_of(list, prompt), "arguments");
    *has_out = definition_of(arguments, argument) != NULL;
    sl_json_release(list);
    return SL_OK;
}

enum sl_status sl_serve_prompts_list(void *context, struct sl_mcp_call *call,
                                     struct sl_error *error)
{
    struct sl_json *list;
    struct sl_mcp_page page;
    (void)context;
    enum sl_status status = read_list(&list, error);
    if (status)
        return status;
    status = sl_mcp_page_of(call, sl_json_count(list), &page, error);
    if (!status) {
        sl_buf_puts(call->result, "\"prompts\":");
        sl_json_put(call->result, list);
    }
    sl_json_release(list);
    return status;
}

/* Every required argument is there, every argument is known, and all are text. */
static enum sl_status check_arguments(const struct sl_json *definition,
                                      const struct sl_json *given,
                                      struct sl_error *error)
{
    const struct sl_json *known = sl_json_get(definition, "arguments");
    struct sl_view key, text;
    const struct sl_json *value;
    for (void *at = NULL; sl_json_each(given, &at, &key, &value);) {
        struct sl_view shown = sl_view_sub(key, 0, 100);
        if (!definition_of(known, key))
            return sl_error_set(error, SL_ERR_USAGE,
                                "this prompt has no argument '%.*s'",
                                SL_ARG(shown));
        if (!sl_json_text(value, &text))
            return sl_error_set(error, SL_ERR_USAGE,
                                "the argument '%.*s' must be a string",
                                SL_ARG(shown));
    }
    for (size_t i = 0; i < sl_json_count(known); i++) {
        const struct sl_json *argument = sl_json_at(known, i);
        struct sl_view name = sl_json_member(argument, "name");
        bool is_required = false;
        (void)sl_json_bool(sl_json_get(argument, "required"), &is_required);
        if (is_required && !sl_json_member(given, name.ptr).len)
            return sl_error_set(error, SL_ERR_USAGE,
                                "the argument '%.*s' is missing", SL_ARG(name));
    }
    return SL_OK;
}

/* The text with {{NAME}} replaced by the argument of that name. */
static void fill(struct sl_buf *out, struct sl_view text,
                 const struct sl_json *given)
{
    size_t at = 0, begin;
    while ((begin = sl_view_find(text, SL_LIT("{{"), at)) != SIZE_MAX) {
        size_t end = sl_view_find(text, SL_LIT("}}"), begin);
        char name[32] = "";
        size_t len = end - begin - 2;
        if (end == SIZE_MAX || len >= sizeof name)
            break;
        memcpy(name, text.ptr + begin + 2, len);
        struct sl_view value = sl_json_member(given, name);
        sl_buf_add(out, sl_view_sub(text, at, begin));
        sl_buf_add(out, value.len ? value : SL_LIT("(not said)"));
        at = end + 2;
    }
    sl_buf_add(out, sl_view_sub(text, at, text.len));
}

/* What the knowledge base says first, as a resource that is read already. */
static enum sl_status put_answer(struct sl_serve *serve,
                                 const struct prompt *prompt,
                                 const struct sl_json *given,
                                 struct sl_buf *out, struct sl_error *error)
{
    struct sl_view question = prompt->asks ? sl_json_member(given, prompt->asks)
                                           : sl_view_of(prompt->question);
    struct sl_ask_options options = {3, SL_DEFAULT_BUDGET};
    struct sl_answer answer;
    struct sl_buf text;
    enum sl_status status =
        sl_ask(serve->corpus, sl_view_sub(question, 0, SL_MAX_QUESTION),
               &options, &answer, error);
    if (status)
        return status == SL_ERR_NOTFOUND ? SL_OK : status;
    sl_buf_init(&text, SL_MAX_OUTPUT);
    sl_answer_text(&text, serve->corpus, &answer);
    status = sl_buf_check(&text, error);
    sl_buf_puts(out, ",{\"role\":\"user\",\"content\":{\"type\":\"resource\","
                     "\"resource\":{\"uri\":\"");
    sl_uri_put_section(out, answer.sections[0].found.id);
    sl_buf_puts(out, "\",\"mimeType\":\"text/markdown\",");
    sl_mcp_put_text(out, "text", sl_buf_view(&text));
    sl_buf_puts(out, "}}}");
    sl_buf_release(&text);
    return status;
}

static enum sl_status put_messages(struct sl_serve *serve,
                                   const struct prompt *prompt,
                                   const struct sl_json *definition,
                                   const struct sl_json *given,
                                   struct sl_buf *out, struct sl_error *error)
{
    struct sl_buf text;
    sl_buf_init(&text, SL_MAX_MCP_ANSWER / 4);
    fill(&text, prompt->text, given);
    enum sl_status status = sl_buf_check(&text, error);
    sl_mcp_put_text(out, "description",
                    sl_json_member(definition, "description"));
    sl_buf_puts(out, ",\"messages\":[{\"role\":\"user\",\"content\":");
    sl_mcp_put_text_block(out, sl_buf_view(&text));
    sl_buf_putc(out, '}');
    sl_buf_release(&text);
    if (!status)
        status = put_answer(serve, prompt, given, out, error);
    sl_buf_putc(out, ']');
    return status;
}

enum sl_status sl_serve_prompts_get(void *context, struct sl_mcp_call *call,
                                    struct sl_error *error)
{
    struct sl_serve *serve = context;
    struct sl_view name = sl_json_member(call->params, "name");
    const struct sl_json *given = sl_json_get(call->params, "arguments");
    struct prompt prompt;
    struct sl_json *list;
    sl_serve_begin(serve);
    if (!name.ptr)
        return sl_error_set(error, SL_ERR_USAGE,
                            "params.name must be a string");
    if (given && !sl_json_is_object(given))
        return sl_error_set(error, SL_ERR_USAGE,
                            "params.arguments must be an object");
    if (!find(name, &prompt))
        return sl_error_set(error, SL_ERR_USAGE, "Unknown prompt: %.*s",
                            SL_ARG(sl_view_sub(name, 0, 100)));
    enum sl_status status = read_list(&list, error);
    if (status)
        return status;
    const struct sl_json *definition = definition_of(list, name);
    status = check_arguments(definition, given, error);
    if (!status)
        status = put_messages(serve, &prompt, definition, given, call->result,
                              error);
    sl_json_release(list);
    return status;
}
