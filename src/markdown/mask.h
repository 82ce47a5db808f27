/* The guard in front of cmark-gfm; see doc.h. Private to this folder. */
#ifndef SL_MARKDOWN_MASK_H
#define SL_MARKDOWN_MASK_H

#include "base/arena.h"
#include "base/status.h"

/*
 * A copy of text, byte for byte as long and with the same lines, that has the
 * same blocks and (almost) no inline markup. Refuses what the caps forbid.
 */
SL_CHECKED enum sl_status sl_md_mask(struct sl_arena *arena,
                                     struct sl_view text,
                                     struct sl_view *masked_out,
                                     struct sl_error *error);

/* Refuses tables that cmark-gfm takes too long for. */
SL_CHECKED enum sl_status sl_md_guard(struct sl_view text, size_t max_columns,
                                      size_t max_cells,
                                      struct sl_error *error);

#endif
