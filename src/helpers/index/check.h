/* The tables that are there against what some packages' headers give. */
#ifndef SL_INDEX_CHECK_H
#define SL_INDEX_CHECK_H

#include "api/symbols.h"

/*
 * Compares, for the releases in `fresh` only: which names each has, from which
 * to which the signature changed, and the whole record where both tell it of
 * the same release. Appends a line for each difference and one of the counts.
 */
SL_CHECKED enum sl_status sl_check_tables(struct sl_arena *arena,
                                          struct sl_buf *out,
                                          const struct sl_symbols *committed,
                                          const struct sl_symbols *fresh,
                                          size_t *differences_out,
                                          struct sl_error *error);

#endif
