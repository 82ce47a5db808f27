#include "clang/macro.h"

#include <string.h>

#include "base/limits.h"

/* An expansion that a token comes out of, and the ones around it. */
struct use {
    size_t macro;
    const struct use *outer;
    unsigned depth;
};

struct token {
    struct token *next;
    struct sl_view text;
    struct sl_place spelled;
    struct sl_place written; /* in the body where it stands, or was pasted */
    const struct use *use;
    bool is_argument; /* spelled outside the body where it stands */
    bool is_pasted;
    size_t piece_count;
    struct sl_clang_token *pieces; /* of a pasted one */
};

struct tracer {
    struct sl_clang_macros *macros;
    size_t before;
    struct sl_arena scratch;
    struct sl_arena *arena;
    struct sl_made_names *names;
    size_t steps;
    struct sl_error *error;
};

/* A list being built, or an argument. */
struct list {
    struct token *first, *last;
};

void sl_clang_macros_init(struct sl_clang_macros *macros,
                          struct sl_arena *arena)
{
    *macros = (struct sl_clang_macros){.arena = arena};
    sl_map_init(&macros->latest, arena);
}

enum sl_status sl_clang_macros_add(struct sl_clang_macros *macros,
                                   struct sl_view name, void *source,
                                   struct sl_error *error)
{
    if (macros->count >= SL_MAX_MACROS)
        return sl_error_set(error, SL_ERR_LIMIT,
                            "more than %u macro definitions", SL_MAX_MACROS);
    struct sl_clang_macro *items = sl_arena_grow(macros->arena, macros->items,
                                                 sizeof *items, macros->count,
                                                 &macros->cap);
    if (!items)
        return sl_error_nomem(error);
    macros->items = items;
    bool added;
    size_t *latest = sl_map_put(&macros->latest, name, macros->count, &added);
    if (!latest)
        return sl_error_nomem(error);
    items[macros->count] = (struct sl_clang_macro){
        .name = name, .older = added ? SIZE_MAX : *latest, .source = source};
    *latest = macros->count++;
    return SL_OK;
}

static bool is_word(struct sl_view text)
{
    return text.len && (sl_is_alpha(text.ptr[0]) || text.ptr[0] == '_');
}

/* Reads `( a, b, ... )`; the place after it, or 0 when it does not end. */
static size_t read_parameters(struct sl_clang_macro *macro,
                              struct sl_view *names,
                              const struct sl_clang_token *tokens, size_t count)
{
    for (size_t i = 2; i < count; i++) {
        if (sl_view_is(tokens[i].text, ")"))
            return i + 1;
        if (sl_view_is(tokens[i].text, "...")) {
            macro->is_variadic = true;
            /* `args...` names the rest, a bare `...` is __VA_ARGS__ */
            if (!is_word(tokens[i - 1].text))
                names[macro->parameter_count++] = SL_LIT("__VA_ARGS__");
        } else if (is_word(tokens[i].text)) {
            names[macro->parameter_count++] = tokens[i].text;
        }
    }
    return 0;
}

enum sl_status sl_clang_macro_split(struct sl_clang_macros *macros, size_t i,
                                    const struct sl_clang_token *tokens,
                                    size_t count, bool is_function,
                                    struct sl_error *error)
{
    struct sl_clang_macro *macro = &macros->items[i];
    macro->loaded = true;
    macro->is_function = is_function;
    size_t body = 1;
    if (is_function) {
        size_t most = 1; /* tokens up to the end of the parameters */
        while (most < count && !sl_view_is(tokens[most].text, ")"))
            most++;
        struct sl_view *names = sl_arena_alloc(macros->arena,
                                               (most + 1) * sizeof *names);
        if (!names)
            return sl_error_nomem(error);
        body = read_parameters(macro, names, tokens, count);
        if (body == 0)
            return sl_error_set(error, SL_ERR_SYNTAX,
                                "the parameters of macro %.*s do not end",
                                SL_ARG(macro->name));
        macro->parameters = names;
    }
    if (count)
        macro->place = tokens[0].place;
    macro->body = tokens + (body < count ? body : count);
    macro->body_count = body < count ? count - body : 0;
    return SL_OK;
}

static void append(struct list *list, struct token *token)
{
    token->next = NULL;
    if (list->last)
        list->last->next = token;
    else
        list->first = token;
    list->last = token;
}

static struct token *copy(struct tracer *tracer, const struct token *from)
{
    struct token *token = sl_arena_alloc(&tracer->scratch, sizeof *token);
    if (token)
        *token = *from;
    return token;
}

static enum sl_status step(struct tracer *tracer)
{
    if (++tracer->steps > SL_MAX_MACRO_STEPS)
        return sl_error_set(tracer->error, SL_ERR_LIMIT,
                            "a macro expansion of over %u tokens",
                            SL_MAX_MACRO_STEPS);
    return SL_OK;
}

/* The definition that is in force for a name, or SIZE_MAX. */
static size_t find_macro(const struct tracer *tracer, struct sl_view name)
{
    const size_t *latest = sl_map_get(&tracer->macros->latest, name);
    size_t i = latest ? *latest : SIZE_MAX;
    while (i != SIZE_MAX && i >= tracer->before)
        i = tracer->macros->items[i].older;
    return i;
}

static bool is_inside(const struct use *use, size_t macro)
{
    for (; use; use = use->outer)
        if (use->macro == macro)
            return true;
    return false;
}

static size_t find_parameter(const struct sl_clang_macro *macro,
                             struct sl_view text)
{
    for (size_t i = 0; i < macro->parameter_count; i++)
        if (sl_view_eq(macro->parameters[i], text))
            return i;
    return SIZE_MAX;
}

static void add_piece(struct token *token, const struct token *from)
{
    if (from->is_pasted) {
        for (size_t i = 0; i < from->piece_count; i++)
            if (token->piece_count < SL_NAME_PIECES)
                token->pieces[token->piece_count++] = from->pieces[i];
    } else if (from->is_argument && token->piece_count < SL_NAME_PIECES) {
        token->pieces[token->piece_count++] = (struct sl_clang_token){
            from->text, from->spelled, 0};
    }
}

/* left ## right, into a new token in left's place. */
static enum sl_status paste(struct tracer *tracer, struct token *left,
                            const struct token *right, struct sl_place where)
{
    struct token old = *left;
    struct sl_view text;
    text.len = old.text.len + right->text.len;
    char *bytes = sl_arena_alloc(&tracer->scratch, text.len + 1);
    left->pieces = sl_arena_alloc(&tracer->scratch,
                                  SL_NAME_PIECES * sizeof *left->pieces);
    if (!bytes || !left->pieces)
        return sl_error_nomem(tracer->error);
    if (old.text.len)
        memcpy(bytes, old.text.ptr, old.text.len);
    if (right->text.len)
        memcpy(bytes + old.text.len, right->text.ptr, right->text.len);
    text.ptr = bytes;
    left->text = text;
    left->piece_count = 0;
    add_piece(left, &old);
    add_piece(left, right);
    left->written = old.is_pasted ? old.written : where;
    left->spelled = left->written;
    left->is_pasted = true;
    return SL_OK;
}

/* The next token of an expansion, after `##` when `pasted`. */
static enum sl_status put(struct tracer *tracer, struct list *out,
                          struct token *token, bool pasted,
                          struct sl_place where)
{
    if (!token)
        return sl_error_nomem(tracer->error);
    if (pasted && out->last)
        return paste(tracer, out->last, token, where);
    append(out, token);
    return step(tracer);
}

static enum sl_status put_argument(struct tracer *tracer, struct list *out,
                                   const struct list *argument, bool pasted,
                                   struct sl_place where)
{
    struct token empty = {.written = where};
    if (!argument->first) /* keeps the place beside a `##` */
        return put(tracer, out, copy(tracer, &empty), pasted, where);
    enum sl_status status = SL_OK;
    for (const struct token *t = argument->first; t && !status; t = t->next) {
        struct token *token = copy(tracer, t);
        if (token) {
            token->is_argument = true;
            if (!token->is_pasted)
                token->written = where;
        }
        status = put(tracer, out, token, pasted, where);
        pasted = false;
    }
    return status;
}

static enum sl_status substitute(struct tracer *tracer, size_t index,
                                 const struct list *arguments,
                                 const struct use *use, struct list *out)
{
    const struct sl_clang_macro *macro = &tracer->macros->items[index];
    enum sl_status status = SL_OK;
    bool pasted = false;
    for (size_t i = 0; i < macro->body_count && !status; i++) {
        const struct sl_clang_token *token = &macro->body[i];
        if (sl_view_is(token->text, "##")) {
            pasted = true;
            continue;
        }
        size_t parameter = find_parameter(macro, token->text);
        if (parameter != SIZE_MAX) {
            status = put_argument(tracer, out, &arguments[parameter], pasted,
                                  token->place);
        } else {
            struct token plain = {.text = token->text,
                                  .spelled = token->place,
                                  .written = token->place,
                                  .use = use};
            status = put(tracer, out, copy(tracer, &plain), pasted,
                         token->place);
        }
        pasted = false;
    }
    return status;
}

/*
 * Takes `( a, b )` off *rest, one list an argument; *found_out false when there
 * is no opening parenthesis or no closing one.
 */
static enum sl_status take_arguments(struct tracer *tracer,
                                     const struct sl_clang_macro *macro,
                                     struct token **rest,
                                     struct list *arguments, bool *found_out)
{
    *found_out = false;
    struct token *t = *rest;
    if (!t || !sl_view_is(t->text, "("))
        return SL_OK;
    size_t n = 0, depth = 0;
    for (t = t->next; t; t = t->next) {
        if (depth == 0 && sl_view_is(t->text, ")"))
            break;
        if (sl_view_is(t->text, "("))
            depth++;
        if (sl_view_is(t->text, ")"))
            depth--;
        bool is_rest = macro->is_variadic && n + 1 == macro->parameter_count;
        if (depth == 0 && !is_rest && sl_view_is(t->text, ",")) {
            n++;
            continue;
        }
        if (n >= macro->parameter_count)
            continue; /* the front end has complained already */
        struct token *token = copy(tracer, t);
        if (!token)
            return sl_error_nomem(tracer->error);
        append(&arguments[n], token);
    }
    if (!t)
        return SL_OK;
    *rest = t->next;
    *found_out = true;
    return SL_OK;
}

/* Puts what macro `index` gives in front of *rest. */
static enum sl_status expand(struct tracer *tracer, size_t index,
                             const struct token *name, struct token **rest,
                             bool *done_out)
{
    *done_out = false;
    struct sl_clang_macros *macros = tracer->macros;
    enum sl_status status = SL_OK;
    if (!macros->items[index].loaded)
        status = macros->load(macros, index, macros->context, tracer->error);
    if (status)
        return status;
    const struct sl_clang_macro *macro = &macros->items[index];
    struct list *arguments = sl_arena_alloc(
        &tracer->scratch, (macro->parameter_count + 1) * sizeof *arguments);
    struct use *use = sl_arena_alloc(&tracer->scratch, sizeof *use);
    if (!arguments || !use)
        return sl_error_nomem(tracer->error);
    if (macro->is_function) {
        bool found;
        status = take_arguments(tracer, macro, rest, arguments, &found);
        if (status || !found)
            return status;
    }
    *use = (struct use){index, name->use, name->use ? name->use->depth + 1 : 1};
    if (use->depth > SL_MAX_MACRO_DEPTH)
        return sl_error_set(tracer->error, SL_ERR_LIMIT,
                            "macro %.*s is expanded more than %u deep",
                            SL_ARG(macro->name), SL_MAX_MACRO_DEPTH);
    macros->items[index].is_used = true;
    struct list out = {NULL, NULL};
    status = substitute(tracer, index, arguments, use, &out);
    if (!status && out.last) {
        out.last->next = *rest;
        *rest = out.first;
    }
    *done_out = true;
    return status;
}

static enum sl_status keep(struct tracer *tracer, const struct token *token)
{
    struct sl_made_names *names = tracer->names;
    if (sl_map_get(&names->index, token->text))
        return SL_OK;
    struct sl_made_name *items = sl_arena_grow(
        tracer->arena, names->items, sizeof *items, names->count, &names->cap);
    struct sl_view text = sl_arena_copy(tracer->arena, token->text);
    if (!items || !text.ptr)
        return sl_error_nomem(tracer->error);
    names->items = items;
    struct sl_made_name *made = &items[names->count];
    *made = (struct sl_made_name){.name = text, .written = token->written};
    if (token->is_pasted) {
        made->piece_count = token->piece_count;
        for (size_t i = 0; i < token->piece_count; i++) {
            made->pieces[i] = token->pieces[i];
            made->pieces[i].text = sl_arena_copy(tracer->arena,
                                                 token->pieces[i].text);
            if (!made->pieces[i].text.ptr)
                return sl_error_nomem(tracer->error);
        }
    }
    if (!sl_map_put(&names->index, text, names->count, NULL))
        return sl_error_nomem(tracer->error);
    names->count++;
    return SL_OK;
}

static enum sl_status rewrite(struct tracer *tracer, struct token *rest)
{
    enum sl_status status = SL_OK;
    while (rest && !status) {
        struct token *token = rest;
        rest = rest->next;
        if (!is_word(token->text))
            continue;
        size_t macro = find_macro(tracer, token->text);
        bool done = false;
        if (macro != SIZE_MAX && !is_inside(token->use, macro))
            status = expand(tracer, macro, token, &rest, &done);
        if (!status && !done)
            status = keep(tracer, token);
    }
    return status;
}

enum sl_status sl_clang_macro_trace(struct sl_clang_macros *macros,
                                    size_t before,
                                    const struct sl_clang_token *tokens,
                                    size_t count, struct sl_arena *arena,
                                    struct sl_made_names *names_out,
                                    struct sl_error *error)
{
    struct sl_made_names names = {NULL, 0, 0, {NULL, NULL, 0, 0}};
    sl_map_init(&names.index, arena);
    struct tracer tracer = {.macros = macros,
                            .before = before,
                            .arena = arena,
                            .names = &names,
                            .error = error};
    sl_arena_init(&tracer.scratch, SL_MAX_MACRO_ARENA);
    struct list list = {NULL, NULL};
    enum sl_status status = SL_OK;
    for (size_t i = 0; i < count && !status; i++) {
        struct token plain = {.text = tokens[i].text,
                              .spelled = tokens[i].place,
                              .written = tokens[i].place};
        status = put(&tracer, &list, copy(&tracer, &plain), false,
                     tokens[i].place);
    }
    if (!status)
        status = rewrite(&tracer, list.first);
    status = sl_arena_explain(&tracer.scratch, status, error);
    sl_arena_release(&tracer.scratch);
    if (!status)
        *names_out = names;
    return status;
}

const struct sl_made_name *sl_clang_made_find(const struct sl_made_names *names,
                                              struct sl_view name)
{
    const size_t *i = sl_map_get(&names->index, name);
    return i ? &names->items[*i] : NULL;
}
