/* Names that somebody may have meant, for a name that no release has. */
#ifndef SL_API_NEAR_H
#define SL_API_NEAR_H

#include "api/symbols.h"

struct sl_near {
    struct sl_view name;
    struct sl_view family; /* of which name is the nearest */
};

/*
 * At most max, nearest first, one of each family: few letters apart, or with all words
 * of the name among its own (nvshmem_put_nbi: nvshmem_TYPE_put_nbi). symbols is the
 * text of the table. Lives in the arena.
 */
SL_CHECKED enum sl_status sl_symbols_near(struct sl_arena *arena,
                                          struct sl_view symbols,
                                          struct sl_view name, size_t max,
                                          struct sl_near **near_out,
                                          size_t *count_out,
                                          struct sl_error *error);

#endif
