/* Spelling distance for the identifier fallback. */
#ifndef SL_SEARCH_EDIT_H
#define SL_SEARCH_EDIT_H

#include "base/view.h"

/*
 * Insertions, deletions, replacements and swaps of neighbours that turn a into b,
 * ignoring ASCII case; max + 1 as soon as it must be more than max. Words longer than
 * SL_MAX_TOKEN are too far from everything.
 */
unsigned sl_edit_distance(struct sl_view a, struct sl_view b, unsigned max);

#endif
