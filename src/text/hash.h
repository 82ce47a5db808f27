/* SHA-256 for provenance and a fast 64-bit hash for lines of source text. */
#ifndef SL_TEXT_HASH_H
#define SL_TEXT_HASH_H

#include "base/status.h"
#include "base/view.h"

/* Lower-case hexadecimal, 64 digits and a NUL. */
SL_CHECKED enum sl_status sl_sha256_hex(struct sl_view bytes, char hex_out[65],
                                        struct sl_error *error);

/* XXH3-64 of the bytes as they are. */
uint64_t sl_bytes_hash(struct sl_view bytes);

/*
 * XXH3-64 of the line with white space normalised: runs of blanks are one
 * space, none at the ends. So re-indentation and CRLF do not change it.
 */
uint64_t sl_line_hash(struct sl_view line);

#endif
