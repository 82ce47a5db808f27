/*
 * A map from byte strings to numbers, open addressing, keys borrowed (they
 * must outlive the map), memory from an arena.
 */
#ifndef SL_BASE_MAP_H
#define SL_BASE_MAP_H

#include "base/arena.h"

struct sl_map_slot {
    struct sl_view key; /* ptr NULL: free */
    size_t value;
};

struct sl_map {
    struct sl_arena *arena;
    struct sl_map_slot *slots;
    size_t len;
    size_t cap; /* power of two */
};

void sl_map_init(struct sl_map *map, struct sl_arena *arena);

/*
 * The value's place for key, made (with value `fresh`) when it is not there;
 * NULL when memory is used up. *added_out says which; it may be NULL.
 */
size_t *sl_map_put(struct sl_map *map, struct sl_view key, size_t fresh,
                   bool *added_out);

/* NULL when key is not there. */
size_t *sl_map_get(const struct sl_map *map, struct sl_view key);

#endif
