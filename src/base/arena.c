#include "base/arena.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

struct sl_arena_block {
    struct sl_arena_block *previous;
    size_t used;
    size_t size;
    alignas(max_align_t) char bytes[];
};

#define BLOCK_SIZE (64u << 10)
#define ALIGN alignof(max_align_t)

void sl_arena_init(struct sl_arena *arena, size_t max)
{
    *arena = (struct sl_arena){.max = max};
}

void sl_arena_release(struct sl_arena *arena)
{
    struct sl_arena_block *block = arena->last;
    while (block) {
        struct sl_arena_block *previous = block->previous;
        free(block);
        block = previous;
    }
    *arena = (struct sl_arena){.max = arena->max};
}

struct sl_arena_mark sl_arena_mark(const struct sl_arena *arena)
{
    return (struct sl_arena_mark){
        arena->last, arena->used, arena->last ? arena->last->used : 0};
}

void sl_arena_rewind(struct sl_arena *arena, struct sl_arena_mark mark)
{
    while (arena->last != mark.last) {
        struct sl_arena_block *previous = arena->last->previous;
        free(arena->last);
        arena->last = previous;
    }
    struct sl_arena_block *block = arena->last;
    if (block) { /* memory is handed out zeroed */
        memset(block->bytes + mark.block_used, 0,
               block->used - mark.block_used);
        block->used = mark.block_used;
    }
    arena->used = mark.used;
    arena->capped = false;
}

void *sl_arena_alloc(struct sl_arena *arena, size_t size)
{
    if (size > arena->max - arena->used) {
        arena->capped = true;
        return NULL;
    }
    size_t rounded = (size + ALIGN - 1) / ALIGN * ALIGN;
    struct sl_arena_block *block = arena->last;
    if (!block || rounded > block->size - block->used) {
        size_t want = rounded > BLOCK_SIZE ? rounded : BLOCK_SIZE;
        block = calloc(1, sizeof *block + want);
        if (!block)
            return NULL;
        block->size = want;
        block->previous = arena->last;
        arena->last = block;
    }
    void *memory = block->bytes + block->used;
    block->used += rounded;
    size_t left = arena->max - arena->used;
    arena->used += rounded < left ? rounded : left;
    return memory;
}

enum sl_status sl_arena_explain(const struct sl_arena *arena,
                                enum sl_status status, struct sl_error *error)
{
    if (status != SL_ERR_NOMEM || !arena->capped)
        return status;
    return sl_error_set(error, SL_ERR_LIMIT,
                        "what is read and made from it would take more than "
                        "%zu bytes of memory, which is the limit",
                        arena->max);
}

struct sl_view sl_arena_copy(struct sl_arena *arena, struct sl_view bytes)
{
    char *copy = sl_arena_alloc(arena, bytes.len + 1);
    if (!copy)
        return (struct sl_view){NULL, 0};
    if (bytes.len)
        memcpy(copy, bytes.ptr, bytes.len);
    return (struct sl_view){copy, bytes.len};
}

void *sl_arena_grow(struct sl_arena *arena, void *array, size_t element,
                    size_t len, size_t *cap)
{
    if (len < *cap)
        return array;
    size_t grown = *cap ? *cap * 2 : 8;
    if (grown > SIZE_MAX / element)
        return NULL;
    void *moved = sl_arena_alloc(arena, grown * element);
    if (!moved)
        return NULL;
    if (len)
        memcpy(moved, array, len * element);
    *cap = grown;
    return moved;
}
