/* Links and file names in one block. Which of them count: mentions.c. */
#include <string.h>

#include "base/limits.h"
#include "kb/refs.h"
#include "skill/internal.h"

#define MAX_PARENTHESES 32u /* of a link's target, as cmark has it */

struct scan {
    struct sl_skill_checker *c;
    struct sl_view path;
    struct sl_view text;
    size_t counted; /* how far newlines were counted */
    unsigned line;  /* there */
};

/* The line of an offset; offsets come in ascending order, or nearly so. */
static unsigned line_of(struct scan *s, size_t at)
{
    for (; s->counted < at; s->counted++)
        s->line += s->text.ptr[s->counted] == '\n';
    return s->line;
}

static enum sl_status add(struct scan *s, enum sl_skill_how how,
                          struct sl_view target, struct sl_error *error)
{
    struct sl_skill_checker *c = s->c;
    if (c->mention_count == SL_MAX_SKILL_MENTIONS) {
        if (!c->is_full && how != SL_SKILL_BY_CODE)
            sl_skill_add(c->report, SL_SKILL_ERROR, SL_LIT(""), 0,
                         "too-many-links",
                         "more than %u links and file names; the rest was not "
                         "looked at",
                         SL_MAX_SKILL_MENTIONS);
        c->is_full = c->is_full || how != SL_SKILL_BY_CODE;
        return SL_OK;
    }
    unsigned line = line_of(s, (size_t)(target.ptr - s->text.ptr));
    target = sl_arena_copy(c->arena, target);
    c->mentions =
        sl_arena_grow(c->arena, c->mentions, sizeof *c->mentions,
                      c->mention_count, &c->mention_cap);
    if (!target.ptr || !c->mentions)
        return sl_error_nomem(error);
    c->mentions[c->mention_count++] = (struct sl_skill_mention){
        .file = s->path, .line = line, .how = how, .target = target};
    return SL_OK;
}

/* The target at `at` of a link: bare, or between < and >; its end, or 0. */
static size_t target_end(struct sl_view text, size_t at)
{
    unsigned open = 0;
    size_t end = at;
    if (at >= text.len)
        return 0;
    bool angle = text.ptr[at] == '<';
    for (; end < text.len && end - at <= SL_MAX_LINK_TARGET; end++) {
        char c = text.ptr[end];
        if (angle ? c == '>' || c == '\n' : sl_is_space(c))
            return angle && c == '\n' ? 0 : end;
        if (angle)
            continue;
        if (c == ')' && !open)
            return end;
        open += c == '(';
        open -= c == ')';
        if (open > MAX_PARENTHESES)
            return 0;
    }
    return end == text.len && !angle ? end : 0;
}

/* Behind a target: what closes the link, or opens its title. */
static bool is_closed(struct sl_view text, size_t at)
{
    size_t blank = at;
    while (blank < text.len && sl_is_space(text.ptr[blank]))
        blank++;
    if (blank == text.len)
        return false;
    return text.ptr[blank] == ')' ||
           (blank > at && strchr("\"'(", text.ptr[blank]) != NULL);
}

/* "](" at i. */
static enum sl_status link(struct scan *s, size_t i, struct sl_error *error)
{
    size_t at = i + 2;
    while (at < s->text.len && sl_is_space(s->text.ptr[at]) && at < i + 4)
        at++;
    size_t end = target_end(s->text, at);
    bool angle = end && s->text.ptr[at] == '<';
    if (!end || !is_closed(s->text, end + angle))
        return SL_OK;
    return add(s, SL_SKILL_BY_LINK, sl_view_sub(s->text, at + angle, end),
               error);
}

/* `[label]: target` at the start of a line; a footnote is none. */
static enum sl_status definition(struct scan *s, struct sl_view row,
                                 struct sl_error *error)
{
    while (row.len && (sl_is_space(row.ptr[0]) || row.ptr[0] == '>'))
        row = sl_view_sub(row, 1, row.len);
    size_t close = sl_view_find(row, SL_LIT("]:"), 0);
    if (close == SIZE_MAX || row.ptr[0] != '[' || row.ptr[1] == '^')
        return SL_OK;
    struct sl_view rest = sl_view_trim(sl_view_sub(row, close + 2, row.len));
    size_t end = target_end(rest, 0);
    bool angle = end && rest.ptr[0] == '<';
    struct sl_view title = sl_view_sub(rest, end + angle, rest.len);
    if (!end || (title.len && !is_closed(title, 0)))
        return SL_OK;
    return add(s, SL_SKILL_BY_LINK, sl_view_sub(rest, angle, end), error);
}

static bool is_file_char(char c)
{
    return (unsigned char)c >= 0x80 || sl_is_alnum(c) ||
           (c && strchr("_-./+@*#:", c) != NULL);
}

/* Each word that may be a path: with a slash, or a Markdown file's name. */
static enum sl_status words(struct scan *s, enum sl_skill_how how,
                            struct sl_view text, struct sl_error *error)
{
    enum sl_status status = SL_OK;
    for (size_t i = 0; i < text.len && !status;) {
        size_t begin = i;
        while (i < text.len && is_file_char(text.ptr[i]))
            i++;
        struct sl_view word = sl_view_sub(text, begin, i);
        bool apart = (i == text.len || strchr(" \t\n\r,;)'\"", text.ptr[i])) &&
                     (begin == 0 || strchr(" \t\n('\"", text.ptr[begin - 1]));
        while (word.len && strchr(".:", word.ptr[word.len - 1]))
            word.len--; /* the end of a sentence */
        if (apart && word.len <= SL_MAX_PATH &&
            (memchr(word.ptr, '/', word.len) || sl_view_ends(word, ".md")))
            status = add(s, how, word, error);
        i += i == begin;
    }
    return status;
}

/* Links between the code spans, from *at to end. */
static enum sl_status links(struct scan *s, size_t *at, size_t end,
                            struct sl_error *error)
{
    enum sl_status status = SL_OK;
    for (; *at < end && !status; (*at)++)
        if (sl_view_starts(sl_view_sub(s->text, *at, s->text.len), "](") &&
            (*at == 0 || s->text.ptr[*at - 1] != '\\'))
            status = link(s, *at, error);
    return status;
}

static enum sl_status prose(struct scan *s, struct sl_arena *scratch,
                            struct sl_error *error)
{
    struct sl_refs refs = {.count = 0};
    enum sl_status status = sl_refs_scan(scratch, s->text, &refs, error);
    size_t at = 0;
    for (size_t i = 0; i < refs.count && !status; i++) {
        const struct sl_ref *ref = &refs.items[i];
        if (s->text.ptr[ref->begin] != '`')
            continue;
        status = links(s, &at, ref->begin, error);
        if (!status && ref->kind == SL_REF_CODE)
            status = words(s, SL_SKILL_BY_SPAN, ref->text, error);
        at = at > ref->end ? at : ref->end;
    }
    if (!status)
        status = links(s, &at, s->text.len, error);
    return status;
}

enum sl_status sl_skill_scan(struct sl_skill_checker *c,
                             struct sl_arena *scratch, struct sl_view path,
                             struct sl_view block, unsigned line,
                             bool is_prose, struct sl_error *error)
{
    struct scan s = {.c = c, .path = path, .text = block, .line = line};
    struct sl_view rest = block, row;
    if (!is_prose)
        return words(&s, SL_SKILL_BY_CODE, block, error);
    enum sl_status status = prose(&s, scratch, error);
    s.counted = 0;
    s.line = line;
    while (!status && sl_view_line(&rest, &row))
        status = definition(&s, row, error);
    return status;
}
