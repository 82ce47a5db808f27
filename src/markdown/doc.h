/*
 * The block structure of a Markdown text, with byte spans into the original.
 *
 * cmark-gfm finds the blocks, and only them: it is shown a copy of equal length
 * in which everything that matters to inline parsing alone is masked, so that
 * its known quadratic and exponential cases cannot be reached, and tables and
 * nesting are capped before it starts. What is printed later is always sliced
 * from the original bytes.
 */
#ifndef SL_MARKDOWN_DOC_H
#define SL_MARKDOWN_DOC_H

#include "base/arena.h"
#include "base/status.h"

enum sl_md_kind {
    SL_MD_HEADING,
    SL_MD_PARAGRAPH,
    SL_MD_CODE, /* fenced or indented */
    SL_MD_HTML,
    SL_MD_RULE,
    SL_MD_ROW, /* of a table */
    SL_MD_QUOTE,
    SL_MD_LIST,
    SL_MD_ITEM,
    SL_MD_TABLE,
};

#define SL_MD_NONE UINT32_MAX

/* Blocks stand in document order, a container before what it contains. */
struct sl_md_block {
    enum sl_md_kind kind;
    unsigned level;          /* of a heading, 1 to 6 */
    bool header;             /* a table's header row */
    unsigned line;           /* first and last line, 1-based */
    unsigned last_line;
    uint32_t begin, end;     /* bytes of those lines, last newline included */
    uint32_t parent;         /* index of the container, or SL_MD_NONE */
    uint32_t after;          /* index of the first block that is not inside */
};

struct sl_md_doc {
    struct sl_md_block *blocks;
    size_t count;
};

/*
 * Offset of the first byte after the front matter, or after a byte order mark
 * where there is none.
 */
size_t sl_md_front_end(struct sl_view text, struct sl_view *front_out);

/*
 * Finds the blocks of text (front matter already cut off). The result lives in
 * the arena. SL_ERR_LIMIT: file, table or node caps of base/limits.h.
 */
SL_CHECKED enum sl_status sl_md_parse(struct sl_arena *arena,
                                      struct sl_view text,
                                      struct sl_md_doc *doc_out,
                                      struct sl_error *error);

/* The text of an ATX or setext heading's lines, without its markers. */
struct sl_view sl_md_heading_text(struct sl_view lines);

#endif
