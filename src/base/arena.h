/*
 * A bump allocator with a cap: one per document, tree or request, freed at
 * once. Memory is zeroed and aligned for any object.
 */
#ifndef SL_BASE_ARENA_H
#define SL_BASE_ARENA_H

#include "base/status.h"
#include "base/view.h"

struct sl_arena_block;

struct sl_arena {
    struct sl_arena_block *last;
    size_t used;  /* bytes handed out */
    size_t max;
    bool capped;  /* something was refused because of max */
};

void sl_arena_init(struct sl_arena *arena, size_t max);
void sl_arena_release(struct sl_arena *arena);

/* NULL when memory or the cap is used up. */
void *sl_arena_alloc(struct sl_arena *arena, size_t size);

/* How far an arena was filled at some time. */
struct sl_arena_mark {
    struct sl_arena_block *last;
    size_t used, block_used;
};

/*
 * For an arena that outlives what is made in it: a server marks it once and after each
 * request gives back all that was allocated since.
 */
struct sl_arena_mark sl_arena_mark(const struct sl_arena *arena);
void sl_arena_rewind(struct sl_arena *arena, struct sl_arena_mark mark);

/*
 * For whoever owns an arena and gets a status from work that used it: SL_ERR_NOMEM
 * becomes SL_ERR_LIMIT, with the cap in the message, when it was the arena's cap
 * that refused; anything else stays as it is.
 */
SL_CHECKED enum sl_status sl_arena_explain(const struct sl_arena *arena,
                                           enum sl_status status,
                                           struct sl_error *error);

/* A NUL-terminated copy; ptr is NULL on failure. */
struct sl_view sl_arena_copy(struct sl_arena *arena, struct sl_view bytes);

/*
 * Room for one more element in an array that lives in the arena: returns the
 * array (moved when it had to grow) or NULL. *cap is kept by the caller, 0 at
 * first.
 */
void *sl_arena_grow(struct sl_arena *arena, void *array, size_t element,
                    size_t len, size_t *cap);

#endif
