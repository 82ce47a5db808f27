#include "sphinx/check.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "sphinx/stream.h"

#define WINDOW 200u /* tokens in which the streams may meet again */
#define MEET 4u     /* that have to be the same for it */
#define SHOWN 24u   /* tokens of a difference */

struct comparison {
    const struct sl_stream *html, *markdown;
    const char *html_name, *md_name;
    struct sl_buf *report;
    size_t differences;
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
                                        "row", "cell",       "link:", "image:"};
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

static void compare(struct comparison *c)
{
    size_t i = 0, k = 0;
    while (i < c->html->count || k < c->markdown->count) {
        if (i < c->html->count && k < c->markdown->count && is_same(c, i, k)) {
            i++;
            k++;
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
        i = to_i;
        k = to_k;
    }
}

/* --- anchors ------------------------------------------------------------------ */

static int order(const void *a, const void *b)
{
    return sl_view_cmp(*(const struct sl_view *)a, *(const struct sl_view *)b);
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

static void compare_anchors(struct comparison *c, struct sl_stream *html,
                            struct sl_stream *md)
{
    for (size_t i = 0; i < html->anchor_count; i++)
        html->anchors[i] = plain_id(html->arena, html->anchors[i]);
    if (html->anchor_count)
        qsort(html->anchors, html->anchor_count, sizeof *html->anchors, order);
    size_t kept = 0; /* some themes give an id twice */
    for (size_t i = 0; i < html->anchor_count; i++)
        if (!kept || !sl_view_eq(html->anchors[kept - 1], html->anchors[i]))
            html->anchors[kept++] = html->anchors[i];
    html->anchor_count = kept;
    if (md->anchor_count)
        qsort(md->anchors, md->anchor_count, sizeof *md->anchors, order);
    size_t i = 0, k = 0;
    while (i < html->anchor_count || k < md->anchor_count) {
        int less = i == html->anchor_count ? 1
                   : k == md->anchor_count
                       ? -1
                       : sl_view_cmp(html->anchors[i], md->anchors[k]);
        if (less < 0)
            tell_anchor(c, c->html_name, html->anchors[i]);
        else if (less > 0)
            tell_anchor(c, c->md_name, md->anchors[k]);
        i += less <= 0;
        k += less >= 0;
    }
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
    struct comparison c = {&page, &text, html_name, md_name, report, 0};
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
        .recovered = recovered.count,
        .escaped = escaped,
        .differences = c.differences,
    };
    return sl_buf_check(report, error);
}
