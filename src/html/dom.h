/*
 * An HTML page as one flat array of nodes in document order.
 *
 * libxml2 reads the markup; the tree is ours, so that its depth, its size and
 * the page's encoding are decided here and not in the library. Whatever would
 * shorten the page without a word (NUL bytes, bytes of another encoding, a
 * comment without an end, nesting past the cap) is an error instead.
 */
#ifndef SL_HTML_DOM_H
#define SL_HTML_DOM_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/status.h"
#include "html/tags.h"

#define SL_HTML_NONE UINT32_MAX

struct sl_html_attribute {
    struct sl_view name;  /* lower case */
    struct sl_view value; /* decoded; empty when there is none */
};

struct sl_html_node {
    enum sl_html_tag tag;
    uint32_t parent; /* SL_HTML_NONE: the page has no element above it */
    uint32_t after;  /* the first node that is not inside this one */
    uint32_t line;   /* of the page, 1-based; where it begins, or near it */
    uint32_t attribute, attribute_count;
    struct sl_view text; /* of a text; of an element: its name */
};

struct sl_html {
    struct sl_html_node *nodes;
    uint32_t count;
    struct sl_html_attribute *attributes;
    size_t faults; /* that libxml2 found in the markup and worked around */
};

/*
 * Reads a page in UTF-8, UTF-16 with a byte order mark, or the encoding that
 * it declares. Comments and processing instructions are left out; neighbouring
 * texts are one node and never empty. Everything lives in the arena; bytes may
 * go away.
 *
 * SL_ERR_SYNTAX: bytes that are not of the page's encoding, NUL, a construct
 * that runs past the page's end. SL_ERR_LIMIT: a cap of base/limits.h.
 */
SL_CHECKED enum sl_status sl_html_parse(struct sl_arena *arena,
                                        struct sl_view bytes,
                                        struct sl_html *html_out,
                                        struct sl_error *error);

/*
 * Whether bytes may be HTML at all, by what they begin with; SL_ERR_SYNTAX says
 * what they are instead, and what to give. A page begins with a doctype or an
 * element that is known; a path that ends in .html, .htm or .xhtml may hold a
 * piece of a page, with an element anywhere.
 */
SL_CHECKED enum sl_status sl_html_recognise(struct sl_arena *arena,
                                            struct sl_view bytes,
                                            struct sl_view path,
                                            struct sl_error *error);

/* The element of that name, in lower case; SL_HTML_OTHER: no known one. */
enum sl_html_tag sl_html_tag_of(struct sl_view name);

/* The character of an entity of HTML 4 (`nbsp`, `shy`), or 0. */
uint32_t sl_html_entity(struct sl_view name);

/* False when there is no such attribute; *value_out is then empty. */
bool sl_html_get(const struct sl_html *html, uint32_t node, const char *name,
                 struct sl_view *value_out);

/* Whether the word stands in the element's class attribute. */
bool sl_html_has_class(const struct sl_html *html, uint32_t node,
                       const char *word);

/* The first child with that tag, or SL_HTML_NONE. */
uint32_t sl_html_child(const struct sl_html *html, uint32_t node,
                       enum sl_html_tag tag);

/* Appends all text inside the node, as it stands. */
void sl_html_text(const struct sl_html *html, uint32_t node,
                  struct sl_buf *out);

/* The first child, or SL_HTML_NONE. */
static inline uint32_t sl_html_first(const struct sl_html *html, uint32_t node)
{
    return html->nodes[node].after > node + 1 ? node + 1 : SL_HTML_NONE;
}

/* The next node with the same parent, or SL_HTML_NONE. */
static inline uint32_t sl_html_next(const struct sl_html *html, uint32_t node)
{
    uint32_t parent = html->nodes[node].parent;
    uint32_t end = parent == SL_HTML_NONE ? html->count
                                          : html->nodes[parent].after;
    return html->nodes[node].after < end ? html->nodes[node].after
                                         : SL_HTML_NONE;
}

#endif
