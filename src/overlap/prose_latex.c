/*
 * Prose of LaTeX. A scanner with a stack of texts: what a file's own macros
 * expand to is read as TeX would, so that a sentence has the words that a reader
 * of the printed page sees. Code, mathematics, labels and references are left
 * out.
 */
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "overlap/latex.h"

/* Commands whose first `drop` groups are no prose. Each parts words. */
static const struct command {
    const char *name;
    unsigned drop;
} commands[] = {
    {"Cref", 1},
    {"Crefname", 3},
    {"addtolength", 2},
    {"autoref", 1},
    {"begin", 1},
    {"bibitem", 1},
    {"bibliography", 1},
    {"bibliographystyle", 1},
    {"cite", 1},
    {"citeauthor", 1},
    {"citep", 1},
    {"citet", 1},
    {"color", 1},
    {"colorlet", 2},
    {"cref", 1},
    {"crefname", 3},
    {"definecolor", 3},
    {"documentclass", 1},
    {"end", 1},
    {"eqref", 1},
    {"fontsize", 2},
    {"footnote", 0},
    {"href", 1},
    {"hspace", 1},
    {"hyperlink", 1},
    {"hypersetup", 1},
    {"hypertarget", 1},
    {"hyphenation", 1},
    {"ifthenelse", 1},
    {"include", 1},
    {"includegraphics", 1},
    {"index", 1},
    {"input", 1},
    {"label", 1},
    {"lstdefinestyle", 2},
    {"lstinputlisting", 1},
    {"lstset", 1},
    {"multicolumn", 2},
    {"multirow", 2},
    {"nocite", 1},
    {"pageref", 1},
    {"pagestyle", 1},
    {"parbox", 1},
    {"raisebox", 1},
    {"ref", 1},
    {"rule", 2},
    {"setcounter", 2},
    {"setlength", 2},
    {"textcolor", 1},
    {"thispagestyle", 1},
    {"url", 1},
    {"usepackage", 1},
    {"vspace", 1},
    {"xrfill", 1},
};

static const char *const left_out[] = {
    "verbatim", "Verbatim", "lstlisting",  "minted",      "comment",
    "equation", "align",    "gather",      "eqnarray",    "displaymath",
    "math",     "multline", "tikzpicture", "filecontents",
};

struct frame {
    struct sl_view text;
    size_t at;
    uint32_t line;
    bool body;       /* of a macro: its newlines are not the file's */
    size_t args;     /* what #1 is in it */
    unsigned arg_count;
    size_t arg_top;  /* of the reader, before it was pushed */
};

struct argument {
    struct sl_view text;
    uint32_t line;
    bool body;
    size_t args; /* what #1 is in it */
    unsigned arg_count;
};

struct reader {
    struct sl_prose *prose;
    const struct sl_latex *latex;
    struct frame frames[SL_MAX_LATEX_DEPTH];
    size_t depth;
    struct argument args[SL_MAX_LATEX_DEPTH * SL_LATEX_ARGS];
    size_t arg_count;
    size_t left; /* bytes that may still be looked at */
    uint32_t counted; /* the line that whoever reads the prose counts */
    bool fresh;
    bool in_word;
};

static void put(struct reader *r, char c, uint32_t line)
{
    bool word = sl_is_word(c) || (unsigned char)c >= 0x80;
    if (word && !r->in_word && (r->fresh || r->counted != line)) {
        sl_prose_mark(r->prose, line, r->fresh);
        r->counted = line;
        r->fresh = false;
    }
    r->in_word = word;
    r->counted += c == '\n';
    sl_buf_putc(&r->prose->text, c);
}

static struct frame *top(struct reader *r)
{
    return &r->frames[r->depth - 1];
}

/* Moves a frame on to `at`, counting the lines of what lies between. */
static void go(struct frame *f, size_t at)
{
    for (; f->at < at; f->at++)
        f->line += !f->body && f->text.ptr[f->at] == '\n';
}

static bool push(struct reader *r, struct frame frame)
{
    if (r->depth == SL_MAX_LATEX_DEPTH)
        return false; /* a macro that calls itself: nothing comes of it */
    r->frames[r->depth++] = frame;
    return true;
}

/* The next argument of a macro: a group, a command or one character. */
static struct argument take_argument(struct frame *f, size_t *left)
{
    struct sl_view inside;
    while (f->at < f->text.len && sl_is_space(f->text.ptr[f->at]))
        go(f, f->at + 1);
    struct argument arg = {.line = f->line,
                           .body = f->body,
                           .args = f->args,
                           .arg_count = f->arg_count};
    size_t end = sl_latex_group(f->text, f->at, '{', &inside, left);
    if (end == f->at && f->at < f->text.len) {
        end = f->text.ptr[f->at] == '\\'
                  ? sl_latex_name(f->text, f->at, &inside)
                  : f->at + 1;
        inside = sl_view_sub(f->text, f->at, end);
    } else if (end == f->at) {
        inside = (struct sl_view){NULL, 0};
    }
    arg.text = inside;
    go(f, end);
    return arg;
}

static void expand(struct reader *r, const struct sl_latex_macro *macro)
{
    struct frame *f = top(r);
    struct frame next = {.text = macro->body,
                         .line = f->line,
                         .body = true,
                         .args = r->arg_count,
                         .arg_top = r->arg_count};
    if (r->depth == SL_MAX_LATEX_DEPTH)
        return;
    if (macro->has_default) {
        struct argument arg = {.text = macro->fallback,
                               .line = f->line,
                               .body = true};
        size_t end = sl_latex_group(f->text, f->at, '[', &arg.text, &r->left);
        if (end > f->at) {
            arg.body = f->body;
            arg.args = f->args;
            arg.arg_count = f->arg_count;
            go(f, end);
        }
        r->args[r->arg_count++] = arg;
        next.arg_count++;
    }
    while (next.arg_count < macro->args) {
        r->args[r->arg_count++] = take_argument(f, &r->left);
        next.arg_count++;
    }
    (void)push(r, next);
}

/* #1, or ##1 of a definition inside of another. */
static void parameter(struct reader *r)
{
    struct frame *f = top(r);
    while (f->at < f->text.len && f->text.ptr[f->at] == '#')
        f->at++;
    if (f->at >= f->text.len || !sl_is_digit(f->text.ptr[f->at]))
        return;
    unsigned number = (unsigned)(f->text.ptr[f->at++] - '0');
    if (number == 0 || number > f->arg_count)
        return;
    const struct argument *arg = &r->args[f->args + number - 1];
    struct frame next = {.text = arg->text,
                         .line = arg->line,
                         .body = arg->body,
                         .args = arg->args,
                         .arg_count = arg->arg_count,
                         .arg_top = r->arg_count};
    (void)push(r, next);
}

/* Past the next `what`, or to the end. */
static void skip_past(struct frame *f, const char *what)
{
    struct sl_view needle = sl_view_of(what);
    size_t found = sl_view_find(f->text, needle, f->at);
    go(f, found == SIZE_MAX ? f->text.len : found + needle.len);
}

/* Brackets and, where `groups`, braces that follow at once. */
static void drop_arguments(struct reader *r, bool groups)
{
    struct frame *f = top(r);
    size_t end = f->at;
    do {
        go(f, end);
        if (f->at < f->text.len &&
            (f->text.ptr[f->at] == '[' ||
             (groups && f->text.ptr[f->at] == '{')))
            end = sl_latex_close(f->text, f->at, &r->left);
    } while (end > f->at);
}

static bool holds_code(const struct reader *r, struct sl_view brace_name)
{
    struct sl_view name = sl_view_sub(brace_name, 1, brace_name.len);
    const struct sl_latex_macro *own = sl_latex_find(r->latex, brace_name);
    if (own && own->code)
        return true;
    if (sl_view_ends(name, "*"))
        name.len--;
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
        if (sl_view_is(name, left_out[i]))
            return true;
    return false;
}

static void environment(struct reader *r)
{
    enum { LONGEST = 80 };
    struct frame *f = top(r);
    struct sl_view name;
    size_t end = sl_latex_group(f->text, f->at, '{', &name, &r->left);
    if (end == f->at)
        return;
    go(f, end);
    struct sl_view brace_name = {name.ptr - 1, name.len + 1};
    if (name.len < LONGEST && holds_code(r, brace_name)) {
        char closing[LONGEST + 8] = "\\end{";
        memcpy(closing + 5, name.ptr, name.len);
        closing[5 + name.len] = '}';
        skip_past(f, closing);
        r->fresh = true;
    } else {
        drop_arguments(r, true);
    }
}

/* \verb|text| and \lstinline{text}: printed as it stands. */
static void verbatim(struct reader *r)
{
    struct frame *f = top(r);
    drop_arguments(r, false);
    if (f->at < f->text.len && f->text.ptr[f->at] == '*')
        f->at++;
    if (f->at >= f->text.len || f->text.ptr[f->at] == '\n')
        return;
    char close = f->text.ptr[f->at] == '{' ? '}' : f->text.ptr[f->at];
    f->at++;
    while (f->at < f->text.len && f->text.ptr[f->at] != close &&
           f->text.ptr[f->at] != '\n')
        put(r, f->text.ptr[f->at++], f->line);
    f->at += f->at < f->text.len && f->text.ptr[f->at] == close;
}

/* A command of one character that is no letter. */
static void sign(struct reader *r, char c)
{
    struct frame *f = top(r);
    if (c == '(') {
        skip_past(f, "\\)");
    } else if (c == '[') {
        skip_past(f, "\\]");
        r->fresh = true;
    } else if (c == '\\') {
        put(r, ' ', f->line);
        if (f->at < f->text.len && f->text.ptr[f->at] == '*')
            f->at++;
        drop_arguments(r, false);
    } else if (memchr("_&%#${}", c, 7)) {
        put(r, c, f->line);
    } else if (!memchr("-/'\"^~=.`", c, 10)) { /* hyphenation, accents */
        put(r, ' ', f->line);
    }
}

static int by_name(const void *name, const void *row)
{
    const struct command *command = row;
    return sl_view_cmp(*(const struct sl_view *)name,
                       sl_view_of(command->name));
}

static void known_command(struct reader *r, struct sl_view name)
{
    struct frame *f = top(r);
    struct sl_view unused;
    char next = f->at < f->text.len ? f->text.ptr[f->at] : ' ';
    const struct command *row =
        bsearch(&name, commands, sizeof commands / sizeof *commands,
                sizeof *commands, by_name);
    if (row || (next != '{' && next != '['))
        put(r, ' ', f->line);
    if (!sl_view_is(name, "item"))
        drop_arguments(r, false);
    for (unsigned i = 0; row && i < row->drop; i++)
        go(f, sl_latex_group(f->text, f->at, '{', &unused, &r->left));
}

static void command(struct reader *r)
{
    struct frame *f = top(r);
    struct sl_view name, defined;
    struct sl_latex_macro macro;
    go(f, sl_latex_name(f->text, f->at, &name));
    if (name.len == 1 && !sl_is_alpha(*name.ptr)) {
        sign(r, *name.ptr);
        return;
    }
    size_t after =
        sl_latex_definition(f->text, f->at, name, &defined, &macro, &r->left);
    const struct sl_latex_macro *own = sl_latex_find(r->latex, name);
    if (after > f->at)
        go(f, after);
    else if (sl_view_is(name, "begin"))
        environment(r);
    else if (sl_view_is(name, "verb") || sl_view_is(name, "lstinline"))
        verbatim(r);
    else if (own)
        expand(r, own);
    else
        known_command(r, name);
}

/* $mathematics$, which ends with its paragraph at the latest. */
static void skip_math(struct frame *f)
{
    for (bool empty = false; f->at < f->text.len; go(f, f->at + 1)) {
        char c = f->text.ptr[f->at];
        if (c == '$' || (c == '\n' && empty))
            return;
        empty = c == '\n' || (empty && sl_is_space(c));
        if (c == '\\' && f->at + 1 < f->text.len)
            go(f, f->at + 1);
    }
}

static bool at_dollar(const struct frame *f)
{
    return f->at < f->text.len && f->text.ptr[f->at] == '$';
}

static void dollar(struct reader *r)
{
    struct frame *f = top(r);
    f->at++;
    bool display = at_dollar(f);
    f->at += display;
    r->fresh = r->fresh || display;
    skip_math(f);
    f->at += at_dollar(f);
    f->at += display && at_dollar(f);
}

/* To the end of the line and of the blanks that begin the next. */
static void percent(struct frame *f)
{
    size_t at = f->at;
    while (at < f->text.len && f->text.ptr[at] != '\n')
        at++;
    if (at < f->text.len)
        at++;
    while (at < f->text.len && (f->text.ptr[at] == ' ' ||
                                f->text.ptr[at] == '\t'))
        at++;
    go(f, at);
}

static void character(struct reader *r, char c)
{
    struct frame *f = top(r);
    switch (c) {
    case '\\':
        command(r);
        return;
    case '%':
        percent(f);
        return;
    case '$':
        dollar(r);
        return;
    case '#':
        parameter(r);
        return;
    case '}':
        /* two arguments of a command are two texts */
        if (f->at + 1 < f->text.len && f->text.ptr[f->at + 1] == '{')
            put(r, ' ', f->line);
        f->at++;
        return;
    case '{':
        f->at++;
        return;
    default:
        break;
    }
    bool line_end = c == '\n';
    put(r, line_end && f->body ? ' ' : c, f->line);
    go(f, f->at + 1);
}

enum sl_status sl_prose_latex(struct sl_prose *prose,
                              const struct sl_latex *latex,
                              struct sl_view text, struct sl_error *error)
{
    struct reader *r = calloc(1, sizeof *r);
    if (!r)
        return sl_error_nomem(error);
    r->prose = prose;
    r->latex = latex;
    r->fresh = true;
    r->left = sl_latex_steps(text);
    (void)push(r, (struct frame){.text = text, .line = 1});
    enum sl_status status = SL_OK;
    while (r->depth && !status) {
        struct frame *f = top(r);
        if (f->at >= f->text.len) {
            r->arg_count = f->arg_top;
            r->depth--;
            continue;
        }
        size_t before = f->at;
        character(r, f->text.ptr[f->at]);
        size_t steps = f->at > before ? f->at - before : 1;
        r->left -= steps < r->left ? steps : r->left;
        if (r->left == 0)
            status = sl_error_set(error, SL_ERR_LIMIT,
                                  "macros or groups that nothing closes: more "
                                  "than %u looks at each byte",
                                  SL_MAX_LATEX_STEPS);
    }
    free(r);
    return status;
}
