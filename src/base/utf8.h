/* Shape of UTF-8, without tables: lengths and validity. */
#ifndef SL_BASE_UTF8_H
#define SL_BASE_UTF8_H

#include "base/view.h"

/*
 * Length of the well-formed sequence that starts at `at` (1 to 4), or 0 where
 * there is none (stray byte, overlong form, surrogate, past U+10FFFF, cut off).
 */
size_t sl_utf8_length(struct sl_view text, size_t at);

/* Offset of the first byte that is not well-formed UTF-8, or SIZE_MAX. */
size_t sl_utf8_invalid(struct sl_view text);

/*
 * Whether the well-formed sequence of n bytes at text[at] could steer a terminal
 * or reorder a line: C1 controls, direction marks and line separators.
 */
bool sl_utf8_steers(struct sl_view text, size_t at, size_t n);

/*
 * Replaces in place, byte for byte, by '?': what sl_utf8_steers() finds, controls
 * other than tab and newline, and bytes that are no UTF-8.
 */
void sl_plain(char *text, size_t len);

#endif
