#include "html/dom.h"

#include <string.h>

bool sl_html_get(const struct sl_html *html, uint32_t node, const char *name,
                 struct sl_view *value_out)
{
    const struct sl_html_node *n = &html->nodes[node];
    *value_out = (struct sl_view){"", 0};
    for (uint32_t i = 0; i < n->attribute_count; i++) {
        const struct sl_html_attribute *a = &html->attributes[n->attribute + i];
        if (sl_view_is(a->name, name)) {
            *value_out = a->value;
            return true;
        }
    }
    return false;
}

bool sl_html_has_class(const struct sl_html *html, uint32_t node,
                       const char *word)
{
    struct sl_view value;
    if (!sl_html_get(html, node, "class", &value))
        return false;
    size_t want = strlen(word);
    for (size_t at = 0; at < value.len;) {
        while (at < value.len && sl_is_space(value.ptr[at]))
            at++;
        size_t begin = at;
        while (at < value.len && !sl_is_space(value.ptr[at]))
            at++;
        if (at - begin == want && memcmp(value.ptr + begin, word, want) == 0)
            return want > 0;
    }
    return false;
}

uint32_t sl_html_child(const struct sl_html *html, uint32_t node,
                       enum sl_html_tag tag)
{
    uint32_t child = sl_html_first(html, node);
    while (child != SL_HTML_NONE && html->nodes[child].tag != tag)
        child = sl_html_next(html, child);
    return child;
}

void sl_html_text(const struct sl_html *html, uint32_t node, struct sl_buf *out)
{
    for (uint32_t i = node; i < html->nodes[node].after; i++)
        if (html->nodes[i].tag == SL_HTML_TEXT)
            sl_buf_add(out, html->nodes[i].text);
}
