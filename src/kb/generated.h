/*
 * Generated tables in the knowledge base. A table that a program writes stands
 * between two lines of its own:
 *
 *     <!-- generated: NAME -->
 *     ...
 *     <!-- end -->
 *
 * What is between them is data: it is not searched, not counted in a section's size
 * and needs no evidence of its own, because verify compares it with the data.
 */
#ifndef SL_KB_GENERATED_H
#define SL_KB_GENERATED_H

#include "base/buf.h"
#include "base/view.h"

struct sl_generated {
    struct sl_view name;
    size_t open;       /* offset of the first marker's line */
    size_t begin, end; /* what is between the markers' lines */
    size_t after;      /* offset behind the second marker's line */
};

/*
 * The first one that begins at or after from; false when there is none. A marker that
 * nothing closes reaches to the end of the text: then begin..end is empty and after
 * is the text's length.
 */
bool sl_generated_next(struct sl_view text, size_t from,
                       struct sl_generated *generated_out);

/* Appends the text without what is between markers. */
void sl_generated_strip(struct sl_buf *out, struct sl_view text);

/* Bytes of the text that are generated, markers included. */
size_t sl_generated_bytes(struct sl_view text);

#endif
