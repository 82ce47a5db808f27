#include <string.h>

#include "sphinx/internal.h"

void sl_sphinx_fail(struct sl_walk *w, enum sl_status status)
{
    if (!w->status)
        w->status = status;
}

/* What a line begins with; the first of an item has its marker. */
static void put_prefix(struct sl_walk *w)
{
    static const char spaces[] = "                ";
    for (size_t i = 0; i < w->container_count; i++) {
        struct sl_container *c = &w->containers[i];
        if (c->quote)
            sl_buf_puts(w->out, "> ");
        else if (c->fresh)
            sl_buf_puts(w->out, c->marker);
        else
            sl_buf_add(w->out, (struct sl_view){spaces, c->width});
        c->fresh = false;
    }
}

/* A line that is blank but for the marks of quotes. */
static void put_blank_line(struct sl_walk *w)
{
    size_t quotes = 0;
    for (size_t i = 0; i < w->container_count; i++) {
        if (w->containers[i].fresh)
            break; /* the line before it is outside of it */
        if (w->containers[i].quote)
            quotes = i + 1;
    }
    for (size_t i = 0; i < quotes; i++) {
        if (w->containers[i].quote)
            sl_buf_puts(w->out, i + 1 == quotes ? ">" : "> ");
        else
            for (unsigned k = 0; k < w->containers[i].width; k++)
                sl_buf_putc(w->out, ' ');
    }
    sl_buf_putc(w->out, '\n');
}

static void begin_line(struct sl_walk *w)
{
    if (w->need_blank && w->out->len)
        put_blank_line(w);
    put_prefix(w);
    w->last_list = 0;
}

/* What is said about a symbol ends visibly where no heading ends it. */
static void put_rule(struct sl_walk *w)
{
    if (!w->rule_due)
        return;
    w->rule_due = false;
    begin_line(w);
    sl_buf_puts(w->out, "---");
    sl_sphinx_block_end(w);
}

void sl_sphinx_block_begin(struct sl_walk *w)
{
    put_rule(w);
    begin_line(w);
}

void sl_sphinx_block_line(struct sl_walk *w)
{
    sl_buf_putc(w->out, '\n');
    put_prefix(w);
}

void sl_sphinx_block_end(struct sl_walk *w)
{
    while (w->out->len && w->out->ptr[w->out->len - 1] == ' ')
        sl_buf_truncate(w->out, w->out->len - 1);
    sl_buf_putc(w->out, '\n');
    w->need_blank = true;
    w->blocks++;
}

void sl_sphinx_keep_anchor(struct sl_walk *w, uint32_t node)
{
    struct sl_view id;
    bool fresh;
    if (!sl_html_get(w->html, node, "id", &id) || !id.len)
        return;
    if (!sl_map_put(&w->ids, id, 0, &fresh))
        sl_sphinx_fail(w, sl_error_nomem(w->error));
    else if (!fresh) /* an anchor has one place */
        return;
    if (!w->table.in_cell && !sl_inline_is_empty(&w->in)) {
        sl_inline_anchor(&w->in, id);
        return;
    }
    sl_buf_puts(&w->anchors, "<a id=\"");
    sl_sphinx_put_attribute(&w->anchors, id);
    sl_buf_puts(&w->anchors, "\"></a>");
}

void sl_sphinx_flush_anchors(struct sl_walk *w)
{
    if (!w->anchors.len || w->table.in_cell) /* a cell takes all of its own */
        return;
    sl_sphinx_block_begin(w);
    sl_buf_add(w->out, sl_buf_view(&w->anchors));
    sl_sphinx_block_end(w);
    sl_buf_truncate(&w->anchors, 0);
}

static void put_lines(struct sl_walk *w, struct sl_view text)
{
    struct sl_view rest = text, line;
    bool first = true;
    while (sl_view_cut(&rest, '\n', &line)) {
        if (!first)
            sl_sphinx_block_line(w);
        sl_buf_add(w->out, line);
        first = false;
    }
}

/* One block of the cell's text: bars escaped, lines parted by <br>. */
static void put_in_cell(struct sl_walk *w, struct sl_view text)
{
    struct sl_buf *cell = &w->table.cell;
    if (cell->len)
        sl_buf_puts(cell, "<br>");
    sl_buf_add(cell, sl_buf_view(&w->table.bullet));
    sl_buf_truncate(&w->table.bullet, 0);
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        char next = i + 1 < text.len ? text.ptr[i + 1] : '\0';
        if (c == '\\' && next == '\n') {
            sl_buf_puts(cell, "<br>");
            i++;
        } else if (c == '|') {
            sl_buf_puts(cell, "\\|");
        } else {
            sl_buf_putc(cell, c);
        }
    }
}

void sl_sphinx_flush_soft(struct sl_walk *w)
{
    if (w->join)
        w->in.space = true;
    else
        sl_sphinx_flush(w);
}

void sl_sphinx_flush(struct sl_walk *w)
{
    w->join = false;
    struct sl_view text = sl_inline_finish(&w->in);
    if (w->in.done.failed)
        sl_sphinx_fail(w, sl_buf_check(&w->in.done, w->error));
    if (!text.len)
        return;
    if (w->table.in_cell) {
        put_in_cell(w, text);
        return;
    }
    sl_sphinx_block_begin(w);
    if (w->anchors.len) {
        sl_buf_add(w->out, sl_buf_view(&w->anchors));
        sl_buf_truncate(&w->anchors, 0);
    }
    put_lines(w, text);
    sl_sphinx_block_end(w);
}

static size_t longest_ticks(struct sl_view text)
{
    size_t longest = 0, run = 0;
    for (size_t i = 0; i < text.len; i++) {
        run = text.ptr[i] == '`' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest;
}

/* In a cell a line of code is a code span. */
static void put_code_lines(struct sl_walk *w, struct sl_view text)
{
    struct sl_view rest = text, line;
    while (sl_view_cut(&rest, '\n', &line)) {
        line = sl_view_trim(line);
        if (!line.len)
            continue;
        sl_inline_verbatim(&w->in, "", line, "");
        sl_sphinx_flush(w);
    }
}

void sl_sphinx_put_fence(struct sl_walk *w, struct sl_view language,
                         struct sl_view text)
{
    if (w->table.in_cell) {
        put_code_lines(w, text);
        return;
    }
    sl_sphinx_flush_anchors(w);
    size_t ticks = longest_ticks(text) + 1;
    ticks = ticks < 3 ? 3 : ticks;
    sl_sphinx_block_begin(w);
    for (size_t i = 0; i < ticks; i++)
        sl_buf_putc(w->out, '`');
    sl_buf_add(w->out, language);
    struct sl_view rest = text, line;
    while (sl_view_cut(&rest, '\n', &line)) {
        if (line.len) {
            sl_sphinx_block_line(w);
        } else {
            sl_buf_putc(w->out, '\n');
            size_t before = w->out->len;
            put_prefix(w); /* quotes need their marks, blank lines no blanks */
            while (w->out->len > before && w->out->ptr[w->out->len - 1] == ' ')
                sl_buf_truncate(w->out, w->out->len - 1);
        }
        sl_buf_add(w->out, line);
    }
    sl_sphinx_block_line(w);
    for (size_t i = 0; i < ticks; i++)
        sl_buf_putc(w->out, '`');
    sl_sphinx_block_end(w);
}

void sl_sphinx_put_heading(struct sl_walk *w, unsigned level,
                           struct sl_view text)
{
    w->rule_due = false;
    sl_sphinx_flush_anchors(w);
    sl_sphinx_block_begin(w);
    for (unsigned i = 0; i < level; i++)
        sl_buf_putc(w->out, '#');
    sl_buf_putc(w->out, ' ');
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '\\' && i + 1 < text.len && text.ptr[i + 1] == '\n')
            sl_buf_puts(w->out, "<br>");
        else if (text.ptr[i] != '\n')
            sl_buf_putc(w->out, text.ptr[i]);
    }
    size_t last = text.len; /* a run of # at the end would end the heading */
    while (last && text.ptr[last - 1] == '#')
        last--;
    if (last < text.len &&
        (!last || text.ptr[last - 1] == ' ')) { /* no mark of a heading's end */
        sl_buf_truncate(w->out, w->out->len - 1);
        sl_buf_puts(w->out, "\\#");
    }
    sl_sphinx_block_end(w);
}

static struct sl_container *push(struct sl_walk *w)
{
    if (w->container_count >= SL_MAX_HTML_DEPTH) {
        sl_sphinx_fail(
            w, sl_error_set(w->error, SL_ERR_LIMIT,
                            "lists and quotes are nested deeper than %u",
                            SL_MAX_HTML_DEPTH));
        return NULL;
    }
    struct sl_container *c = &w->containers[w->container_count++];
    *c = (struct sl_container){.quote = false};
    return c;
}

void sl_sphinx_push_quote(struct sl_walk *w)
{
    put_rule(w);
    struct sl_container *c = push(w);
    if (c) {
        if (w->need_blank && w->out->len) {
            w->container_count--;
            put_blank_line(w);
            w->container_count++;
        }
        w->need_blank = false;
        c->quote = true;
    }
}

void sl_sphinx_push_item(struct sl_walk *w, const char *marker)
{
    put_rule(w);
    struct sl_container *c = push(w);
    if (!c)
        return;
    snprintf(c->marker, sizeof c->marker, "%s", marker);
    c->width = (unsigned char)strlen(c->marker);
    c->fresh = true;
}

void sl_sphinx_pop_container(struct sl_walk *w)
{
    if (!w->container_count)
        return;
    struct sl_container *c = &w->containers[w->container_count - 1];
    if (!c->quote && c->fresh) {
        sl_sphinx_block_begin(w);
        sl_sphinx_block_end(w);
    }
    w->container_count--;
    w->need_blank = true;
}
