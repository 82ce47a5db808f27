/* Inside the check: what is known while the page's stream is made. */
#ifndef SL_SPHINX_CHECK_PAGE_H
#define SL_SPHINX_CHECK_PAGE_H

#include "html/dom.h"
#include "sphinx/stream.h"

#define SL_PAGE_LISTS 64u

/* A cell whose tokens are known. */
struct sl_page_cell {
    size_t row, columns, rows;
    size_t begin, end; /* tokens, from the table's first */
};

struct sl_page {
    struct sl_stream *s;
    const struct sl_html *html;
    uint32_t cell;  /* that the node is in, or SL_HTML_NONE */
    uint32_t table; /* that is being read, or SL_HTML_NONE */
    size_t first;   /* token of the table */
    struct sl_page_cell *cells;
    size_t cell_count, cell_cap, rows;
    /* the numbers of items, by how deep their list stands in the cell */
    uint32_t lists[SL_PAGE_LISTS];
    size_t numbers[SL_PAGE_LISTS];
};

/* Whether the element has one of the classes, which blanks part. */
bool sl_page_has(const struct sl_page *p, uint32_t node, const char *list);
bool sl_page_is(const struct sl_html *html, uint32_t node, const char *name,
                const char *value);

/* What a table, a row or a cell begins, and what the table's end does. */
void sl_page_table(struct sl_page *p, uint32_t node);
void sl_page_table_end(struct sl_page *p);
/* In a cell, the mark of an item stands in the text. */
void sl_page_item(struct sl_page *p, uint32_t node);

#endif
