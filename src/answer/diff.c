#include "answer/diff.h"

#include "answer/members.h"
#include "api/release.h"
#include "base/limits.h"

static bool is_wanted(const struct sl_diff_wants *wants,
                      const struct sl_change *change)
{
    return wants->internal || change->symbol->owner != SL_OWNER_INTERNAL;
}

/* A call of it never linked: it stood in headers and in no library. */
static bool is_unlinked(const struct sl_symbol *symbol)
{
    return symbol->space == SL_SPACE_DECLARED;
}

/* Of one family, kind and pair of signatures: told in one line. */
static bool is_first_alike(const struct sl_diff_wants *wants,
                           const struct sl_changes *changes, size_t i,
                           size_t *count_out)
{
    const struct sl_change *one = &changes->items[i];
    *count_out = 1;
    if (wants->names)
        return true;
    for (size_t k = 0; k < changes->count; k++) {
        const struct sl_change *other = &changes->items[k];
        if (k == i || other->kind != one->kind ||
            is_unlinked(other->symbol) != is_unlinked(one->symbol) ||
            !sl_view_eq(other->symbol->family, one->symbol->family))
            continue;
        if (k < i)
            return false;
        (*count_out)++;
    }
    return true;
}

static void put_one(struct sl_buf *out, const struct sl_change *change,
                    size_t alike)
{
    static const char marks[] = {'+', '-', '~'};
    const struct sl_symbol *symbol = change->symbol;
    sl_buf_printf(out, "%c %.*s", marks[change->kind],
                  SL_ARG(alike > 1 ? symbol->family : symbol->name));
    if (alike > 1)
        sl_buf_printf(out, " (%zu names, such as %.*s)", alike,
                      SL_ARG(symbol->name));
    if (symbol->owner == SL_OWNER_INTERNAL)
        sl_buf_puts(out, " (internal)");
    if (is_unlinked(symbol))
        sl_buf_printf(out, " (declared only: in no library of %.*s)",
                      SL_ARG(symbol->release));
    sl_buf_putc(out, '\n');
    if (change->before.ptr && change->kind != SL_CHANGE_ADDED)
        sl_buf_printf(out, "    was %.*s\n", SL_ARG(change->before));
    if (change->after.ptr && change->kind != SL_CHANGE_REMOVED)
        sl_buf_printf(out, "    %s %.*s\n",
                      change->kind == SL_CHANGE_ADDED ? "is " : "now",
                      SL_ARG(change->after));
}

static void put_variables(struct sl_buf *out,
                          const struct sl_env_changes *variables)
{
    static const char *const titles[] = {"variables that came",
                                         "variables that went"};
    static const enum sl_change_kind order[] = {SL_CHANGE_REMOVED,
                                                SL_CHANGE_ADDED};
    for (size_t n = 0; n < 2; n++) {
        bool some = false;
        for (size_t i = 0; i < variables->count; i++) {
            const struct sl_env_change *change = &variables->items[i];
            if (change->kind != order[n])
                continue;
            if (!some)
                sl_buf_printf(out, "\n%s\n", titles[change->kind]);
            some = true;
            sl_buf_printf(out, "%c %.*s",
                          change->kind == SL_CHANGE_ADDED ? '+' : '-',
                          SL_ARG(change->env->name));
            if (change->env->readers.len)
                sl_buf_printf(out, " (%.*s)", SL_ARG(change->env->readers));
            sl_buf_putc(out, '\n');
        }
    }
}

void sl_diff_text(struct sl_buf *out, const struct sl_diff_answer *answer,
                  const struct sl_diff_wants *wants)
{
    const struct sl_changes *changes = &answer->changes;
    const struct sl_env_changes *variables = &answer->variables;
    size_t counts[3] = {0, 0, 0}, internal = 0;
    for (size_t i = 0; i < changes->count; i++) {
        if (is_wanted(wants, &changes->items[i]))
            counts[changes->items[i].kind]++;
        else
            internal++;
    }
    sl_buf_printf(out,
                  "NVSHMEM %.*s to %.*s: %zu names added, %zu removed, %zu "
                  "with another signature",
                  SL_ARG(answer->from), SL_ARG(answer->to), counts[0],
                  counts[1], counts[2]);
    if (internal)
        sl_buf_printf(out, "; %zu changes of internal names (--internal)",
                      internal);
    sl_buf_printf(out, "; %zu variables came or went\n", variables->count);
    static const char *const titles[] = {"added", "removed",
                                         "with another signature"};
    static const enum sl_change_kind order[] = {
        SL_CHANGE_REMOVED, SL_CHANGE_SIGNATURE, SL_CHANGE_ADDED};
    for (size_t n = 0; n < 3; n++) {
        if (!counts[order[n]])
            continue;
        sl_buf_printf(out, "\n%s\n", titles[order[n]]);
        for (size_t i = 0; i < changes->count; i++) {
            const struct sl_change *change = &changes->items[i];
            size_t alike;
            if (change->kind == order[n] && is_wanted(wants, change) &&
                is_first_alike(wants, changes, i, &alike))
                put_one(out, change, alike);
        }
    }
    put_variables(out, variables);
}

static void put_json_variables(struct sl_buf *out,
                               const struct sl_env_changes *variables)
{
    sl_buf_puts(out, ", \"variables\": [");
    for (size_t i = 0; i < variables->count; i++) {
        const struct sl_env_change *change = &variables->items[i];
        sl_buf_printf(out, "%s\n  {\"change\": \"%s\"", i ? "," : "",
                      sl_change_kind_name(change->kind));
        sl_put_next(out, "name", change->env->name);
        sl_put_next(out, "readers", change->env->readers);
        sl_put_next(out, "evidence", change->env->evidence);
        sl_buf_putc(out, '}');
    }
    sl_buf_puts(out, variables->count ? "\n]" : "]");
}

void sl_diff_json(struct sl_buf *out, const struct sl_diff_answer *answer,
                  const struct sl_diff_wants *wants)
{
    const struct sl_changes *changes = &answer->changes;
    sl_buf_puts(out, "{\"schema\": \"shmemlore-index-diff/1\"");
    sl_put_next(out, "from", answer->from);
    sl_put_next(out, "to", answer->to);
    sl_buf_puts(out, ", \"names\": [");
    bool some = false;
    for (size_t i = 0; i < changes->count; i++) {
        const struct sl_change *change = &changes->items[i];
        if (!is_wanted(wants, change))
            continue;
        struct sl_view none = {NULL, 0};
        sl_buf_printf(out, "%s\n  {\"change\": \"%s\"", some ? "," : "",
                      sl_change_kind_name(change->kind));
        sl_put_next(out, "name", change->symbol->name);
        sl_put_next(out, "family", change->symbol->family);
        sl_put_next(out, "kind",
                   sl_view_of(sl_symbol_kind_name(change->symbol->kind)));
        sl_put_next(out, "owner",
                   sl_view_of(sl_symbol_owner_name(change->symbol->owner)));
        sl_put_next(out, "space",
                   sl_view_of(sl_symbol_space_name(change->symbol->space)));
        sl_put_next(out, "before",
                   change->kind == SL_CHANGE_ADDED ? none : change->before);
        sl_put_next(out, "after",
                   change->kind == SL_CHANGE_REMOVED ? none : change->after);
        sl_buf_putc(out, '}');
        some = true;
    }
    sl_buf_puts(out, some ? "\n]" : "]");
    put_json_variables(out, &answer->variables);
    sl_buf_puts(out, "}\n");
}

static enum sl_status diff_names(struct sl_corpus *corpus,
                                 struct sl_diff_answer *answer,
                                 struct sl_error *error)
{
    struct sl_symbols_text text;
    struct sl_symbols symbols;
    enum sl_status status = sl_corpus_symbols(corpus, &text, error);
    if (!status)
        status = sl_symbols_select(&corpus->arena, &text, NULL, NULL, &symbols,
                                   error);
    if (!status)
        status = sl_release_pair(symbols.releases, symbols.release_count,
                                 &answer->from, &answer->to, error);
    if (!status)
        status = sl_api_diff(&corpus->arena, &symbols, answer->from, answer->to,
                             &answer->changes, error);
    return status;
}

/* A project without the table has no variables to tell. */
static enum sl_status diff_variables(struct sl_corpus *corpus,
                                     struct sl_diff_answer *answer,
                                     struct sl_error *error)
{
    struct sl_env_table table;
    struct sl_view bytes;
    enum sl_status status = sl_corpus_read(corpus, SL_ENV_TSV, &bytes, error);
    if (status == SL_ERR_NOTFOUND) {
        *error = (struct sl_error){SL_OK, ""};
        return SL_OK;
    }
    if (!status)
        status = sl_env_parse(&corpus->arena, bytes, &table, error);
    if (!status)
        status = sl_env_diff(&corpus->arena, &table, answer->from, answer->to,
                             &answer->variables, error);
    return status;
}

enum sl_status sl_diff_ask(struct sl_corpus *corpus, struct sl_view from,
                           struct sl_view to, struct sl_diff_answer *answer_out,
                           struct sl_error *error)
{
    struct sl_diff_answer answer = {.from = from, .to = to};
    enum sl_status status = diff_names(corpus, &answer, error);
    if (!status)
        status = diff_variables(corpus, &answer, error);
    if (!status)
        *answer_out = answer;
    return status;
}
