/* GitHub's rule for heading anchors, over Unicode letters and digits. */
#ifndef SL_TEXT_SLUG_H
#define SL_TEXT_SLUG_H

#include "base/buf.h"

/*
 * Appends the slug of heading: lower case, only letters, digits, `-` and `_`
 * kept, each space a `-`. Invalid UTF-8 is dropped. May append nothing.
 */
void sl_slug(struct sl_buf *out, struct sl_view heading);

#endif
