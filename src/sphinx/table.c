#include <string.h>

#include "sphinx/internal.h"

void sl_sphinx_table_begin(struct sl_walk *w, uint32_t node)
{
    w->table.node = node;
    w->table.cells = NULL;
    w->table.count = w->table.cap = 0;
    w->table.rows = 0;
    w->table.head = false;
}

void sl_sphinx_cell_begin(struct sl_walk *w, uint32_t node)
{
    (void)node;
    sl_buf_truncate(&w->table.cell, 0);
    sl_buf_truncate(&w->table.bullet, 0);
    sl_sphinx_flush_anchors(w); /* what waits is not the cell's */
    w->table.in_cell = true;
    w->table.lists = w->table.inner = 0;
    w->in.in_cell = true;
}

static uint32_t span_of(const struct sl_html *html, uint32_t node,
                        const char *name, uint32_t max)
{
    struct sl_view value;
    uint64_t number;
    if (!sl_html_get(html, node, name, &value) ||
        !sl_view_number(sl_view_trim(value), UINT32_MAX, &number))
        return 1;
    return number > max ? max : (uint32_t)number;
}

void sl_sphinx_cell_end(struct sl_walk *w, uint32_t node)
{
    struct sl_table *t = &w->table;
    if (t->bullet.len && t->cell.len) /* an item without text */
        sl_buf_puts(&t->cell, "<br>");
    sl_buf_add(&t->cell, sl_view_trim(sl_buf_view(&t->bullet)));
    sl_buf_truncate(&t->bullet, 0);
    t->in_cell = false;
    w->in.in_cell = false;
    if (t->cell.failed) {
        sl_sphinx_fail(w, sl_buf_check(&t->cell, w->error));
        return;
    }
    void *grown = sl_arena_grow(w->arena, t->cells, sizeof *t->cells, t->count,
                                &t->cap);
    struct sl_view text = sl_arena_copy(w->arena, sl_buf_view(&t->cell));
    struct sl_view anchors = sl_arena_copy(w->arena, sl_buf_view(&w->anchors));
    sl_buf_truncate(&w->anchors, 0);
    if (!grown || !text.ptr || !anchors.ptr) {
        sl_sphinx_fail(w, sl_error_nomem(w->error));
        return;
    }
    t->cells = grown;
    /* HTML has no column span of 0; a row span of 0 goes to the end */
    uint32_t columns = span_of(w->html, node, "colspan", SL_MAX_DOCS_COLUMNS);
    uint32_t rows = span_of(w->html, node, "rowspan", UINT32_MAX);
    t->cells[t->count++] = (struct sl_cell){
        .text = text,
        .anchors = anchors,
        .row = t->rows - 1,
        .columns = columns ? columns : 1,
        .rows = rows ? rows : UINT32_MAX,
        .header = t->head || w->html->nodes[node].tag == SL_HTML_TH,
    };
}

/* A cell that reaches into rows below, by column. */
struct reach {
    struct sl_cell *cell;
    uint32_t end; /* the row where it does no longer */
    struct reach *under; /* an earlier cell that reaches further, or NULL */
};

struct grid {
    struct sl_walk *w;
    uint32_t columns; /* of the widest row so far */
    size_t next;      /* cell */
    struct reach reach[SL_MAX_DOCS_COLUMNS];
    struct sl_cell *row[SL_MAX_DOCS_COLUMNS]; /* NULL: nothing there */
};

/* Takes what reaches down into this column of the row, if anything does. */
static bool take_reach(struct grid *g, uint32_t column, uint32_t row)
{
    struct reach *reach = &g->reach[column];
    while (reach->end <= row && reach->under)
        *reach = *reach->under;
    if (reach->end <= row)
        return false;
    g->row[column] = reach->cell;
    return true;
}

/* Of two cells that overlap the later wins, as far as it reaches. */
static void put_reach(struct grid *g, uint32_t column, struct sl_cell *cell)
{
    uint32_t row = cell->row;
    struct reach *reach = &g->reach[column], *under = NULL;
    uint32_t end = cell->rows > UINT32_MAX - row ? UINT32_MAX
                                                 : row + cell->rows;
    (void)take_reach(g, column, row); /* without those that have ended */
    if (reach->end > end) {
        under = sl_arena_alloc(g->w->arena, sizeof *under);
        if (under)
            *under = *reach;
        else
            sl_sphinx_fail(g->w, sl_error_nomem(g->w->error));
    } else {
        under = reach->under;
        while (under && under->end <= end)
            under = under->under;
    }
    g->row[column] = cell;
    *reach = (struct reach){cell, end, under};
}

static void refuse_columns(struct sl_walk *w)
{
    sl_sphinx_fail(w, sl_error_set(w->error, SL_ERR_LIMIT,
                                   "line %u: a table has more than %u columns",
                                   w->html->nodes[w->table.node].line,
                                   SL_MAX_DOCS_COLUMNS));
}

/* One row: its own cells in the columns that are free, and what reaches in. */
static void lay_row(struct grid *g, uint32_t number)
{
    const struct sl_table *t = &g->w->table;
    uint32_t column = 0;
    for (uint32_t i = 0; i < g->columns; i++)
        g->row[i] = NULL;
    for (; g->next < t->count && t->cells[g->next].row == number; g->next++) {
        struct sl_cell *cell = &t->cells[g->next];
        while (column < g->columns && take_reach(g, column, number))
            column++;
        for (uint32_t i = 0; i < cell->columns; i++, column++) {
            if (column >= SL_MAX_DOCS_COLUMNS) {
                refuse_columns(g->w);
                return;
            }
            put_reach(g, column, cell);
        }
        if (column > g->columns)
            g->columns = column;
    }
    for (; column < g->columns; column++)
        (void)take_reach(g, column, number);
}

static void put_row(struct grid *g, bool empty)
{
    struct sl_buf *out = g->w->out;
    sl_buf_putc(out, '|');
    for (uint32_t i = 0; i < g->columns; i++) {
        sl_buf_putc(out, ' ');
        struct sl_cell *cell = empty ? NULL : g->row[i];
        if (cell && cell->text.len + cell->anchors.len) {
            sl_buf_add(out, cell->anchors);
            cell->anchors.len = 0; /* an anchor has one place */
            sl_buf_add(out, cell->text);
            sl_buf_putc(out, ' ');
        }
        sl_buf_putc(out, '|');
    }
}

static void put_delimiters(struct grid *g)
{
    sl_buf_putc(g->w->out, '|');
    for (uint32_t i = 0; i < g->columns; i++)
        sl_buf_puts(g->w->out, " --- |");
    g->w->counts.tables++;
}

static bool is_header(const struct grid *g)
{
    for (uint32_t i = 0; i < g->columns; i++)
        if (g->row[i] && !g->row[i]->header)
            return false;
    return true;
}

static void put_rows(struct grid *g)
{
    struct sl_walk *w = g->w;
    sl_sphinx_flush_anchors(w);
    sl_sphinx_block_begin(w);
    for (uint32_t row = 0; row < w->table.rows && !w->out->failed; row++) {
        lay_row(g, row);
        if (row == 0) {
            bool header = is_header(g);
            put_row(g, !header);
            sl_sphinx_block_line(w);
            put_delimiters(g);
            if (header)
                continue;
        }
        sl_sphinx_block_line(w);
        put_row(g, false);
    }
    sl_sphinx_block_end(w);
}

void sl_sphinx_table_end(struct sl_walk *w)
{
    struct sl_table *t = &w->table;
    t->in_cell = false;
    struct grid *g = sl_arena_alloc(w->arena, sizeof *g);
    if (!g) {
        sl_sphinx_fail(w, sl_error_nomem(w->error));
        return;
    }
    g->w = w;
    for (uint32_t row = 0; row < t->rows && !w->status; row++)
        lay_row(g, row); /* how many columns there are */
    g->next = 0;
    memset(g->reach, 0, sizeof g->reach);
    if (!w->status && g->columns)
        put_rows(g);
    t->node = SL_HTML_NONE;
}
