#include "answer/other.h"

#include "api/env.h"
#include "api/near.h"
#include "base/limits.h"

/* An empty text when the knowledge base has no such table. */
static enum sl_status read_text(struct sl_corpus *corpus, const char *path,
                                struct sl_view *text_out,
                                struct sl_error *error)
{
    struct sl_error why = {SL_OK, ""};
    *text_out = SL_LIT("");
    enum sl_status status = sl_corpus_read(corpus, path, text_out, &why);
    return status == SL_OK || status == SL_ERR_NOTFOUND
               ? SL_OK
               : sl_error_set(error, status, "%s", why.message);
}

static enum sl_status read_env(struct sl_corpus *corpus,
                               struct sl_env_table *table,
                               struct sl_error *error)
{
    struct sl_view text;
    enum sl_status status = read_text(corpus, SL_ENV_TSV, &text, error);
    *table = (struct sl_env_table){.count = 0};
    return status || !text.len
               ? status
               : sl_env_parse(&corpus->arena, text, table, error);
}

enum sl_status sl_near_variables(struct sl_corpus *corpus, struct sl_view name,
                                 struct sl_names_near *near_out,
                                 struct sl_error *error)
{
    struct sl_env_table table;
    struct sl_env_hits hits = {.count = 0};
    struct sl_names_near near = {.count = 0};
    enum sl_status status = read_env(corpus, &table, error);
    if (!status)
        status = sl_env_find(&corpus->arena, &table, name, &hits, error);
    near.exact = hits.count > 0;
    if (!status && !near.exact)
        status = sl_env_near(&corpus->arena, &table, name, SL_OTHER_MAX, &hits,
                             error);
    if (status)
        return status;
    for (size_t i = 0; i < hits.count && near.count < SL_OTHER_MAX; i++)
        near.names[near.count++] = table.items[hits.places[i]].name;
    *near_out = near;
    return SL_OK;
}

/* In the table's first column; the lines are not parsed. */
static bool has_name(struct sl_view symbols, struct sl_view name)
{
    struct sl_view line, first;
    while (sl_view_line(&symbols, &line))
        if (sl_view_cut(&line, '\t', &first) && sl_view_eq(first, name))
            return true;
    return false;
}

enum sl_status sl_near_symbols(struct sl_corpus *corpus, struct sl_view name,
                               struct sl_names_near *near_out,
                               struct sl_error *error)
{
    struct sl_view symbols;
    struct sl_near *found = NULL;
    struct sl_names_near near = {.count = 0};
    size_t count = 0;
    enum sl_status status = read_text(corpus, SL_SYMBOLS_TSV, &symbols, error);
    name = sl_name_clean(name);
    near.exact = !status && has_name(symbols, name);
    if (near.exact)
        near.names[near.count++] = name;
    else if (!status)
        status = sl_symbols_near(&corpus->arena, symbols, name, SL_OTHER_MAX,
                                 &found, &count, error);
    for (size_t i = 0; !status && i < count; i++)
        near.names[near.count++] = found[i].family;
    if (!status)
        *near_out = near;
    return status;
}

enum sl_status sl_is_variable(struct sl_corpus *corpus, struct sl_view name,
                              bool *is_out, struct sl_error *error)
{
    struct sl_env_table table;
    enum sl_status status = read_env(corpus, &table, error);
    *is_out = false;
    for (size_t i = 0; !status && i < table.count; i++)
        *is_out |= sl_view_eq(table.items[i].name, name);
    return status;
}

enum sl_status sl_is_symbol(struct sl_corpus *corpus, struct sl_view name,
                            bool *is_out, struct sl_error *error)
{
    struct sl_view symbols;
    enum sl_status status = read_text(corpus, SL_SYMBOLS_TSV, &symbols, error);
    *is_out = !status && has_name(symbols, name);
    return status;
}

struct sl_view sl_variable_clean(struct sl_view text)
{
    size_t value = sl_view_find(text, SL_LIT("="), 0);
    text = sl_view_trim(sl_view_sub(text, 0, value));
    for (size_t i = text.len; i-- > 0;)
        if (sl_is_space(text.ptr[i])) { /* export, -x */
            text = sl_view_sub(text, i + 1, text.len);
            break;
        }
    if (sl_view_starts(text, "$"))
        text = sl_view_sub(text, 1, text.len);
    if (sl_view_starts(text, "{") && sl_view_ends(text, "}"))
        text = sl_view_sub(text, 1, text.len - 1);
    return text;
}
