/*
 * The page's side of the check: what of the page is its text, and how much is
 * not read. Nothing of what the walk decides about that is used.
 */
#include "base/limits.h"
#include "html/dom.h"
#include "sphinx/check_page.h"

bool sl_page_is_left_out(const struct sl_html *html, uint32_t node)
{
    static const char *const words =
        "headerlink viewcode-link viewcode-back skip-link linenos linenodiv "
        "backrefs related sphinxsidebar clearer footer rst-footer-buttons "
        "prev-next-area prev-next-bottom content-icon-container back-to-top "
        "edit-this-page bd-sidebar sidebar-drawer";
    static const enum sl_html_tag tags[] = {
        SL_HTML_SCRIPT, SL_HTML_STYLE,    SL_HTML_NAV,      SL_HTML_BUTTON,
        SL_HTML_FORM,   SL_HTML_SELECT,   SL_HTML_TEXTAREA, SL_HTML_NOSCRIPT,
        SL_HTML_SVG,    SL_HTML_TEMPLATE, SL_HTML_IFRAME,   SL_HTML_FOOTER,
        SL_HTML_HEAD,   SL_HTML_INPUT};
    enum sl_html_tag tag = html->nodes[node].tag;
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        if (tags[i] == tag)
            return true;
    if (!html->nodes[node].attribute_count)
        return false;
    bool contents = sl_page_has_class(html, node, "contents") &&
                    sl_page_has_class(html, node, "topic");
    return contents || sl_page_has_class(html, node, words) ||
           sl_page_is(html, node, "role", "navigation") ||
           sl_page_is(html, node, "role", "search");
}

/* --- parts -------------------------------------------------------------------- */

/* The surer, the higher; 0: it is no part. */
static unsigned sureness(const struct sl_html *html, uint32_t node)
{
    enum sl_html_tag tag = html->nodes[node].tag;
    if (tag == SL_HTML_TEXT)
        return 0;
    if (tag == SL_HTML_MAIN && !html->nodes[node].attribute_count)
        return 2;
    if (!html->nodes[node].attribute_count)
        return 0;
    bool main_role = sl_page_is(html, node, "role", "main");
    if (sl_page_is(html, node, "itemprop", "articleBody"))
        return 5;
    if (tag == SL_HTML_ARTICLE &&
        (main_role || sl_page_has_class(html, node, "bd-article")))
        return 4;
    if (main_role)
        return 3;
    if (tag == SL_HTML_MAIN)
        return 2;
    return tag == SL_HTML_DIV && sl_page_has_class(html, node, "body");
}

bool sl_page_next_part(const struct sl_html *html, uint32_t from,
                       uint32_t *begin_out, uint32_t *end_out)
{
    uint32_t surer_at = 0; /* what made the last one fall */
    unsigned surer = 0;
    for (uint32_t i = from; i < html->count; i++) {
        unsigned sure = sureness(html, i);
        uint32_t end = html->nodes[i].after;
        if (!sure || (surer > sure && i < surer_at && surer_at < end))
            continue;
        surer = 0;
        for (uint32_t k = i + 1; k < end && surer <= sure; k++) {
            surer = sureness(html, k);
            surer_at = k;
        }
        if (surer > sure)
            continue;
        *begin_out = i;
        *end_out = end;
        return true;
    }
    *begin_out = 0;
    *end_out = html->count;
    return !from && html->count;
}

/* --- what is not read ------------------------------------------------------------ */

/* What the site says of itself, where it does not stand in a part. */
static bool is_of_site(const struct sl_html *html, uint32_t node)
{
    enum sl_html_tag tag = html->nodes[node].tag;
    if (tag == SL_HTML_HEADER || tag == SL_HTML_ASIDE ||
        tag == SL_HTML_LABEL || tag == SL_HTML_DIALOG)
        return true;
    if (!html->nodes[node].attribute_count)
        return false;
    return sl_page_has_class(html, node, "toc-drawer bd-toc") ||
           sl_page_is(html, node, "role", "banner") ||
           sl_page_is(html, node, "role", "complementary") ||
           sl_page_is(html, node, "role", "contentinfo") ||
           sl_page_is(html, node, "role", "dialog");
}

static bool is_no_text(enum sl_html_tag tag)
{
    return tag == SL_HTML_SCRIPT || tag == SL_HTML_STYLE ||
           tag == SL_HTML_TITLE || tag == SL_HTML_TEMPLATE;
}

static size_t words_in(const struct sl_html *html, uint32_t node)
{
    size_t words = 0;
    for (uint32_t i = node; i < html->nodes[node].after; i++) {
        if (is_no_text(html->nodes[i].tag))
            i = html->nodes[i].after - 1;
        else if (html->nodes[i].tag == SL_HTML_TEXT)
            words += sl_stream_count_words(html->nodes[i].text);
    }
    return words;
}

/*
 * Whether it is left out for its tag, and holds what such an element has no need
 * of: perhaps it was meant to end long before.
 */
static bool is_doubtful(const struct sl_html *html, uint32_t node)
{
    static const enum sl_html_tag tags[] = {
        SL_HTML_BUTTON, SL_HTML_FORM,     SL_HTML_SELECT, SL_HTML_TEXTAREA,
        SL_HTML_IFRAME, SL_HTML_NOSCRIPT, SL_HTML_FOOTER, SL_HTML_HEAD,
        SL_HTML_HEADER, SL_HTML_LABEL,    SL_HTML_NAV,    SL_HTML_SVG};
    enum sl_html_tag tag = html->nodes[node].tag;
    bool by_tag = false;
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        by_tag = by_tag || tag == tags[i];
    for (uint32_t i = node + 1; by_tag && i < html->nodes[node].after; i++) {
        enum sl_html_tag t = html->nodes[i].tag;
        bool heading = t >= SL_HTML_H1 && t <= SL_HTML_H6;
        bool label = t == SL_HTML_OTHER &&
                     sl_view_is(html->nodes[i].text, "text");
        if (tag == SL_HTML_SVG ? label
                               : t == SL_HTML_PRE || t == SL_HTML_TABLE ||
                                     t == SL_HTML_DL || t == SL_HTML_SECTION ||
                                     (heading && tag != SL_HTML_NAV))
            return true;
    }
    return false;
}

static void add_words(struct sl_check_left *left, const struct sl_html *html,
                      uint32_t node, size_t words)
{
    left->words += words;
    if (words <= left->most)
        return;
    left->most = words;
    left->line = html->nodes[node].line;
    if (html->nodes[node].tag == SL_HTML_TEXT)
        node = html->nodes[node].parent;
    left->name = node == SL_HTML_NONE ? SL_LIT("html") : html->nodes[node].text;
}

struct left {
    const struct sl_html *html;
    struct sl_check_left *navigation, *lost;
};

/* An element of navigation. */
static void add_element(struct left *l, uint32_t node)
{
    struct sl_check_left *to = is_doubtful(l->html, node) ? l->lost
                                                          : l->navigation;
    add_words(to, l->html, node, words_in(l->html, node));
}

/* A node outside of all parts, and no part in it. */
static void add_outside(struct left *l, uint32_t node)
{
    const struct sl_html *html = l->html;
    size_t words = 0;
    for (uint32_t i = node; i < html->nodes[node].after;) {
        const struct sl_html_node *n = &html->nodes[i];
        bool text = n->tag == SL_HTML_TEXT;
        bool left = !text &&
                    (sl_page_is_left_out(html, i) || is_of_site(html, i));
        if (text)
            words += sl_stream_count_words(n->text);
        else if (left)
            add_element(l, i);
        i = left ? n->after : i + 1;
    }
    add_words(l->lost, html, node, words);
}

void sl_page_count_left(const struct sl_html *html,
                        struct sl_check_left *navigation_out,
                        struct sl_check_left *lost_out)
{
    struct left l = {html, navigation_out, lost_out};
    *navigation_out = *lost_out = (struct sl_check_left){.words = 0};
    uint32_t begin = 0, end = 0;
    bool more = sl_page_next_part(html, 0, &begin, &end);
    for (uint32_t i = 0; i < html->count;) {
        if (more && i >= end) {
            more = sl_page_next_part(html, end, &begin, &end);
            continue;
        }
        const struct sl_html_node *n = &html->nodes[i];
        bool inside = more && i >= begin;
        bool around = more && i < begin && begin < n->after;
        bool text = n->tag == SL_HTML_TEXT;
        bool left = inside && !text && sl_page_is_left_out(html, i);
        if (left)
            add_element(&l, i);
        else if (!inside && !around)
            add_outside(&l, i);
        i = (inside && !left) || around ? i + 1 : n->after;
    }
}
