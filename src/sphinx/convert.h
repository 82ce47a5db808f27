/*
 * A page of Sphinx HTML as Markdown: a walk over the page's structure, with a
 * rule for each construct of Sphinx and none for a theme. What it writes:
 * docs/internals/docs-convert.md.
 */
#ifndef SL_SPHINX_CONVERT_H
#define SL_SPHINX_CONVERT_H

#include "html/dom.h"

/* Text of the page that is neither navigation nor in the Markdown. */
struct sl_sphinx_left {
    size_t words;
    size_t most;         /* of them, in one element */
    uint32_t line;       /* where that begins */
    struct sl_view text; /* its first, a view into the page */
};

struct sl_sphinx_counts {
    size_t signatures, tables, code_blocks, links, images;
    size_t recovered; /* parameters whose name the prototype gave */
    struct sl_sphinx_left left;
};

/*
 * Appends the page's Markdown to out. The same page gives the same bytes.
 * Memory for the work comes from the arena. *counts_out may be NULL; who shows
 * the Markdown has to tell what counts_out->left says.
 * SL_ERR_LIMIT: a table, or the Markdown, is larger than base/limits.h allows.
 */
SL_CHECKED enum sl_status sl_sphinx_convert(struct sl_arena *arena,
                                            const struct sl_html *html,
                                            struct sl_buf *out,
                                            struct sl_sphinx_counts *counts_out,
                                            struct sl_error *error);

#endif
