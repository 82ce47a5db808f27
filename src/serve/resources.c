/* Resources: sections, pinned sources, symbols, variables, and files of the skill. */
#include "answer/env.h"
#include "answer/show.h"
#include "answer/symbol.h"
#include "base/limits.h"
#include "kb/refs.h"
#include "mcp/message.h"
#include "serve/serve.h"
#include "serve/skill.h"
#include "serve/uri.h"

/* A resource is not an answer: it is read whole. */
#define NAME_BUDGET (16u << 10)

static void put_entry(struct sl_buf *out, const struct sl_mcp_link *link,
                      bool next)
{
    sl_buf_puts(out, next ? ",{" : "{");
    sl_mcp_put_link(out, link);
    sl_buf_putc(out, '}');
}

static void put_section(struct sl_buf *out, const struct sl_found *section,
                        bool next)
{
    struct sl_buf uri;
    sl_buf_init(&uri, SL_MAX_PATH * 4);
    sl_uri_put_section(&uri, section->id);
    struct sl_mcp_link link = {.uri = sl_buf_view(&uri),
                               .name = section->id,
                               .title = section->title,
                               .mime = "text/markdown"};
    put_entry(out, &link, next);
    sl_buf_release(&uri);
}

static void put_source(struct sl_buf *out, const struct sl_source *source,
                       bool next)
{
    struct sl_buf uri, name;
    sl_buf_init(&uri, SL_MAX_PATH * 4);
    sl_buf_init(&name, SL_MAX_PATH);
    sl_uri_put_source(&uri, source->id);
    sl_buf_printf(&name, "source:%.*s", SL_ARG(source->id));
    struct sl_mcp_link link = {.uri = sl_buf_view(&uri),
                               .name = sl_buf_view(&name),
                               .title = source->title,
                               .mime = "text/plain"};
    put_entry(out, &link, next);
    sl_buf_release(&uri);
    sl_buf_release(&name);
}

/* The skill, then the sources, then every section. */
enum sl_status sl_serve_resources_list(void *context, struct sl_mcp_call *call,
                                       struct sl_error *error)
{
    struct sl_serve *serve = context;
    struct sl_corpus *corpus = serve->corpus;
    struct sl_found *sections;
    size_t section_count;
    struct sl_skill skill;
    struct sl_mcp_page page;
    sl_serve_begin(serve);
    enum sl_status status =
        sl_index_sections(corpus->index, &corpus->arena, &sections,
                          &section_count, error);
    if (!status)
        status = sl_skill_load(corpus, &skill, error);
    size_t first = status ? 0 : skill.name.len ? 1 : 0;
    size_t sources = first + corpus->sources.count;
    if (!status)
        status = sl_mcp_page_of(call, sources + section_count, &page, error);
    if (status)
        return status;
    sl_buf_puts(call->result, "\"resources\":[");
    for (size_t i = page.begin; i < page.end; i++) {
        bool next = i > page.begin;
        if (i < first)
            sl_skill_put_resource(call->result, &skill);
        else if (i < sources)
            put_source(call->result, &corpus->sources.items[i - first], next);
        else
            put_section(call->result, &sections[i - sources], next);
    }
    sl_buf_putc(call->result, ']');
    sl_mcp_put_next(call, &page, sources + section_count);
    return SL_OK;
}

enum sl_status sl_serve_resources_templates(void *context,
                                            struct sl_mcp_call *call,
                                            struct sl_error *error)
{
    static const struct {
        const char *uri, *name, *title, *description, *mime;
    } list[] = {
        {SL_URI_OF_SECTION, "section", "A section",
         "A section of the knowledge base with all below it and its evidence",
         "text/markdown"},
        {SL_URI_OF_SOURCE, "source", "A pinned source",
         "A public tree that claims are cited from: commit, licence, files",
         "text/plain"},
        {SL_URI_OF_LINES, "lines",
         "Cited lines", "Lines of a pinned source (FIRST-LAST), or their "
         "permalink where the tree is not on this machine",
         "text/plain"},
        {SL_URI_OF_SYMBOL, "symbol", "A name of the API",
         "Signature, releases, header lines and users of a name", "text/plain"},
        {SL_URI_OF_ENV, "variable", "An environment variable",
         "Default, releases, readers and users of a variable", "text/plain"},
    };
    size_t count = sizeof list / sizeof *list;
    struct sl_mcp_page page;
    (void)context;
    enum sl_status status = sl_mcp_page_of(call, count, &page, error);
    if (status)
        return status;
    sl_buf_puts(call->result, "\"resourceTemplates\":[");
    for (size_t i = page.begin; i < page.end; i++)
        sl_buf_printf(call->result,
                      "%s{\"uriTemplate\":\"%s\",\"name\":\"%s\",\"title\":"
                      "\"%s\",\"description\":\"%s\",\"mimeType\":\"%s\"}",
                      i ? "," : "", list[i].uri, list[i].name, list[i].title,
                      list[i].description, list[i].mime);
    sl_buf_putc(call->result, ']');
    return SL_OK;
}

static enum sl_status source_text(const struct sl_corpus *corpus,
                                  struct sl_view id, struct sl_buf *out,
                                  struct sl_error *error)
{
    const struct sl_source *source = sl_sources_find(&corpus->sources, id);
    if (!source)
        return sl_error_set(error, SL_ERR_NOTFOUND, "no source '%.*s'",
                            SL_ARG(sl_view_sub(id, 0, 100)));
    sl_buf_printf(out,
                  "%.*s\nrepository: %.*s\nstate: %.*s, commit %.*s\n"
                  "licence: %.*s\nmay be cited:\n",
                  SL_ARG(source->title), SL_ARG(source->repository),
                  SL_ARG(source->tag), SL_ARG(source->commit),
                  SL_ARG(source->licence));
    for (size_t i = 0; i < source->cited_count; i++)
        sl_buf_printf(out, "  %.*s\n", SL_ARG(source->cited[i]));
    sl_buf_printf(out, "To read its files here: shmemlore sources sync %.*s\n",
                  SL_ARG(source->id));
    return SL_OK;
}

static enum sl_status name_text(struct sl_corpus *corpus,
                                const struct sl_uri *uri, struct sl_buf *out,
                                struct sl_error *error)
{
    struct sl_view none = {NULL, 0};
    struct sl_symbol_answer symbol;
    struct sl_env_answer env;
    enum sl_status status;
    if (uri->kind == SL_URI_SYMBOL) {
        status = sl_symbol_ask(corpus, uri->ref, none, &symbol, error);
        if (!status)
            sl_symbol_text(out, corpus, &symbol, NAME_BUDGET);
    } else {
        status = sl_env_ask(corpus, uri->ref, none, &env, error);
        if (!status)
            sl_env_text(out, corpus, &env, NAME_BUDGET);
    }
    return status;
}

/* Text of everything but a skill's files. */
static enum sl_status read_text(struct sl_serve *serve,
                                const struct sl_uri *uri,
                                struct sl_mcp_call *call, struct sl_buf *out,
                                struct sl_error *error)
{
    switch (uri->kind) {
    case SL_URI_SOURCE:
        return source_text(serve->corpus, uri->ref, out, error);
    case SL_URI_SYMBOL:
    case SL_URI_ENV:
        return name_text(serve->corpus, uri, out, error);
    case SL_URI_LINES:
        call->is_private = true; /* a tree of this machine, or none */
        if (!sl_text_is_citation(uri->ref)) /* but a glob, for one */
            return sl_error_set(error, SL_ERR_NOTFOUND,
                                "'%.*s' is no SOURCE:PATH:LINES",
                                SL_ARG(sl_view_sub(uri->ref, 0, 200)));
        break;
    default:
        break;
    }
    return sl_show(serve->corpus, uri->ref, false, NAME_BUDGET, out, error);
}

static enum sl_status read_uri(struct sl_serve *serve, struct sl_view text,
                               struct sl_mcp_call *call, struct sl_error *error)
{
    struct sl_uri uri;
    struct sl_corpus *corpus = serve->corpus;
    enum sl_status status = sl_uri_read(&corpus->arena, text, &uri, error);
    if (status)
        return status;
    sl_buf_puts(call->result, "\"contents\":[{");
    sl_mcp_put_text(call->result, "uri", text);
    if (uri.kind == SL_URI_SKILL) {
        status = sl_skill_put_file(call->result, corpus, uri.ref, error);
    } else {
        struct sl_buf body;
        sl_buf_init(&body, SL_MAX_MCP_ANSWER / 4);
        status = read_text(serve, &uri, call, &body, error);
        if (!status)
            status = sl_buf_check(&body, error);
        sl_buf_printf(call->result, ",\"mimeType\":\"%s\",",
                      uri.kind == SL_URI_SECTION ? "text/markdown"
                                                 : "text/plain");
        sl_mcp_put_text(call->result, "text", sl_buf_view(&body));
        sl_buf_release(&body);
    }
    sl_buf_puts(call->result, "}]");
    return status;
}

enum sl_status sl_serve_resources_read(void *context, struct sl_mcp_call *call,
                                       struct sl_error *error)
{
    struct sl_serve *serve = context;
    struct sl_view uri = sl_json_member(call->params, "uri");
    sl_serve_begin(serve);
    if (!uri.ptr)
        return sl_error_set(error, SL_ERR_USAGE, "params.uri must be a string");
    enum sl_status status = read_uri(serve, uri, call, error);
    if (status == SL_ERR_NOTFOUND) {
        /* one of our addresses, or not: for a client it does not exist */
        if (call->version < SL_MCP_2026_07_28)
            call->code = SL_RPC_NO_RESOURCE;
        sl_buf_putc(call->data, '{');
        sl_mcp_put_text(call->data, "uri", sl_view_sub(uri, 0, 1000));
        sl_buf_putc(call->data, '}');
    }
    return status;
}
