#include <string.h>

#include "sphinx/internal.h"

/* Whether anything inside of the element has the class. */
static uint32_t find_class(const struct sl_html *html, uint32_t node,
                           const char *word, uint32_t from)
{
    for (uint32_t i = from; i < html->nodes[node].after; i++)
        if (html->nodes[i].tag != SL_HTML_TEXT &&
            sl_html_has_class(html, i, word))
            return i;
    return SL_HTML_NONE;
}

bool sl_sphinx_is_signature(const struct sl_html *html, uint32_t dt)
{
    if (sl_html_has_class(html, dt, "sig"))
        return true;
    /* Sphinx before 4 */
    uint32_t child = sl_html_first(html, dt);
    for (; child != SL_HTML_NONE; child = sl_html_next(html, child))
        if (html->nodes[child].tag != SL_HTML_TEXT &&
            sl_html_has_class(html, child, "descname"))
            return true;
    return false;
}

static bool is_break(enum sl_html_tag tag)
{
    return tag == SL_HTML_BR || tag == SL_HTML_DL || tag == SL_HTML_DD ||
           tag == SL_HTML_DIV || tag == SL_HTML_P;
}

/* Text of a signature without blanks at its ends or doubled. */
static void add_text(struct sl_buf *line, struct sl_view text, bool *space)
{
    for (size_t i = 0; i < text.len;) {
        size_t blank = sl_is_space(text.ptr[i]) ? 1
                       : sl_view_starts(sl_view_sub(text, i, text.len),
                                        "\xc2\xa0")
                           ? 2
                           : 0;
        if (blank) {
            *space = true;
            i += blank;
            continue;
        }
        char last = line->len ? line->ptr[line->len - 1] : '(';
        if (*space && last != '(' && text.ptr[i] != ')')
            sl_buf_putc(line, ' ');
        *space = false;
        if (sl_view_starts(sl_view_sub(text, i, text.len), "\xe2\x86\x92")) {
            sl_buf_puts(line, "->"); /* Sphinx's arrow is Python's */
            i += 3;
            continue;
        }
        sl_buf_putc(line,
                    text.ptr[i] > 0 && text.ptr[i] < 0x20 ? ' ' : text.ptr[i]);
        i++;
    }
}

/* The element's text on one line, and its anchors. */
static void read_line(struct sl_walk *w, uint32_t dt, struct sl_buf *line)
{
    const struct sl_html *html = w->html;
    bool space = line->len > 0;
    for (uint32_t i = dt; i < html->nodes[dt].after;) {
        const struct sl_html_node *n = &html->nodes[i];
        if (n->tag == SL_HTML_TEXT) {
            add_text(line, n->text, &space);
        } else if (sl_sphinx_is_boilerplate(html, i)) {
            i = n->after;
            continue;
        } else {
            space = space || is_break(n->tag);
            sl_sphinx_keep_anchor(w, i);
        }
        i++;
    }
}

/* c, cpp, python, ... of the list that holds the signature. */
static struct sl_view language_of(const struct sl_html *html, uint32_t dt)
{
    static const struct {
        const char *domain, *language;
    } domains[] = {{"c", "c"},           {"cpp", "cpp"}, {"py", "python"},
                   {"js", "javascript"}, {"rst", "rst"}, {"std", "text"}};
    static const char *const old_python[] = {"function",  "method",    "class",
                                             "attribute", "exception", "data"};
    uint32_t dl = html->nodes[dt].parent;
    for (size_t i = 0; i < sizeof domains / sizeof *domains; i++)
        if (sl_html_has_class(html, dt, domains[i].domain) ||
            (dl != SL_HTML_NONE &&
             sl_html_has_class(html, dl, domains[i].domain)))
            return sl_view_of(domains[i].language);
    struct sl_view id;
    if (sl_html_get(html, dt, "id", &id)) {
        if (sl_view_starts(id, "c."))
            return SL_LIT("c");
        if (sl_view_starts(id, "_CPP"))
            return SL_LIT("cpp");
    }
    for (size_t i = 0; i < sizeof old_python / sizeof *old_python; i++)
        if (dl != SL_HTML_NONE && sl_html_has_class(html, dl, old_python[i]))
            return SL_LIT("python");
    return SL_LIT("text");
}

struct brackets {
    size_t angles, parens; /* that are open; angles outside of parentheses */
};

static void count_brackets(struct brackets *open, struct sl_view text)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        open->parens += c == '(';
        open->parens -= c == ')' && open->parens;
        open->angles += c == '<' && !open->parens;
        open->angles -= c == '>' && !open->parens && open->angles;
    }
}

/* The element that is marked as the name; *from_out: behind the one before it. */
static uint32_t find_name(const struct sl_html *html, uint32_t dt, bool last,
                          uint32_t *from_out)
{
    uint32_t at = SL_HTML_NONE;
    struct brackets open = {0, 0};
    *from_out = dt;
    for (uint32_t i = dt; i < html->nodes[dt].after;) {
        const struct sl_html_node *n = &html->nodes[i];
        bool text = n->tag == SL_HTML_TEXT;
        bool is_name = !text && sl_html_has_class(html, i, "descname");
        if (text)
            count_brackets(&open, n->text);
        if (is_name && !open.angles && (last || at == SL_HTML_NONE)) {
            *from_out = at == SL_HTML_NONE ? dt : html->nodes[at].after;
            at = i;
        }
        i = text || is_name ? n->after : i + 1;
    }
    return at;
}

/*
 * The name as Sphinx marked it, with what it stands in; empty: it did not. In C++
 * a template's parameters are marked as names, too: what stands in angle brackets
 * does not count, and of others the last does. An option has several names: the
 * first counts.
 */
static void marked_name(struct sl_walk *w, uint32_t dt, struct sl_buf *name)
{
    const struct sl_html *html = w->html;
    bool last = sl_view_is(language_of(html, dt), "cpp");
    uint32_t from, at = find_name(html, dt, last, &from);
    if (at == SL_HTML_NONE)
        return;
    bool space = false;
    struct sl_buf text;
    sl_buf_init(&text, SL_MAX_DOCS_OUTPUT);
    /* classes and namespaces, or the @ of a decorator: there may be several */
    for (uint32_t i = find_class(html, dt, "descclassname", from);
         i != SL_HTML_NONE && i < at;
         i = find_class(html, dt, "descclassname", html->nodes[i].after))
        sl_html_text(html, i, &text);
    sl_html_text(html, at, &text);
    add_text(name, sl_buf_view(&text), &space);
    sl_buf_release(&text);
    struct sl_view found = sl_buf_view(name);
    bool given_up = memchr(found.ptr ? found.ptr : "", '(', found.len) ||
                    memchr(found.ptr ? found.ptr : "", ' ', found.len);
    if (given_up && sl_view_find(found, SL_LIT("operator"), 0) == SIZE_MAX)
        sl_buf_truncate(name, 0);
}

/* The next signature of the same list with nothing but blanks between. */
static uint32_t next_signature(const struct sl_html *html, uint32_t dt)
{
    uint32_t next = sl_html_next(html, dt);
    while (next != SL_HTML_NONE && html->nodes[next].tag == SL_HTML_TEXT &&
           sl_view_trim(html->nodes[next].text).len == 0)
        next = sl_html_next(html, next);
    if (next == SL_HTML_NONE || html->nodes[next].tag != SL_HTML_DT ||
        !sl_sphinx_is_signature(html, next))
        return SL_HTML_NONE;
    return next;
}

struct signature {
    struct sl_view line, name;
    uint32_t next;
};

/*
 * One signature. A prototype that was written over several lines came out as
 * several: they are joined until its parentheses close.
 */
static bool read_signature(struct sl_walk *w, uint32_t dt,
                           struct signature *out)
{
    struct sl_buf line, name;
    sl_buf_init(&line, SL_MAX_DOCS_OUTPUT);
    sl_buf_init(&name, SL_MAX_DOCS_OUTPUT);
    read_line(w, dt, &line);
    marked_name(w, dt, &name);
    uint32_t next = next_signature(w->html, dt);
    w->signed_to = w->html->nodes[dt].after;
    long depth = sl_sphinx_paren_balance(sl_buf_view(&line));
    while (next != SL_HTML_NONE && depth > 0) {
        size_t before = line.len;
        read_line(w, next, &line);
        depth += sl_sphinx_paren_balance(
            sl_view_sub(sl_buf_view(&line), before, SIZE_MAX));
        w->signed_to = w->html->nodes[next].after;
        next = next_signature(w->html, next);
    }
    out->line = sl_arena_copy(w->arena, sl_buf_view(&line));
    out->name = name.len ? sl_arena_copy(w->arena, sl_buf_view(&name))
                         : sl_sphinx_declared_name(out->line);
    out->next = next;
    sl_buf_release(&line);
    sl_buf_release(&name);
    if (!out->line.ptr || !out->name.ptr)
        sl_sphinx_fail(w, sl_error_nomem(w->error));
    return !w->status && out->line.len;
}

static void put_title(struct sl_walk *w, struct sl_view name)
{
    unsigned level = w->level + w->symbols;
    level = level > 6 ? 6 : level < 1 ? 1 : level;
    w->in.in_heading = true;
    sl_inline_text(&w->in, name);
    struct sl_view text = sl_inline_finish(&w->in);
    if (!sl_view_eq(text, name)) { /* a name with escapes would not be found */
        sl_inline_verbatim(&w->in, "", name, "");
        text = sl_inline_finish(&w->in);
    }
    w->in.in_heading = false;
    struct sl_view copy = sl_arena_copy(w->arena, text);
    if (copy.len)
        sl_sphinx_put_heading(w, level, copy);
}

/*
 * What is said below is said of all signatures that stand together: their
 * parameters' names count only if all of them have the same.
 */
static void add_prototype(struct sl_walk *w, const struct signature *s,
                          bool first)
{
    struct sl_prototype p;
    enum sl_status status = sl_sphinx_read_prototype(w->arena, s->line, &p,
                                                     w->error);
    if (status) {
        sl_sphinx_fail(w, status);
        return;
    }
    if (first) {
        w->prototype = p;
        return;
    }
    bool same = p.count == w->prototype.count;
    for (size_t i = 0; same && i < p.count; i++)
        same = sl_view_eq(p.names[i], w->prototype.names[i]);
    w->prototype.known = w->prototype.known && p.known && same;
}

void sl_sphinx_put_signatures(struct sl_walk *w, uint32_t dt)
{
    struct signature s;
    struct sl_buf block;
    sl_buf_init(&block, SL_MAX_DOCS_OUTPUT);
    struct sl_view language = language_of(w->html, dt);
    bool more = read_signature(w, dt, &s);
    bool first = true;
    while (more) {
        struct sl_view name = s.name;
        size_t own; /* anchors up to here are of this name */
        sl_buf_truncate(&block, 0);
        do { /* overloads share their heading */
            if (block.len)
                sl_buf_putc(&block, '\n');
            sl_buf_add(&block, s.line);
            add_prototype(w, &s, first);
            first = false;
            w->counts.signatures++;
            own = w->anchors.len;
            more = s.next != SL_HTML_NONE && read_signature(w, s.next, &s);
        } while (more && sl_view_eq(s.name, name));
        own = more ? own : w->anchors.len;
        struct sl_view later = sl_arena_copy(
            w->arena, sl_view_sub(sl_buf_view(&w->anchors), own, SIZE_MAX));
        sl_buf_truncate(&w->anchors, own);
        put_title(w, name);
        sl_sphinx_put_fence(w, language, sl_buf_view(&block));
        sl_buf_add(&w->anchors, later);
    }
    sl_buf_release(&block);
}
