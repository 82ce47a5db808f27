/*
 * Blocks that stand in another place than their file's alignment could tell: in
 * another file, or past each other in the same one. Each hangs on a line that is
 * unique among all that is left on both sides.
 */
#include <stdlib.h>

#include "drift/internal.h"

#define BLOCK_BITS 60 /* what the lines of a block are worth together */
#define BLOCK_LINES 3 /* that are more than `}` */

struct block {
    size_t a, b, lines;
    unsigned bits;
};

static bool is_free(const struct drift *d, size_t a)
{
    return d->state[a] == SL_LINE_LOST;
}

static bool match(const struct drift *d, size_t a, size_t b)
{
    return d->then.ids[a] == d->now.ids[b] &&
           d->from[b] == SL_DRIFT_NOWHERE && d->state[a] != SL_LINE_SURE;
}

static bool is_common(const struct drift *d, size_t a)
{
    uint32_t id = d->then.ids[a];
    return d->weights[id] < COMMON_BITS || d->kinds[id] != KIND_PLAIN;
}

static void count_left(struct drift *d)
{
    for (size_t a = 0; a < d->then.manifest->line_count; a++)
        if (d->state[a] != SL_LINE_SURE)
            d->then.seen[d->then.ids[a]]++;
    for (size_t b = 0; b < d->now.manifest->line_count; b++)
        if (d->from[b] == SL_DRIFT_NOWHERE) {
            d->now.seen[d->now.ids[b]]++;
            d->now.at[d->now.ids[b]] = (uint32_t)b;
        }
}

/* What ends a block stays with it; other lines that may stand elsewhere do not. */
static bool may_end(const struct drift *d, size_t a)
{
    enum kind kind = d->kinds[d->then.ids[a]];
    return kind == KIND_CLOSER || (kind == KIND_PLAIN && is_free(d, a));
}

/* The run of equal lines around (a, b), inside of their files. */
static struct block grow(const struct drift *d, size_t a, size_t b)
{
    const struct sl_manifest_file *fa =
        sl_manifest_file_at(d->then.manifest, a);
    const struct sl_manifest_file *fb = sl_manifest_file_at(d->now.manifest, b);
    size_t up = 0, down = 0;
    while (a - up > fa->first && b - up > fb->first &&
           match(d, a - up - 1, b - up - 1))
        up++;
    while (a + down + 1 < fa->first + fa->count &&
           b + down + 1 < fb->first + fb->count &&
           match(d, a + down + 1, b + down + 1))
        down++;
    while (up && (is_common(d, a - up) || !is_free(d, a - up)))
        up--;
    while (down && !may_end(d, a + down))
        down--;
    struct block block = {a - up, b - up, up + down + 1, 0};
    for (size_t i = 0; i < block.lines; i++)
        if (!is_common(d, block.a + i))
            block.bits += d->weights[d->then.ids[block.a + i]];
    return block;
}

static bool is_solid(const struct drift *d, const struct block *block)
{
    size_t lines = 0;
    for (size_t i = 0; i < block->lines; i++)
        lines += !is_common(d, block->a + i);
    return lines >= BLOCK_LINES && block->bits >= BLOCK_BITS;
}

static int by_bits(const void *a, const void *b)
{
    const struct block *x = a, *y = b;
    if (x->bits != y->bits)
        return x->bits > y->bits ? -1 : 1;
    return (x->a > y->a) - (x->a < y->a);
}

static void claim(struct drift *d, const struct block *block)
{
    for (size_t i = 0; i < block->lines; i++)
        if (match(d, block->a + i, block->b + i))
            set_sure(d, block->a + i, block->b + i);
}

enum sl_status find_moves(struct drift *d, struct sl_error *error)
{
    struct block *blocks = NULL;
    size_t count = 0, cap = 0;
    count_left(d);
    for (size_t a = 0; a < d->then.manifest->line_count; a++) {
        uint32_t id = d->then.ids[a];
        if (!is_free(d, a) || d->then.seen[id] != 1 || d->now.seen[id] != 1)
            continue;
        size_t b = d->now.at[id];
        const struct block *last = count ? &blocks[count - 1] : NULL;
        if (last && a < last->a + last->lines && a - last->a == b - last->b)
            continue;
        blocks = sl_arena_grow(d->arena, blocks, sizeof *blocks, count, &cap);
        if (!blocks)
            return sl_error_nomem(error);
        blocks[count] = grow(d, a, b);
        count += is_solid(d, &blocks[count]);
    }
    if (count)
        qsort(blocks, count, sizeof *blocks, by_bits);
    for (size_t i = 0; i < count; i++)
        claim(d, &blocks[i]);
    return SL_OK;
}
