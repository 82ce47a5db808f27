/*
 * Which bytes of a text mean something to Markdown, and where. What depends on
 * what comes next is written as a byte below 0x09 and settled at the block's end.
 */
#ifndef SL_SPHINX_ESCAPE_H
#define SL_SPHINX_ESCAPE_H

#include "base/buf.h"

enum {
    SL_EM_BEGIN = 1,
    SL_EM_END,
    SL_STRONG_BEGIN,
    SL_STRONG_END,
    SL_LEFT, /* brackets of the text */
    SL_RIGHT,
    SL_BANG, /* an exclamation mark of the text */
    SL_STAR, /* a star that could begin emphasis, but for there being none */
};

/* Bytes of white space at `at` (no-break spaces too), or 0. */
size_t sl_sphinx_blank_length(struct sl_view text, size_t at);

/* Whether sl_sphinx_put_escaped() has to look at it. */
bool sl_sphinx_is_special(char c);

/* Letters, digits, and what joins names: _ . : ~ */
bool sl_sphinx_in_word(char c);

/* Whether the name that holds the underscore at `at` ends with one. */
bool sl_sphinx_underscore_closes(struct sl_view text, size_t at);

/* Appends the special byte at `at` so that it is text; gives how many it took. */
size_t sl_sphinx_put_escaped(struct sl_buf *out, struct sl_view text, size_t at,
                             bool in_emphasis);

/*
 * A link at a paragraph's beginning whose code holds `]:` would be a definition,
 * and no escape works in code: an empty element before it does.
 */
void sl_sphinx_part_from_definition(struct sl_buf *done);

/* A code span; in a cell, what no code span can hold there is escaped text. */
void sl_sphinx_put_code(struct sl_buf *out, struct sl_view code, bool in_cell);

/* Brackets of a link's text from `begin`: as they are, or escaped if they do not match. */
void sl_sphinx_settle_brackets(struct sl_buf *out, size_t begin);

/*
 * The block's Markdown from what was written of it. In a block that `begins` its
 * lines, what would begin another block there is escaped; one that `shares` its
 * line with others could spoil their emphasis, or they its stars.
 */
void sl_sphinx_settle(struct sl_buf *done, struct sl_view out, bool begins,
                      bool shares);

#endif
