#include "overlap/latex.h"

#include <string.h>

#include "base/limits.h"

/* What LaTeX and its packages define, as far as it prints words. */
static const char known[] = "\\newcommand{\\acp}[1]{#1s}"
                            "\\newcommand{\\acsp}[1]{#1s}"
                            "\\newcommand{\\LaTeX}{LaTeX}"
                            "\\newcommand{\\TeX}{TeX}"
                            "\\newcommand{\\ss}{ß}"
                            "\\newcommand{\\ae}{æ}"
                            "\\newcommand{\\o}{ø}"
                            "\\newcommand{\\i}{i}";

static size_t skip_blanks(struct sl_view text, size_t at)
{
    while (at < text.len && sl_is_space(text.ptr[at]))
        at++;
    return at;
}

static size_t skip_comment(struct sl_view text, size_t at)
{
    while (at < text.len && text.ptr[at] != '\n')
        at++;
    return at;
}

size_t sl_latex_steps(struct sl_view text)
{
    return (text.len + 4096) * SL_MAX_LATEX_STEPS;
}

static bool ends_paragraph(struct sl_view text, size_t at)
{
    for (at++; at < text.len && sl_is_space(text.ptr[at]); at++)
        if (text.ptr[at] == '\n')
            return true;
    return false;
}

size_t sl_latex_close(struct sl_view text, size_t at, size_t *left)
{
    const char open = text.ptr[at], close = open == '{' ? '}' : ']';
    size_t depth = 0; /* of braces */
    for (size_t i = at + 1; i < text.len; i++) {
        if (*left == 0)
            return at;
        --*left;
        char c = text.ptr[i];
        if (c == '\\')
            i++;
        else if (c == '%')
            i = skip_comment(text, i);
        else if (c == close && depth == 0)
            return i + 1;
        else if (c == '{')
            depth++;
        else if (c == '}' && depth)
            depth--;
        else if (c == '\n' && open == '[' && ends_paragraph(text, i))
            return at;
    }
    return at;
}

size_t sl_latex_group(struct sl_view text, size_t at, char open,
                      struct sl_view *inside_out, size_t *left)
{
    size_t begin = skip_blanks(text, at);
    if (begin >= text.len || text.ptr[begin] != open)
        return at;
    size_t end = sl_latex_close(text, begin, left);
    if (end == begin)
        return at;
    *inside_out = sl_view_sub(text, begin + 1, end - 1);
    return end;
}

size_t sl_latex_name(struct sl_view text, size_t at, struct sl_view *name_out)
{
    size_t begin = at + 1, end = begin;
    while (end < text.len && sl_is_alpha(text.ptr[end]))
        end++;
    if (end == begin && end < text.len)
        end++;
    *name_out = sl_view_sub(text, begin, end);
    return end;
}

/* {\name} or \name: the name without its backslash. */
static size_t defined_name(struct sl_view text, size_t at,
                           struct sl_view *name_out, size_t *left)
{
    struct sl_view group;
    size_t end = sl_latex_group(text, at, '{', &group, left);
    if (end > at) {
        group = sl_view_trim(group);
        if (group.len && *group.ptr == '\\')
            group = sl_view_sub(group, 1, group.len);
        *name_out = group;
        return end;
    }
    at = skip_blanks(text, at);
    if (at < text.len && text.ptr[at] == '\\')
        return sl_latex_name(text, at, name_out);
    *name_out = (struct sl_view){NULL, 0};
    return at;
}

/* [count][default] */
static size_t arguments(struct sl_view text, size_t at,
                        struct sl_latex_macro *macro, size_t *left)
{
    struct sl_view group;
    uint64_t count = 0;
    size_t end = sl_latex_group(text, at, '[', &group, left);
    if (end == at)
        return at;
    if (sl_view_number(sl_view_trim(group), SL_LATEX_ARGS, &count))
        macro->args = (unsigned)count;
    at = sl_latex_group(text, end, '[', &macro->fallback, left);
    macro->has_default = at > end && macro->args > 0;
    return at;
}

static size_t define_command(struct sl_view text, size_t at,
                             struct sl_view *name_out,
                             struct sl_latex_macro *macro, size_t *left)
{
    if (at < text.len && text.ptr[at] == '*')
        at++;
    at = defined_name(text, at, name_out, left);
    at = arguments(text, at, macro, left);
    return sl_latex_group(text, at, '{', &macro->body, left);
}

/* \def\name#1#2{body} */
static size_t define_plain(struct sl_view text, size_t at,
                           struct sl_view *name_out,
                           struct sl_latex_macro *macro, size_t *left)
{
    at = defined_name(text, at, name_out, left);
    while (at < text.len && text.ptr[at] != '{' && text.ptr[at] != '\n') {
        macro->args += text.ptr[at] == '#' && macro->args < SL_LATEX_ARGS;
        at++;
    }
    return sl_latex_group(text, at, '{', &macro->body, left);
}

/* {name}[..][..]{begin}{end}; of one that holds code only the name matters. */
static size_t define_environment(struct sl_view text, size_t at, bool code,
                                 struct sl_view *name_out,
                                 struct sl_latex_macro *macro, size_t *left)
{
    struct sl_view group = {NULL, 0}, body;
    struct sl_latex_macro unused = {.code = false};
    if (at < text.len && text.ptr[at] == '*')
        at++;
    size_t end = sl_latex_group(text, at, '{', &group, left);
    if (code && end > at && group.len) {
        /* its name with the brace before it: no command has such a name */
        *name_out = (struct sl_view){group.ptr - 1, group.len + 1};
        macro->code = true;
        macro->body = group;
    }
    at = arguments(text, end, &unused, left);
    at = sl_latex_group(text, at, '{', &body, left);
    return sl_latex_group(text, at, '{', &body, left);
}

size_t sl_latex_definition(struct sl_view text, size_t at, struct sl_view name,
                           struct sl_view *defined_out,
                           struct sl_latex_macro *macro_out, size_t *left)
{
    *macro_out = (struct sl_latex_macro){.code = false};
    *defined_out = (struct sl_view){NULL, 0};
    if (sl_view_is(name, "newcommand") || sl_view_is(name, "renewcommand") ||
        sl_view_is(name, "providecommand") ||
        sl_view_is(name, "DeclareRobustCommand"))
        return define_command(text, at, defined_out, macro_out, left);
    if (sl_view_is(name, "def"))
        return define_plain(text, at, defined_out, macro_out, left);
    if (sl_view_is(name, "newenvironment") ||
        sl_view_is(name, "renewenvironment"))
        return define_environment(text, at, false, defined_out, macro_out,
                                  left);
    if (sl_view_is(name, "lstnewenvironment") ||
        sl_view_is(name, "DefineVerbatimEnvironment"))
        return define_environment(text, at, true, defined_out, macro_out, left);
    return at;
}

void sl_latex_init(struct sl_latex *latex, struct sl_arena *arena)
{
    *latex = (struct sl_latex){.arena = arena};
    sl_map_init(&latex->names, arena);
}

const struct sl_latex_macro *sl_latex_find(const struct sl_latex *latex,
                                           struct sl_view name)
{
    const size_t *at = sl_map_get(&latex->names, name);
    /* those of a text that was refused are taken back, their names stay */
    bool known_still = at && *at < latex->count &&
                       sl_view_eq(latex->macros[*at].name, name);
    return known_still ? &latex->macros[*at] : NULL;
}

static enum sl_status add(struct sl_latex *latex, struct sl_view name,
                          struct sl_latex_macro macro, struct sl_error *error)
{
    if (latex->count >= SL_MAX_LATEX_MACROS)
        return sl_error_set(error, SL_ERR_LIMIT,
                            "more than %u macros of LaTeX are defined",
                            SL_MAX_LATEX_MACROS);
    name = sl_arena_copy(latex->arena, name);
    macro.body = sl_arena_copy(latex->arena, macro.body);
    macro.fallback = sl_arena_copy(latex->arena, macro.fallback);
    latex->macros = sl_arena_grow(latex->arena, latex->macros,
                                  sizeof *latex->macros, latex->count,
                                  &latex->cap);
    if (!name.ptr || !macro.body.ptr || !macro.fallback.ptr || !latex->macros)
        return sl_error_nomem(error);
    size_t *at = sl_map_put(&latex->names, name, latex->count, NULL);
    if (!at)
        return sl_error_nomem(error);
    *at = latex->count; /* the last definition counts */
    macro.name = name;
    latex->macros[latex->count++] = macro;
    return SL_OK;
}

/*
 * No command of one sign (\_ is read as it is), and no body that reaches into
 * LaTeX's inside (\@startsection): what it prints is not in it.
 */
static bool is_of_use(struct sl_view name, const struct sl_latex_macro *macro)
{
    return macro->code ||
           (name.len && sl_is_alpha(*name.ptr) &&
            sl_view_find(macro->body, SL_LIT("\\@"), 0) == SIZE_MAX);
}

static enum sl_status define_all(struct sl_latex *latex, struct sl_view text,
                                 struct sl_error *error)
{
    enum sl_status status = SL_OK;
    size_t left = sl_latex_steps(text);
    for (size_t i = 0; !status && i < text.len;) {
        struct sl_view name, defined;
        struct sl_latex_macro macro;
        if (text.ptr[i] == '%') {
            i = skip_comment(text, i);
        } else if (text.ptr[i] == '\\') {
            i = sl_latex_name(text, i, &name);
            size_t after = sl_latex_definition(text, i, name, &defined, &macro,
                                               &left);
            if (after > i && macro.body.ptr && is_of_use(defined, &macro))
                status = add(latex, defined, macro, error);
            /* what is defined inside of it is found too: not past it */
        } else {
            i++;
        }
    }
    if (!status && left == 0)
        status = sl_error_set(error, SL_ERR_LIMIT,
                              "definitions in definitions: reading them takes "
                              "more than %u looks at each byte",
                              SL_MAX_LATEX_STEPS);
    return status;
}

enum sl_status sl_latex_define(struct sl_latex *latex, struct sl_view text,
                               struct sl_error *error)
{
    enum sl_status status = SL_OK;
    if (latex->count == 0)
        status = define_all(latex, SL_LIT(known), error);
    size_t before = latex->count;
    if (!status)
        status = define_all(latex, text, error);
    if (status)
        latex->count = before;
    return status;
}
