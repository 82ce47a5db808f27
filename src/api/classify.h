/*
 * What the name and the place of a declaration tell: family, owner, scope,
 * blocking. Pure; the rules are in docs/internals/api-index.md.
 */
#ifndef SL_API_CLASSIFY_H
#define SL_API_CLASSIFY_H

#include "api/symbols.h"

/* `float` of nvshmem_float_put: one of the interface's element types. */
bool sl_is_element_type(struct sl_view word);

/*
 * Appends the family: the name with its element type (TYPE), its size in bits
 * (SIZE) and its thread scope (SCOPE) folded. Only functions are folded.
 */
void sl_symbol_family(struct sl_buf *out, struct sl_view name);

/*
 * Of a name declared in NVSHMEM's headers; path is relative to the include
 * folder.
 */
enum sl_symbol_owner sl_symbol_owner_of(struct sl_view name,
                                        enum sl_symbol_kind kind,
                                        struct sl_view path);

/* By the name's last word; what has none is called by a single thread. */
enum sl_symbol_scope sl_symbol_scope_of(struct sl_view name,
                                        enum sl_symbol_space space);

/* Only of functions that move data; SL_BLOCKING_NONE for all others. */
enum sl_symbol_blocking sl_symbol_blocking_of(struct sl_view name,
                                              enum sl_symbol_space space);

#endif
