#include "markdown/mask.h"

#include <string.h>

#include "base/limits.h"

/* Bytes that can begin a block or belong to its marker. */
static bool is_marker(char c)
{
    return c == ' ' || c == '\t' || sl_is_digit(c) ||
           (c && strchr(">.)-+*#`~=_|:", c));
}

/* Length of `1.` or `12)` at s, or 0. */
static size_t number_at(struct sl_view s)
{
    size_t i = 0;
    while (i < s.len && i < 9 && sl_is_digit(s.ptr[i]))
        i++;
    return i && i < s.len && (s.ptr[i] == '.' || s.ptr[i] == ')') ? i + 1 : 0;
}

static bool is_bullet(char c)
{
    return c == '-' || c == '+' || c == '*';
}

/* Length of a container marker at s (quote, bullet, number), or 0. */
static size_t container_at(struct sl_view s)
{
    if (s.len && s.ptr[0] == '>')
        return 1;
    size_t n = s.len && is_bullet(s.ptr[0]) ? 1 : number_at(s);
    if (n == 0 || n == s.len || s.ptr[n] == ' ' || s.ptr[n] == '\t')
        return n;
    return 0;
}

/* Whether the rest of a line is a rule: one of `*-`, and blanks, to its end. */
static bool is_rule(struct sl_view rest)
{
    char mark = rest.len ? rest.ptr[0] : '\0';
    if (mark != '*' && mark != '-')
        return false;
    for (size_t i = 0; i < rest.len; i++)
        if (rest.ptr[i] != mark && rest.ptr[i] != ' ' && rest.ptr[i] != '\t')
            return false;
    return true;
}

/*
 * How many bytes of the line are block markers: the leading run of marker
 * bytes, ended by the first other byte or by too many containers (then
 * *deep_out).
 */
static size_t marker_run(struct sl_view line, bool *deep_out)
{
    unsigned containers = 0;
    size_t i = 0;
    *deep_out = false;
    while (i < line.len && is_marker(line.ptr[i])) {
        size_t n = container_at(sl_view_sub(line, i, line.len));
        if (n && is_rule(sl_view_sub(line, i, line.len)))
            return line.len;
        if (n && ++containers > SL_MAX_MARKER_RUN) {
            *deep_out = true;
            break;
        }
        i += n ? n : 1;
    }
    return i;
}

/* Whether an inline parser would care about text[i]. */
static bool is_inline(struct sl_view line, size_t i)
{
    char c = line.ptr[i];
    char next = i + 1 < line.len ? line.ptr[i + 1] : '\0';
    if (c == '<')
        return next != '/'; /* ends raw HTML blocks */
    return c == '\0' || (c & 0x80) || strchr("\\\r[!&*_`\"'()~:@", c);
}

/* How many bytes of a line's text open an HTML block and must stay. */
static size_t html_opening(struct sl_view text)
{
    return sl_view_starts(text, "<![CDATA[") ? strlen("<![CDATA[")
           : sl_view_starts(text, "<!")      ? strlen("<!")
           : sl_view_starts(text, "<")       ? strlen("<")
                                             : 0;
}

/*
 * What stands for an inline byte where the line may be one HTML tag: what is no
 * name or no value must become none (`<a_b>` is no tag, and `<axb>` is one).
 */
static char in_tag(struct sl_view line, size_t i)
{
    char c = line.ptr[i];
    char next = i + 1 < line.len ? line.ptr[i + 1] : '\0';
    if (c == '<')
        return next == '!' || next == '?' ? '`' : '<';
    if (c == '_')
        return ':';
    return c && strchr("\"':`", c) ? c : ',';
}

static void mask_line(char *out, struct sl_view line)
{
    bool deep;
    size_t begin = marker_run(line, &deep);
    /* a backtick in its info string makes a fence none: the first one stays */
    bool fence = sl_view_find(sl_view_sub(line, 0, begin), SL_LIT("```"), 0) !=
                 SIZE_MAX;
    size_t opening =
        fence ? 0 : html_opening(sl_view_sub(line, begin, line.len));
    size_t i = begin + opening;
    if (deep) /* what would be the next container is text */
        out[i++] = 'x';
    for (; i < line.len; i++) {
        if (line.ptr[i] == '\\' && i + 1 < line.len && line.ptr[i + 1] == '|') {
            i++; /* an escaped bar decides a table's columns: both stay */
        } else if (fence && line.ptr[i] == '`') {
            fence = false;
        } else if (is_inline(line, i)) {
            out[i] = opening ? in_tag(line, i) : 'x';
        }
    }
}

/* Columns of a table's delimiter row; 0 when the line is none. */
static size_t delimiter_columns(struct sl_view line)
{
    size_t bars = 0, dashes = 0;
    for (size_t i = 0; i < line.len; i++) {
        char c = line.ptr[i];
        if (c == '|')
            bars++;
        else if (c == '-')
            dashes++;
        else if (c != ':' && c != ' ' && c != '\t' && c != '>')
            return 0;
    }
    return dashes && bars ? bars + 1 : 0;
}

struct tables {
    size_t columns; /* of the table that the line may belong to, or 0 */
    size_t cells;   /* in all */
    size_t max_columns, max_cells;
};

static enum sl_status count_cells(struct tables *t, struct sl_view line,
                                  unsigned number, struct sl_error *error)
{
    size_t columns = delimiter_columns(line);
    if (columns > t->max_columns)
        return sl_error_set(error, SL_ERR_LIMIT,
                            "line %u: a table of about %zu columns; the limit "
                            "is %zu",
                            number, columns, t->max_columns);
    if (sl_view_trim(line).len == 0)
        t->columns = 0;
    else if (columns > t->columns)
        t->columns = columns;
    t->cells += t->columns;
    if (t->cells > t->max_cells)
        return sl_error_set(error, SL_ERR_LIMIT,
                            "line %u: more than %zu table cells in one file",
                            number, t->max_cells);
    return SL_OK;
}

enum sl_status sl_md_guard(struct sl_view text, size_t max_columns,
                           size_t max_cells, struct sl_error *error)
{
    struct tables tables = {.max_columns = max_columns,
                            .max_cells = max_cells};
    struct sl_view rest = text;
    struct sl_view line;
    unsigned number = 0;
    while (sl_view_line(&rest, &line)) {
        enum sl_status status = count_cells(&tables, line, ++number, error);
        if (status)
            return status;
    }
    return SL_OK;
}

enum sl_status sl_md_mask(struct sl_arena *arena, struct sl_view text,
                          struct sl_view *masked_out, struct sl_error *error)
{
    struct sl_view copy = sl_arena_copy(arena, text);
    if (!copy.ptr)
        return sl_error_nomem(error);
    char *out = (char *)copy.ptr;
    struct tables tables = {.max_columns = SL_MAX_TABLE_COLUMNS,
                            .max_cells = SL_MAX_TABLE_CELLS};
    struct sl_view rest = text;
    struct sl_view line;
    unsigned number = 0;
    while (sl_view_line(&rest, &line)) {
        enum sl_status status = count_cells(&tables, line, ++number, error);
        if (status)
            return status;
        mask_line(out + (line.ptr - text.ptr), line);
    }
    *masked_out = copy;
    return SL_OK;
}
