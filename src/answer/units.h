/*
 * Where a section's text may be cut: between paragraphs, list items, tables and
 * code blocks, but never between a paragraph and the list that proves it.
 */
#ifndef SL_ANSWER_UNITS_H
#define SL_ANSWER_UNITS_H

#include "base/arena.h"
#include "base/status.h"

/* Ends (offsets into own) at which a cut is allowed, ascending; the first is
 * the heading's end, the last own's end without trailing blank lines. */
SL_CHECKED enum sl_status sl_units(struct sl_arena *arena, struct sl_view own,
                                   size_t **ends_out, size_t *count_out,
                                   struct sl_error *error);

#endif
