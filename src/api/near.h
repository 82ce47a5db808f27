/* Names that somebody may have meant, for a name that no release has. */
#ifndef SL_API_NEAR_H
#define SL_API_NEAR_H

#include "api/symbols.h"

struct sl_near {
    struct sl_view name;
    struct sl_view family; /* of which name is the nearest */
    bool same;             /* the family itself, its TYPE spelled otherwise */
};

/*
 * The name in what somebody pasted: `void nvshmem_quiet(void);`, `::nvshmem_quiet`
 * and `nvshmem_put<float>` without what is around it. A view into text.
 */
struct sl_view sl_name_clean(struct sl_view text);

/*
 * At most max, nearest first, one of each family. Near is: few letters apart; all words
 * of the name among the family's (nvshmem_put: nvshmem_TYPE_put, nvshmem_putmem); the
 * same with another prefix, or none (shmem_put, quiet, my::nvshmem_quiet); a
 * placeholder of another spelling (nvshmem_TYPENAME_put, nvshmem_<T>_put). symbols is
 * the text of the table. Lives in the arena.
 */
SL_CHECKED enum sl_status sl_symbols_near(struct sl_arena *arena,
                                          struct sl_view symbols,
                                          struct sl_view name, size_t max,
                                          struct sl_near **near_out,
                                          size_t *count_out,
                                          struct sl_error *error);

#endif
