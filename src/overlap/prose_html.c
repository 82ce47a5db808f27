/* Prose of HTML pages: their text without code, scripts, navigation and marks. */
#include <string.h>

#include "base/limits.h"
#include "html/dom.h"
#include "overlap/prose.h"

/* What a node is to the text around it. */
enum role {
    INSIDE,   /* of a line: words go on through it (em, code, a) */
    BLOCK,    /* separates words, not sentences (p, li, td) */
    LEFT_OUT, /* as if it were not there (headerlink) */
    APART,    /* left out, and what follows it continues nothing (pre) */
};

static enum role role_of(const struct sl_html *html, uint32_t node)
{
    switch (html->nodes[node].tag) {
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
        return APART;
    case SL_HTML_A:
        return sl_html_has_class(html, node, "headerlink") ? LEFT_OUT : INSIDE;
    case SL_HTML_DT: /* a signature of Sphinx's */
        return sl_html_has_class(html, node, "sig") ? APART : BLOCK;
    case SL_HTML_DIV:
    case SL_HTML_SPAN:
        if (sl_html_has_class(html, node, "sphinxsidebar") ||
            sl_html_has_class(html, node, "related"))
            return APART;
        if (sl_html_has_class(html, node, "math"))
            return LEFT_OUT;
        return html->nodes[node].tag == SL_HTML_DIV ? BLOCK : INSIDE;
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
    case SL_HTML_STRONG:
    case SL_HTML_SUB:
    case SL_HTML_SUP:
    case SL_HTML_TT:
    case SL_HTML_U:
    case SL_HTML_VAR:
    case SL_HTML_WBR:
    case SL_HTML_OTHER:
        return INSIDE;
    default:
        return BLOCK;
    }
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
        if (role_of(html, node) == BLOCK)
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
    enum role role = role_of(html, *node);
    if (role == BLOCK || role == APART)
        part(page);
    if (role == BLOCK)
        page->block_end = n->after;
    page->fresh = page->fresh || role == APART;
    *node = role == LEFT_OUT || role == APART ? n->after : *node + 1;
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
