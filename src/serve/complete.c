/* Completion of what templates and prompts ask for. */
#include "api/env.h"
#include "api/symbols.h"
#include "base/limits.h"
#include "serve/prompts.h"
#include "serve/serve.h"
#include "serve/uri.h"

/* Values that begin with what was typed come before those that only hold it. */
struct matches {
    struct sl_view typed;
    struct sl_view first[SL_MAX_COMPLETIONS], second[SL_MAX_COMPLETIONS];
    size_t first_count, second_count; /* also of those that are not kept */
    struct sl_view last; /* offered: candidates come in order, doubled ones too */
};

/* Whether text has the typed bytes at `at`, letter case apart. */
static bool has_at(struct sl_view text, size_t at, struct sl_view typed)
{
    if (typed.len > text.len || at > text.len - typed.len)
        return false;
    for (size_t i = 0; i < typed.len; i++)
        if (sl_lower(text.ptr[at + i]) != sl_lower(typed.ptr[i]))
            return false;
    return true;
}

static void offer(struct matches *matches, struct sl_view value)
{
    bool holds = false;
    if (matches->last.ptr && sl_view_eq(matches->last, value))
        return;
    matches->last = value;
    if (has_at(value, 0, matches->typed)) {
        if (matches->first_count < SL_MAX_COMPLETIONS)
            matches->first[matches->first_count] = value;
        matches->first_count++;
        return;
    }
    for (size_t at = 1; !holds && at < value.len; at++)
        holds = has_at(value, at, matches->typed);
    if (!holds)
        return;
    if (matches->second_count < SL_MAX_COMPLETIONS)
        matches->second[matches->second_count] = value;
    matches->second_count++;
}

static void put_matches(struct sl_buf *out, const struct matches *matches)
{
    size_t total = matches->first_count + matches->second_count;
    size_t shown = 0;
    sl_buf_puts(out, "\"completion\":{\"values\":[");
    for (size_t i = 0; i < total && shown < SL_MAX_COMPLETIONS; i++) {
        struct sl_view value = i < matches->first_count
                                   ? matches->first[i]
                                   : matches->second[i - matches->first_count];
        sl_buf_puts(out, shown++ ? ",\"" : "\"");
        sl_buf_json(out, value);
        sl_buf_putc(out, '"');
    }
    sl_buf_printf(out, "],\"total\":%zu,\"hasMore\":%s}", total,
                  total > shown ? "true" : "false");
}

/* What is asked for, and what was already chosen. */
struct asked {
    struct sl_corpus *corpus;
    const struct sl_json *chosen;
    struct matches *matches;
    struct sl_error *error;
};

static enum sl_status of_sections(struct asked *asked, bool slugs)
{
    struct sl_found *sections;
    size_t count;
    struct sl_view file = sl_json_member(asked->chosen, "file");
    enum sl_status status =
        sl_index_sections(asked->corpus->index, &asked->corpus->arena,
                          &sections, &count, asked->error);
    for (size_t i = 0; !status && i < count; i++) {
        struct sl_view id = sections[i].id;
        size_t hash = sl_view_find(id, SL_LIT("#"), 0);
        struct sl_view stem = sl_view_sub(id, 0, hash);
        if (!slugs)
            offer(asked->matches, stem);
        else if (hash != SIZE_MAX && (!file.ptr || sl_view_eq(file, stem)))
            offer(asked->matches, sl_view_sub(id, hash + 1, id.len));
    }
    return status;
}

static enum sl_status of_file(struct asked *asked)
{
    return of_sections(asked, false);
}

static enum sl_status of_slug(struct asked *asked)
{
    return of_sections(asked, true);
}

static enum sl_status of_source(struct asked *asked)
{
    for (size_t i = 0; i < asked->corpus->sources.count; i++)
        offer(asked->matches, asked->corpus->sources.items[i].id);
    return SL_OK;
}

/* Files of a line manifest: its lines "file PATH COUNT". */
static enum sl_status of_path(struct asked *asked)
{
    struct sl_view bytes, line;
    struct sl_view source = sl_json_member(asked->chosen, "source");
    if (!source.ptr ||
        !sl_sources_find(&asked->corpus->sources, source))
        return SL_OK;
    enum sl_status status =
        sl_corpus_manifest(asked->corpus, source, &bytes, asked->error);
    if (status)
        return status == SL_ERR_NOTFOUND ? SL_OK : status;
    while (sl_view_line(&bytes, &line)) {
        size_t end = line.len;
        if (!sl_view_starts(line, "file "))
            continue;
        while (end && line.ptr[end - 1] != ' ')
            end--;
        if (end > 5)
            offer(asked->matches, sl_view_sub(line, 5, end - 1));
    }
    return SL_OK;
}

static enum sl_status of_symbol(struct asked *asked)
{
    struct sl_view bytes, line, name;
    enum sl_status status =
        sl_corpus_read(asked->corpus, SL_SYMBOLS_TSV, &bytes, asked->error);
    while (!status && sl_view_line(&bytes, &line))
        if (sl_view_cut(&line, '\t', &name) && line.len &&
            !sl_view_is(name, "name"))
            offer(asked->matches, name);
    return status == SL_ERR_NOTFOUND ? SL_OK : status;
}

static enum sl_status of_env(struct asked *asked)
{
    struct sl_view bytes;
    struct sl_env_table table = {.count = 0};
    enum sl_status status =
        sl_corpus_read(asked->corpus, SL_ENV_TSV, &bytes, asked->error);
    if (!status)
        status = sl_env_parse(&asked->corpus->arena, bytes, &table,
                              asked->error);
    for (size_t i = 0; !status && i < table.count; i++)
        offer(asked->matches, table.items[i].name);
    return status == SL_ERR_NOTFOUND ? SL_OK : status;
}

static bool no_symbol(struct sl_view name, struct sl_view family,
                      const void *context)
{
    (void)name;
    (void)family;
    (void)context;
    return false;
}

static enum sl_status of_release(struct asked *asked)
{
    struct sl_symbols_text text = {SL_LIT(""), SL_LIT(""), SL_LIT("")};
    struct sl_symbols symbols = {.release_count = 0};
    struct sl_corpus *corpus = asked->corpus;
    enum sl_status status =
        sl_corpus_read(corpus, SL_SYMBOLS_TSV, &text.symbols, asked->error);
    if (!status)
        status = sl_corpus_read(corpus, SL_PACKAGES_TSV, &text.packages,
                                asked->error);
    if (!status)
        status = sl_symbols_select(&corpus->arena, &text, no_symbol, NULL,
                                   &symbols, asked->error);
    for (size_t i = symbols.release_count; !status && i > 0; i--)
        offer(asked->matches, symbols.releases[i - 1]); /* the newest first */
    return status == SL_ERR_NOTFOUND ? SL_OK : status;
}

static enum sl_status of_nothing(struct asked *asked)
{
    (void)asked;
    return SL_OK;
}

/* Which values an argument of a template has. */
static const struct {
    const char *uri, *argument;
    enum sl_status (*values)(struct asked *asked);
} templates[] = {
    {SL_URI_OF_SECTION, "file", of_file},
    {SL_URI_OF_SECTION, "slug", of_slug},
    {SL_URI_OF_SOURCE, "source", of_source},
    {SL_URI_OF_LINES, "source", of_source},
    {SL_URI_OF_LINES, "path", of_path},
    {SL_URI_OF_LINES, "lines", of_nothing},
    {SL_URI_OF_SYMBOL, "name", of_symbol},
    {SL_URI_OF_ENV, "name", of_env},
};

static enum sl_status complete(struct asked *asked, const struct sl_json *ref,
                               struct sl_view argument)
{
    struct sl_view type = sl_json_member(ref, "type");
    if (sl_view_is(type, "ref/prompt")) {
        bool is_known;
        enum sl_status status = sl_prompt_has(sl_json_member(ref, "name"),
                                              argument, &is_known,
                                              asked->error);
        if (!status && !is_known)
            return sl_error_set(asked->error, SL_ERR_USAGE,
                                "there is no such prompt or argument");
        return status || !sl_view_is(argument, "release") ? status
                                                          : of_release(asked);
    }
    struct sl_view uri = sl_json_member(ref, "uri");
    for (size_t i = 0; i < sizeof templates / sizeof *templates; i++)
        if (sl_view_is(type, "ref/resource") &&
            sl_view_is(uri, templates[i].uri) &&
            sl_view_is(argument, templates[i].argument))
            return templates[i].values(asked);
    return sl_error_set(asked->error, SL_ERR_USAGE,
                        "params.ref names no template or prompt of this "
                        "server, or that has no such argument");
}

enum sl_status sl_serve_complete(void *context, struct sl_mcp_call *call,
                                 struct sl_error *error)
{
    struct sl_serve *serve = context;
    const struct sl_json *argument = sl_json_get(call->params, "argument");
    struct sl_view name = sl_json_member(argument, "name");
    sl_serve_begin(serve);
    struct matches *matches =
        sl_arena_alloc(&serve->corpus->arena, sizeof *matches);
    if (!matches)
        return sl_error_nomem(error);
    matches->typed = sl_json_member(argument, "value");
    if (!name.ptr || !matches->typed.ptr)
        return sl_error_set(error, SL_ERR_USAGE,
                            "params.argument needs a name and a value");
    struct asked asked = {
        .corpus = serve->corpus,
        .chosen = sl_json_get(sl_json_get(call->params, "context"),
                              "arguments"),
        .matches = matches,
        .error = error,
    };
    enum sl_status status =
        complete(&asked, sl_json_get(call->params, "ref"), name);
    if (!status)
        put_matches(call->result, matches);
    return status;
}
