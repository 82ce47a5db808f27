/* The grammar of a citation: SOURCE:PATH:LINE or SOURCE:PATH:FIRST-LAST. */
#ifndef SL_CITE_CITATION_H
#define SL_CITE_CITATION_H

#include "base/status.h"
#include "base/view.h"

/*
 * One way to write each: no leading zero, FIRST < LAST, and a single line has no
 * LAST.
 */
struct sl_citation {
    struct sl_view source;
    struct sl_view path;
    unsigned first, last; /* 1-based, first <= last */
};

/* text: without backticks. Views in *citation_out point into text. */
SL_CHECKED enum sl_status sl_citation_parse(struct sl_view text,
                                            struct sl_citation *citation_out,
                                            struct sl_error *error);

#endif
