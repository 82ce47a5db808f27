#include <string.h>

#include "sphinx/internal.h"

long sl_sphinx_paren_balance(struct sl_view line)
{
    long depth = 0;
    char quote = '\0';
    for (size_t i = 0; i < line.len; i++) {
        char c = line.ptr[i];
        if (c == '"' || c == '\'')
            quote = quote == c ? '\0' : quote ? quote : c;
        if (quote)
            continue;
        depth += c == '(';
        depth -= c == ')';
    }
    return depth;
}

static bool is_name(char c)
{
    return sl_is_word(c) || c == '~' || (c & 0x80);
}

/* The name, with its namespaces, that ends before `end`. */
static struct sl_view name_before(struct sl_view line, size_t end)
{
    while (end && sl_is_space(line.ptr[end - 1]))
        end--;
    size_t begin = end;
    while (begin && (is_name(line.ptr[begin - 1]) ||
                     (line.ptr[begin - 1] == ':' && begin > 1)))
        begin--;
    return sl_view_sub(line, begin, end);
}

/* Words that take parentheses and are not what is declared. */
static bool is_attribute(struct sl_view name)
{
    static const char *const words[] = {"__attribute__",
                                        "__attribute",
                                        "__launch_bounds__",
                                        "__declspec",
                                        "__align__",
                                        "alignas",
                                        "_Alignas",
                                        "decltype",
                                        "noexcept",
                                        "requires",
                                        "__cluster_dims__",
                                        "explicit",
                                        "__block_size__",
                                        "sizeof",
                                        "typeof",
                                        "__typeof__",
                                        "throw",
                                        "enable_if",
                                        "_Nonnull"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (sl_view_is(name, words[i]))
            return true;
    return false;
}

/* Past the parenthesis that answers the one at `at`. */
static size_t past_parens(struct sl_view line, size_t at)
{
    size_t depth = 0;
    for (; at < line.len; at++) {
        if (line.ptr[at] == '(')
            depth++;
        else if (line.ptr[at] == ')' && --depth == 0)
            return at + 1;
    }
    return line.len;
}

/* `operator` and what belongs to it, when it stands before the parenthesis. */
static struct sl_view operator_name(struct sl_view line)
{
    size_t at = sl_view_find(line, SL_LIT("operator"), 0);
    while (at != SIZE_MAX) {
        bool whole = (at == 0 || !sl_is_word(line.ptr[at - 1])) &&
                     (at + 8 == line.len || !sl_is_word(line.ptr[at + 8]));
        if (whole) {
            size_t end = at + 8;
            if (sl_view_starts(sl_view_sub(line, end, line.len), "()"))
                end += 2;
            while (end < line.len && line.ptr[end] != '(')
                end++;
            return sl_view_trim(sl_view_sub(line, at, end));
        }
        at = sl_view_find(line, SL_LIT("operator"), at + 8);
    }
    return (struct sl_view){line.ptr, 0};
}

/* The name in (*name)(...), whose first parenthesis is at `at`; or empty. */
static struct sl_view pointer_name(struct sl_view line, size_t at)
{
    size_t begin = at + 1;
    while (begin < line.len && sl_is_space(line.ptr[begin]))
        begin++;
    size_t stars = begin;
    while (begin < line.len &&
           (line.ptr[begin] == '*' || sl_is_space(line.ptr[begin])))
        begin++;
    size_t end = begin;
    while (end < line.len && is_name(line.ptr[end]))
        end++;
    size_t close = past_parens(line, at);
    bool call = close < line.len && line.ptr[close] == '(';
    return sl_view_sub(line, begin, begin > stars && call ? end : begin);
}

/* The opening parenthesis of the parameters, or SIZE_MAX. */
static size_t parameters_at(struct sl_view line, struct sl_view *name_out)
{
    size_t angle = 0;
    for (size_t i = 0; i < line.len; i++) {
        char c = line.ptr[i];
        angle += c == '<';
        angle -= c == '>' && angle && (i == 0 || line.ptr[i - 1] != '-');
        if (c != '(' || angle)
            continue;
        *name_out = pointer_name(line, i);
        if (name_out->len)
            return past_parens(line, i);
        *name_out = name_before(line, i);
        if (name_out->len && !is_attribute(*name_out))
            return i;
        i = past_parens(line, i) - 1;
    }
    return SIZE_MAX;
}

struct sl_view sl_sphinx_declared_name(struct sl_view line)
{
    struct sl_view name = operator_name(line);
    if (name.len)
        return name;
    if (parameters_at(line, &name) != SIZE_MAX)
        return name;
    size_t end = 0; /* of what comes before a value, an array, a width */
    while (end < line.len && !strchr("=[{;", line.ptr[end]))
        end++;
    name = name_before(line, end);
    return name.len ? name : sl_view_trim(line);
}

/* --- parameters ------------------------------------------------------------ */

static bool is_type_word(struct sl_view word)
{
    static const char *const words[] = {
        "void", "char",   "short",    "int",   "long",     "float",  "double",
        "bool", "signed", "unsigned", "const", "volatile", "size_t", "auto"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (sl_view_is(word, words[i]))
            return true;
    return false;
}

/* What stands before a name and makes it a type. */
static bool is_tag_word(struct sl_view word)
{
    return sl_view_is(word, "struct") || sl_view_is(word, "enum") ||
           sl_view_is(word, "union") || sl_view_is(word, "const");
}

/* The name in one parameter of a C or C++ declaration; empty: it has none. */
static struct sl_view parameter_name(struct sl_view text)
{
    struct sl_view none = {text.ptr, 0};
    text = sl_view_trim(text);
    if (sl_view_is(text, "..."))
        return text;
    size_t pointer = sl_view_find(text, SL_LIT("(*"), 0);
    if (pointer != SIZE_MAX) {
        size_t begin = pointer + 2, end = begin;
        while (end < text.len && is_name(text.ptr[end]))
            end++;
        return sl_view_sub(text, begin, end);
    }
    size_t end = 0;
    while (end < text.len && text.ptr[end] != '=' && text.ptr[end] != '[')
        end++;
    struct sl_view name = name_before(text, end);
    size_t begin = (size_t)(name.ptr - text.ptr);
    struct sl_view before = sl_view_trim(sl_view_sub(text, 0, begin));
    if (!name.len || !before.len || is_type_word(name) ||
        sl_is_digit(name.ptr[0]) || memchr(name.ptr, ':', name.len))
        return none;
    return is_tag_word(name_before(before, before.len)) ? none : name;
}

static size_t piece_end(struct sl_view text, size_t at)
{
    size_t depth = 0;
    for (; at < text.len; at++) {
        char c = text.ptr[at];
        if (c == ',' && !depth)
            break;
        depth += strchr("([{<", c) != NULL;
        depth -= depth && strchr(")]}>", c) != NULL;
    }
    return at;
}

enum sl_status sl_sphinx_read_prototype(struct sl_arena *arena,
                                        struct sl_view line,
                                        struct sl_prototype *out,
                                        struct sl_error *error)
{
    *out = (struct sl_prototype){.known = false};
    struct sl_view declared;
    size_t open = parameters_at(line, &declared);
    if (open == SIZE_MAX)
        return SL_OK;
    size_t close = past_parens(line, open);
    if (close - 1 <= open || line.ptr[close - 1] != ')')
        return SL_OK; /* not closed: the names are not known */
    struct sl_view inside = sl_view_sub(line, open + 1, close - 1);
    struct sl_view trimmed = sl_view_trim(inside);
    out->known = true;
    if (!trimmed.len || sl_view_is(trimmed, "void"))
        return SL_OK;
    size_t cap = 0;
    for (size_t at = 0; at <= inside.len;) {
        size_t end = piece_end(inside, at);
        if (out->count >= SL_MAX_DOCS_PARAMETERS) { /* nobody writes that */
            out->known = false;
            break;
        }
        struct sl_view one = parameter_name(sl_view_sub(inside, at, end));
        void *grown = sl_arena_grow(arena, out->names, sizeof *out->names,
                                    out->count, &cap);
        if (!grown)
            return sl_error_nomem(error);
        out->names = grown;
        out->names[out->count++] = one;
        out->known = out->known && one.len;
        at = end + 1;
    }
    return SL_OK;
}
