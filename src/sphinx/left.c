/*
 * What of a page does not come into the Markdown. Navigation may go without a
 * word; any other text is counted, and the longest piece named.
 */
#include "sphinx/internal.h"
#include "sphinx/stream.h"

/* A text of the element that is being read. */
struct piece {
    size_t words;
    uint32_t line;
    struct sl_view text;
};

static void add_text(struct piece *piece, const struct sl_html_node *node)
{
    size_t words = sl_stream_count_words(node->text);
    if (words && !piece->words) {
        piece->line = node->line;
        piece->text = sl_view_trim(node->text);
    }
    piece->words += words;
}

static void end_piece(struct sl_sphinx_left *left, struct piece *piece)
{
    left->words += piece->words;
    if (piece->words > left->most) {
        left->most = piece->words;
        left->line = piece->line;
        left->text = piece->text;
    }
    *piece = (struct piece){.words = 0};
}

static bool is_unseen(enum sl_html_tag tag)
{
    return tag == SL_HTML_SCRIPT || tag == SL_HTML_STYLE ||
           tag == SL_HTML_TITLE || tag == SL_HTML_TEMPLATE;
}

/* Blocks that no button, form or footer needs: a tag that was never closed? */
static bool holds_blocks(const struct sl_html *html, uint32_t node)
{
    bool nav = html->nodes[node].tag == SL_HTML_NAV;
    for (uint32_t i = node + 1; i < html->nodes[node].after; i++) {
        enum sl_html_tag tag = html->nodes[i].tag;
        bool heading = tag >= SL_HTML_H1 && tag <= SL_HTML_H6;
        if (tag == SL_HTML_PRE || tag == SL_HTML_TABLE || tag == SL_HTML_DL ||
            tag == SL_HTML_SECTION || (heading && !nav))
            return true;
    }
    return false;
}

/* A drawing's labels; icons have none. */
static bool holds_labels(const struct sl_html *html, uint32_t node)
{
    for (uint32_t i = node + 1; i < html->nodes[node].after; i++)
        if (html->nodes[i].tag == SL_HTML_OTHER &&
            sl_view_is(html->nodes[i].text, "text"))
            return true;
    return false;
}

/* What is navigation by its name says so; a tag alone can be an accident. */
static bool is_sure(const struct sl_html *html, uint32_t node)
{
    switch (html->nodes[node].tag) {
    case SL_HTML_NAV:
    case SL_HTML_BUTTON:
    case SL_HTML_FORM:
    case SL_HTML_SELECT:
    case SL_HTML_TEXTAREA:
    case SL_HTML_NOSCRIPT:
    case SL_HTML_IFRAME:
    case SL_HTML_HEAD:
    case SL_HTML_FOOTER:
    case SL_HTML_HEADER:
    case SL_HTML_LABEL:
        return !holds_blocks(html, node);
    case SL_HTML_SVG:
        return !holds_labels(html, node);
    default:
        return true;
    }
}

static void add_all(struct piece *piece, const struct sl_html *html,
                    uint32_t node)
{
    for (uint32_t i = node; i < html->nodes[node].after;) {
        const struct sl_html_node *n = &html->nodes[i];
        if (n->tag == SL_HTML_TEXT)
            add_text(piece, n);
        i = is_unseen(n->tag) ? n->after : i + 1;
    }
}

void sl_sphinx_left_inside(struct sl_sphinx_left *left,
                           const struct sl_html *html, uint32_t node)
{
    struct piece piece = {.words = 0};
    if (is_sure(html, node))
        return;
    add_all(&piece, html, node);
    end_piece(left, &piece);
}

/* Landmarks of HTML that are about the site, where they are not in its text. */
static bool is_landmark(const struct sl_html *html, uint32_t node)
{
    static const char *const roles[] = {"banner", "complementary",
                                        "contentinfo", "dialog"};
    static const char *const classes[] = {"back-to-top", "bd-toc",
                                          "toc-drawer"};
    struct sl_view value;
    switch (html->nodes[node].tag) {
    case SL_HTML_HEADER:
    case SL_HTML_ASIDE:
    case SL_HTML_LABEL:
    case SL_HTML_DIALOG:
        return true;
    default:
        break;
    }
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (sl_html_has_class(html, node, classes[i]))
            return true;
    (void)sl_html_get(html, node, "role", &value);
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (sl_view_is(value, roles[i]))
            return true;
    return false;
}

/* Elements without a part in them are one piece each. */
void sl_sphinx_left_outside(struct sl_sphinx_left *left,
                            const struct sl_html *html,
                            const struct sl_sphinx_parts *parts)
{
    struct piece piece = {.words = 0};
    size_t next = 0;
    uint32_t piece_end = 0;
    for (uint32_t i = 0; parts->count && i < html->count;) {
        const struct sl_html_node *n = &html->nodes[i];
        if (i >= piece_end)
            end_piece(left, &piece);
        if (next < parts->count && i == parts->nodes[next]) {
            next++;
            i = n->after;
            continue;
        }
        bool around = next < parts->count && parts->nodes[next] < n->after;
        if (!around && i >= piece_end)
            piece_end = n->after;
        if (n->tag == SL_HTML_TEXT) {
            add_text(&piece, n);
        } else if (!around && (is_unseen(n->tag) ||
                               sl_sphinx_is_boilerplate(html, i) ||
                               is_landmark(html, i))) {
            if (!is_sure(html, i))
                add_all(&piece, html, i);
            i = n->after;
            continue;
        }
        i++;
    }
    end_piece(left, &piece);
}
