#include "sphinx/internal.h"

/*
 * Pages that document a routine's parameters as a run of texts without their
 * names: the order is the prototype's, so that each text's name is known if,
 * and only if, there are as many texts as parameters and no text has a name.
 */

static bool is_title(struct sl_view text)
{
    static const char *const titles[] = {"Parameters", "Arguments", "Args",
                                         "Parameter", "Argument"};
    text = sl_view_trim(text);
    while (text.len && (text.ptr[text.len - 1] == ':' ||
                        sl_is_space(text.ptr[text.len - 1])))
        text.len--;
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        if (sl_view_is(text, titles[i]))
            return true;
    return false;
}

static struct sl_view text_of(struct sl_walk *w, uint32_t node)
{
    sl_buf_truncate(&w->scratch, 0);
    sl_html_text(w->html, node, &w->scratch);
    return sl_view_trim(sl_buf_view(&w->scratch));
}

static uint32_t next_element(const struct sl_html *html, uint32_t node)
{
    do
        node = sl_html_next(html, node);
    while (node != SL_HTML_NONE && html->nodes[node].tag == SL_HTML_TEXT);
    return node;
}

static uint32_t first_element(const struct sl_html *html, uint32_t node)
{
    uint32_t child = sl_html_first(html, node);
    if (child != SL_HTML_NONE && html->nodes[child].tag == SL_HTML_TEXT)
        child = next_element(html, child);
    return child;
}

/*
 * Whether the text begins as a named one does: with emphasis or code, or with a
 * word of the prototype.
 */
static bool is_labelled(struct sl_walk *w, uint32_t node)
{
    const struct sl_html *html = w->html;
    for (uint32_t i = node + 1; i < html->nodes[node].after; i++) {
        switch (html->nodes[i].tag) {
        case SL_HTML_TEXT:
            if (!sl_view_trim(html->nodes[i].text).len)
                continue;
            break;
        case SL_HTML_STRONG:
        case SL_HTML_EM:
        case SL_HTML_B:
        case SL_HTML_I:
        case SL_HTML_CODE:
        case SL_HTML_TT:
            return true;
        default:
            continue;
        }
        break;
    }
    struct sl_view text = text_of(w, node);
    size_t end = 0;
    while (end < text.len && sl_is_word(text.ptr[end]))
        end++;
    struct sl_view word = sl_view_sub(text, 0, end);
    for (size_t i = 0; i < w->prototype.count; i++)
        if (sl_view_eq(w->prototype.names[i], word))
            return true;
    return false;
}

static bool is_text(const struct sl_html *html, uint32_t node,
                    enum sl_html_tag tag)
{
    if (html->nodes[node].tag != tag)
        return false;
    return tag != SL_HTML_DIV || sl_html_has_class(html, node, "line");
}

/* The run of texts from `first` on that are all of one tag. */
static void plan_run(struct sl_walk *w, uint32_t first)
{
    const struct sl_html *html = w->html;
    if (first == SL_HTML_NONE)
        return;
    enum sl_html_tag tag = html->nodes[first].tag;
    size_t count = 0, before = w->named_count;
    uint32_t node = first;
    for (; node != SL_HTML_NONE && is_text(html, node, tag);
         node = next_element(html, node)) {
        if (count >= w->prototype.count || is_labelled(w, node) ||
            is_title(text_of(w, node)))
            goto no;
        void *grown = sl_arena_grow(w->arena, w->named, sizeof *w->named,
                                    w->named_count, &w->named_cap);
        if (!grown) {
            sl_sphinx_fail(w, sl_error_nomem(w->error));
            return;
        }
        w->named = grown;
        w->named[w->named_count++] = (struct sl_named){
            node, w->prototype.names[count++]};
    }
    if (count == w->prototype.count)
        return;
no:
    w->named_count = before;
}

/* The texts in, or from, the element behind the title. */
static void plan_after(struct sl_walk *w, uint32_t node)
{
    if (node != SL_HTML_NONE && w->html->nodes[node].tag == SL_HTML_DD)
        node = first_element(w->html, node);
    if (node == SL_HTML_NONE)
        return;
    switch (w->html->nodes[node].tag) {
    case SL_HTML_UL:
    case SL_HTML_OL:
        plan_run(w, first_element(w->html, node));
        break;
    case SL_HTML_DIV:
        if (sl_html_has_class(w->html, node, "line-block"))
            plan_run(w, first_element(w->html, node));
        break;
    case SL_HTML_P:
        plan_run(w, node);
        break;
    default:
        break;
    }
}

void sl_sphinx_plan_names(struct sl_walk *w, uint32_t dd)
{
    const struct sl_html *html = w->html;
    if (!w->prototype.known || !w->prototype.count)
        return;
    for (uint32_t i = dd + 1; i < html->nodes[dd].after;) {
        enum sl_html_tag tag = html->nodes[i].tag;
        if (tag == SL_HTML_DT && sl_sphinx_is_signature(html, i))
            return; /* another symbol's */
        if ((tag == SL_HTML_DT || tag == SL_HTML_P) &&
            is_title(text_of(w, i))) {
            plan_after(w, next_element(html, i));
            return;
        }
        i++;
    }
}

struct sl_view sl_sphinx_planned_name(struct sl_walk *w, uint32_t node)
{
    while (w->named_next < w->named_count &&
           w->named[w->named_next].node < node)
        w->named_next++;
    if (w->named_next < w->named_count && w->named[w->named_next].node == node)
        return w->named[w->named_next].name;
    return (struct sl_view){"", 0};
}
