/* What is told of one macro: a value, a constant, or code. */
#include <string.h>

#include "base/limits.h"
#include "clang/internal.h"
#include "text/hash.h"

/* The token after `sizeof (...)` that begins at i. */
static size_t skip_sizeof(const struct sl_clang_macro *macro, size_t i)
{
    size_t depth = 0;
    for (i++; i < macro->body_count; i++) {
        depth += sl_view_is(macro->body[i].text, "(");
        if (sl_view_is(macro->body[i].text, ")") && --depth == 0)
            return i + 1;
        if (!depth)
            return i + 1; /* sizeof x */
    }
    return i;
}

static bool is_value(struct sl_reader *reader,
                     const struct sl_clang_macro *macro, unsigned level);

/* `{1, {X, sizeof(y)}}`: what a variable begins with; no statement, no call. */
static bool is_initialiser(const struct sl_clang_macro *macro)
{
    const struct sl_clang_token *body = macro->body;
    size_t n = macro->body_count;
    if (macro->is_function || n < 2 || !sl_view_is(body[0].text, "{") ||
        !sl_view_is(body[n - 1].text, "}"))
        return false;
    for (size_t i = 0; i < n; i++) {
        struct sl_view text = body[i].text;
        bool call = i + 1 < n && sl_is_alpha(text.ptr[0]) &&
                    sl_view_is(body[i + 1].text, "(") &&
                    !sl_view_is(text, "sizeof");
        if (call || text.ptr[0] == ';' || text.ptr[0] == '#')
            return false;
    }
    return true;
}

/* A name that stands for a value: of a macro, or spelled as constants are. */
static bool names_value(struct sl_reader *reader, struct sl_view name,
                        unsigned level)
{
    struct sl_clang_macros *macros = &reader->macros;
    if (sl_view_starts(name, "NVSHMEM") || sl_view_starts(name, "INT") ||
        sl_view_starts(name, "U"))
        return true;
    const size_t *index = sl_map_get(&macros->latest, name);
    if (!index || level >= SL_MAX_NESTED_MACROS)
        return false;
    if (!reader->status && !macros->items[*index].loaded)
        reader->status = macros->load(macros, *index, macros->context,
                                      reader->error);
    const struct sl_clang_macro *macro = &macros->items[*index];
    return !reader->status &&
           (is_value(reader, macro, level + 1) || is_initialiser(macro));
}

/* A value, not code: literals, operators, sizes and names of constants. */
static bool is_value(struct sl_reader *reader,
                     const struct sl_clang_macro *macro, unsigned level)
{
    if (macro->is_function || macro->body_count == 0)
        return false;
    bool told = false;
    for (size_t i = 0; i < macro->body_count; i++) {
        struct sl_view text = macro->body[i].text;
        char c = text.ptr[0];
        if (sl_view_is(text, "sizeof")) {
            i = skip_sizeof(macro, i) - 1;
            told = true;
        } else if (sl_is_digit(c) || c == '"' || c == '\'' ||
                   (sl_is_word(c) && names_value(reader, text, level))) {
            told = true;
        } else if (sl_is_word(c) || strchr("{};#\\", c)) {
            return false;
        }
    }
    return told;
}

static void put_macro_parameters(const struct sl_clang_macro *macro,
                                 struct sl_buf *out)
{
    sl_buf_puts(out, " (");
    for (size_t i = 0; i < macro->parameter_count; i++) {
        struct sl_view name = macro->parameters[i];
        sl_buf_puts(out, i ? ", " : "");
        if (!sl_view_is(name, "__VA_ARGS__")) /* written `...` */
            sl_buf_add(out, name);
    }
    sl_buf_puts(out, macro->is_variadic ? "...)" : ")");
}

/* The tokens; a blank only between words. */
static void put_macro_body(const struct sl_clang_macro *macro,
                           struct sl_buf *out)
{
    sl_buf_putc(out, ' ');
    for (size_t i = 0; i < macro->body_count; i++) {
        struct sl_view text = macro->body[i].text;
        if (out->len && sl_is_word(text.ptr[0]) &&
            sl_is_word(out->ptr[out->len - 1]))
            sl_buf_putc(out, ' ');
        sl_buf_add(out, text.len > SL_MAX_LITERAL ? SL_LIT("\"...\"") : text);
    }
}

/*
 * " {... #1a2b3c4d}": of a body that is not told, a digest of its tokens, so that one
 * that is another in another release is told from one that stays.
 */
static void put_digest(const struct sl_clang_macro *macro, bool braces,
                       struct sl_buf *out)
{
    struct sl_buf body;
    sl_buf_init(&body, SL_MAX_SOURCE_FILE);
    for (size_t i = 0; i < macro->body_count; i++) {
        sl_buf_add(&body, macro->body[i].text);
        sl_buf_putc(&body, ' ');
    }
    if (body.failed)
        out->failed = body.failed;
    sl_buf_printf(out, braces ? " {... #%08x}" : " ... #%08x",
                  (unsigned)sl_bytes_hash(sl_buf_view(&body)));
    sl_buf_release(&body);
}

static bool has_long_literal(const struct sl_clang_macro *macro)
{
    for (size_t i = 0; i < macro->body_count; i++)
        if (macro->body[i].text.len > SL_MAX_LITERAL)
            return true;
    return false;
}

/* What is told of the body: all of it, a digest, or what is short of it and that. */
static void put_body(const struct sl_clang_macro *macro, bool told,
                     bool initialiser, struct sl_buf *out)
{
    bool is_alias = !macro->is_function && macro->body_count == 1;
    bool whole = told || is_alias;
    if (whole)
        put_macro_body(macro, out);
    if (out->len > SL_MAX_INITIALISER && initialiser) {
        sl_buf_truncate(out, sizeof "#define" - 1);
        put_digest(macro, true, out);
    } else if (macro->body_count && (!whole || has_long_literal(macro))) {
        put_digest(macro, false, out);
    }
}

enum sl_status sl_clang_describe_macro(struct sl_reader *reader, size_t index,
                                       struct sl_decl *decl)
{
    const struct sl_clang_macro *macro = &reader->macros.items[index];
    struct sl_buf out;
    sl_buf_init(&out, SL_MAX_SIGNATURE);
    sl_buf_puts(&out, "#define");
    if (macro->is_function)
        put_macro_parameters(macro, &out);
    bool initialiser = is_initialiser(macro);
    bool told = is_value(reader, macro, 0) || initialiser;
    put_body(macro, told, initialiser, &out);
    if (told)
        decl->kind = SL_DECL_CONSTANT;
    decl->is_empty = macro->body_count == 0;
    /* libclang says function-like only of macros that are defined at the end */
    decl->is_template = macro->is_used ||
                        (macro->is_function &&
                         !clang_Cursor_isMacroFunctionLike(
                             *(const CXCursor *)macro->source));
    decl->is_definition = true;
    enum sl_status status = sl_clang_keep(reader, &out, &decl->signature);
    decl->types = decl->bare = decl->signature;
    sl_buf_release(&out);
    return status ? status : reader->status;
}
