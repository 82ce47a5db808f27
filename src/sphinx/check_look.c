/* How the page's words look: headings, items, quotations, emphasis, code. */
#include "base/limits.h"
#include "sphinx/check_page.h"

#define PASSING (SL_LOOK_BEGINS | SL_LOOK_ITEM)

static bool is_block_of_text(enum sl_html_tag tag)
{
    static const enum sl_html_tag tags[] = {
        SL_HTML_P,       SL_HTML_DIV,        SL_HTML_SECTION, SL_HTML_ARTICLE,
        SL_HTML_ASIDE,   SL_HTML_HEADER,     SL_HTML_FIGURE,  SL_HTML_CAPTION,
        SL_HTML_DETAILS, SL_HTML_FIGCAPTION, SL_HTML_SUMMARY};
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        if (tags[i] == tag)
            return true;
    return false;
}

static bool is_one_of(enum sl_html_tag tag, const enum sl_html_tag *tags,
                      size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (tags[i] == tag)
            return true;
    return false;
}

/* What the words in the element are, unless they are it already. */
static void emphasise(struct sl_page *p, unsigned char mark)
{
    struct sl_look *look = &p->s->look;
    if (look->marks & (SL_LOOK_EM | SL_LOOK_STRONG | SL_LOOK_CODE))
        return;
    look->marks |= mark;
    if (p->s->touches) /* stars between letters are only stars */
        look->marks |= SL_LOOK_LOOSE;
}

/* A backslash before a bar: in a cell no code span can hold it. */
static bool holds_bar(const struct sl_page *p, uint32_t node)
{
    struct sl_buf text;
    sl_buf_init(&text, SL_MAX_HTML_FILE);
    sl_html_text(p->html, node, &text);
    bool found = sl_view_find(sl_buf_view(&text), SL_LIT("\\|"), 0) != SIZE_MAX;
    sl_buf_release(&text);
    return found;
}

void sl_page_code(struct sl_page *p, uint32_t node)
{
    p->s->look.marks |= SL_LOOK_CODE;
    if (p->cell != SL_HTML_NONE && holds_bar(p, node))
        p->s->look.marks |= SL_LOOK_LOOSE;
}

/* Emphasis, code, and other looks of words in a line. */
static void open_inline(struct sl_page *p, uint32_t node)
{
    static const enum sl_html_tag ems[] = {SL_HTML_EM, SL_HTML_I, SL_HTML_CITE,
                                           SL_HTML_DFN, SL_HTML_VAR};
    static const enum sl_html_tag codes[] = {SL_HTML_CODE, SL_HTML_TT,
                                             SL_HTML_KBD, SL_HTML_SAMP};
    enum sl_html_tag tag = p->html->nodes[node].tag;
    bool span = tag == SL_HTML_SPAN;
    if (span && sl_page_has(p, node, "classifier")) {
        p->s->look.marks &= (unsigned char)~(SL_LOOK_STRONG | SL_LOOK_LOOSE);
        p->s->look.marks |= SL_LOOK_EM;
    } else if (is_one_of(tag, ems, sizeof ems / sizeof *ems) ||
               (span && sl_page_has(p, node, "versionmodified"))) {
        emphasise(p, SL_LOOK_EM);
    } else if (tag == SL_HTML_B || tag == SL_HTML_STRONG) {
        emphasise(p, SL_LOOK_STRONG);
    } else if (is_one_of(tag, codes, sizeof codes / sizeof *codes) ||
               (span && sl_page_has(p, node, "sig-inline"))) {
        sl_page_code(p, node);
    } else if (tag == SL_HTML_SUB || tag == SL_HTML_SUP) {
        p->s->look.marks |= tag == SL_HTML_SUB ? SL_LOOK_SUB : SL_LOOK_SUP;
        p->s->glue = false;
    }
}

/* The sibling before the node; the nodes stand in the order of the page. */
static uint32_t sibling_before(const struct sl_html *html, uint32_t node)
{
    uint32_t parent = html->nodes[node].parent;
    if (parent == SL_HTML_NONE || node - 1 == parent)
        return SL_HTML_NONE;
    uint32_t before = node - 1;
    while (html->nodes[before].parent != parent)
        before = html->nodes[before].parent;
    return before;
}

/* The element before this one, with nothing but text between, has that tag. */
static bool follows(const struct sl_html *html, uint32_t node,
                    enum sl_html_tag tag)
{
    do
        node = sibling_before(html, node);
    while (node != SL_HTML_NONE && html->nodes[node].tag == SL_HTML_TEXT);
    return node != SL_HTML_NONE && html->nodes[node].tag == tag;
}

/* A list of terms: one whose first term is no signature. */
static bool is_of_terms(const struct sl_page *p, uint32_t dl)
{
    uint32_t dt = sl_html_child(p->html, dl, SL_HTML_DT);
    return dt != SL_HTML_NONE && !sl_page_is_signature(p, dt);
}

static bool is_of_symbols(const struct sl_page *p, uint32_t node)
{
    uint32_t dt = p->html->nodes[node].tag == SL_HTML_DL
                      ? sl_html_child(p->html, node, SL_HTML_DT)
                      : SL_HTML_NONE;
    return dt != SL_HTML_NONE && sl_page_is_signature(p, dt);
}

static void open_term(struct sl_page *p, uint32_t node)
{
    const struct sl_html *html = p->html;
    uint32_t dl = html->nodes[node].parent;
    bool item = p->cell == SL_HTML_NONE && dl != SL_HTML_NONE &&
                html->nodes[dl].tag == SL_HTML_DL && is_of_terms(p, dl) &&
                !follows(html, node, SL_HTML_DT);
    if (item)
        sl_stream_item(p->s, 0);
    if (!sl_page_has(p, node, "label"))
        emphasise(p, SL_LOOK_STRONG);
}

static bool is_quote(const struct sl_page *p, uint32_t node)
{
    enum sl_html_tag tag = p->html->nodes[node].tag;
    return tag == SL_HTML_BLOCKQUOTE ||
           (tag != SL_HTML_P && is_block_of_text(tag) &&
            sl_page_has(p, node, "admonition topic sidebar"));
}

static bool is_title(const struct sl_page *p, uint32_t node)
{
    enum sl_html_tag tag = p->html->nodes[node].tag;
    return tag == SL_HTML_SUMMARY ||
           (is_block_of_text(tag) && !sl_page_has(p, node, "line") &&
            sl_page_has(p, node,
                        "admonition-title topic-title sidebar-title rubric "
                        "caption code-block-caption"));
}

static bool is_note(const struct sl_page *p, uint32_t node)
{
    enum sl_html_tag tag = p->html->nodes[node].tag;
    return tag != SL_HTML_P && is_block_of_text(tag) &&
           sl_page_has(p, node, "footnote citation");
}

/* What stands outside of tables only: there is no room for it in a cell. */
static void open_container(struct sl_page *p, uint32_t node)
{
    struct sl_look *look = &p->s->look;
    enum sl_html_tag tag = p->html->nodes[node].tag;
    if (tag >= SL_HTML_H1 && tag <= SL_HTML_H6) {
        look->heading = (unsigned char)(tag - SL_HTML_H1 + 1);
        p->level = look->heading;
    } else if (tag == SL_HTML_LI) {
        look->items++;
        sl_page_item(p, node);
    } else if (tag == SL_HTML_DL && is_of_terms(p, node)) {
        look->items++;
    } else if (!is_title(p, node) && is_quote(p, node)) {
        look->quotes++;
    } else if (!is_title(p, node) && is_note(p, node)) {
        look->items++;
        sl_stream_item(p->s, 0);
    }
}

void sl_page_open(struct sl_page *p, uint32_t node)
{
    p->symbols += is_of_symbols(p, node);
    if (p->cell == SL_HTML_NONE)
        open_container(p, node);
    else if (p->html->nodes[node].tag == SL_HTML_LI)
        sl_page_item(p, node);
    if (p->html->nodes[node].tag == SL_HTML_DT)
        open_term(p, node);
    else if (is_title(p, node))
        emphasise(p, SL_LOOK_STRONG);
    else
        open_inline(p, node);
}

void sl_page_close(struct sl_page *p, uint32_t node, struct sl_look before,
                   size_t first)
{
    struct sl_look *now = &p->s->look;
    p->symbols -= is_of_symbols(p, node);
    unsigned char emphasis = SL_LOOK_EM | SL_LOOK_STRONG;
    if ((now->marks & emphasis) && !(before.marks & emphasis)) {
        p->shown_from = first;
        p->shown_to = p->s->count;
    }
    before.marks = (unsigned char)((before.marks & ~PASSING) |
                                   (now->marks & PASSING));
    before.number = now->number;
    *now = before;
    enum sl_html_tag tag = p->html->nodes[node].tag;
    if (tag == SL_HTML_SUB || tag == SL_HTML_SUP)
        p->s->glue = false;
    if ((tag == SL_HTML_SPAN || tag == SL_HTML_DT) &&
        sl_page_has(p, node, "label")) {
        p->s->joins = true;
        p->in_bullet = false;
    }
}

void sl_page_touch(struct sl_page *p)
{
    if (!p->s->touches || p->shown_to != p->s->count)
        return;
    for (size_t i = p->shown_from; i < p->shown_to; i++)
        p->s->tokens[i].look.marks |= SL_LOOK_LOOSE;
}

void sl_page_text(struct sl_page *p, struct sl_view text, unsigned line)
{
    if (text.len && !sl_stream_is_blank(sl_view_sub(text, 0, 1)) &&
        (unsigned char)text.ptr[0] != 0xc2)
        sl_page_touch(p);
    sl_stream_text(p->s, text, line);
}

/* The colon before it is of neither look. */
void sl_page_classifier(struct sl_page *p, unsigned line)
{
    unsigned char marks = p->s->look.marks;
    p->s->look.marks &= SL_LOOK_BEGINS | SL_LOOK_ITEM;
    sl_stream_text(p->s, SL_LIT(" : "), line);
    p->s->look.marks = marks & (unsigned char)~(SL_LOOK_BEGINS | SL_LOOK_ITEM);
}
