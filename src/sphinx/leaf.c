#include <string.h>

#include "sphinx/internal.h"

/* --- code ------------------------------------------------------------------ */

/* Sphinx's names for lexers as what readers of Markdown know. */
static struct sl_view common_name(struct sl_view language)
{
    static const struct {
        const char *from, *to;
    } names[] = {
        {"c++", "cpp"},       {"cu", "cuda"},        {"default", ""},
        {"none", ""},         {"text", ""},          {"pycon", "python"},
        {"pycon3", "python"}, {"python3", "python"}, {"py", "python"},
        {"guess", ""},        {"ipython", "python"}, {"ipython3", "python"},
        {"shell", "sh"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (sl_view_is(language, names[i].from))
            return sl_view_of(names[i].to);
    return language;
}

/* The rest of the first class that begins with the prefix. */
static struct sl_view class_after(const struct sl_html *html, uint32_t node,
                                  const char *prefix)
{
    struct sl_view classes, word;
    struct sl_view none = {"", 0};
    if (!sl_html_get(html, node, "class", &classes))
        return none;
    while (sl_view_cut(&classes, ' ', &word))
        if (sl_view_starts(word, prefix))
            return sl_view_sub(word, strlen(prefix), word.len);
    return none;
}

#define LANGUAGE_ABOVE 6u /* elements between the class and the text */

static struct sl_view language_of(const struct sl_html *html, uint32_t node)
{
    uint32_t code = sl_html_child(html, node, SL_HTML_CODE);
    struct sl_view found = {"", 0};
    if (code != SL_HTML_NONE)
        found = class_after(html, code, "language-");
    for (unsigned i = 0; i < LANGUAGE_ABOVE && !found.len; i++) {
        found = class_after(html, node, "highlight-");
        node = html->nodes[node].parent;
        if (node == SL_HTML_NONE)
            break;
    }
    for (size_t i = 0; i < found.len; i++)
        if (!sl_is_word(found.ptr[i]) && !strchr("+-.#", found.ptr[i]))
            return (struct sl_view){"", 0};
    return common_name(found);
}

void sl_sphinx_put_pre(struct sl_walk *w, uint32_t node)
{
    const struct sl_html *html = w->html;
    struct sl_buf *text = &w->scratch;
    sl_buf_truncate(text, 0);
    for (uint32_t i = node + 1; i < html->nodes[node].after;) {
        const struct sl_html_node *n = &html->nodes[i];
        if (n->tag != SL_HTML_TEXT && sl_sphinx_is_boilerplate(html, i)) {
            i = n->after;
            continue;
        }
        if (n->tag == SL_HTML_TEXT)
            sl_buf_add(text, n->text);
        else if (n->tag == SL_HTML_BR)
            sl_buf_putc(text, '\n');
        else
            sl_sphinx_keep_anchor(w, i);
        i++;
    }
    for (size_t i = 0; i < text->len; i++)
        if (text->ptr[i] == '\r')
            text->ptr[i] = '\n';
    struct sl_view code = sl_buf_view(text);
    if (code.len && code.ptr[0] == '\n') /* as HTML says of <pre> */
        code = sl_view_sub(code, 1, code.len);
    while (code.len && sl_is_space(code.ptr[code.len - 1]))
        code.len--;
    if (!w->table.in_cell)
        w->counts.code_blocks++;
    sl_sphinx_put_fence(w, language_of(html, node), code);
}

/* --- math ------------------------------------------------------------------ */

bool sl_sphinx_is_math(const struct sl_html *html, uint32_t node)
{
    return sl_html_has_class(html, node, "math");
}

/* The formula without the marks that MathJax looks for. */
static struct sl_view bare_formula(struct sl_view tex)
{
    static const char *const marks[][2] = {
        {"\\(", "\\)"}, {"\\[", "\\]"}, {"$$", "$$"}, {"$", "$"}};
    tex = sl_view_trim(tex);
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        size_t n = strlen(marks[i][0]);
        if (tex.len >= 2 * n && sl_view_starts(tex, marks[i][0]) &&
            sl_view_ends(tex, marks[i][1]))
            return sl_view_trim(sl_view_sub(tex, n, tex.len - n));
    }
    return tex;
}

/* White space as one blank, so that it fits into a line. */
static struct sl_view on_one_line(struct sl_buf *buf, struct sl_view text)
{
    sl_buf_truncate(buf, 0);
    bool space = false;
    for (size_t i = 0; i < text.len; i++) {
        if (sl_is_space(text.ptr[i])) {
            space = true;
            continue;
        }
        if (space && buf->len)
            sl_buf_putc(buf, ' ');
        space = false;
        sl_buf_putc(buf, text.ptr[i]);
    }
    return sl_buf_view(buf);
}

static void put_formula(struct sl_walk *w, struct sl_view tex, bool block)
{
    tex = bare_formula(tex);
    if (!tex.len)
        return;
    if (block && !w->table.in_cell) {
        sl_sphinx_put_fence(w, SL_LIT("math"), tex);
        return;
    }
    struct sl_view copy = sl_arena_copy(w->arena, tex);
    if (!copy.ptr) {
        sl_sphinx_fail(w, sl_error_nomem(w->error));
        return;
    }
    sl_inline_verbatim(&w->in, "$", on_one_line(&w->scratch, copy), "$");
}

/* The number of an equation, and images that stand for the formula. */
void sl_sphinx_put_math(struct sl_walk *w, uint32_t node)
{
    const struct sl_html *html = w->html;
    bool block = html->nodes[node].tag == SL_HTML_DIV;
    sl_buf_truncate(&w->scratch, 0);
    for (uint32_t i = node + 1; i < html->nodes[node].after;) {
        const struct sl_html_node *n = &html->nodes[i];
        struct sl_view alt;
        bool number = n->tag == SL_HTML_SPAN &&
                      sl_html_has_class(html, i, "eqno");
        if (number) {
            uint32_t text = sl_html_first(html, i);
            if (text != SL_HTML_NONE && html->nodes[text].tag == SL_HTML_TEXT)
                sl_inline_text(&w->in, html->nodes[text].text);
        }
        if (number ||
            (n->tag != SL_HTML_TEXT && sl_sphinx_is_boilerplate(html, i))) {
            i = n->after;
            continue;
        }
        if (n->tag == SL_HTML_TEXT)
            sl_buf_add(&w->scratch, n->text);
        else if (n->tag == SL_HTML_IMG && sl_html_get(html, i, "alt", &alt))
            sl_buf_add(&w->scratch, alt);
        i++;
    }
    struct sl_view tex = sl_arena_copy(w->arena, sl_buf_view(&w->scratch));
    if (!tex.ptr) {
        sl_sphinx_fail(w, sl_error_nomem(w->error));
        return;
    }
    if (block)
        sl_sphinx_flush(w);
    put_formula(w, tex, block);
}

/* --- images ---------------------------------------------------------------- */

bool sl_sphinx_is_object(const struct sl_html *html, uint32_t node)
{
    struct sl_view data;
    return html->nodes[node].tag == SL_HTML_OBJECT &&
           sl_html_get(html, node, "data", &data) && data.len;
}

/* What it shows is the image; what stands in it, its description. */
static void put_object(struct sl_walk *w, uint32_t node)
{
    struct sl_view data;
    (void)sl_html_get(w->html, node, "data", &data);
    sl_buf_truncate(&w->scratch, 0);
    sl_html_text(w->html, node, &w->scratch);
    sl_inline_image(&w->in, sl_buf_view(&w->scratch), data);
    w->counts.images++;
}

void sl_sphinx_put_image(struct sl_walk *w, uint32_t node)
{
    struct sl_view src, alt;
    if (w->html->nodes[node].tag == SL_HTML_OBJECT) {
        put_object(w, node);
        return;
    }
    bool has_alt = sl_html_get(w->html, node, "alt", &alt);
    if (sl_html_has_class(w->html, node, "math") && has_alt) {
        struct sl_view tex = alt;
        put_formula(w, tex, false);
        return;
    }
    if (!sl_html_get(w->html, node, "src", &src) || !src.len)
        return;
    sl_inline_image(&w->in, alt, src);
    w->counts.images++;
}
