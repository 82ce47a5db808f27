#include <string.h>

#include "sphinx/internal.h"

/* " : classifier" behind a term. */
static void enter_classifier(struct sl_walk *w, uint32_t node)
{
    sl_inline_close(&w->in);
    w->in.space = true;
    sl_inline_raw(&w->in, SL_LIT(": "));
    sl_inline_open(&w->in, SL_MARK_EM, SL_LIT(""));
    sl_sphinx_push_frame(w, node, SL_FRAME_PLAIN);
}

/* --- blocks ----------------------------------------------------------------- */

static void enter_bold(struct sl_walk *w, uint32_t node)
{
    sl_sphinx_flush(w);
    sl_sphinx_push_frame(w, node, SL_FRAME_BOLD);
    sl_inline_open(&w->in, SL_MARK_STRONG, SL_LIT(""));
}

static void enter_quote(struct sl_walk *w, uint32_t node)
{
    sl_sphinx_flush(w);
    sl_sphinx_push_frame(w, node, SL_FRAME_QUOTE);
    if (!w->table.in_cell)
        sl_sphinx_push_quote(w);
}

static void enter_note(struct sl_walk *w, uint32_t node)
{
    sl_sphinx_flush(w);
    sl_sphinx_push_frame(w, node, SL_FRAME_NOTE);
    if (!w->table.in_cell)
        sl_sphinx_push_item(w, "- ");
}

/* div, p, section and the like. */
static void enter_block(struct sl_walk *w, uint32_t node)
{
    static const char *const quotes[] = {"admonition", "topic", "sidebar",
                                         NULL};
    static const char *const titles[] = {"admonition-title",
                                         "topic-title",
                                         "sidebar-title",
                                         "rubric",
                                         "caption",
                                         "code-block-caption",
                                         NULL};
    static const char *const notes[] = {"footnote", "citation", NULL};
    enum sl_html_tag tag = w->html->nodes[node].tag;
    if (sl_sphinx_has(w, node, "line")) {
        sl_sphinx_push_frame(w, node, SL_FRAME_LINE);
        sl_sphinx_put_planned_name(w, node);
    } else if (sl_sphinx_has_one_of(w, node, titles)) {
        enter_bold(w, node);
    } else if (tag != SL_HTML_P && sl_sphinx_has_one_of(w, node, quotes)) {
        enter_quote(w, node);
    } else if (tag != SL_HTML_P && sl_sphinx_has_one_of(w, node, notes)) {
        enter_note(w, node);
    } else if (w->table.inner && (tag == SL_HTML_P || tag == SL_HTML_DIV)) {
        w->in.space = !w->table.fresh; /* a row is a line */
        w->table.fresh = false;
        sl_sphinx_push_frame(w, node, SL_FRAME_PLAIN);
    } else {
        sl_sphinx_flush_soft(w);
        sl_sphinx_push_frame(w, node, SL_FRAME_BLOCK);
        sl_sphinx_put_planned_name(w, node);
    }
}

static void enter_heading(struct sl_walk *w, uint32_t node)
{
    sl_sphinx_flush(w);
    sl_sphinx_push_frame(w, node, SL_FRAME_HEADING);
    w->in.in_heading = !w->table.in_cell;
}

static void leave_heading(struct sl_walk *w, uint32_t node)
{
    if (w->table.in_cell) {
        sl_sphinx_flush(w);
        return;
    }
    struct sl_view text = sl_inline_finish(&w->in);
    w->in.in_heading = false;
    w->level = w->html->nodes[node].tag - SL_HTML_H1 + 1;
    if (text.len)
        sl_sphinx_put_heading(w, w->level, text);
}

/* --- tables ----------------------------------------------------------------- */

/* A signature needs a heading and a block, for which a cell has no room. */
static bool holds_signature(struct sl_walk *w, uint32_t node)
{
    const struct sl_html *html = w->html;
    uint32_t *next = &w->next_signature;
    if (*next < node)
        *next = node;
    while (*next < html->count && (html->nodes[*next].tag != SL_HTML_DT ||
                                   !sl_sphinx_is_signature(html, *next)))
        ++*next;
    return *next < html->nodes[node].after;
}

/* Tables that only place things, and those inside of a cell, are not tables. */
static bool is_layout(struct sl_walk *w, uint32_t node)
{
    static const char *const layouts[] = {"highlighttable", "contentstable",
                                          "genindextable", NULL};
    struct sl_view role;
    if (w->table.in_cell || sl_sphinx_has_one_of(w, node, layouts))
        return true;
    if (sl_html_get(w->html, node, "role", &role) &&
        sl_view_is(role, "presentation"))
        return true;
    if (sl_sphinx_has(w, node, "indextable") &&
        !sl_sphinx_has(w, node, "modindextable"))
        return true;
    return holds_signature(w, node);
}

/* Whether a row or cell is of the table that is being read. */
static bool is_of_table(struct sl_walk *w)
{
    for (size_t i = w->frame_count; i-- > 0;)
        if (w->html->nodes[w->frames[i].node].tag == SL_HTML_TABLE)
            return w->frames[i].kind == SL_FRAME_TABLE;
    return false;
}

static void enter_table(struct sl_walk *w, uint32_t node)
{
    sl_sphinx_flush(w);
    if (is_layout(w, node)) {
        sl_sphinx_push_frame(w, node, SL_FRAME_BLOCK);
        return;
    }
    sl_sphinx_push_frame(w, node, SL_FRAME_TABLE);
    sl_sphinx_table_begin(w, node);
}

static void enter_row(struct sl_walk *w, uint32_t node)
{
    sl_sphinx_flush(w);
    sl_sphinx_push_frame(w, node, SL_FRAME_PLAIN);
    if (is_of_table(w)) {
        w->table.rows++;
        w->table.head = w->html->nodes[w->html->nodes[node].parent].tag ==
                        SL_HTML_THEAD;
    }
}

static void enter_cell(struct sl_walk *w, uint32_t node)
{
    if (is_of_table(w) && w->table.rows) {
        sl_sphinx_flush(w);
        sl_sphinx_cell_begin(w, node);
        sl_sphinx_push_frame(w, node, SL_FRAME_CELL);
    } else if (w->table.in_cell) { /* of a table in the cell: one line a row */
        if (!sl_inline_is_empty(&w->in))
            sl_inline_raw(&w->in, SL_LIT("&emsp;"));
        sl_sphinx_push_frame(w, node, SL_FRAME_INNER_CELL);
        w->table.inner++;
        w->table.fresh = true;
    } else {
        sl_sphinx_flush(w);
        sl_sphinx_push_frame(w, node, SL_FRAME_BLOCK);
    }
}

/* --- what stands in a line --------------------------------------------------- */

static void enter_mark(struct sl_walk *w, uint32_t node, enum sl_mark mark,
                       struct sl_view value)
{
    sl_inline_open(&w->in, mark, value);
    sl_sphinx_push_frame(w, node, SL_FRAME_MARK);
}

/* Old docutils left the brackets of a footnote's number to the style sheet. */
static bool lacks_brackets(struct sl_walk *w, uint32_t node)
{
    if (!sl_sphinx_has(w, node, "brackets"))
        return false;
    sl_buf_truncate(&w->scratch, 0);
    sl_html_text(w->html, node, &w->scratch);
    struct sl_view text = sl_view_trim(sl_buf_view(&w->scratch));
    return text.len && text.ptr[0] != '[';
}

static void enter_link(struct sl_walk *w, uint32_t node)
{
    static const char *const plain[] = {"toc-backref", "fn-backref", NULL};
    struct sl_view href, role;
    bool link = sl_html_get(w->html, node, "href", &href) &&
                sl_view_trim(href).len && !sl_view_is(href, "#") &&
                !sl_view_starts(href, "javascript:") &&
                !sl_sphinx_has_one_of(w, node, plain);
    if (link && sl_html_get(w->html, node, "role", &role) &&
        sl_view_is(role, "doc-backlink"))
        link = false;
    bool bracket = lacks_brackets(w, node);
    if (link)
        enter_mark(w, node, SL_MARK_LINK, href);
    else
        sl_sphinx_push_frame(w, node, SL_FRAME_PLAIN);
    if (bracket) {
        w->frames[w->frame_count - 1].bracket = true;
        sl_inline_text(&w->in, SL_LIT("["));
    }
}

static void enter_span(struct sl_walk *w, uint32_t node)
{
    if (sl_sphinx_has(w, node, "classifier")) {
        enter_classifier(w, node);
    } else if (sl_sphinx_has(w, node, "label")) {
        sl_sphinx_push_frame(w, node, SL_FRAME_LABEL);
    } else if (sl_sphinx_has(w, node, "sig-inline")) { /* c:expr and cpp:expr */
        w->in.code_depth++;
        sl_sphinx_push_frame(w, node, SL_FRAME_CODE);
    } else if (sl_sphinx_has(w, node, "versionmodified")) {
        enter_mark(w, node, SL_MARK_EM, SL_LIT(""));
    } else if (lacks_brackets(w, node)) {
        sl_sphinx_push_frame(w, node, SL_FRAME_PLAIN)->bracket = true;
        sl_inline_text(&w->in, SL_LIT("["));
    } else {
        sl_sphinx_push_frame(w, node, SL_FRAME_PLAIN);
    }
}

/* What it stands for goes with it. */
static void enter_abbreviation(struct sl_walk *w, uint32_t node)
{
    struct sl_view title;
    if (!sl_html_get(w->html, node, "title", &title) ||
        !sl_view_trim(title).len) {
        sl_sphinx_push_frame(w, node, SL_FRAME_PLAIN);
        return;
    }
    enter_mark(w, node, SL_MARK_ABBR, title);
}

static void enter_inline(struct sl_walk *w, uint32_t node)
{
    switch (w->html->nodes[node].tag) {
    case SL_HTML_A:
        enter_link(w, node);
        break;
    case SL_HTML_SPAN:
        enter_span(w, node);
        break;
    case SL_HTML_EM:
    case SL_HTML_I:
    case SL_HTML_CITE:
    case SL_HTML_DFN:
    case SL_HTML_VAR:
        enter_mark(w, node, SL_MARK_EM, SL_LIT(""));
        break;
    case SL_HTML_B:
    case SL_HTML_STRONG:
        enter_mark(w, node, SL_MARK_STRONG, SL_LIT(""));
        break;
    case SL_HTML_ABBR:
        enter_abbreviation(w, node);
        break;
    case SL_HTML_SUB:
    case SL_HTML_SUP:
    case SL_HTML_DEL:
    case SL_HTML_S:
        enter_mark(w, node, SL_MARK_HTML, w->html->nodes[node].text);
        break;
    case SL_HTML_CODE:
    case SL_HTML_TT:
    case SL_HTML_KBD:
    case SL_HTML_SAMP:
        w->in.code_depth++;
        sl_sphinx_push_frame(w, node, SL_FRAME_CODE);
        break;
    default:
        sl_sphinx_push_frame(w, node, SL_FRAME_PLAIN);
    }
}

/* --- the walk ---------------------------------------------------------------- */

/* Elements that are written whole, from their beginning. */
static bool enter_leaf(struct sl_walk *w, uint32_t node)
{
    switch (w->html->nodes[node].tag) {
    case SL_HTML_PRE:
        sl_sphinx_flush(w);
        sl_sphinx_keep_anchor(w, node);
        sl_sphinx_put_pre(w, node);
        return true;
    case SL_HTML_OBJECT:
        if (!sl_sphinx_is_object(w->html, node))
            return false;
        sl_sphinx_keep_anchor(w, node);
        sl_sphinx_put_image(w, node);
        return true;
    case SL_HTML_IMG:
        sl_sphinx_keep_anchor(w, node);
        sl_sphinx_put_image(w, node);
        return true;
    case SL_HTML_BR:
        sl_inline_break(&w->in);
        return true;
    case SL_HTML_HR:
        sl_sphinx_flush(w);
        sl_sphinx_keep_anchor(w, node);
        if (!w->table.in_cell) {
            w->rule_due = false;
            sl_sphinx_block_begin(w);
            sl_buf_puts(w->out, "---");
            sl_sphinx_block_end(w);
        }
        return true;
    case SL_HTML_DIV:
    case SL_HTML_SPAN:
        if (!sl_sphinx_is_math(w->html, node))
            return false;
        if (w->html->nodes[node].tag == SL_HTML_DIV)
            sl_sphinx_flush(w);
        sl_sphinx_keep_anchor(w, node);
        sl_sphinx_put_math(w, node);
        return true;
    default:
        return false;
    }
}

static void enter_list_or_table(struct sl_walk *w, uint32_t node)
{
    switch (w->html->nodes[node].tag) {
    case SL_HTML_UL:
    case SL_HTML_OL:
        sl_sphinx_enter_list(w, node);
        break;
    case SL_HTML_LI:
        sl_sphinx_enter_item(w, node);
        break;
    case SL_HTML_DL:
        sl_sphinx_enter_dl(w, node);
        break;
    case SL_HTML_DT:
        sl_sphinx_enter_dt(w, node);
        break;
    case SL_HTML_DD:
        sl_sphinx_enter_dd(w, node);
        break;
    case SL_HTML_TABLE:
        enter_table(w, node);
        break;
    case SL_HTML_TR:
        enter_row(w, node);
        break;
    case SL_HTML_TD:
    case SL_HTML_TH:
        enter_cell(w, node);
        break;
    default:
        enter_inline(w, node);
    }
}

static void enter_element(struct sl_walk *w, uint32_t node)
{
    switch (w->html->nodes[node].tag) {
    case SL_HTML_H1:
    case SL_HTML_H2:
    case SL_HTML_H3:
    case SL_HTML_H4:
    case SL_HTML_H5:
    case SL_HTML_H6:
        enter_heading(w, node);
        break;
    case SL_HTML_BLOCKQUOTE:
        enter_quote(w, node);
        break;
    case SL_HTML_SUMMARY:
        enter_bold(w, node);
        break;
    case SL_HTML_P:
    case SL_HTML_DIV:
    case SL_HTML_SECTION:
    case SL_HTML_ARTICLE:
    case SL_HTML_ASIDE:
    case SL_HTML_MAIN:
    case SL_HTML_BODY:
    case SL_HTML_HEADER:
    case SL_HTML_FIGURE:
    case SL_HTML_FIGCAPTION:
    case SL_HTML_CAPTION:
    case SL_HTML_DETAILS:
    case SL_HTML_FIELDSET:
    case SL_HTML_ADDRESS:
    case SL_HTML_CENTER:
        enter_block(w, node);
        break;
    default:
        enter_list_or_table(w, node);
    }
}

/* Gives the node to go on with. */
static uint32_t enter(struct sl_walk *w, uint32_t node)
{
    const struct sl_html_node *n = &w->html->nodes[node];
    if (n->tag == SL_HTML_TEXT) {
        w->join = w->join && sl_view_trim(n->text).len == 0;
        sl_inline_text(&w->in, n->text);
        return n->after;
    }
    if (sl_sphinx_is_boilerplate(w->html, node)) {
        sl_sphinx_left_inside(&w->counts.left, w->html, node);
        return n->after;
    }
    if (n->tag == SL_HTML_DT && sl_sphinx_is_signature(w->html, node)) {
        sl_sphinx_flush(w);
        if (node >= w->signed_to)
            sl_sphinx_put_signatures(w, node);
        return n->after;
    }
    if (enter_leaf(w, node))
        return n->after;
    /* before what stands in a line, but inside of the block that it names */
    bool in_line = n->tag == SL_HTML_A || n->tag == SL_HTML_SPAN;
    if (in_line)
        sl_sphinx_keep_anchor(w, node);
    enter_element(w, node);
    if (!in_line)
        sl_sphinx_keep_anchor(w, node);
    return node + 1;
}

static void leave_block(struct sl_walk *w, struct sl_frame *frame)
{
    switch (frame->kind) {
    case SL_FRAME_QUOTE:
    case SL_FRAME_NOTE:
        sl_sphinx_flush(w);
        if (!w->table.in_cell) {
            sl_sphinx_flush_anchors(w);
            sl_sphinx_pop_container(w);
        }
        break;
    case SL_FRAME_LIST:
        sl_sphinx_leave_list(w, frame);
        break;
    case SL_FRAME_ITEM:
        sl_sphinx_leave_item(w, frame);
        break;
    case SL_FRAME_TERMS:
        sl_sphinx_close_term_item(w, frame);
        break;
    case SL_FRAME_SYMBOL:
        sl_sphinx_flush(w);
        w->prototype = frame->prototype;
        break;
    case SL_FRAME_SYMBOLS:
        sl_sphinx_flush(w);
        w->symbols--;
        w->rule_due = !w->table.in_cell;
        break;
    case SL_FRAME_HEADING:
        leave_heading(w, frame->node);
        break;
    case SL_FRAME_TABLE:
        sl_sphinx_flush(w);
        sl_sphinx_table_end(w);
        break;
    case SL_FRAME_CELL:
        sl_sphinx_flush(w);
        sl_sphinx_cell_end(w, frame->node);
        break;
    default:
        sl_sphinx_flush(w);
    }
}

static void leave(struct sl_walk *w)
{
    struct sl_frame *frame = &w->frames[--w->frame_count];
    if (frame->bracket)
        sl_inline_text(&w->in, SL_LIT("]"));
    switch (frame->kind) {
    case SL_FRAME_PLAIN:
        break;
    case SL_FRAME_MARK:
        sl_inline_close(&w->in);
        break;
    case SL_FRAME_BOLD:
        sl_inline_close(&w->in);
        sl_sphinx_flush(w);
        break;
    case SL_FRAME_CODE:
        w->in.code_depth--;
        break;
    case SL_FRAME_LINE:
        sl_inline_break(&w->in);
        break;
    case SL_FRAME_LABEL:
        w->join = true;
        break;
    case SL_FRAME_INNER_CELL:
        w->table.inner--;
        break;
    default:
        leave_block(w, frame);
    }
}

static enum sl_status walk(struct sl_walk *w, uint32_t begin, uint32_t end)
{
    for (uint32_t node = begin; node < end && !w->status;) {
        while (w->frame_count &&
               w->html->nodes[w->frames[w->frame_count - 1].node].after <= node)
            leave(w);
        node = enter(w, node);
        if (w->out->failed)
            sl_sphinx_fail(w, sl_buf_check(w->out, w->error));
    }
    while (w->frame_count && !w->status)
        leave(w);
    if (!w->status) {
        sl_sphinx_flush(w);
        w->rule_due = false;
        sl_sphinx_flush_anchors(w);
    }
    if (w->out->failed)
        sl_sphinx_fail(w, sl_buf_check(w->out, w->error));
    return w->status;
}

static enum sl_status walk_parts(struct sl_walk *w)
{
    struct sl_sphinx_parts parts;
    if (!sl_sphinx_find_parts(w->arena, w->html, &parts))
        return sl_error_nomem(w->error);
    if (!parts.count)
        return walk(w, 0, w->html->count);
    enum sl_status status = SL_OK;
    for (size_t i = 0; i < parts.count && !status; i++)
        status = walk(w, parts.nodes[i],
                      w->html->nodes[parts.nodes[i]].after);
    sl_sphinx_left_outside(&w->counts.left, w->html, &parts);
    return status;
}

enum sl_status sl_sphinx_convert(struct sl_arena *arena,
                                 const struct sl_html *html, struct sl_buf *out,
                                 struct sl_sphinx_counts *counts_out,
                                 struct sl_error *error)
{
    struct sl_walk *w = sl_arena_alloc(arena, sizeof *w);
    if (!w)
        return sl_error_nomem(error);
    w->arena = arena;
    w->error = error;
    w->html = html;
    w->out = out;
    w->table.node = SL_HTML_NONE;
    sl_map_init(&w->ids, arena);
    sl_inline_init(&w->in, SL_MAX_DOCS_OUTPUT);
    sl_buf_init(&w->anchors, SL_MAX_DOCS_OUTPUT);
    sl_buf_init(&w->scratch, SL_MAX_DOCS_OUTPUT);
    sl_buf_init(&w->table.cell, SL_MAX_DOCS_OUTPUT);
    sl_buf_init(&w->table.bullet, SL_MAX_DOCS_OUTPUT);
    enum sl_status status = walk_parts(w);
    w->counts.links = w->in.link_count;
    sl_inline_release(&w->in);
    sl_buf_release(&w->anchors);
    sl_buf_release(&w->scratch);
    sl_buf_release(&w->table.cell);
    sl_buf_release(&w->table.bullet);
    if (!status && counts_out)
        *counts_out = w->counts;
    return status;
}
