/*
 * A Markdown text as a reader of Markdown sees it: all of its blocks and all
 * that stands in them, as one flat list. For comparing texts; what is printed is
 * sliced from the original elsewhere (doc.h).
 */
#ifndef SL_MARKDOWN_FLAT_H
#define SL_MARKDOWN_FLAT_H

#include "base/arena.h"
#include "base/status.h"

enum sl_flat_kind {
    SL_FLAT_PARAGRAPH,
    SL_FLAT_HEADING,
    SL_FLAT_LIST, /* target: "." if it is numbered */
    SL_FLAT_ITEM,
    SL_FLAT_QUOTE,
    SL_FLAT_TABLE,
    SL_FLAT_ROW,
    SL_FLAT_CELL,
    SL_FLAT_EMPHASIS,
    SL_FLAT_STRONG,
    SL_FLAT_LINK,     /* target: where to */
    SL_FLAT_IMAGE,    /* target: the picture's */
    /* without an inside: they have no end */
    SL_FLAT_FENCE, /* text: the code; target: its info string */
    SL_FLAT_TEXT,
    SL_FLAT_CODE,  /* in a line */
    SL_FLAT_HTML,  /* a block, or in a line */
    SL_FLAT_BREAK, /* of the text's line, which a reader does not see */
    SL_FLAT_LINE,  /* of the line */
    SL_FLAT_RULE,
};

struct sl_flat_item {
    enum sl_flat_kind kind;
    bool end;      /* of what has an inside */
    unsigned line; /* of the block, 1-based */
    unsigned number; /* of a list's first item; a heading's level */
    bool head;       /* of a row: the table's first */
    struct sl_view text;
    struct sl_view target;
};

struct sl_flat {
    struct sl_flat_item *items;
    size_t count;
};

/*
 * Everything lives in the arena. SL_ERR_LIMIT: a table has more cells, or the
 * text more nodes, than base/limits.h allows.
 */
SL_CHECKED enum sl_status sl_md_flatten(struct sl_arena *arena,
                                        struct sl_view text,
                                        struct sl_flat *flat_out,
                                        struct sl_error *error);

#endif
