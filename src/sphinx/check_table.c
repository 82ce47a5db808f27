/* The tables of the page's side of the check, cell by cell. */
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "sphinx/check_page.h"

bool sl_page_has(const struct sl_page *p, uint32_t node, const char *list)
{
    return sl_page_has_class(p->html, node, list);
}

bool sl_page_has_class(const struct sl_html *html, uint32_t node,
                       const char *list)
{
    struct sl_view rest = sl_view_of(list), word;
    while (sl_view_cut(&rest, ' ', &word)) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", SL_ARG(word));
        if (sl_html_has_class(html, node, name))
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

/* What holds a signature is no table: a cell has no room for a heading. */
static bool has_signature(struct sl_page *p, uint32_t node)
{
    uint32_t i = p->sought > node ? p->sought : node;
    while (i < p->html->count && !sl_page_is_signature(p, i))
        i++;
    p->sought = i;
    return i < p->html->nodes[node].after;
}

static bool is_layout(struct sl_page *p, uint32_t node)
{
    if (has_signature(p, node))
        return true;
    if (sl_page_has(p, node, "modindextable"))
        return false;
    return sl_page_has(
               p, node,
               "highlighttable contentstable genindextable indextable") ||
           sl_page_is(p->html, node, "role", "presentation");
}

static size_t start_of(const struct sl_page *p, uint32_t list)
{
    struct sl_view value;
    uint64_t number = 1;
    if (!sl_html_get(p->html, list, "start", &value) ||
        !sl_view_number(sl_view_trim(value), SL_MAX_DOCS_NUMBER, &number))
        return 1;
    return (size_t)number;
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

/* Whether every cell of the first row is a heading. */
static bool is_head(const struct sl_page *p, const size_t *grid, size_t columns)
{
    for (size_t i = 0; i < columns; i++)
        if (grid[i] && !p->cells[grid[i] - 1].header)
            return false;
    return true;
}

/* Anchors of cells of a row that is not compared. */
static void settle_anchors(struct sl_page *p, const size_t *row, size_t columns)
{
    for (size_t column = 0; column < columns; column++) {
        size_t which = row[column];
        if (!which || (column && row[column - 1] == which))
            continue;
        const struct sl_page_cell *cell = &p->cells[which - 1];
        for (size_t i = cell->anchor; i < cell->anchor_end; i++)
            if (p->s->anchors[i].at > p->s->count)
                p->s->anchors[i].at = p->s->count;
    }
}

/* The cell's tokens; its anchors stand where it stands first. */
static size_t put_cell(struct sl_page *p, struct sl_page_cell *cell,
                       const struct sl_token *old)
{
    if (!cell->placed)
        for (size_t i = cell->anchor; i < cell->anchor_end; i++)
            p->s->anchors[i].at = p->s->count;
    cell->placed = true;
    for (size_t i = cell->begin; i < cell->end; i++)
        sl_stream_again(p->s, old[i]);
    return cell->end - cell->begin;
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
    for (size_t i = p->first_anchor; i < s->anchor_count; i++)
        if (s->anchors[i].at > s->count)
            s->anchors[i].at = s->count;
    sl_stream_mark(s, SL_TOKEN_TABLE, SL_LIT(""), line);
    for (size_t row = 0; row < p->rows && !s->status; row++) {
        size_t words = 0;
        size_t begin = s->count;
        sl_stream_mark(s, SL_TOKEN_ROW,
                       !row && is_head(p, grid, columns) ? SL_LIT(" head")
                                                         : SL_LIT(""),
                       line);
        for (size_t column = 0; column < columns && !s->status; column++) {
            size_t which = grid[row * room + column];
            sl_stream_mark(s, SL_TOKEN_CELL, SL_LIT(""), line);
            if (!which)
                continue;
            words += put_cell(p, &p->cells[which - 1], old);
        }
        if (!words) { /* rows without any text are not compared */
            s->count = begin;
            settle_anchors(p, grid + row * room, columns);
        }
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
    struct sl_view id;
    bool has_id = sl_html_get(p->html, node, "id", &id) && id.len;
    p->cells[p->cell_count++] = (struct sl_page_cell){
        .row = p->rows - 1,
        .columns = columns ? columns : 1,
        .rows = span(p, node, "rowspan"),
        .begin = s->count - p->first,
        .anchor = s->anchor_count - has_id,
        .header = p->html->nodes[node].tag == SL_HTML_TH ||
                  p->html->nodes[p->html->nodes[p->html->nodes[node].parent]
                                     .parent]
                          .tag == SL_HTML_THEAD,
    };
    p->cell = node;
    s->joins = false; /* an item of the cell before it may have been empty */
    sl_stream_begin(s);
    s->look.marks &= (unsigned char)~SL_LOOK_ITEM;
    s->look.number = 0;
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
        p->first_anchor = p->s->anchor_count;
        p->cell_count = p->rows = 0;
    } else if (tag == SL_HTML_TR && inside) {
        p->rows++;
    } else if ((tag == SL_HTML_TD || tag == SL_HTML_TH) && inside && p->rows) {
        begin_cell(p, node);
    }
}

/* What stands before an item of a list that is numbered otherwise. */
static void put_letters(char *out, size_t size, size_t number)
{
    size_t length = 1, all = 26;
    for (; number > all; all *= 26, length++) /* how many letters */
        number -= all;
    number--;
    out[length < size ? length : 0] = '\0';
    for (size_t i = length; i-- > 0 && length < size; number /= 26)
        out[i] = (char)('a' + number % 26);
}

static void put_roman(char *out, size_t size, size_t number)
{
    static const char *const ones[] = {"",  "i",  "ii",  "iii",  "iv",
                                       "v", "vi", "vii", "viii", "ix"};
    static const char *const names[] = {"ivx", "xlc", "cdm", "m"};
    size_t n = 0;
    for (size_t place = 4, unit = 1000; place-- > 0; unit /= 10)
        for (const char *c = ones[number / unit % 10]; *c && n + 1 < size; c++)
            out[n++] = names[place][*c == 'i' ? 0 : *c == 'v' ? 1 : 2];
    out[n] = '\0';
}

/* a, iv, B: how the list counts; false: as Markdown does. */
static bool odd_number(const struct sl_page *p, uint32_t list, size_t number,
                       char *out, size_t size)
{
    struct sl_view type;
    sl_html_get(p->html, list, "type", &type);
    char c = type.len == 1 ? *type.ptr : '\0';
    bool big = c == 'A' || c == 'I' ||
               sl_page_has(p, list, "upperalpha upperroman");
    bool letters = c == 'a' || c == 'A' ||
                   sl_page_has(p, list, "loweralpha upperalpha");
    bool roman = c == 'i' || c == 'I' ||
                 sl_page_has(p, list, "lowerroman upperroman");
    if (!number || (!letters && (!roman || number > 3999)))
        return false;
    if (letters)
        put_letters(out, size, number);
    else
        put_roman(out, size, number);
    for (; big && *out; out++)
        *out = (char)(*out - 'a' + 'A');
    return true;
}

/* Which item it is; a `value` of its own counts. */
static size_t count_item(struct sl_page *p, uint32_t node, uint32_t list,
                         size_t depth)
{
    size_t slot = depth % SL_MAX_HTML_DEPTH;
    struct sl_view value;
    uint64_t number;
    if (p->lists[slot] != list)
        p->numbers[slot] = start_of(p, list);
    p->lists[slot] = list;
    if (sl_html_get(p->html, node, "value", &value) &&
        sl_view_number(sl_view_trim(value), SL_MAX_DOCS_NUMBER, &number))
        p->numbers[slot] = (size_t)number;
    return p->numbers[slot]++;
}

/* The list that an item is of, and in how many it stands. */
struct place {
    uint32_t list;       /* SL_HTML_NONE: of none */
    size_t lists, depth; /* in the cell, if there is one; in all */
};

static struct place place_of(const struct sl_page *p, uint32_t node)
{
    const struct sl_html *html = p->html;
    struct place place = {SL_HTML_NONE, 0, 0};
    bool inside = true; /* of the cell, or there is none */
    for (uint32_t up = html->nodes[node].parent; up != SL_HTML_NONE;
         up = html->nodes[up].parent) {
        inside = inside && up != p->cell;
        if (html->nodes[up].tag != SL_HTML_UL &&
            html->nodes[up].tag != SL_HTML_OL)
            continue;
        if (inside && place.list == SL_HTML_NONE)
            place.list = up;
        place.lists += inside;
        place.depth++;
    }
    return place;
}

void sl_page_item(struct sl_page *p, uint32_t node)
{
    struct place place = place_of(p, node);
    size_t number = 0;
    bool numbered = place.list != SL_HTML_NONE &&
                    p->html->nodes[place.list].tag == SL_HTML_OL;
    if (numbered)
        number = count_item(p, node, place.list, place.depth);
    char mark[32] = "";
    bool odd = numbered &&
               odd_number(p, place.list, number, mark, sizeof mark - 1);
    bool in_cell = p->cell != SL_HTML_NONE;
    if (!in_cell)
        sl_stream_item(p->s, numbered && !odd ? (uint32_t)number + 1 : 0);
    if (!in_cell && !odd)
        return;
    if (!numbered)
        snprintf(mark, sizeof mark, "%s",
                 place.lists > 1 ? "\xe2\x97\xa6" : "\xe2\x80\xa2");
    else if (!odd)
        snprintf(mark, sizeof mark, "%zu", number);
    struct sl_view text = sl_arena_copy(p->s->arena, sl_view_of(mark));
    unsigned line = p->html->nodes[node].line;
    sl_stream_begin(p->s);
    sl_stream_text(p->s, text, line);
    if (numbered)
        sl_stream_text(p->s, SL_LIT("."), line);
    sl_stream_break(p->s);
    p->s->joins = true;
    p->in_bullet = in_cell;
}
