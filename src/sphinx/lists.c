#include <string.h>

#include "sphinx/internal.h"

struct sl_frame *sl_sphinx_push_frame(struct sl_walk *w, uint32_t node,
                                      enum sl_frame_kind kind)
{
    /* the page's depth is capped by the reader */
    struct sl_frame *frame = &w->frames[w->frame_count++];
    *frame = (struct sl_frame){.node = node, .kind = kind};
    return frame;
}

struct sl_frame *sl_sphinx_nearest_frame(struct sl_walk *w,
                                         enum sl_frame_kind a,
                                         enum sl_frame_kind b)
{
    for (size_t i = w->frame_count; i-- > 0;)
        if (w->frames[i].kind == a || w->frames[i].kind == b)
            return &w->frames[i];
    return NULL;
}

bool sl_sphinx_has(const struct sl_walk *w, uint32_t node, const char *word)
{
    return sl_html_has_class(w->html, node, word);
}

bool sl_sphinx_has_one_of(const struct sl_walk *w, uint32_t node,
                          const char *const *words)
{
    for (; *words; words++)
        if (sl_sphinx_has(w, node, *words))
            return true;
    return false;
}

/* --- lists ----------------------------------------------------------------- */

void sl_sphinx_enter_list(struct sl_walk *w, uint32_t node)
{
    sl_sphinx_flush(w);
    char last = w->last_list;
    struct sl_frame *list = sl_sphinx_push_frame(w, node, SL_FRAME_LIST);
    bool numbered = w->html->nodes[node].tag == SL_HTML_OL;
    /* two lists in a row are two only if their markers differ */
    if (numbered)
        list->marker = last == '.' ? ')' : '.';
    else
        list->marker = last == '-' ? '*' : '-';
    struct sl_view start;
    uint64_t number = 1;
    if (sl_html_get(w->html, node, "start", &start))
        (void)sl_view_number(start, 99999999, &number);
    list->number = (unsigned)number;
    w->table.lists += w->table.in_cell;
}

/* The name that the prototype gives to the text that begins with this node. */
void sl_sphinx_put_planned_name(struct sl_walk *w, uint32_t node)
{
    struct sl_view name = sl_sphinx_planned_name(w, node);
    if (!name.len)
        return;
    sl_inline_verbatim(&w->in, "", name, " *(from the prototype)*:");
    w->in.space = true;
    w->join = true;
    w->counts.recovered++;
}

void sl_sphinx_enter_item(struct sl_walk *w, uint32_t node)
{
    sl_sphinx_flush(w);
    struct sl_frame *list = sl_sphinx_nearest_frame(w, SL_FRAME_LIST,
                                                    SL_FRAME_CELL);
    if (list && list->kind != SL_FRAME_LIST)
        list = NULL;
    char marker[12] = "- ";
    if (list && (list->marker == '.' || list->marker == ')'))
        snprintf(marker, sizeof marker, "%u%c ", list->number++ % 100000000u,
                 w->table.in_cell ? '.' : list->marker);
    else if (list)
        marker[0] = list->marker;
    struct sl_frame *item = sl_sphinx_push_frame(w, node, SL_FRAME_ITEM);
    item->blocks = w->blocks;
    if (w->table.in_cell) {
        bool number = sl_is_digit(marker[0]);
        sl_buf_puts(&w->table.bullet, number               ? marker
                                      : w->table.lists > 1 ? "\xe2\x97\xa6 "
                                                           : "\xe2\x80\xa2 ");
    } else {
        if (list && list->tight)
            w->need_blank = false;
        sl_sphinx_push_item(w, marker);
    }
    sl_sphinx_put_planned_name(w, node);
}

void sl_sphinx_leave_item(struct sl_walk *w, const struct sl_frame *item)
{
    sl_sphinx_flush(w);
    if (w->table.in_cell)
        return;
    sl_sphinx_flush_anchors(w);
    sl_sphinx_pop_container(w);
    struct sl_frame *list = sl_sphinx_nearest_frame(w, SL_FRAME_LIST,
                                                    SL_FRAME_CELL);
    if (list && list->kind == SL_FRAME_LIST)
        list->tight = w->blocks <= item->blocks + 1;
}

void sl_sphinx_leave_list(struct sl_walk *w, const struct sl_frame *list)
{
    sl_sphinx_flush(w);
    w->last_list = list->marker;
    if (w->table.in_cell && w->table.lists)
        w->table.lists--;
}

/* --- definition lists and signatures --------------------------------------- */

void sl_sphinx_enter_dl(struct sl_walk *w, uint32_t node)
{
    sl_sphinx_flush(w);
    uint32_t dt = sl_html_child(w->html, node, SL_HTML_DT);
    if (dt != SL_HTML_NONE && sl_sphinx_is_signature(w->html, dt)) {
        w->symbols++;
        sl_sphinx_push_frame(w, node, SL_FRAME_SYMBOLS);
    } else {
        sl_sphinx_push_frame(w, node, SL_FRAME_TERMS);
    }
}

void sl_sphinx_close_term_item(struct sl_walk *w, struct sl_frame *terms)
{
    sl_sphinx_flush(w);
    if (!terms->item_open)
        return;
    terms->item_open = false;
    if (!w->table.in_cell) {
        sl_sphinx_flush_anchors(w);
        sl_sphinx_pop_container(w);
    }
}

void sl_sphinx_enter_dt(struct sl_walk *w, uint32_t node)
{
    sl_sphinx_flush(w);
    struct sl_frame *terms = sl_sphinx_nearest_frame(w, SL_FRAME_TERMS,
                                                     SL_FRAME_SYMBOLS);
    bool again = terms && terms->kind == SL_FRAME_TERMS && terms->item_open &&
                 terms->after_dt;
    if (terms && terms->kind == SL_FRAME_TERMS && !again) {
        sl_sphinx_close_term_item(w, terms);
        if (!w->table.in_cell)
            sl_sphinx_push_item(w, "- ");
        terms->item_open = true;
    }
    if (terms)
        terms->after_dt = true;
    if (sl_sphinx_has(w, node, "label")) {
        sl_sphinx_push_frame(w, node, SL_FRAME_LABEL);
        return;
    }
    sl_sphinx_push_frame(w, node, SL_FRAME_BOLD);
    sl_inline_open(&w->in, SL_MARK_STRONG, SL_LIT(""));
}

void sl_sphinx_enter_dd(struct sl_walk *w, uint32_t node)
{
    sl_sphinx_flush_soft(w);
    struct sl_frame *list = sl_sphinx_nearest_frame(w, SL_FRAME_TERMS,
                                                    SL_FRAME_SYMBOLS);
    if (list)
        list->after_dt = false;
    if (!list || list->kind != SL_FRAME_SYMBOLS) {
        sl_sphinx_push_frame(w, node, SL_FRAME_BLOCK);
        return;
    }
    struct sl_frame *frame = sl_sphinx_push_frame(w, node, SL_FRAME_SYMBOL);
    frame->prototype = w->prototype;
    sl_sphinx_plan_names(w, node);
}
