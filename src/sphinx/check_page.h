/* Inside the check: what is known while the page's stream is made. */
#ifndef SL_SPHINX_CHECK_PAGE_H
#define SL_SPHINX_CHECK_PAGE_H

#include "base/limits.h"
#include "html/dom.h"
#include "sphinx/check.h"
#include "sphinx/stream.h"

/* A cell whose tokens are known. */
struct sl_page_cell {
    size_t row, columns, rows;
    size_t begin, end; /* tokens, from the table's first */
    size_t anchor, anchor_end;
    bool header, placed;
};

struct sl_page {
    struct sl_stream *s;
    const struct sl_html *html;
    uint32_t cell;  /* that the node is in, or SL_HTML_NONE */
    uint32_t table; /* that is being read, or SL_HTML_NONE */
    size_t first;   /* token of the table */
    size_t first_anchor;
    uint32_t signed_to; /* the node behind the last signature */
    uint32_t sought;    /* before it no signature stands that is not read */
    size_t first_word; /* of the signature that is being read */
    unsigned level, symbols; /* the last heading; lists of signatures that are open */
    bool in_bullet; /* the mark of an item in a cell was the last word */
    unsigned inner; /* cells of tables in the cell */
    size_t shown_from, shown_to; /* tokens whose emphasis ended last */
    struct sl_page_cell *cells;
    size_t cell_count, cell_cap, rows;
    /* the numbers of items, by how deep their list stands */
    uint32_t lists[SL_MAX_HTML_DEPTH];
    size_t numbers[SL_MAX_HTML_DEPTH];
};

/* Whether the element has one of the classes, which blanks part. */
bool sl_page_has(const struct sl_page *p, uint32_t node, const char *list);
bool sl_page_has_class(const struct sl_html *html, uint32_t node,
                       const char *list);
bool sl_page_is(const struct sl_html *html, uint32_t node, const char *name,
                const char *value);

/* Navigation, buttons and the like: not the page's text. */
bool sl_page_is_left_out(const struct sl_html *html, uint32_t node);
/*
 * The next part of the page that holds its text, from node `from` on; a page
 * without any is one part. False: there is none.
 */
bool sl_page_next_part(const struct sl_html *html, uint32_t from,
                       uint32_t *begin_out, uint32_t *end_out);
/* What is navigation; and what is not, and stands outside of all parts. */
void sl_page_count_left(const struct sl_html *html,
                        struct sl_check_left *navigation_out,
                        struct sl_check_left *lost_out);

bool sl_page_is_signature(const struct sl_page *p, uint32_t node);

/* What the element makes of the look of what stands in it, and its end. */
void sl_page_open(struct sl_page *p, uint32_t node);
void sl_page_close(struct sl_page *p, uint32_t node, struct sl_look before,
                   size_t first);
/* What stands in the element is code. */
void sl_page_code(struct sl_page *p, uint32_t node);
/* The colon before a classifier. */
void sl_page_classifier(struct sl_page *p, unsigned line);
/* Something stands right behind emphasis that has just ended. */
void sl_page_touch(struct sl_page *p);
void sl_page_text(struct sl_page *p, struct sl_view text, unsigned line);

/* What a table, a row or a cell begins, and what the table's end does. */
void sl_page_table(struct sl_page *p, uint32_t node);
void sl_page_table_end(struct sl_page *p);
/* An item; in a cell, and where Markdown has no such number, its mark is text. */
void sl_page_item(struct sl_page *p, uint32_t node);

#endif
