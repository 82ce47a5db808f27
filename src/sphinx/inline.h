/*
 * Text and what stands in it (emphasis, code, links, images), as the Markdown
 * of one block. White space is collapsed; what would mean something to Markdown
 * is escaped, except for underscores: a word in which one would is code.
 */
#ifndef SL_SPHINX_INLINE_H
#define SL_SPHINX_INLINE_H

#include "base/buf.h"

enum sl_mark {
    SL_MARK_EM,
    SL_MARK_STRONG,
    SL_MARK_LINK,
    SL_MARK_HTML, /* <sub> and the like, as they are */
    SL_MARK_ABBR, /* an abbreviation, with what it stands for */
};

#define SL_MAX_OPEN_MARKS 16u

struct sl_inline {
    struct sl_buf
        out; /* with bytes below 0x09 for what is decided at the end */
    struct sl_buf code; /* of a code span that may go on */
    struct sl_buf done; /* the block's Markdown */
    struct {
        enum sl_mark kind;
        enum { SL_MARK_PENDING, SL_MARK_OPEN, SL_MARK_DEAD } state;
        size_t begin;         /* in out, behind the opening mark */
        struct sl_view value; /* link: where to; HTML: the name; ABBR: the title */
    } marks[SL_MAX_OPEN_MARKS];
    size_t mark_count;
    size_t skipped;    /* marks that found no room: their ends count here */
    unsigned emphases; /* that are open: only the outermost is written */
    unsigned links;
    unsigned code_depth;
    bool space;      /* one is due before the next text */
    bool line;       /* a new line is, instead */
    bool code_space; /* the same inside of the code span */
    bool in_cell;    /* of a table */
    bool in_heading; /* behind its marks, where no block can begin */
    size_t link_count;
};

void sl_inline_init(struct sl_inline *in, size_t max);
void sl_inline_release(struct sl_inline *in);

void sl_inline_text(struct sl_inline *in, struct sl_view text);
/* A code span of exactly this text, on one line, between before and after. */
void sl_inline_verbatim(struct sl_inline *in, const char *before,
                        struct sl_view code, const char *after);
/* Bytes that are Markdown already, and visible. */
void sl_inline_raw(struct sl_inline *in, struct sl_view markdown);
/* An HTML anchor: invisible, so spaces go around it as if it was not there. */
void sl_inline_anchor(struct sl_inline *in, struct sl_view id);
void sl_inline_image(struct sl_inline *in, struct sl_view alt,
                     struct sl_view to);
void sl_inline_break(struct sl_inline *in);
void sl_inline_open(struct sl_inline *in, enum sl_mark kind,
                    struct sl_view value);
void sl_inline_close(struct sl_inline *in);

bool sl_inline_is_empty(const struct sl_inline *in);

/*
 * Ends the block: its Markdown (lines, parted by newlines; empty when nothing
 * was visible) until the next call. Marks that are open end with it; those that had
 * nothing to show yet begin again in the next block.
 */
struct sl_view sl_inline_finish(struct sl_inline *in);

/* A link's target as it can stand in parentheses; .html becomes .md. */
void sl_sphinx_put_target(struct sl_buf *out, struct sl_view target);
/* The value of an HTML attribute that is a name: blanks become dashes. */
void sl_sphinx_put_attribute(struct sl_buf *out, struct sl_view value);
/* The same of one that is text, on one line; no byte of it is Markdown's. */
void sl_sphinx_put_title(struct sl_buf *out, struct sl_view value);

#endif
