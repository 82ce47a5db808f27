/*
 * Whether a page's Markdown says what the page says: both are read anew, the
 * page from its tree and the Markdown with cmark-gfm, into streams of words,
 * signatures, cells, links and so on, which are compared. Nothing of the walk
 * that makes the Markdown is used.
 */
#ifndef SL_SPHINX_CHECK_H
#define SL_SPHINX_CHECK_H

#include "html/dom.h"

struct sl_check_counts {
    size_t tables, cells, code_blocks, signatures, parameters, links, images,
        anchors, words;
};

/* Words of the page that are compared with nothing. */
struct sl_check_left {
    size_t words, most;  /* in all; in one element */
    unsigned line;       /* where that begins */
    struct sl_view name; /* the element's; a view into the page */
};

struct sl_check {
    struct sl_check_counts html, markdown;
    struct sl_check_left navigation; /* what is left out as such */
    size_t recovered; /* parameters that the Markdown names itself */
    size_t
        escaped; /* underscores that a backslash stands before, and not in the page */
    size_t differences; /* places where the streams differ, and other faults:
                           text outside of what is read is one */
};

/*
 * Appends a line for each difference, up to a cap; the rest is only counted.
 * html_name and md_name are for these lines.
 */
SL_CHECKED enum sl_status sl_sphinx_check(
    struct sl_arena *arena, const struct sl_html *html, struct sl_view markdown,
    const char *html_name, const char *md_name, struct sl_buf *report,
    struct sl_check *check_out, struct sl_error *error);

#endif
