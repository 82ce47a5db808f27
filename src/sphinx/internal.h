/*
 * Inside the converter: one walk over the nodes of a page. Blocks open frames
 * and containers, what stands in a line goes to `in`, and a block's end writes
 * it. Headings, signatures, code and tables are written by files of their own.
 */
#ifndef SL_SPHINX_INTERNAL_H
#define SL_SPHINX_INTERNAL_H

#include "base/limits.h"
#include "base/map.h"
#include "html/dom.h"
#include "sphinx/convert.h"
#include "sphinx/inline.h"

/* What has to happen when an element ends. */
enum sl_frame_kind {
    SL_FRAME_PLAIN, /* nothing */
    SL_FRAME_BLOCK, /* the paragraph ends */
    SL_FRAME_MARK,  /* an inline mark ends */
    SL_FRAME_BOLD,  /* a paragraph in bold type: both end */
    SL_FRAME_CODE,  /* a code span ends */
    SL_FRAME_LINE,  /* a line of verse ends */
    SL_FRAME_LABEL, /* of a footnote: its text goes on in the line */
    SL_FRAME_QUOTE,
    SL_FRAME_LIST,
    SL_FRAME_ITEM,  /* its container ends */
    SL_FRAME_NOTE,  /* a footnote's text: an item */
    SL_FRAME_TERMS, /* a definition list: an item may be open */
    SL_FRAME_TERM,
    SL_FRAME_SYMBOLS, /* a list of signatures */
    SL_FRAME_SYMBOL,  /* what is said about a signature */
    SL_FRAME_HEADING,
    SL_FRAME_TABLE,
    SL_FRAME_INNER_CELL, /* of a table in a cell: its blocks share a line */
    SL_FRAME_CELL,
};

struct sl_prototype {
    struct sl_view *names; /* of the parameters, in order */
    size_t count;
    bool known; /* each has a name */
};

struct sl_frame {
    uint32_t node;
    enum sl_frame_kind kind;
    bool item_open;                /* TERMS */
    bool after_dt;                 /* TERMS: no dd came since the last dt */
    bool bracket;                  /* one is due when it ends */
    bool tight;                    /* LIST: the last item was one block */
    char marker;                   /* LIST: - * or . ) */
    char style;                    /* LIST: a A i I, or 0 */
    unsigned number;               /* LIST: of the next item */
    size_t blocks;                 /* ITEM: how many were written before it */
    struct sl_prototype prototype; /* SYMBOL: the one outside of it */
};

#define SL_SPHINX_NUMBER 32u /* bytes of a number in letters */
#define SL_SPHINX_MARKER 16u /* bytes of an item's, at most */

/* What each line of a block begins with. */
struct sl_container {
    bool quote;      /* or an item */
    bool fresh;      /* the item's marker is not written yet */
    char marker[SL_SPHINX_MARKER]; /* with its space */
    unsigned char width;
};

struct sl_cell {
    struct sl_view text;
    struct sl_view anchors; /* not yet written */
    uint32_t row;
    uint32_t columns, rows;
    bool header;
};

struct sl_table {
    uint32_t node; /* SL_HTML_NONE: there is none */
    struct sl_cell *cells;
    size_t count, cap;
    uint32_t rows;
    bool head;          /* the row is inside of thead */
    struct sl_buf cell; /* the open cell's text */
    bool in_cell;
    unsigned lists;       /* that are open in the cell */
    bool fresh;           /* the innermost such cell has no block yet */
    unsigned inner;       /* cells of tables in it, too */
    struct sl_buf bullet; /* before the next text of the cell */
};

/* Texts whose parameter the prototype names. */
struct sl_named {
    uint32_t node;
    struct sl_view name;
};

struct sl_walk {
    struct sl_arena *arena;
    struct sl_error *error;
    const struct sl_html *html;
    struct sl_buf *out;
    enum sl_status status;
    struct sl_inline in;
    struct sl_map ids;     /* that have their anchor */
    struct sl_buf anchors; /* before the next block */
    struct sl_buf scratch;
    struct sl_frame frames[SL_MAX_HTML_DEPTH];
    size_t frame_count;
    struct sl_container containers[SL_MAX_HTML_DEPTH];
    size_t container_count;
    size_t blocks;      /* written so far */
    bool need_blank;    /* a blank line is due before the next block */
    bool join;          /* the next paragraph goes on in the open line */
    bool rule_due;      /* the text about a symbol has ended */
    char last_list;     /* the marker of the list that has just ended, or 0 */
    unsigned level;     /* of the last heading */
    unsigned symbols;   /* signature lists that are open */
    uint32_t signed_to; /* dt elements before this are written */
    uint32_t next_signature; /* a dt, or behind the last node */
    struct sl_prototype prototype;
    struct sl_named *named;
    size_t named_count, named_cap, named_next;
    struct sl_table table;
    struct sl_sphinx_counts counts;
};

/* --- content.c: what of the page is its text ------------------------------- */

/* The elements that hold the page's text, in order; none stands in another. */
struct sl_sphinx_parts {
    uint32_t *nodes;
    size_t count; /* 0: all of the page may be its text */
};

/* False: no memory. */
bool sl_sphinx_find_parts(struct sl_arena *arena, const struct sl_html *html,
                          struct sl_sphinx_parts *parts_out);
/* Navigation, buttons and other things that are not the text's. */
bool sl_sphinx_is_boilerplate(const struct sl_html *html, uint32_t node);

/* --- left.c: text that does not come into the Markdown ---------------------- */

/* Notes boilerplate inside of a part, if it looks as if it held text. */
void sl_sphinx_left_inside(struct sl_sphinx_left *left,
                           const struct sl_html *html, uint32_t node);
/* What stands outside of the parts and is no navigation either. */
void sl_sphinx_left_outside(struct sl_sphinx_left *left,
                            const struct sl_html *html,
                            const struct sl_sphinx_parts *parts);

/* --- block.c --------------------------------------------------------------- */

void sl_sphinx_fail(struct sl_walk *w, enum sl_status status);

/* Ends the open paragraph, if there is one. */
void sl_sphinx_flush(struct sl_walk *w);
/* The same unless the paragraph that begins here goes on in the open line. */
void sl_sphinx_flush_soft(struct sl_walk *w);
/* Begins a block: what is due, and the first line's prefix. */
void sl_sphinx_block_begin(struct sl_walk *w);
/* Ends the line, and begins the next of the same block. */
void sl_sphinx_block_line(struct sl_walk *w);
void sl_sphinx_block_end(struct sl_walk *w);
/* The anchors that wait, as a line of their own. */
void sl_sphinx_flush_anchors(struct sl_walk *w);
void sl_sphinx_keep_anchor(struct sl_walk *w, uint32_t node);

/* A fenced block; text without its last newline. */
void sl_sphinx_put_fence(struct sl_walk *w, struct sl_view language,
                         struct sl_view text);
/* A heading of that text. */
void sl_sphinx_put_heading(struct sl_walk *w, unsigned level,
                           struct sl_view text);

void sl_sphinx_push_quote(struct sl_walk *w);
void sl_sphinx_push_item(struct sl_walk *w, const char *marker);
/* Ends the innermost; an item without text gets its line. */
void sl_sphinx_pop_container(struct sl_walk *w);

/* --- lists.c: frames; lists, definitions and what is said of symbols --------- */

struct sl_frame *sl_sphinx_push_frame(struct sl_walk *w, uint32_t node,
                                      enum sl_frame_kind kind);
/* The innermost frame of one of these kinds, or NULL. */
struct sl_frame *sl_sphinx_nearest_frame(struct sl_walk *w,
                                         enum sl_frame_kind a,
                                         enum sl_frame_kind b);
bool sl_sphinx_has(const struct sl_walk *w, uint32_t node, const char *word);
/* The words end with NULL. */
bool sl_sphinx_has_one_of(const struct sl_walk *w, uint32_t node,
                          const char *const *words);

void sl_sphinx_enter_list(struct sl_walk *w, uint32_t node);
void sl_sphinx_enter_item(struct sl_walk *w, uint32_t node);
void sl_sphinx_leave_item(struct sl_walk *w, const struct sl_frame *item);
void sl_sphinx_leave_list(struct sl_walk *w, const struct sl_frame *list);
void sl_sphinx_enter_dl(struct sl_walk *w, uint32_t node);
void sl_sphinx_enter_dt(struct sl_walk *w, uint32_t node);
void sl_sphinx_enter_dd(struct sl_walk *w, uint32_t node);
void sl_sphinx_close_term_item(struct sl_walk *w, struct sl_frame *terms);
/* The name that the prototype gives to the text that begins with this node. */
void sl_sphinx_put_planned_name(struct sl_walk *w, uint32_t node);

/* --- table.c --------------------------------------------------------------- */

void sl_sphinx_table_begin(struct sl_walk *w, uint32_t node);
void sl_sphinx_cell_begin(struct sl_walk *w, uint32_t node);
void sl_sphinx_cell_end(struct sl_walk *w, uint32_t node);
void sl_sphinx_table_end(struct sl_walk *w);

/* --- signature.c ----------------------------------------------------------- */

bool sl_sphinx_is_signature(const struct sl_html *html, uint32_t dt);
/* All signatures that stand one after the other from this dt on. */
void sl_sphinx_put_signatures(struct sl_walk *w, uint32_t dt);

/* --- name.c: names in a C, C++ or Python declaration ------------------------ */

/* The name that a declaration declares, as Sphinx gave it when it gave up. */
struct sl_view sl_sphinx_declared_name(struct sl_view line);
/* The names of its parameters. */
SL_CHECKED enum sl_status sl_sphinx_read_prototype(struct sl_arena *arena,
                                                   struct sl_view line,
                                                   struct sl_prototype *out,
                                                   struct sl_error *error);
/* Opening parentheses less closing ones; quoted ones do not count. */
long sl_sphinx_paren_balance(struct sl_view line);

/* --- param.c --------------------------------------------------------------- */

/* Looks for unlabelled parameter runs in what is said about a signature. */
void sl_sphinx_plan_names(struct sl_walk *w, uint32_t dd);
/* The name for the text that begins with this element; empty: none. */
struct sl_view sl_sphinx_planned_name(struct sl_walk *w, uint32_t node);

/* --- leaf.c: code, math, images --------------------------------------------- */

void sl_sphinx_put_pre(struct sl_walk *w, uint32_t node);
bool sl_sphinx_is_math(const struct sl_html *html, uint32_t node);
void sl_sphinx_put_math(struct sl_walk *w, uint32_t node);
void sl_sphinx_put_image(struct sl_walk *w, uint32_t node);
/* An object that shows something; without `data` it is what stands in it. */
bool sl_sphinx_is_object(const struct sl_html *html, uint32_t node);

#endif
