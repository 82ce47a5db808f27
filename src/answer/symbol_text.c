/* The text form of what is known of a name. */
#include "answer/fit.h"
#include "answer/symbol.h"
#include "base/limits.h"

#define SECTIONS_MAX 8u
#define MEMBERS_MAX 6u

/* Offset of the parameter list: the first " (" outside of <...>. */
static size_t parameters_at(struct sl_view signature)
{
    size_t depth = 0;
    for (size_t i = 0; i + 1 < signature.len; i++) {
        char c = signature.ptr[i];
        depth += c == '<';
        depth -= c == '>' && depth;
        if (!depth && c == ' ' && signature.ptr[i + 1] == '(')
            return i;
    }
    return SIZE_MAX;
}

static void declare_function(struct sl_buf *out, struct sl_view name,
                             struct sl_view signature)
{
    size_t at = parameters_at(signature);
    if (at == SIZE_MAX) {
        sl_buf_printf(out, "%.*s %.*s", SL_ARG(name), SL_ARG(signature));
        return;
    }
    struct sl_view result = sl_view_sub(signature, 0, at);
    sl_buf_printf(out, "%.*s%s%.*s%.*s", SL_ARG(result),
                  sl_view_ends(result, "*") ? "" : " ", SL_ARG(name),
                  SL_ARG(sl_view_sub(signature, at + 1, signature.len)));
}

void sl_symbol_declare(struct sl_buf *out, struct sl_view name,
                       enum sl_symbol_kind kind, struct sl_view signature)
{
    if (kind == SL_KIND_FUNCTION) {
        for (size_t at = 0; at < signature.len;) {
            size_t end = sl_view_find(signature, SL_LIT(" | "), at);
            if (at)
                sl_buf_putc(out, '\n');
            declare_function(out, name, sl_view_sub(signature, at, end));
            at = end == SIZE_MAX ? signature.len : end + 3;
        }
    } else if (sl_view_starts(signature, "#define")) {
        struct sl_view rest =
            sl_view_trim(sl_view_sub(signature, 7, signature.len));
        bool apart = rest.len && !sl_view_starts(signature, "#define (");
        sl_buf_printf(out, "#define %.*s%s%.*s", SL_ARG(name),
                      apart ? " " : "", SL_ARG(rest));
    } else {
        sl_buf_printf(out, "%.*s %.*s", SL_ARG(name), SL_ARG(signature));
    }
}

/* "<=3.1.7": in the oldest release that was read, perhaps in older ones. */
static void put_gate(struct sl_buf *out, const struct sl_symbols *symbols,
                     const struct sl_symbol *symbol)
{
    struct sl_view first = symbol->first;
    bool open = sl_view_starts(first, "<=");
    if (open)
        first = sl_view_sub(first, 2, first.len);
    sl_buf_printf(out, "releases   %.*s%s", SL_ARG(first),
                  open ? " (the oldest read)" : "");
    if (!sl_view_is(symbol->last, "-"))
        sl_buf_printf(out, " to %.*s: gone after it", SL_ARG(symbol->last));
    else if (symbols->release_count)
        sl_buf_printf(out, " to %.*s (the newest read)",
                      SL_ARG(symbols->releases[symbols->release_count - 1]));
    sl_buf_putc(out, '\n');
}

static void put_signature(struct sl_fit *fit,
                          const struct sl_symbol_answer *answer, size_t room)
{
    struct sl_buf text;
    sl_buf_init(&text, SL_MAX_SIGNATURE * 2ul);
    sl_symbol_declare(&text, answer->symbol->name, answer->symbol->kind,
                      answer->signature);
    if (text.len > room) {
        sl_buf_truncate(&text, room);
        sl_buf_puts(&text, " ...");
    }
    sl_buf_putc(&text, '\n');
    (void)sl_fit_add(fit, sl_buf_view(&text));
    sl_buf_release(&text);
}

/* Where the variable of the same name is told. */
static void put_variable(struct sl_fit *fit,
                         const struct sl_symbol_answer *answer,
                         struct sl_view name)
{
    if (answer->is_variable)
        (void)sl_fit_line(fit, "variable   `shmemlore env %.*s`\n",
                          SL_ARG(name));
}

static void put_head(struct sl_fit *fit, const struct sl_symbol_answer *answer)
{
    const struct sl_symbol *symbol = answer->symbol;
    bool internal = symbol->owner == SL_OWNER_INTERNAL;
    struct sl_buf gate;
    (void)sl_fit_line(fit, "%.*s: %s %s (%s)\n", SL_ARG(symbol->name),
                      internal ? "internal" : "public",
                      sl_symbol_kind_name(symbol->kind),
                      sl_symbol_owner_name(symbol->owner));
    if (answer->here)
        put_signature(fit, answer, fit->budget / 3);
    else
        (void)sl_fit_line(fit, "NOT in %.*s\n", SL_ARG(answer->release));
    if (internal)
        (void)sl_fit_line(fit, "warning    NVSHMEM's inside: any release may "
                               "change or drop it\n");
    sl_buf_init(&gate, 200);
    put_gate(&gate, &answer->symbols, symbol);
    (void)sl_fit_add(fit, sl_buf_view(&gate));
    sl_buf_release(&gate);
    put_variable(fit, answer, symbol->name);
}

static void put_where(struct sl_fit *fit, const struct sl_symbol *symbol)
{
    static const char *const scopes[] = {"", ", by one thread",
                                         ", by all threads of a warp",
                                         ", by all threads of a warp group",
                                         ", by all threads of a block"};
    static const char *const blocking[] = {"", ", blocking", ", nonblocking"};
    if (symbol->space != SL_SPACE_NONE)
        (void)sl_fit_line(fit, "called     %s%s%s\n",
                          sl_symbol_space_name(symbol->space),
                          scopes[symbol->scope], blocking[symbol->blocking]);
}

/* Where the signature was another: each stretch of releases. */
static void put_history(struct sl_fit *fit,
                        const struct sl_symbol_answer *answer)
{
    const struct sl_symbols *symbols = &answer->symbols;
    for (size_t i = 0; i < symbols->range_count; i++) {
        const struct sl_symbol_range *range = &symbols->ranges[i];
        if (!sl_view_eq(range->name, answer->symbol->name) ||
            (answer->here && sl_view_eq(range->signature, answer->signature)))
            continue;
        (void)sl_fit_line(fit, "in %.*s to %.*s: %.*s\n",
                          SL_ARG(range->first),
                          SL_ARG(sl_view_is(range->last, "-")
                                     ? SL_LIT("now")
                                     : range->last),
                          SL_ARG(range->signature));
    }
}

static void put_family(struct sl_fit *fit,
                       const struct sl_symbol_answer *answer)
{
    struct sl_buf line;
    size_t count = answer->symbols.count, told = 0;
    if (count < 2)
        return;
    sl_buf_init(&line, 4000);
    sl_buf_printf(&line, "family     %.*s, %zu names: ",
                  SL_ARG(answer->symbol->family), count);
    for (size_t i = 0; i < count && told < MEMBERS_MAX; i++)
        if (&answer->symbols.items[i] != answer->symbol)
            sl_buf_printf(&line, "%s%.*s", told++ ? ", " : "",
                          SL_ARG(answer->symbols.items[i].name));
    sl_buf_puts(&line, count - 1 > told ? ", ...\n" : "\n");
    (void)sl_fit_add(fit, sl_buf_view(&line));
    sl_buf_release(&line);
}

static void put_places(struct sl_fit *fit, const struct sl_corpus *corpus,
                       const struct sl_symbol_answer *answer)
{
    const struct sl_source *source =
        sl_sources_find(&corpus->sources, SL_LIT("nvshmem"));
    bool link = false;
    for (size_t i = 0; i < answer->place_count; i++) {
        const struct sl_symbol_place *place = &answer->places[i];
        link |= place->citation.len > 0;
        if (place->citation.len)
            (void)sl_fit_line(fit, "%-13s  %.*s\n", place->what,
                              SL_ARG(place->citation));
        else
            (void)sl_fit_line(fit, "%-13s  %.*s of %.*s's package\n",
                              place->what, SL_ARG(place->header),
                              SL_ARG(answer->symbol->release));
    }
    if (link && source)
        (void)sl_fit_line(fit,
                          "nvshmem:PATH:LINE = "
                          "%.*s/blob/%.*s/PATH#L<LINE>\n",
                          SL_ARG(source->repository), SL_ARG(source->commit));
}

static void put_users(struct sl_fit *fit, const struct sl_symbol_answer *answer)
{
    if (answer->user_count)
        (void)sl_fit_line(fit, "used by\n");
    for (size_t i = 0; i < answer->user_count; i++) {
        const struct sl_symbol_user *user = &answer->users[i];
        (void)sl_fit_line(fit, "  %.*s %zu: %.*s%s%s%s\n",
                          SL_ARG(user->source), user->count,
                          SL_ARG(user->place), user->count > 1 ? " ..." : "",
                          user->own ? " (defines it itself)" : "",
                          user->pasted ? " (a macro makes the name)" : "");
    }
}

static void put_sections(struct sl_fit *fit,
                         const struct sl_symbol_answer *answer)
{
    const struct sl_mentions *sections = &answer->sections;
    if (sections->count)
        (void)sl_fit_line(fit, "sections (`shmemlore show ID`)\n");
    for (size_t i = 0; i < sections->count && i < SECTIONS_MAX; i++)
        (void)sl_fit_line(fit, "  %.*s\n", SL_ARG(sections->items[i].id));
    if (sections->count > SECTIONS_MAX)
        (void)sl_fit_line(fit, "  and %zu more\n",
                          sections->count - SECTIONS_MAX);
}

/* True: all of it. */
static bool put_list(struct sl_fit *fit, const struct sl_symbol_answer *answer)
{
    size_t told = 0;
    while (told < answer->name_count &&
           sl_fit_line(fit, "%.*s\n", SL_ARG(answer->names[told]->name)))
        told++;
    if (told < answer->name_count)
        sl_buf_printf(fit->out,
                      "[%zu of %zu names; a larger budget shows more]\n",
                      told, answer->name_count);
    return told == answer->name_count;
}

/* A project's own name: that it is not NVSHMEM's, and which may be meant. */
static void put_foreign(struct sl_fit *fit,
                        const struct sl_symbol_answer *answer)
{
    struct sl_buf line;
    size_t told = 0;
    (void)sl_fit_line(fit, "%.*s: %s; no release of NVSHMEM has it\n",
                      SL_ARG(answer->asked),
                      answer->is_variable ? "an environment variable, no name "
                                            "of the API"
                                          : "not an NVSHMEM name");
    put_variable(fit, answer, answer->asked);
    for (size_t i = 0; i < answer->near_count; i++) {
        struct sl_view family = answer->near[i].family;
        (void)sl_fit_line(fit, "%-10s %.*s\n", i ? "" : "near it",
                          SL_ARG(family));
    }
    sl_buf_init(&line, 4000);
    sl_buf_puts(&line, "a name of its own in");
    for (size_t i = 0; i < answer->user_count; i++)
        if (answer->users[i].own)
            sl_buf_printf(&line, "%s %.*s", told++ ? "," : "",
                          SL_ARG(answer->users[i].source));
    sl_buf_putc(&line, '\n');
    (void)sl_fit_add(fit, sl_buf_view(&line));
    sl_buf_release(&line);
}

bool sl_symbol_text(struct sl_buf *out, const struct sl_corpus *corpus,
                    const struct sl_symbol_answer *answer, size_t budget)
{
    struct sl_fit fit;
    sl_fit_init(&fit, out, budget);
    if (answer->is_list)
        return put_list(&fit, answer);
    if (!answer->symbol) {
        put_foreign(&fit, answer);
    } else {
        put_head(&fit, answer);
        put_where(&fit, answer->symbol);
        put_history(&fit, answer);
        put_places(&fit, corpus, answer);
    }
    put_sections(&fit, answer);
    put_users(&fit, answer);
    if (answer->symbol)
        put_family(&fit, answer);
    sl_fit_close(&fit);
    return fit.left == 0;
}
