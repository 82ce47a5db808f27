/* What the text of a signature tells of calls written for another. */
#ifndef SL_API_SIGNATURE_H
#define SL_API_SIGNATURE_H

#include "base/view.h"

/*
 * Whether after is before with more parameters at its end, each of which has a
 * default: a call written for before compiles with after. Both are of functions.
 * False when in doubt.
 */
bool sl_signature_adds_defaults(struct sl_view before, struct sl_view after);

/*
 * Whether both are of a macro or constant whose text is not told, and differ in the
 * digest of that text alone.
 */
bool sl_signature_is_other_body(struct sl_view before, struct sl_view after);

#endif
