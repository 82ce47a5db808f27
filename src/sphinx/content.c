#include "sphinx/internal.h"

static bool has_role(const struct sl_html *html, uint32_t node,
                     const char *role)
{
    struct sl_view value;
    return sl_html_get(html, node, "role", &value) && sl_view_is(value, role);
}

/* How surely the element holds the page's text and nothing else; 0: no. */
static unsigned rank(const struct sl_html *html, uint32_t node)
{
    struct sl_view value;
    enum sl_html_tag tag = html->nodes[node].tag;
    if (sl_html_get(html, node, "itemprop", &value) &&
        sl_view_is(value, "articleBody"))
        return 6;
    if (tag == SL_HTML_ARTICLE && (has_role(html, node, "main") ||
                                   sl_html_has_class(html, node, "bd-article")))
        return 5;
    if (has_role(html, node, "main"))
        return 4;
    if (tag == SL_HTML_MAIN)
        return 3;
    if (tag == SL_HTML_DIV && sl_html_has_class(html, node, "body"))
        return 2;
    return tag == SL_HTML_BODY ? 1 : 0;
}

uint32_t sl_sphinx_content_root(const struct sl_html *html)
{
    uint32_t best = SL_HTML_NONE;
    unsigned best_rank = 0;
    for (uint32_t i = 0; i < html->count; i++) {
        if (html->nodes[i].tag == SL_HTML_TEXT)
            continue;
        unsigned r = rank(html, i);
        if (r > best_rank) {
            best = i;
            best_rank = r;
        }
    }
    return best;
}

static bool has_any_class(const struct sl_html *html, uint32_t node,
                          const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (sl_html_has_class(html, node, words[i]))
            return true;
    return false;
}

#define HAS_ANY(html, node, words) \
    has_any_class(html, node, words, sizeof(words) / sizeof *(words))

bool sl_sphinx_is_boilerplate(const struct sl_html *html, uint32_t node)
{
    static const char *const links[] = {"headerlink", "viewcode-link",
                                        "viewcode-back", "skip-link"};
    static const char *const spans[] = {"linenos", "viewcode-link", "backrefs",
                                        "fn-backref-list"};
    static const char *const blocks[] = {"related",
                                         "sphinxsidebar",
                                         "clearer",
                                         "footer",
                                         "rst-footer-buttons",
                                         "prev-next-area",
                                         "prev-next-bottom",
                                         "content-icon-container",
                                         "back-to-top",
                                         "edit-this-page",
                                         "wy-nav-side",
                                         "linenodiv",
                                         "bd-sidebar",
                                         "toctree-toggle",
                                         "sidebar-drawer"};
    struct sl_view value;
    switch (html->nodes[node].tag) {
    case SL_HTML_SCRIPT:
    case SL_HTML_STYLE:
    case SL_HTML_NAV:
    case SL_HTML_BUTTON:
    case SL_HTML_FORM:
    case SL_HTML_SELECT:
    case SL_HTML_INPUT:
    case SL_HTML_TEXTAREA:
    case SL_HTML_TEMPLATE:
    case SL_HTML_NOSCRIPT:
    case SL_HTML_IFRAME:
    case SL_HTML_SVG:
    case SL_HTML_HEAD:
    case SL_HTML_FOOTER:
        return true;
    case SL_HTML_A:
        return HAS_ANY(html, node, links);
    case SL_HTML_SPAN:
        return HAS_ANY(html, node, spans);
    case SL_HTML_TD:
        return sl_html_has_class(html, node, "linenos");
    case SL_HTML_DIV:
    case SL_HTML_ASIDE:
        if (sl_html_get(html, node, "role", &value) &&
            (sl_view_is(value, "navigation") || sl_view_is(value, "search")))
            return true;
        if (sl_html_has_class(html, node, "contents") &&
            sl_html_has_class(html, node, "topic"))
            return true; /* the page's own table of contents */
        return HAS_ANY(html, node, blocks);
    default:
        return false;
    }
}
