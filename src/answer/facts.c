#include "answer/facts.h"

#include <string.h>
#include <strings.h>

#include "api/env.h"
#include "base/limits.h"

#define MOST 8u /* names of a question that are looked up */
#define ENOUGH 200u /* bytes of facts after which no further one is told */

struct named {
    struct sl_view items[MOST];
    size_t count;
    bool asks; /* for a release */
};

static const char *const release_words[] = {
    "added",      "available", "dropped",  "gone",    "introduced", "release",
    "releases",   "removed",   "since",    "version", "versions",
};

static void look_at(struct named *named, struct sl_view word)
{
    for (size_t i = 0; i < sizeof release_words / sizeof *release_words; i++)
        if (strlen(release_words[i]) == word.len &&
            strncasecmp(release_words[i], word.ptr, word.len) == 0)
            named->asks = true;
    if (named->count == MOST || word.len < 9 ||
        (!sl_view_starts(word, "nvshmem") && !sl_view_starts(word, "NVSHMEM")))
        return;
    for (size_t i = 0; i < named->count; i++)
        if (sl_view_eq(named->items[i], word))
            return;
    named->items[named->count++] = word;
}

static struct named names_in(struct sl_view question)
{
    struct named named = {.count = 0};
    for (size_t at = 0; at < question.len;) {
        size_t end = at;
        while (end < question.len && sl_is_word(question.ptr[end]))
            end++;
        if (end > at)
            look_at(&named, sl_view_sub(question, at, end));
        at = end + 1;
    }
    return named;
}

static bool is_named(struct sl_view name, struct sl_view family,
                     const void *context)
{
    const struct named *named = context;
    (void)family;
    for (size_t i = 0; i < named->count; i++)
        if (sl_view_eq(named->items[i], name))
            return true;
    return false;
}

/* first may begin with "<=", last is empty or "-" where it is the newest. */
static void put_fact(struct sl_buf *out, struct sl_view name,
                     struct sl_view first, struct sl_view last,
                     struct sl_view newest, const char *command)
{
    bool open = sl_view_starts(first, "<=");
    bool stays = !last.len || sl_view_is(last, "-") || sl_view_eq(last, newest);
    if (open)
        first = sl_view_sub(first, 2, first.len);
    sl_buf_printf(out,
                  "(%.*s: releases %.*s%s to %.*s%s; `shmemlore %s %.*s` tells "
                  "more)\n",
                  SL_ARG(name), SL_ARG(first), open ? " (the oldest read)" : "",
                  SL_ARG(stays ? newest : last),
                  stays ? " (the newest read)" : ", gone after it", command,
                  SL_ARG(name));
}

static enum sl_status put_symbols(struct sl_corpus *corpus,
                                  const struct named *named, struct sl_buf *out,
                                  struct sl_error *error)
{
    struct sl_symbols_text text;
    struct sl_symbols symbols;
    enum sl_status status = sl_corpus_symbols(corpus, &text, error);
    if (status == SL_ERR_USAGE) /* no tables */
        return SL_OK;
    if (!status)
        status = sl_symbols_select(&corpus->arena, &text, is_named, named,
                                   &symbols, error);
    if (status || !symbols.release_count)
        return status;
    for (size_t i = 0; i < named->count; i++) {
        const struct sl_symbol *symbol =
            sl_symbols_find(&symbols, named->items[i]);
        if (symbol && out->len < ENOUGH)
            put_fact(out, symbol->name, symbol->first, symbol->last,
                     symbols.releases[symbols.release_count - 1], "symbol");
    }
    return SL_OK;
}

static enum sl_status put_variables(struct sl_corpus *corpus,
                                    const struct named *named,
                                    struct sl_buf *out, struct sl_error *error)
{
    struct sl_view bytes;
    struct sl_env_table table;
    enum sl_status status = sl_corpus_read(corpus, SL_ENV_TSV, &bytes, error);
    if (status == SL_ERR_NOTFOUND)
        return SL_OK;
    if (!status)
        status = sl_env_parse(&corpus->arena, bytes, &table, error);
    if (status || !table.release_count)
        return status;
    for (size_t i = 0; i < table.count; i++) {
        const struct sl_env *row = &table.items[i];
        if (row->first.len && row->kind == SL_ENV_RUN &&
            out->len < ENOUGH && is_named(row->name, row->name, named))
            put_fact(out, row->name, row->first, row->last,
                     table.releases[table.release_count - 1], "env");
    }
    return SL_OK;
}

enum sl_status sl_facts_of(struct sl_corpus *corpus, struct sl_view question,
                           struct sl_view *facts_out, struct sl_error *error)
{
    struct named named = names_in(question);
    struct sl_buf text;
    *facts_out = (struct sl_view){NULL, 0};
    if (!named.asks || !named.count)
        return SL_OK;
    sl_buf_init(&text, SL_MAX_OUTPUT);
    enum sl_status status = put_symbols(corpus, &named, &text, error);
    if (!status)
        status = put_variables(corpus, &named, &text, error);
    if (!status && text.len) {
        sl_buf_putc(&text, '\n');
        status = sl_buf_check(&text, error);
        if (!status)
            *facts_out = sl_arena_copy(&corpus->arena, sl_buf_view(&text));
        if (!status && !facts_out->ptr)
            status = sl_error_nomem(error);
    }
    sl_buf_release(&text);
    return status;
}
