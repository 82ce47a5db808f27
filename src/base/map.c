#include "base/map.h"

/* FNV-1a with a final mix: keys are short, and their number is capped. */
static size_t hash_of(struct sl_view key)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < key.len; i++)
        h = (h ^ (unsigned char)key.ptr[i]) * 0x100000001b3u;
    h ^= h >> 32;
    return (size_t)h;
}

void sl_map_init(struct sl_map *map, struct sl_arena *arena)
{
    *map = (struct sl_map){.arena = arena};
}

static struct sl_map_slot *slot_of(const struct sl_map *map,
                                   struct sl_view key)
{
    size_t mask = map->cap - 1;
    for (size_t i = hash_of(key) & mask;; i = (i + 1) & mask) {
        struct sl_map_slot *slot = &map->slots[i];
        if (!slot->key.ptr || sl_view_eq(slot->key, key))
            return slot;
    }
}

static bool grow(struct sl_map *map)
{
    struct sl_map bigger = *map;
    bigger.cap = map->cap ? map->cap * 2 : 16;
    bigger.slots =
        sl_arena_alloc(map->arena, bigger.cap * sizeof *bigger.slots);
    if (!bigger.slots)
        return false;
    for (size_t i = 0; i < map->cap; i++)
        if (map->slots[i].key.ptr)
            *slot_of(&bigger, map->slots[i].key) = map->slots[i];
    *map = bigger;
    return true;
}

size_t *sl_map_put(struct sl_map *map, struct sl_view key, size_t fresh,
                   bool *added_out)
{
    if (!key.ptr)
        key = SL_LIT("");
    if ((map->len + 1) * 4 > map->cap * 3 && !grow(map))
        return NULL;
    struct sl_map_slot *slot = slot_of(map, key);
    bool added = !slot->key.ptr;
    if (added) {
        *slot = (struct sl_map_slot){key, fresh};
        map->len++;
    }
    if (added_out)
        *added_out = added;
    return &slot->value;
}

size_t *sl_map_get(const struct sl_map *map, struct sl_view key)
{
    if (!map->cap)
        return NULL;
    if (!key.ptr)
        key = SL_LIT("");
    struct sl_map_slot *slot = slot_of(map, key);
    return slot->key.ptr ? &slot->value : NULL;
}
