/* The page's side of the check: its stream, from the tree. */
#include <string.h>

#include "base/limits.h"
#include "html/dom.h"
#include "sphinx/check_page.h"

static bool is_in_line(enum sl_html_tag tag)
{
    static const enum sl_html_tag tags[] = {
        SL_HTML_A,      SL_HTML_ABBR, SL_HTML_B,    SL_HTML_CITE, SL_HTML_CODE,
        SL_HTML_DEL,    SL_HTML_DFN,  SL_HTML_EM,   SL_HTML_I,    SL_HTML_INS,
        SL_HTML_KBD,    SL_HTML_Q,    SL_HTML_S,    SL_HTML_SAMP, SL_HTML_SMALL,
        SL_HTML_SPAN,   SL_HTML_SUB,  SL_HTML_SUP,  SL_HTML_TT,   SL_HTML_U,
        SL_HTML_STRONG, SL_HTML_VAR,  SL_HTML_TEXT, SL_HTML_WBR,  SL_HTML_OTHER,
        SL_HTML_STRIKE, SL_HTML_OBJECT};
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        if (tags[i] == tag)
            return true;
    return false;
}

/* --- code, formulas, images --------------------------------------------------- */

static struct sl_view language(const struct sl_page *p, uint32_t node)
{
    static const char *const same[][2] = {
        {"c++", "cpp"},        {"cu", "cuda"},         {"shell", "sh"},
        {"pycon", "python"},   {"pycon3", "python"},   {"python3", "python"},
        {"ipython", "python"}, {"ipython3", "python"}, {"py", "python"},
        {"default", ""},       {"none", ""},           {"text", ""},
        {"guess", ""}};
    struct sl_view name = {"", 0};
    for (unsigned up = 0; up < 7 && node != SL_HTML_NONE && !name.len; up++) {
        struct sl_view classes, word;
        sl_html_get(p->html, node, "class", &classes);
        while (!name.len && sl_view_cut(&classes, ' ', &word))
            if (sl_view_starts(word, "highlight-"))
                name = sl_view_sub(word, 10, word.len);
        node = p->html->nodes[node].parent;
    }
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        if (sl_view_is(name, same[i][0]))
            return sl_view_of(same[i][1]);
    return name;
}

static void anchor_at(struct sl_page *p, struct sl_view id, size_t at)
{
    size_t count = p->s->anchor_count;
    sl_stream_anchor(p->s, id);
    if (p->s->anchor_count > count)
        p->s->anchors[count].at = at;
}

/* In a cell each line of code is a line of the cell. */
static void code_text(struct sl_page *p, struct sl_view text, unsigned line)
{
    struct sl_view rest = text, one;
    if (p->cell == SL_HTML_NONE) {
        sl_stream_code(p->s, text, line);
        return;
    }
    while (sl_view_cut(&rest, '\n', &one)) {
        sl_stream_text(p->s, one, line);
        if (one.ptr + one.len < text.ptr + text.len)
            sl_stream_begin(p->s);
    }
}

static void leave_code(struct sl_page *p, struct sl_look before)
{
    p->s->look = before;
    p->s->look.marks &= (unsigned char)~SL_LOOK_ITEM;
    p->s->look.number = 0;
    sl_stream_begin(p->s);
}

static void read_code(struct sl_page *p, uint32_t node)
{
    const struct sl_html *html = p->html;
    struct sl_look before = p->s->look;
    sl_stream_begin(p->s);
    size_t at = p->s->count;
    if (p->cell == SL_HTML_NONE)
        sl_stream_mark(p->s, SL_TOKEN_CODE, language(p, node),
                       html->nodes[node].line);
    sl_page_code(p, node);
    bool first = true;
    for (uint32_t i = node + 1; i < html->nodes[node].after; i++) {
        struct sl_view id, text = html->nodes[i].text;
        if (html->nodes[i].tag == SL_HTML_TEXT) {
            if (first && text.len && *text.ptr == '\n') /* as HTML says */
                text = sl_view_sub(text, 1, text.len);
            first = false;
            code_text(p, text, html->nodes[i].line);
        } else if (sl_page_is_left_out(html, i))
            i = html->nodes[i].after - 1;
        else if (sl_html_get(html, i, "id", &id) && id.len)
            anchor_at(p, id, at);
        else if (html->nodes[i].tag == SL_HTML_BR)
            code_text(p, SL_LIT("\n"), html->nodes[i].line);
    }
    leave_code(p, before);
}

static struct sl_view strip_marks(struct sl_view tex)
{
    tex = sl_view_trim(tex);
    bool round = sl_view_starts(tex, "\\(") && sl_view_ends(tex, "\\)");
    bool square = sl_view_starts(tex, "\\[") && sl_view_ends(tex, "\\]");
    if ((round || square) && tex.len >= 4)
        return sl_view_trim(sl_view_sub(tex, 2, tex.len - 2));
    return tex;
}

/* The TeX of a formula; its number goes to the stream. */
static struct sl_view read_tex(struct sl_page *p, uint32_t node)
{
    const struct sl_html *html = p->html;
    struct sl_buf tex;
    sl_buf_init(&tex, SL_MAX_HTML_FILE);
    for (uint32_t i = node; i < html->nodes[node].after; i++) {
        struct sl_view alt;
        if (html->nodes[i].tag == SL_HTML_TEXT)
            sl_buf_add(&tex, html->nodes[i].text);
        else if (sl_page_has(p, i, "eqno")) {
            uint32_t number = i + 1;
            if (number < html->count && html->nodes[number].tag == SL_HTML_TEXT)
                sl_stream_text(p->s, html->nodes[number].text,
                               html->nodes[node].line);
            i = html->nodes[i].after - 1;
        } else if (sl_page_is_left_out(html, i))
            i = html->nodes[i].after - 1;
        else if (html->nodes[i].tag == SL_HTML_IMG &&
                 sl_html_get(html, i, "alt", &alt))
            sl_buf_add(&tex, alt);
    }
    struct sl_view copy = sl_arena_copy(p->s->arena,
                                        strip_marks(sl_buf_view(&tex)));
    sl_buf_release(&tex);
    return copy;
}

static void put_tex(struct sl_page *p, uint32_t node, struct sl_view tex,
                    bool in_line)
{
    unsigned line = p->html->nodes[node].line;
    if (in_line)
        sl_page_text(p, SL_LIT("$"), line);
    else
        sl_stream_mark(p->s, SL_TOKEN_CODE, SL_LIT("math"), line);
    struct sl_look before = p->s->look;
    sl_page_code(p, node);
    if (in_line)
        sl_stream_text(p->s, tex, line);
    else
        sl_stream_code(p->s, tex, line);
    p->s->look = before;
    if (in_line)
        sl_stream_text(p->s, SL_LIT("$"), line);
}

/* A formula: its number first, then the TeX. */
static void read_formula(struct sl_page *p, uint32_t node)
{
    bool block = p->html->nodes[node].tag == SL_HTML_DIV;
    if (block)
        sl_stream_begin(p->s);
    struct sl_view tex = read_tex(p, node);
    if (block)
        sl_stream_begin(p->s);
    if (tex.len)
        put_tex(p, node, tex, !block || p->cell != SL_HTML_NONE);
    if (block)
        sl_stream_begin(p->s);
}

/* An image, or an object, whose text describes it. */
static void read_image(struct sl_page *p, uint32_t node)
{
    struct sl_view target, alt;
    unsigned line = p->html->nodes[node].line;
    bool object = p->html->nodes[node].tag == SL_HTML_OBJECT;
    if (!sl_html_get(p->html, node, object ? "data" : "src", &target) ||
        !target.len)
        return;
    sl_html_get(p->html, node, "alt", &alt);
    if (object) {
        struct sl_buf text;
        sl_buf_init(&text, SL_MAX_HTML_FILE);
        sl_html_text(p->html, node, &text);
        alt = sl_arena_copy(p->s->arena, sl_view_trim(sl_buf_view(&text)));
        sl_buf_release(&text);
    }
    sl_page_touch(p);
    sl_stream_target(p->s, SL_TOKEN_IMAGE, target, line);
    unsigned char code = p->s->look.marks & SL_LOOK_CODE;
    p->s->look.marks &= (unsigned char)~SL_LOOK_CODE;
    sl_stream_text(p->s, alt, line);
    p->s->look.marks |= code;
    sl_stream_break(p->s);
    p->s->touches = true;
}

/* --- signatures --------------------------------------------------------------- */

bool sl_page_is_signature(const struct sl_page *p, uint32_t node)
{
    if (p->html->nodes[node].tag != SL_HTML_DT)
        return false;
    if (sl_page_has(p, node, "sig"))
        return true;
    for (uint32_t i = node + 1; i < p->html->nodes[node].after; i++)
        if (p->html->nodes[i].parent == node && sl_page_has(p, i, "descname"))
            return true;
    return false;
}

static const char *domain(const struct sl_page *p, uint32_t dt)
{
    static const char *const domains[][2] = {
        {"cpp", "cpp"},       {"c", "c"},     {"py", "python"},
        {"js", "javascript"}, {"rst", "rst"}, {"std", "text"}};
    uint32_t dl = p->html->nodes[dt].parent;
    for (size_t i = 0; i < sizeof domains / sizeof *domains; i++)
        if (sl_page_has(p, dt, domains[i][0]) ||
            sl_page_has(p, dl, domains[i][0]))
            return domains[i][1];
    struct sl_view id;
    sl_html_get(p->html, dt, "id", &id);
    if (sl_view_starts(id, "c."))
        return "c";
    if (sl_view_starts(id, "_CPP"))
        return "cpp";
    bool python = sl_page_has(p, dl,
                              "function method class attribute exception data");
    return python ? "python" : "text";
}

/* Sphinx's arrow is what Python writes as two characters. */
static void signature_text(struct sl_page *p, struct sl_view text,
                           unsigned line)
{
    for (size_t at;
         (at = sl_view_find(text, SL_LIT("\xe2\x86\x92"), 0)) != SIZE_MAX;) {
        sl_stream_text(p->s, sl_view_sub(text, 0, at), line);
        sl_stream_text(p->s, SL_LIT("->"), line);
        text = sl_view_sub(text, at + 3, text.len);
    }
    sl_stream_text(p->s, text, line);
}

static void signature_words(struct sl_page *p, uint32_t dt)
{
    const struct sl_html *html = p->html;
    for (uint32_t i = dt; i < html->nodes[dt].after; i++) {
        struct sl_view id;
        if (html->nodes[i].tag == SL_HTML_TEXT) {
            signature_text(p, html->nodes[i].text, html->nodes[i].line);
            continue;
        }
        if (sl_page_is_left_out(html, i)) {
            i = html->nodes[i].after - 1;
            continue;
        }
        if (!is_in_line(html->nodes[i].tag))
            sl_stream_break(p->s);
        if (sl_html_get(html, i, "id", &id) && id.len)
            anchor_at(p, id, p->first_word);
    }
    sl_stream_break(p->s);
}

/* Opening parentheses less closing ones, from this token on. */
static long balance(const struct sl_page *p, size_t first)
{
    long depth = 0;
    char open = '\0'; /* a quotation mark: what it encloses does not count */
    for (size_t i = first; i < p->s->count; i++) {
        char c = p->s->tokens[i].text.ptr[0];
        if (open && c == open)
            open = '\0';
        else if (!open && strchr("'\"", c))
            open = c;
        else if (!open)
            depth += (c == '(') - (c == ')');
    }
    return depth;
}

/* Whether nothing but blanks stands between it and the signature before. */
static bool goes_on(const struct sl_page *p, uint32_t dt)
{
    bool only_text = p->signed_to && p->signed_to <= dt;
    for (uint32_t i = p->signed_to; only_text && i < dt; i++)
        only_text = p->html->nodes[i].tag == SL_HTML_TEXT &&
                    p->html->nodes[i].parent == p->html->nodes[dt].parent;
    return only_text;
}

/* The signature behind this one; SL_HTML_NONE: there is none. */
static uint32_t next_signature(const struct sl_page *p, uint32_t dt)
{
    const struct sl_html *html = p->html;
    uint32_t next = sl_html_next(html, dt);
    while (next != SL_HTML_NONE && html->nodes[next].tag == SL_HTML_TEXT &&
           !sl_view_trim(html->nodes[next].text).len)
        next = sl_html_next(html, next);
    return next != SL_HTML_NONE && sl_page_is_signature(p, next)
               ? next
               : SL_HTML_NONE;
}

/* The words from `first` on are a signature, below a heading. */
static void mark_signature(struct sl_page *p, size_t first, uint32_t dt)
{
    struct sl_stream *s = p->s;
    struct sl_view text = sl_stream_take(s, first);
    sl_stream_mark(s, SL_TOKEN_SIGNATURE, text, p->html->nodes[dt].line);
    if (s->status)
        return;
    struct sl_look *look = &s->tokens[s->count - 1].look;
    unsigned level = p->level + p->symbols;
    look->marks = goes_on(p, dt) ? 0 : look->marks;
    look->heading = (unsigned char)(level > 6 ? 6 : level);
}

/* Gives the node behind what it took. */
static uint32_t read_signature(struct sl_page *p, uint32_t dt)
{
    uint32_t last = dt;
    size_t first = p->s->count;
    sl_stream_begin(p->s);
    struct sl_look before = p->s->look;
    p->first_word = first;
    sl_stream_text(p->s, sl_view_of(domain(p, dt)), p->html->nodes[dt].line);
    sl_stream_break(p->s);
    long depth = 0;
    for (uint32_t next = dt; next != SL_HTML_NONE;) {
        size_t words = p->s->count;
        signature_words(p, next);
        depth += balance(p, words);
        last = next;
        next = depth > 0 ? next_signature(p, next) : SL_HTML_NONE;
    }
    p->s->look.marks = before.marks;
    p->s->look.number = before.number;
    mark_signature(p, first, dt);
    p->signed_to = p->html->nodes[last].after;
    sl_stream_begin(p->s);
    return p->signed_to;
}

/* An object that shows something; any other is what stands in it. */
static bool is_shown(const struct sl_html *html, uint32_t node)
{
    struct sl_view data;
    return sl_html_get(html, node, "data", &data) && data.len;
}

/* --- links ----------------------------------------------------------------------- */

/* Whether a reader would see anything of it. */
static bool is_visible(const struct sl_page *p, uint32_t node)
{
    const struct sl_html *html = p->html;
    for (uint32_t i = node + 1; i < html->nodes[node].after; i++) {
        if (html->nodes[i].tag == SL_HTML_TEXT) {
            if (!sl_stream_is_blank(html->nodes[i].text))
                return true;
        } else if (html->nodes[i].tag == SL_HTML_IMG ||
                   (html->nodes[i].tag == SL_HTML_OBJECT &&
                    is_shown(html, i))) {
            return true;
        } else if (sl_page_is_left_out(html, i)) {
            i = html->nodes[i].after - 1;
        }
    }
    return false;
}

static void read_link(struct sl_page *p, uint32_t node)
{
    struct sl_view href;
    if (!sl_html_get(p->html, node, "href", &href) || !href.len ||
        sl_view_is(href, "#") || sl_view_starts(href, "javascript:") ||
        sl_page_has(p, node, "toc-backref fn-backref") ||
        sl_page_is(p->html, node, "role", "doc-backlink") ||
        !is_visible(p, node))
        return;
    /* other pages are Markdown, too */
    size_t end = 0;
    bool far = href.ptr[0] == '/';
    for (; end < href.len && !strchr("#?", href.ptr[end]); end++)
        far = far || href.ptr[end] == ':';
    struct sl_view path = sl_view_sub(href, 0, end);
    struct sl_buf target;
    sl_buf_init(&target, SL_MAX_HTML_FILE);
    if (!far && sl_view_ends(path, ".html")) {
        sl_buf_add(&target, sl_view_sub(path, 0, path.len - 5));
        sl_buf_puts(&target, ".md");
    } else {
        sl_buf_add(&target, path);
    }
    sl_buf_add(&target, sl_view_sub(href, end, href.len));
    sl_page_touch(p);
    sl_stream_target(p->s, SL_TOKEN_LINK, sl_buf_view(&target),
                     p->html->nodes[node].line);
    sl_buf_release(&target);
}

/* What an abbreviation stands for. */
static void read_title(struct sl_page *p, uint32_t node)
{
    struct sl_view title;
    if (!sl_html_get(p->html, node, "title", &title) ||
        !sl_view_trim(title).len || !is_visible(p, node))
        return;
    sl_page_touch(p);
    sl_stream_title(p->s, title, p->html->nodes[node].line);
}

/* --- the page ---------------------------------------------------------------------- */

/* Brackets that old docutils left to the style sheet. */
static bool lacks_brackets(const struct sl_page *p, uint32_t node)
{
    enum sl_html_tag tag = p->html->nodes[node].tag;
    if ((tag != SL_HTML_A && tag != SL_HTML_SPAN) ||
        !sl_page_has(p, node, "brackets"))
        return false;
    for (uint32_t i = node + 1; i < p->html->nodes[node].after; i++)
        if (p->html->nodes[i].tag == SL_HTML_TEXT) {
            struct sl_view text = sl_view_trim(p->html->nodes[i].text);
            if (text.len)
                return text.ptr[0] != '[';
        }
    return false;
}

/* Elements that are read whole; gives the node behind, or 0: it is none. */
static uint32_t read_whole(struct sl_page *p, uint32_t node)
{
    const struct sl_html_node *n = &p->html->nodes[node];
    struct sl_view id;
    if (sl_page_is_signature(p, node))
        return read_signature(p, node);
    bool formula = sl_page_has(p, node, "math");
    bool image = n->tag == SL_HTML_IMG ||
                 (n->tag == SL_HTML_OBJECT && is_shown(p->html, node));
    if (n->tag != SL_HTML_PRE && !image && !formula)
        return 0;
    if (sl_html_get(p->html, node, "id", &id) && id.len)
        sl_stream_anchor(p->s, id);
    if (n->tag == SL_HTML_PRE)
        read_code(p, node);
    else if (formula)
        read_formula(p, node);
    else
        read_image(p, node);
    return n->after;
}

/* A cell of a table in a cell: its text goes on in the line. */
static bool is_inner_cell(const struct sl_page *p, uint32_t node)
{
    enum sl_html_tag tag = p->html->nodes[node].tag;
    return p->cell != SL_HTML_NONE && node != p->cell &&
           (tag == SL_HTML_TD || tag == SL_HTML_TH);
}

static void begin_or_end(struct sl_page *p, uint32_t node)
{
    enum sl_html_tag tag = p->html->nodes[node].tag;
    bool part = is_inner_cell(p, node) ||
                (p->inner && (tag == SL_HTML_P || tag == SL_HTML_DIV));
    if (part)
        sl_stream_break(p->s);
    else if (!is_in_line(tag)) {
        p->s->joins = p->s->joins &&
                      (tag != SL_HTML_BR || p->in_bullet);
        sl_stream_begin(p->s);
    }
}

/* Behind a block nothing goes on in its line. */
static void end_block(struct sl_page *p, uint32_t node)
{
    if (!is_in_line(p->html->nodes[node].tag))
        p->s->joins = p->s->joins && p->in_bullet && node != p->cell;
    begin_or_end(p, node);
}

static void enter(struct sl_page *p, uint32_t node)
{
    const struct sl_html_node *n = &p->html->nodes[node];
    struct sl_view id;
    begin_or_end(p, node);
    p->inner += is_inner_cell(p, node);
    if (sl_html_get(p->html, node, "id", &id) && id.len)
        sl_stream_anchor(p->s, id);
    sl_page_open(p, node);
    if (n->tag == SL_HTML_A)
        read_link(p, node);
    else if (n->tag == SL_HTML_ABBR)
        read_title(p, node);
    else if (n->tag == SL_HTML_SPAN && sl_page_has(p, node, "classifier"))
        sl_page_classifier(p, n->line);
    else
        sl_page_table(p, node);
    if (lacks_brackets(p, node))
        sl_page_text(p, SL_LIT("["), n->line);
}

static void leave(struct sl_page *p, uint32_t node)
{
    if (lacks_brackets(p, node))
        sl_stream_text(p->s, SL_LIT("]"), p->html->nodes[node].line);
    if (p->html->nodes[node].tag == SL_HTML_DT && sl_page_has(p, node, "label"))
        sl_stream_break(p->s); /* the note's text goes on behind it */
    else
        end_block(p, node);
    if (is_inner_cell(p, node))
        p->inner--;
    if (node == p->cell) {
        p->cells[p->cell_count - 1].end = p->s->count - p->first;
        p->cells[p->cell_count - 1].anchor_end = p->s->anchor_count;
        p->cell = SL_HTML_NONE;
    } else if (node == p->table) {
        sl_page_table_end(p);
    }
}

/* One part of the page, or all of it. */
static void read_part(struct sl_page *p, uint32_t begin, uint32_t end)
{
    struct {
        uint32_t node;
        struct sl_look look; /* outside of it */
        size_t first;
    } open[SL_MAX_HTML_DEPTH];
    const struct sl_html *html = p->html;
    size_t depth = 0;
    for (uint32_t i = begin; i < end && !p->s->status;) {
        while (depth && html->nodes[open[depth - 1].node].after <= i) {
            depth--;
            leave(p, open[depth].node);
            sl_page_close(p, open[depth].node, open[depth].look,
                          open[depth].first);
        }
        const struct sl_html_node *n = &html->nodes[i];
        if (n->tag == SL_HTML_TEXT)
            sl_page_text(p, n->text, n->line);
        if (n->tag == SL_HTML_TEXT || sl_page_is_left_out(html, i)) {
            i = n->after;
            continue;
        }
        uint32_t behind = read_whole(p, i);
        if (behind) {
            i = behind;
            continue;
        }
        open[depth].node = i;
        open[depth].look = p->s->look;
        open[depth++].first = p->s->count;
        enter(p, i++);
    }
    while (depth && !p->s->status) {
        depth--;
        leave(p, open[depth].node);
        sl_page_close(p, open[depth].node, open[depth].look,
                      open[depth].first);
    }
}

void sl_stream_html(struct sl_stream *s, const struct sl_html *html)
{
    struct sl_page p = {
        .s = s, .html = html, .cell = SL_HTML_NONE, .table = SL_HTML_NONE};
    uint32_t begin = 0, end = 0;
    while (!s->status && sl_page_next_part(html, end, &begin, &end))
        read_part(&p, begin, end);
}
