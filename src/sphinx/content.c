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
    return tag == SL_HTML_DIV && sl_html_has_class(html, node, "body") ? 2 : 0;
}

/* An element that can be a part, while those around it are open. */
struct candidate {
    uint32_t node;
    unsigned rank, inside; /* the best rank of what stands in it */
};

static void close_candidates(struct candidate *all, uint32_t *open,
                             size_t *depth, const struct sl_html *html,
                             uint32_t node)
{
    while (*depth && html->nodes[all[open[*depth - 1]].node].after <= node) {
        const struct candidate *inner = &all[open[--*depth]];
        if (!*depth)
            break;
        struct candidate *outer = &all[open[*depth - 1]];
        unsigned best = inner->rank > inner->inside ? inner->rank
                                                    : inner->inside;
        outer->inside = best > outer->inside ? best : outer->inside;
    }
}

/* All that can be parts, in document order; false: no memory. */
static bool find_candidates(struct sl_arena *arena, const struct sl_html *html,
                            struct candidate **all_out, size_t *count_out)
{
    struct candidate *all = NULL;
    uint32_t open[SL_MAX_HTML_DEPTH];
    size_t count = 0, cap = 0, depth = 0;
    for (uint32_t i = 0; i < html->count; i++) {
        if (html->nodes[i].tag == SL_HTML_TEXT)
            continue;
        close_candidates(all, open, &depth, html, i);
        unsigned r = rank(html, i);
        if (!r)
            continue;
        void *grown = sl_arena_grow(arena, all, sizeof *all, count, &cap);
        if (!grown)
            return false;
        all = grown;
        all[count] = (struct candidate){i, r, 0};
        open[depth++] = (uint32_t)count++;
    }
    close_candidates(all, open, &depth, html, html->count);
    *all_out = all;
    *count_out = count;
    return true;
}

/* Those of them that hold nothing surer than themselves. */
bool sl_sphinx_find_parts(struct sl_arena *arena, const struct sl_html *html,
                          struct sl_sphinx_parts *parts_out)
{
    struct candidate *all;
    size_t count, kept = 0;
    if (!find_candidates(arena, html, &all, &count))
        return false;
    uint32_t *nodes = sl_arena_alloc(arena, (count + 1) * sizeof *nodes);
    if (!nodes)
        return false;
    uint32_t end = 0;
    for (size_t i = 0; i < count; i++) {
        if (all[i].node < end || all[i].inside > all[i].rank)
            continue;
        nodes[kept++] = all[i].node;
        end = html->nodes[all[i].node].after;
    }
    *parts_out = (struct sl_sphinx_parts){nodes, kept};
    return true;
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
