/* The tables of the page's side of the check, cell by cell. */
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "sphinx/check_page.h"

bool sl_page_has(const struct sl_page *p, uint32_t node, const char *list)
{
    struct sl_view rest = sl_view_of(list), word;
    while (sl_view_cut(&rest, ' ', &word)) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", SL_ARG(word));
        if (sl_html_has_class(p->html, node, name))
            return true;
    }
    return false;
}

bool sl_page_is(const struct sl_html *html, uint32_t node, const char *name,
                const char *value)
{
    struct sl_view v;
    return sl_html_get(html, node, name, &v) && sl_view_is(v, value);
}

/* --- tables -------------------------------------------------------------------- */

static bool is_layout(const struct sl_page *p, uint32_t node)
{
    if (sl_page_has(p, node, "modindextable"))
        return false;
    return sl_page_has(
               p, node,
               "highlighttable contentstable genindextable indextable") ||
           sl_page_is(p->html, node, "role", "presentation");
}

static size_t span(const struct sl_page *p, uint32_t node, const char *name)
{
    struct sl_view value;
    uint64_t number = 1;
    if (!sl_html_get(p->html, node, name, &value) ||
        !sl_view_number(sl_view_trim(value), UINT32_MAX, &number))
        return 1;
    return (size_t)number;
}

/* The rectangle of each cell, filled in; then the tokens in reading order. */
static void lay_out(struct sl_page *p, const size_t *grid, size_t room,
                    size_t columns)
{
    struct sl_stream *s = p->s;
    size_t count = s->count - p->first;
    struct sl_token *old = sl_arena_alloc(s->arena, (count + 1) * sizeof *old);
    if (!old) {
        s->status = sl_error_nomem(s->error);
        return;
    }
    if (count) /* a page that begins with an empty table has no tokens yet */
        memcpy(old, s->tokens + p->first, count * sizeof *old);
    unsigned line = p->html->nodes[p->table].line;
    size_t in_front = p->cell_count ? p->cells[0].begin : count;
    s->count = p->first + in_front; /* the caption */
    sl_stream_mark(s, SL_TOKEN_TABLE, SL_LIT(""), line);
    for (size_t row = 0; row < p->rows && !s->status; row++) {
        size_t words = 0;
        size_t begin = s->count;
        sl_stream_mark(s, SL_TOKEN_ROW, SL_LIT(""), line);
        for (size_t column = 0; column < columns && !s->status; column++) {
            size_t which = grid[row * room + column];
            sl_stream_mark(s, SL_TOKEN_CELL, SL_LIT(""), line);
            if (!which)
                continue;
            const struct sl_page_cell *cell = &p->cells[which - 1];
            for (size_t i = cell->begin; i < cell->end; i++, words++)
                sl_stream_mark(s, old[i].kind, old[i].text, old[i].line);
        }
        if (!words) /* rows without any text are not compared */
            s->count = begin;
    }
}

/* Columns of the widest row, if no cell of another reached into it. */
static size_t own_columns(const struct sl_page *p)
{
    size_t columns = 0, width = 0, row = SIZE_MAX;
    for (size_t i = 0; i < p->cell_count; i++) {
        width = p->cells[i].row == row ? width + p->cells[i].columns
                                       : p->cells[i].columns;
        row = p->cells[i].row;
        columns = width > columns ? width : columns;
    }
    return columns;
}

/* The number of each cell, from 1, over its whole rectangle. */
static size_t fill(const struct sl_page *p, size_t *grid, size_t room)
{
    size_t used = 0;
    for (size_t i = 0; i < p->cell_count; i++) {
        const struct sl_page_cell *cell = &p->cells[i];
        size_t column = 0;
        while (column < room && grid[cell->row * room + column])
            column++;
        size_t end = column + cell->columns;
        end = end > room ? room : end;
        size_t last = cell->rows ? cell->row + cell->rows : p->rows;
        last = last > p->rows ? p->rows : last;
        for (size_t r = cell->row; r < last; r++)
            for (size_t c = column; c < end; c++)
                grid[r * room + c] = i + 1;
        used = end > used ? end : used;
    }
    return used;
}

void sl_page_table_end(struct sl_page *p)
{
    /* cells from above push others to the right: at most as far again */
    size_t room = 2 * own_columns(p) + 64;
    size_t *grid = NULL;
    if (room > 4 * (size_t)SL_MAX_DOCS_COLUMNS ||
        p->rows > SL_MAX_FLAT_CELLS / room)
        p->s->status = sl_error_set(p->s->error, SL_ERR_LIMIT,
                                    "line %u: a table with too many cells to "
                                    "compare",
                                    p->html->nodes[p->table].line);
    else if (!(grid = calloc((p->rows + 1) * room, sizeof *grid)))
        p->s->status = sl_error_nomem(p->s->error);
    else
        lay_out(p, grid, room, fill(p, grid, room));
    free(grid);
    p->table = SL_HTML_NONE;
}

static void begin_cell(struct sl_page *p, uint32_t node)
{
    struct sl_stream *s = p->s;
    void *grown = sl_arena_grow(s->arena, p->cells, sizeof *p->cells,
                                p->cell_count, &p->cell_cap);
    if (!grown) {
        s->status = sl_error_nomem(s->error);
        return;
    }
    p->cells = grown;
    size_t columns = span(p, node, "colspan");
    p->cells[p->cell_count++] = (struct sl_page_cell){
        .row = p->rows - 1,
        .columns = columns ? columns : 1,
        .rows = span(p, node, "rowspan"),
        .begin = s->count - p->first,
    };
    p->cell = node;
}

/* What a table, a row and a cell begin. */
void sl_page_table(struct sl_page *p, uint32_t node)
{
    enum sl_html_tag tag = p->html->nodes[node].tag;
    bool inside = p->table != SL_HTML_NONE && p->cell == SL_HTML_NONE;
    if (tag == SL_HTML_TABLE && p->table == SL_HTML_NONE &&
        !is_layout(p, node)) {
        p->table = node;
        p->first = p->s->count;
        p->cell_count = p->rows = 0;
    } else if (tag == SL_HTML_TR && inside) {
        p->rows++;
    } else if ((tag == SL_HTML_TD || tag == SL_HTML_TH) && inside && p->rows) {
        begin_cell(p, node);
    }
}

/* In a cell, items have their marks in the text. */
void sl_page_item(struct sl_page *p, uint32_t node)
{
    const struct sl_html *html = p->html;
    if (p->cell == SL_HTML_NONE)
        return;
    size_t lists = 0;
    uint32_t list = SL_HTML_NONE;
    for (uint32_t up = html->nodes[node].parent;
         up != SL_HTML_NONE && up != p->cell; up = html->nodes[up].parent)
        if (html->nodes[up].tag == SL_HTML_UL ||
            html->nodes[up].tag == SL_HTML_OL) {
            list = list == SL_HTML_NONE ? up : list;
            lists++;
        }
    unsigned line = html->nodes[node].line;
    if (list != SL_HTML_NONE && html->nodes[list].tag == SL_HTML_OL) {
        size_t slot = lists % SL_PAGE_LISTS;
        if (p->lists[slot] != list)
            p->numbers[slot] = span(p, list, "start");
        p->lists[slot] = list;
        size_t number = p->numbers[slot]++;
        char text[32];
        snprintf(text, sizeof text, "%zu.", number);
        sl_stream_text(p->s, sl_arena_copy(p->s->arena, sl_view_of(text)),
                       line);
    } else {
        sl_stream_text(
            p->s, lists > 1 ? SL_LIT("\xe2\x97\xa6") : SL_LIT("\xe2\x80\xa2"),
            line);
    }
    sl_stream_break(p->s);
}
