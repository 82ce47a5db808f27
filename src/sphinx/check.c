#include "sphinx/check.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "sphinx/check_page.h"

#define WINDOW 200u /* tokens in which the streams may meet again */
#define MEET 4u     /* that have to be the same for it */
#define SHOWN 24u   /* tokens of a difference */

struct comparison {
    const struct sl_stream *html, *markdown;
    const char *html_name, *md_name;
    struct sl_buf *report;
    size_t differences;
    bool moved;  /* tokens differ: places do not answer each other */
    bool unlike; /* the last pair of tokens */
};

static bool is_same(const struct comparison *c, size_t i, size_t k)
{
    return c->html->tokens[i].kind == c->markdown->tokens[k].kind &&
           sl_view_eq(c->html->tokens[i].text, c->markdown->tokens[k].text);
}

static bool meets(const struct comparison *c, size_t i, size_t k)
{
    for (size_t n = 0; n < MEET; n++) {
        bool end_i = i + n >= c->html->count;
        bool end_k = k + n >= c->markdown->count;
        if (end_i || end_k)
            return end_i && end_k;
        if (!is_same(c, i + n, k + n))
            return false;
    }
    return true;
}

static void put_tokens(struct sl_buf *out, const struct sl_stream *s,
                       size_t from, size_t to)
{
    static const char *const names[] = {"",    "signature:", "code:", "table",
                                        "row", "cell",       "link:", "image:",
                                        "title:"};
    if (from == to)
        sl_buf_puts(out, "nothing");
    for (size_t i = from; i < to && i < from + SHOWN; i++) {
        if (i > from)
            sl_buf_putc(out, ' ');
        if (s->tokens[i].kind != SL_TOKEN_WORD)
            sl_buf_printf(out, "[%s%.*s]", names[s->tokens[i].kind],
                          SL_ARG(s->tokens[i].text));
        else
            sl_buf_add(out, s->tokens[i].text);
    }
    if (to > from + SHOWN)
        sl_buf_printf(out, " ... (%zu in all)", to - from);
}

static unsigned line_at(const struct sl_stream *s, size_t at)
{
    if (!s->count)
        return 1;
    return s->tokens[at < s->count ? at : s->count - 1].line;
}

static bool is_shown(struct comparison *c)
{
    return c->differences++ < SL_MAX_DOCS_DIFFERENCES;
}

static void tell(struct comparison *c, size_t i, size_t to_i, size_t k,
                 size_t to_k)
{
    if (!is_shown(c))
        return;
    sl_buf_printf(c->report, "%s:%u: ", c->html_name, line_at(c->html, i));
    put_tokens(c->report, c->html, i, to_i);
    sl_buf_printf(c->report, "\n%s:%u: ", c->md_name, line_at(c->markdown, k));
    put_tokens(c->report, c->markdown, k, to_k);
    sl_buf_putc(c->report, '\n');
}

/* --- how equal words look ------------------------------------------------------ */

static bool is_like(const struct sl_token *page, const struct sl_token *text)
{
    const struct sl_look *a = &page->look, *b = &text->look;
    if (a->quotes != b->quotes || a->items != b->items)
        return false;
    if (page->kind == SL_TOKEN_SIGNATURE) /* its heading */
        return a->heading == b->heading;
    if (page->kind != SL_TOKEN_WORD)
        return true;
    unsigned differ = (unsigned)(a->marks ^ b->marks) &
                      ~(unsigned)SL_LOOK_LOOSE;
    if (a->marks & SL_LOOK_LOOSE) /* what only the page has */
        differ &= ~(a->marks & (unsigned)(SL_LOOK_EM | SL_LOOK_STRONG |
                                          SL_LOOK_CODE));
    if (b->marks & SL_LOOK_LOOSE)
        differ &= ~(unsigned)SL_LOOK_CODE;
    return !differ && a->heading == b->heading && a->number == b->number &&
           a->row == b->row && a->column == b->column;
}

static void put_look(struct sl_buf *out, const struct sl_token *token)
{
    static const struct {
        unsigned char mark;
        const char *name;
    } names[] = {{SL_LOOK_CODE, "code"},
                 {SL_LOOK_EM, "emphasised"},
                 {SL_LOOK_STRONG, "strong"},
                 {SL_LOOK_SUB, "sub"},
                 {SL_LOOK_SUP, "sup"},
                 {SL_LOOK_BEGINS, "begins a block"},
                 {SL_LOOK_ITEM, "begins an item"}};
    const struct sl_look *look = &token->look;
    sl_buf_putc(out, '(');
    if (look->heading)
        sl_buf_printf(out, "heading %u, ", look->heading);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (look->marks & names[i].mark)
            sl_buf_printf(out, "%s, ", names[i].name);
    if (look->number)
        sl_buf_printf(out, "number %u, ", look->number - 1);
    if (look->row || look->column)
        sl_buf_printf(out, "row %u, column %u, ", look->row, look->column);
    sl_buf_printf(out, "in %u items, %u quotations)", look->items,
                  look->quotes);
}

/* One fault can change many words: only the first of them is told. */
static void compare_looks(struct comparison *c, size_t i, size_t k)
{
    const struct sl_token *page = &c->html->tokens[i];
    const struct sl_token *text = &c->markdown->tokens[k];
    bool like = is_like(page, text);
    bool told = c->unlike;
    c->unlike = !like;
    if (like || told || !is_shown(c))
        return;
    sl_buf_printf(c->report, "%s:%u: ", c->html_name, page->line);
    put_tokens(c->report, c->html, i, i + 1);
    sl_buf_putc(c->report, ' ');
    put_look(c->report, page);
    sl_buf_printf(c->report, "\n%s:%u: ", c->md_name, text->line);
    put_tokens(c->report, c->markdown, k, k + 1);
    sl_buf_putc(c->report, ' ');
    put_look(c->report, text);
    sl_buf_putc(c->report, '\n');
}

static void compare(struct comparison *c)
{
    size_t i = 0, k = 0;
    while (i < c->html->count || k < c->markdown->count) {
        if (i < c->html->count && k < c->markdown->count && is_same(c, i, k)) {
            compare_looks(c, i++, k++);
            continue;
        }
        size_t to_i = c->html->count, to_k = c->markdown->count;
        bool found = false;
        for (size_t sum = 1; sum <= 2 * WINDOW && !found; sum++)
            for (size_t a = 0; a <= sum && !found; a++)
                if (a <= WINDOW && sum - a <= WINDOW &&
                    i + a <= c->html->count &&
                    k + sum - a <= c->markdown->count &&
                    meets(c, i + a, k + sum - a)) {
                    to_i = i + a;
                    to_k = k + sum - a;
                    found = true;
                }
        tell(c, i, to_i, k, to_k);
        c->moved = true;
        i = to_i;
        k = to_k;
    }
}

/* --- anchors ------------------------------------------------------------------ */

/* By id, the first place of each first. */
static int order(const void *a, const void *b)
{
    const struct sl_anchor *x = a, *y = b;
    int by_id = sl_view_cmp(x->id, y->id);
    return by_id ? by_id : (x->at > y->at) - (x->at < y->at);
}

/* An id as it can stand in an attribute. */
static struct sl_view plain_id(struct sl_arena *arena, struct sl_view id)
{
    struct sl_buf buf;
    sl_buf_init(&buf, SL_MAX_HTML_FILE);
    for (size_t i = 0; i < id.len; i++) {
        char c = id.ptr[i];
        const char *name = c == '&'   ? "&amp;"
                           : c == '<' ? "&lt;"
                           : c == '>' ? "&gt;"
                           : c == '"' ? "&quot;"
                                      : NULL;
        if (name)
            sl_buf_puts(&buf, name);
        else
            sl_buf_putc(&buf, c >= 0 && c <= 0x20 ? '-' : c);
    }
    struct sl_view copy = sl_arena_copy(arena, sl_buf_view(&buf));
    sl_buf_release(&buf);
    return copy;
}

static void tell_anchor(struct comparison *c, const char *where,
                        struct sl_view id)
{
    if (is_shown(c))
        sl_buf_printf(c->report, "%s: only here: the anchor %.*s\n", where,
                      SL_ARG(id));
}

/*
 * Signatures of one list can share a heading, and their anchors stand above it:
 * at the first of those that end here.
 */
static bool is_in_place(const struct comparison *c, size_t page, size_t text)
{
    while (page > text && page < c->html->count &&
           c->html->tokens[page].kind == SL_TOKEN_SIGNATURE &&
           !(c->html->tokens[page].look.marks & SL_LOOK_BEGINS))
        page--;
    while (page > text &&
           (c->html->tokens[page - 1].kind == SL_TOKEN_LINK ||
            c->html->tokens[page - 1].kind == SL_TOKEN_TITLE))
        page--; /* no anchor stands in a link's text, nor in an abbreviation */
    return page == text;
}

static void compare_place(struct comparison *c, const struct sl_anchor *page,
                          const struct sl_anchor *text)
{
    if (c->moved || is_in_place(c, page->at, text->at) || !is_shown(c))
        return;
    sl_buf_printf(c->report,
                  "%s:%u: the anchor %.*s is before this line in the "
                  "page, and in\n%s:%u: before this one\n",
                  c->html_name, line_at(c->html, page->at), SL_ARG(page->id),
                  c->md_name, line_at(c->markdown, text->at));
}

static void sort_anchors(struct sl_stream *s)
{
    if (s->anchor_count)
        qsort(s->anchors, s->anchor_count, sizeof *s->anchors, order);
}

static void compare_anchors(struct comparison *c, struct sl_stream *html,
                            struct sl_stream *md)
{
    for (size_t i = 0; i < html->anchor_count; i++)
        html->anchors[i].id = plain_id(html->arena, html->anchors[i].id);
    sort_anchors(html);
    size_t kept = 0; /* some themes give an id twice */
    for (size_t i = 0; i < html->anchor_count; i++)
        if (!kept ||
            !sl_view_eq(html->anchors[kept - 1].id, html->anchors[i].id))
            html->anchors[kept++] = html->anchors[i];
    html->anchor_count = kept;
    sort_anchors(md);
    size_t i = 0, k = 0;
    while (i < html->anchor_count || k < md->anchor_count) {
        int less = i == html->anchor_count ? 1
                   : k == md->anchor_count
                       ? -1
                       : sl_view_cmp(html->anchors[i].id, md->anchors[k].id);
        if (less < 0)
            tell_anchor(c, c->html_name, html->anchors[i].id);
        else if (less > 0)
            tell_anchor(c, c->md_name, md->anchors[k].id);
        else
            compare_place(c, &html->anchors[i], &md->anchors[k]);
        i += less <= 0;
        k += less >= 0;
    }
}

/* Text that no part holds, so that neither side reads it. */
static void tell_lost(struct comparison *c, const struct sl_check_left *lost)
{
    if (lost->words && is_shown(c))
        sl_buf_printf(c->report,
                      "%s:%u: %zu words of the page stand outside of its text "
                      "and are no navigation; the most here, %zu in <%.*s>\n",
                      c->html_name, lost->line, lost->words, lost->most,
                      SL_ARG(lost->name));
}

static struct sl_check_counts count(const struct sl_stream *s)
{
    struct sl_check_counts c = {.anchors = s->anchor_count};
    for (size_t i = 0; i < s->count; i++) {
        const struct sl_token *t = &s->tokens[i];
        c.words += t->kind == SL_TOKEN_WORD;
        c.tables += t->kind == SL_TOKEN_TABLE;
        c.cells += t->kind == SL_TOKEN_CELL;
        c.code_blocks += t->kind == SL_TOKEN_CODE;
        c.links += t->kind == SL_TOKEN_LINK;
        c.images += t->kind == SL_TOKEN_IMAGE;
        if (t->kind == SL_TOKEN_SIGNATURE) {
            c.signatures++;
            c.parameters += sl_sphinx_count_parameters(t->text);
        }
    }
    return c;
}

enum sl_status sl_sphinx_check(struct sl_arena *arena,
                               const struct sl_html *html,
                               struct sl_view markdown, const char *html_name,
                               const char *md_name, struct sl_buf *report,
                               struct sl_check *check_out,
                               struct sl_error *error)
{
    struct sl_stream page = {.arena = arena, .error = error};
    struct sl_stream text = {.arena = arena, .error = error};
    struct sl_recovered recovered;
    sl_stream_html(&page, html);
    if (page.status)
        return page.status;
    sl_stream_markdown(&text, markdown, &page, &recovered);
    if (text.status)
        return text.status;
    struct comparison c = {.html = &page,
                           .markdown = &text,
                           .html_name = html_name,
                           .md_name = md_name,
                           .report = report};
    struct sl_check_left navigation, lost;
    sl_page_count_left(html, &navigation, &lost);
    tell_lost(&c, &lost);
    compare(&c);
    compare_anchors(&c, &page, &text);
    size_t escaped = sl_stream_count_escaped(markdown);
    escaped -= escaped < text.escaped ? escaped : text.escaped;
    if (escaped && is_shown(&c))
        sl_buf_printf(report, "%s: %zu underscores are escaped\n", md_name,
                      escaped);
    if (recovered.faults && is_shown(&c))
        sl_buf_printf(report,
                      "%s: parameters are named that are not the "
                      "prototype's\n",
                      md_name);
    *check_out = (struct sl_check){
        .html = count(&page),
        .markdown = count(&text),
        .navigation = navigation,
        .recovered = recovered.count,
        .escaped = escaped,
        .differences = c.differences,
    };
    return sl_buf_check(report, error);
}
