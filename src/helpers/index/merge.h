/* Many releases, one record a name: when it came, went, and changed. */
#ifndef SL_INDEX_MERGE_H
#define SL_INDEX_MERGE_H

#include "helpers/index/release.h"

/* The release that places and signatures are told of, where it has the name. */
#define SL_REFERENCE_RELEASE "3.4.5"

struct sl_merge_entry;

struct sl_merge {
    struct sl_arena *arena;
    struct sl_merge_entry *entries;
    size_t count, cap;
    struct sl_map index;
    struct sl_view *releases; /* ascending */
    size_t release_count, release_cap;
};

/* How a second package of a release differs from the first. */
struct sl_merge_twin {
    size_t only_first, only_second, other_signature;
    struct sl_view example; /* one such name, or empty */
};

void sl_merge_init(struct sl_merge *merge, struct sl_arena *arena);

/* Releases come in ascending order. Nothing of release need stay afterwards. */
SL_CHECKED enum sl_status sl_merge_add(struct sl_merge *merge,
                                       const struct sl_release *release,
                                       struct sl_error *error);

/* Another package of the release that was added last: adds what it lacks. */
SL_CHECKED enum sl_status sl_merge_add_twin(struct sl_merge *merge,
                                            const struct sl_release *release,
                                            struct sl_merge_twin *twin_out,
                                            struct sl_error *error);

/* The tables of all that was added; symbols_out has no index. */
SL_CHECKED enum sl_status sl_merge_finish(struct sl_merge *merge,
                                          struct sl_symbols *symbols_out,
                                          struct sl_error *error);

#endif
