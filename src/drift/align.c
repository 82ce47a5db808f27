/*
 * The lines of one file in the file that it became: first the lines that are
 * unique on both sides and stand in equal surroundings, in the longest order that
 * both sides share; then what lies between them.
 */
#include <stdlib.h>

#include "base/limits.h"
#include "drift/internal.h"

#define ANCHOR_BITS 30 /* what a run of equal lines around an anchor is worth */

struct anchor {
    size_t a, b;
    size_t before; /* index of the one before it in the chain */
};

struct aligner {
    struct drift *d;
    struct range *stack;
    size_t depth, cap;
    struct anchor *anchors;
    size_t count, anchor_cap;
    size_t *tails; /* of chains, by length */
    size_t tail_cap;
};

static bool is_free(const struct drift *d, size_t a)
{
    return d->state[a] != SL_LINE_SURE;
}

static bool is_open(const struct drift *d, size_t b)
{
    return d->from[b] == SL_DRIFT_NOWHERE;
}

static bool match(const struct drift *d, size_t a, size_t b)
{
    return d->then.ids[a] == d->now.ids[b] && is_free(d, a) && is_open(d, b);
}

/* Whether the equal lines around (a, b) say that these two belong together. */
static bool is_supported(const struct drift *d, const struct range *r,
                         size_t a, size_t b)
{
    unsigned bits = d->weights[d->then.ids[a]];
    for (size_t k = 1; bits < ANCHOR_BITS && a >= r->a0 + k &&
                       b >= r->b0 + k && match(d, a - k, b - k); k++)
        bits += BOND + d->weights[d->then.ids[a - k]];
    for (size_t k = 1; bits < ANCHOR_BITS && a + k < r->a1 &&
                       b + k < r->b1 && match(d, a + k, b + k); k++)
        bits += BOND + d->weights[d->then.ids[a + k]];
    return bits >= ANCHOR_BITS;
}

/* How often each line stands in the range, and where. */
static void count_lines(struct drift *d, const struct range *r)
{
    for (size_t a = r->a0; a < r->a1; a++)
        if (is_free(d, a)) {
            d->then.seen[d->then.ids[a]]++;
            d->then.at[d->then.ids[a]] = (uint32_t)a;
        }
    for (size_t b = r->b0; b < r->b1; b++)
        if (is_open(d, b)) {
            d->now.seen[d->now.ids[b]]++;
            d->now.at[d->now.ids[b]] = (uint32_t)b;
        }
}

static void forget_lines(struct drift *d, const struct range *r)
{
    for (size_t a = r->a0; a < r->a1; a++)
        d->then.seen[d->then.ids[a]] = 0;
    for (size_t b = r->b0; b < r->b1; b++)
        d->now.seen[d->now.ids[b]] = 0;
}

static enum sl_status collect(struct aligner *al, const struct range *r,
                              struct sl_error *error)
{
    struct drift *d = al->d;
    al->count = 0;
    for (size_t a = r->a0; a < r->a1; a++) {
        uint32_t id = d->then.ids[a];
        if (!is_free(d, a) || d->then.seen[id] != 1 || d->now.seen[id] != 1 ||
            !is_supported(d, r, a, d->now.at[id]))
            continue;
        al->anchors = sl_arena_grow(d->arena, al->anchors,
                                    sizeof *al->anchors, al->count,
                                    &al->anchor_cap);
        if (!al->anchors)
            return sl_error_nomem(error);
        al->anchors[al->count++] =
            (struct anchor){.a = a, .b = d->now.at[id], .before = SIZE_MAX};
    }
    return SL_OK;
}

/* The longest chain that is in order on both sides; its last, or SIZE_MAX. */
static enum sl_status chain(struct aligner *al, size_t *last_out,
                            struct sl_error *error)
{
    size_t length = 0;
    for (size_t i = 0; i < al->count; i++) {
        size_t low = 0, high = length;
        while (low < high) {
            size_t middle = low + (high - low) / 2;
            if (al->anchors[al->tails[middle]].b < al->anchors[i].b)
                low = middle + 1;
            else
                high = middle;
        }
        if (low == length) {
            al->tails = sl_arena_grow(al->d->arena, al->tails,
                                      sizeof *al->tails, length,
                                      &al->tail_cap);
            if (!al->tails)
                return sl_error_nomem(error);
            length++;
        }
        al->anchors[i].before = low ? al->tails[low - 1] : SIZE_MAX;
        al->tails[low] = i;
    }
    *last_out = length ? al->tails[length - 1] : SIZE_MAX;
    return SL_OK;
}

static enum sl_status push(struct aligner *al, struct range r,
                           struct sl_error *error)
{
    if (r.a0 == r.a1 || r.b0 == r.b1)
        return SL_OK;
    al->stack = sl_arena_grow(al->d->arena, al->stack, sizeof *al->stack,
                              al->depth, &al->cap);
    if (!al->stack)
        return sl_error_nomem(error);
    al->stack[al->depth++] = r;
    return SL_OK;
}

/* Fixes the chain, from its end on, and leaves what lies between for later. */
static enum sl_status fix(struct aligner *al, const struct range *r,
                          size_t last, struct sl_error *error)
{
    struct range rest = *r;
    for (size_t i = last; i != SIZE_MAX; i = al->anchors[i].before) {
        const struct anchor *anchor = &al->anchors[i];
        struct range below = {anchor->a + 1, rest.a1, anchor->b + 1, rest.b1,
                              false, rest.at_end};
        enum sl_status status = push(al, below, error);
        if (status)
            return status;
        set_sure(al->d, anchor->a, anchor->b);
        rest.a1 = anchor->a;
        rest.b1 = anchor->b;
        rest.at_end = false;
    }
    return push(al, rest, error);
}

/* Too large to be weighed and without anchors: nothing in it is sure. */
static void give_up(struct drift *d, const struct range *r)
{
    count_lines(d, r);
    for (size_t a = r->a0; a < r->a1; a++)
        if (is_free(d, a) && d->now.seen[d->then.ids[a]]) {
            d->state[a] = SL_LINE_UNSURE;
            d->to[a] = d->now.at[d->then.ids[a]];
        }
    forget_lines(d, r);
}

static enum sl_status solve(struct aligner *al, const struct range *r,
                            struct sl_error *error)
{
    size_t cells = (r->a1 - r->a0 + 2) * (r->b1 - r->b0 + 2);
    if (cells <= SL_MAX_DRIFT_CELLS / 16)
        return solve_gap(al->d, r, error);
    count_lines(al->d, r);
    enum sl_status status = collect(al, r, error);
    forget_lines(al->d, r);
    size_t last = SIZE_MAX;
    if (!status)
        status = chain(al, &last, error);
    if (status)
        return status;
    if (last != SIZE_MAX)
        return fix(al, r, last, error);
    if (cells <= SL_MAX_DRIFT_CELLS)
        return solve_gap(al->d, r, error);
    give_up(al->d, r);
    return SL_OK;
}

static bool all_equal(const struct drift *d, const struct range *r)
{
    if (r->a1 - r->a0 != r->b1 - r->b0)
        return false;
    for (size_t i = 0; i < r->a1 - r->a0; i++)
        if (!match(d, r->a0 + i, r->b0 + i))
            return false;
    return true;
}

enum sl_status align_files(struct drift *d, size_t then, size_t now,
                           struct sl_error *error)
{
    const struct sl_manifest_file *a = &d->then.manifest->files[then];
    const struct sl_manifest_file *b = &d->now.manifest->files[now];
    struct range whole = {a->first, a->first + a->count,
                          b->first, b->first + b->count, true, true};
    if (all_equal(d, &whole)) {
        for (size_t i = 0; i < a->count; i++)
            set_sure(d, a->first + i, b->first + i);
        return SL_OK;
    }
    struct aligner al = {.d = d};
    enum sl_status status = push(&al, whole, error);
    while (!status && al.depth) {
        struct range r = al.stack[--al.depth];
        status = solve(&al, &r, error);
    }
    return status;
}
