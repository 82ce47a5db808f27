/* Prose of HTML pages: their text without code, scripts, navigation and marks. */
#include <string.h>

#include "base/limits.h"
#include "html/dom.h"
#include "overlap/prose.h"

enum sl_prose_role sl_prose_role_of(enum sl_html_tag tag)
{
    switch (tag) {
    case SL_HTML_PRE:
    case SL_HTML_SCRIPT:
    case SL_HTML_STYLE:
    case SL_HTML_HEAD:
    case SL_HTML_NAV:
    case SL_HTML_FOOTER:
    case SL_HTML_TEMPLATE:
    case SL_HTML_SVG:
    case SL_HTML_TEXTAREA:
    case SL_HTML_SELECT:
    case SL_HTML_BUTTON:
    case SL_HTML_IFRAME:
        return SL_PROSE_APART;
    case SL_HTML_A:
    case SL_HTML_ABBR:
    case SL_HTML_B:
    case SL_HTML_CITE:
    case SL_HTML_CODE:
    case SL_HTML_DEL:
    case SL_HTML_DFN:
    case SL_HTML_EM:
    case SL_HTML_I:
    case SL_HTML_INS:
    case SL_HTML_KBD:
    case SL_HTML_Q:
    case SL_HTML_S:
    case SL_HTML_SAMP:
    case SL_HTML_SMALL:
    case SL_HTML_SPAN:
    case SL_HTML_STRONG:
    case SL_HTML_SUB:
    case SL_HTML_SUP:
    case SL_HTML_TT:
    case SL_HTML_U:
    case SL_HTML_VAR:
    case SL_HTML_WBR:
    case SL_HTML_OTHER:
        return SL_PROSE_INSIDE;
    default:
        return SL_PROSE_BLOCK;
    }
}

/* Whether all text in it is the mark of a footnote; a mark has few parts. */
static bool is_mark(const struct sl_html *html, uint32_t node)
{
    enum { PARTS = 16 };
    if (html->nodes[node].after - node > PARTS)
        return false;
    for (uint32_t i = node + 1; i < html->nodes[node].after; i++)
        if (html->nodes[i].tag == SL_HTML_TEXT &&
            !sl_prose_is_mark(html->nodes[i].text))
            return false;
    return true;
}

static bool is_footnote_link(const struct sl_html *html, uint32_t node)
{
    struct sl_view role;
    return sl_html_has_class(html, node, "footnote-reference") ||
           (sl_html_get(html, node, "role", &role) &&
            sl_view_is(role, "doc-noteref"));
}

static enum sl_prose_role role_of(const struct sl_html *html, uint32_t node)
{
    enum sl_html_tag tag = html->nodes[node].tag;
    switch (tag) {
    case SL_HTML_A:
        if (sl_html_has_class(html, node, "headerlink") ||
            is_footnote_link(html, node))
            return SL_PROSE_LEFT;
        break;
    case SL_HTML_SUP:
        if (is_mark(html, node))
            return SL_PROSE_LEFT;
        break;
    case SL_HTML_DT: /* a signature of Sphinx's */
        if (sl_html_has_class(html, node, "sig"))
            return SL_PROSE_APART;
        break;
    case SL_HTML_DIV:
    case SL_HTML_SPAN:
        if (sl_html_has_class(html, node, "sphinxsidebar") ||
            sl_html_has_class(html, node, "related"))
            return SL_PROSE_APART;
        if (sl_html_has_class(html, node, "math") ||
            is_footnote_link(html, node))
            return SL_PROSE_LEFT;
        break;
    default:
        break;
    }
    return sl_prose_role_of(tag);
}

struct page {
    struct sl_prose *prose;
    uint32_t line; /* that whoever reads the prose counts */
    bool fresh;
    bool in_word; /* the last byte was of a word, and no block came since */
    uint32_t block_end; /* the node with which the innermost block is over */
};

static bool is_word_byte(char c)
{
    return sl_is_word(c) || (unsigned char)c >= 0x80;
}

static void put_text(struct page *page, struct sl_view text, uint32_t line)
{
    /* a mark parts words: none inside of <b>bold</b>ly */
    bool joined = page->in_word && is_word_byte(*text.ptr);
    if (!joined && (page->fresh || page->line != line)) {
        sl_prose_mark(page->prose, line, page->fresh);
        page->line = line;
        page->fresh = false;
    }
    sl_buf_add(&page->prose->text, text);
    for (size_t i = 0; i < text.len; i++)
        page->line += text.ptr[i] == '\n';
    page->in_word = is_word_byte(text.ptr[text.len - 1]);
}

static void part(struct page *page)
{
    sl_buf_putc(&page->prose->text, ' ');
    page->in_word = false;
}

/* The end of the innermost block that node stands in. */
static uint32_t end_of_block(const struct sl_html *html, uint32_t node)
{
    for (node = html->nodes[node].parent; node != SL_HTML_NONE;
         node = html->nodes[node].parent)
        if (role_of(html, node) == SL_PROSE_BLOCK)
            return html->nodes[node].after;
    return html->count;
}

static void put_node(struct page *page, const struct sl_html *html,
                     uint32_t *node)
{
    const struct sl_html_node *n = &html->nodes[*node];
    if (*node >= page->block_end) {
        part(page);
        page->block_end = end_of_block(html, *node);
    }
    if (n->tag == SL_HTML_TEXT) {
        put_text(page, n->text, n->line);
        ++*node;
        return;
    }
    enum sl_prose_role role = role_of(html, *node);
    if (role == SL_PROSE_BLOCK || role == SL_PROSE_APART)
        part(page);
    if (role == SL_PROSE_BLOCK)
        page->block_end = n->after;
    page->fresh = page->fresh || role == SL_PROSE_APART;
    bool skipped = role == SL_PROSE_LEFT || role == SL_PROSE_APART;
    *node = skipped ? n->after : *node + 1;
}

enum sl_status sl_prose_html(struct sl_prose *prose, struct sl_view text,
                             struct sl_error *error)
{
    struct sl_arena arena;
    struct sl_html html;
    struct page page = {.prose = prose, .fresh = true};
    sl_arena_init(&arena, SL_MAX_OVERLAP_ARENA);
    enum sl_status status = sl_html_parse(&arena, text, &html, error);
    uint32_t node = 0;
    while (!status && node < html.count)
        put_node(&page, &html, &node);
    status = sl_arena_explain(&arena, status, error);
    sl_arena_release(&arena);
    return status;
}
