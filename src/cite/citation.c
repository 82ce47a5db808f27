#include "cite/citation.h"

#include <stdio.h>
#include <string.h>

#include "base/limits.h"

static enum sl_status bad(struct sl_error *error, struct sl_view text,
                          const char *why)
{
    return sl_error_set(error, SL_ERR_SYNTAX,
                        "citation '%.*s' %s; the form is SOURCE:PATH:LINE or "
                        "SOURCE:PATH:FIRST-LAST",
                        SL_ARG(sl_view_sub(text, 0, 160)), why);
}

/* A path of a source tree: relative, no empty, `.` or `..` component. */
static bool is_plain_path(struct sl_view path)
{
    if (path.len == 0 || path.len > SL_MAX_PATH || path.ptr[0] == '/' ||
        path.ptr[path.len - 1] == '/')
        return false;
    for (size_t i = 0; i < path.len; i++)
        if ((unsigned char)path.ptr[i] < 0x20 || path.ptr[i] == '\\')
            return false;
    struct sl_view part;
    while (sl_view_cut(&path, '/', &part))
        if (part.len == 0 || sl_view_is(part, ".") || sl_view_is(part, ".."))
            return false;
    return true;
}

static bool is_source(struct sl_view id)
{
    for (size_t i = 0; i < id.len; i++)
        if (!sl_is_lower(id.ptr[i]) && !sl_is_digit(id.ptr[i]) &&
            id.ptr[i] != '-')
            return false;
    return id.len > 0;
}

static bool is_digits(struct sl_view v)
{
    for (size_t i = 0; i < v.len; i++)
        if (!sl_is_digit(v.ptr[i]))
            return false;
    return v.len > 0;
}

/* One citation, one spelling: else each would have an anchor of its own. */
static enum sl_status other_spelling(struct sl_view text, struct sl_view lines,
                                     uint64_t from, uint64_t to,
                                     struct sl_error *error)
{
    struct sl_view head = sl_view_sub(text, 0, text.len - lines.len);
    char last[24] = "";
    if (to > from)
        (void)snprintf(last, sizeof last, "-%llu", (unsigned long long)to);
    return sl_error_set(error, SL_ERR_SYNTAX,
                        "citation '%.*s' is written '%.*s%llu%s'",
                        SL_ARG(sl_view_sub(text, 0, 160)),
                        SL_ARG(sl_view_sub(head, 0, 160)),
                        (unsigned long long)from, last);
}

/* LINE or FIRST-LAST; text is the whole citation, for messages. */
static enum sl_status parse_lines(struct sl_view lines, struct sl_view text,
                                  struct sl_citation *c,
                                  struct sl_error *error)
{
    struct sl_view a = lines, b = lines;
    const char *dash = lines.len ? memchr(lines.ptr, '-', lines.len) : NULL;
    if (dash) {
        a = sl_view_sub(lines, 0, (size_t)(dash - lines.ptr));
        b = sl_view_sub(lines, a.len + 1, lines.len);
    }
    uint64_t from, to;
    if (!is_digits(a) || !is_digits(b))
        return bad(error, text, "has no line number from 1 on");
    if (!sl_view_number(a, SL_MAX_LINE_NUMBER, &from) ||
        !sl_view_number(b, SL_MAX_LINE_NUMBER, &to))
        return sl_error_set(error, SL_ERR_SYNTAX,
                            "citation '%.*s' has a line number above %u",
                            SL_ARG(sl_view_sub(text, 0, 160)),
                            SL_MAX_LINE_NUMBER);
    if (from == 0)
        return bad(error, text, "has no line number from 1 on");
    if (to < from)
        return bad(error, text, "ends before it begins");
    if (a.ptr[0] == '0' || b.ptr[0] == '0' || (dash && from == to))
        return other_spelling(text, lines, from, to, error);
    if (to - from >= SL_MAX_CITED_LINES)
        return sl_error_set(error, SL_ERR_LIMIT,
                            "citation '%.*s' spans more than %u lines: cite "
                            "the lines that show the claim",
                            SL_ARG(sl_view_sub(text, 0, 160)),
                            SL_MAX_CITED_LINES);
    c->first = (unsigned)from;
    c->last = (unsigned)to;
    return SL_OK;
}

enum sl_status sl_citation_parse(struct sl_view text,
                                 struct sl_citation *citation_out,
                                 struct sl_error *error)
{
    const char *colon = text.len ? memchr(text.ptr, ':', text.len) : NULL;
    size_t last = text.len;
    while (last && text.ptr[last - 1] != ':')
        last--;
    if (!colon || last == 0 || colon == text.ptr + last - 1)
        return bad(error, text, "has no two colons");
    size_t first = (size_t)(colon - text.ptr);
    struct sl_citation c = {
        .source = sl_view_sub(text, 0, first),
        .path = sl_view_sub(text, first + 1, last - 1),
    };
    if (!is_source(c.source))
        return bad(error, text, "begins with no source id");
    if (!is_plain_path(c.path))
        return sl_error_set(error, SL_ERR_REFUSED,
                            "citation '%.*s': the path leaves its tree or is "
                            "not plain",
                            SL_ARG(sl_view_sub(text, 0, 160)));
    enum sl_status status =
        parse_lines(sl_view_sub(text, last, text.len), text, &c, error);
    if (!status)
        *citation_out = c;
    return status;
}
