/*
 * Where a section's text may be cut: between paragraphs, list items, tables and
 * code blocks, but not between a paragraph and the list that proves it. Where that
 * leaves nothing but the heading: between an introduction, its items, the rows of
 * a table and sentences, and at last between words.
 */
#ifndef SL_ANSWER_UNITS_H
#define SL_ANSWER_UNITS_H

#include "base/arena.h"
#include "base/status.h"

enum sl_grain { SL_GRAIN_BLOCK, SL_GRAIN_SENTENCE, SL_GRAIN_WORD };

/* Ends (offsets into own) at which a cut is allowed, ascending; the first is
 * the heading's end, the last own's end without trailing blank lines. */
SL_CHECKED enum sl_status sl_units(struct sl_arena *arena, struct sl_view own,
                                   enum sl_grain grain, size_t **ends_out,
                                   size_t *count_out, struct sl_error *error);

#endif
