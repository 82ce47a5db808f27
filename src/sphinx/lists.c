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

/* a, A, i or I: how the list is numbered; 0: as Markdown can. */
static char style_of(const struct sl_walk *w, uint32_t list)
{
    static const char *const names[][2] = {{"loweralpha", "a"},
                                           {"upperalpha", "A"},
                                           {"lowerroman", "i"},
                                           {"upperroman", "I"}};
    struct sl_view type;
    if (sl_html_get(w->html, list, "type", &type) && type.len == 1 &&
        strchr("aAiI", *type.ptr))
        return *type.ptr;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (sl_sphinx_has(w, list, names[i][0]))
            return *names[i][1];
    return '\0';
}

static void write_letters(unsigned number, char out[SL_SPHINX_NUMBER])
{
    size_t n = SL_SPHINX_NUMBER - 1;
    char text[SL_SPHINX_NUMBER] = "";
    for (; number && n; number = (number - 1) / 26)
        text[--n] = (char)('a' + (number - 1) % 26);
    memcpy(out, text + n, sizeof text - n);
}

static void write_roman(unsigned number, char out[SL_SPHINX_NUMBER])
{
    static const struct {
        unsigned value;
        const char *text;
    } parts[] = {{1000, "m"}, {900, "cm"}, {500, "d"}, {400, "cd"}, {100, "c"},
                 {90, "xc"},  {50, "l"},   {40, "xl"}, {10, "x"},   {9, "ix"},
                 {5, "v"},    {4, "iv"},   {1, "i"}};
    size_t n = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && number < 4000; i++)
        for (; number >= parts[i].value; number -= parts[i].value)
            for (const char *c = parts[i].text; *c; c++)
                out[n++] = *c; /* mmmdccclxxxviii is the longest */
    out[n] = '\0';
}

/* The number as the style says; "": it has no such form. */
static void write_number(char style, unsigned number,
                         char out[SL_SPHINX_NUMBER])
{
    out[0] = '\0';
    if (style == 'a' || style == 'A')
        write_letters(number, out);
    else if (style)
        write_roman(number, out);
    for (; *out && (style == 'A' || style == 'I'); out++)
        *out = (char)(*out - 'a' + 'A');
}

void sl_sphinx_enter_list(struct sl_walk *w, uint32_t node)
{
    sl_sphinx_flush(w);
    char last = w->last_list;
    struct sl_frame *list = sl_sphinx_push_frame(w, node, SL_FRAME_LIST);
    bool numbered = w->html->nodes[node].tag == SL_HTML_OL;
    /* two lists in a row are two only if their markers differ */
    list->style = numbered ? style_of(w, node) : '\0';
    if (numbered && !list->style)
        list->marker = last == '.' ? ')' : '.';
    else
        list->marker = last == '-' ? '*' : '-';
    struct sl_view start;
    uint64_t number = 1;
    if (sl_html_get(w->html, node, "start", &start))
        (void)sl_view_number(sl_view_trim(start), SL_MAX_DOCS_NUMBER, &number);
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

/*
 * What the item begins with. Markdown counts on from a list's first number: where
 * an item has a number of its own, another list begins, with the other mark.
 */
static void choose_marker(struct sl_walk *w, uint32_t node,
                          struct sl_frame *list,
                          char marker[SL_SPHINX_MARKER],
                          char odd[SL_SPHINX_NUMBER])
{
    struct sl_view value;
    uint64_t number;
    if (list->marker != '.' && list->marker != ')' && !list->style) {
        marker[0] = list->marker;
        return;
    }
    bool own = sl_html_get(w->html, node, "value", &value) &&
               sl_view_number(sl_view_trim(value), SL_MAX_DOCS_NUMBER,
                              &number) &&
               number != list->number;
    if (own) {
        list->number = (unsigned)number;
        list->tight = false;
        if (!list->style)
            list->marker = list->marker == '.' ? ')' : '.';
    }
    write_number(list->style, list->number, odd);
    if (odd[0])
        marker[0] = list->marker;
    else
        snprintf(marker, SL_SPHINX_MARKER, "%u%c ", list->number % 1000000000u,
                 w->table.in_cell || list->style ? '.' : list->marker);
    list->number++;
}

/* A letter or a Roman number is the first word of its item. */
static void put_odd_number(struct sl_walk *w, const char *odd)
{
    if (!odd[0])
        return;
    sl_inline_text(&w->in, sl_view_of(odd));
    sl_inline_text(&w->in, SL_LIT("."));
    w->in.space = true;
    w->join = true;
}

void sl_sphinx_enter_item(struct sl_walk *w, uint32_t node)
{
    sl_sphinx_flush(w);
    struct sl_frame *list = sl_sphinx_nearest_frame(w, SL_FRAME_LIST,
                                                    SL_FRAME_CELL);
    if (list && list->kind != SL_FRAME_LIST)
        list = NULL;
    char marker[SL_SPHINX_MARKER] = "- ", odd[SL_SPHINX_NUMBER] = "";
    if (list)
        choose_marker(w, node, list, marker, odd);
    struct sl_frame *item = sl_sphinx_push_frame(w, node, SL_FRAME_ITEM);
    item->blocks = w->blocks;
    if (w->table.in_cell) {
        bool number = sl_is_digit(marker[0]);
        if (odd[0])
            sl_buf_printf(&w->table.bullet, "%s. ", odd);
        else
            sl_buf_puts(&w->table.bullet, number ? marker
                                          : w->table.lists > 1
                                              ? "\xe2\x97\xa6 "
                                              : "\xe2\x80\xa2 ");
    } else {
        if (list && list->tight)
            w->need_blank = false;
        sl_sphinx_push_item(w, marker);
        put_odd_number(w, odd);
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
