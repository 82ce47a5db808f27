/*
 * Which file became which: each line that is rare in both trees votes for the
 * files that have it, and each file is given to one other, the most votes first.
 */
#include <stdlib.h>

#include "drift/internal.h"

/* Of a path that is the same on both sides a vote counts so often. */
#define HOME_FACTOR 3
/* A file that has another path must share one in so many of its own lines, and
   of its name is the same, one in so many. */
#define SHARED_PART 4
#define SHARED_PART_NAMED 12
#define SHARED_LEAST (4 * VOTE)
/* A line that so many have on either side is rare; its vote is divided. */
#define RARE 3
#define VOTE 36 /* of a line that is unique in both */

struct pair {
    uint32_t then, now;
    uint32_t votes;
    bool home; /* the same path */
};

struct pairing {
    struct drift *d;
    struct pair *pairs;
    size_t count, cap;
    uint32_t *own_then, *own_now; /* lines that only this file has, of each */
    bool *taken; /* files of now */
};

static enum sl_status add(struct pairing *p, size_t then, size_t now,
                          uint32_t votes, bool home, struct sl_error *error)
{
    p->pairs = sl_arena_grow(p->d->arena, p->pairs, sizeof *p->pairs,
                             p->count, &p->cap);
    if (!p->pairs)
        return sl_error_nomem(error);
    p->pairs[p->count++] = (struct pair){(uint32_t)then, (uint32_t)now, votes,
                                         home};
    return SL_OK;
}

static int by_files(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    if (x->then != y->then)
        return x->then < y->then ? -1 : 1;
    return (x->now > y->now) - (x->now < y->now);
}

static uint64_t score(const struct pair *pair)
{
    return (uint64_t)pair->votes * (pair->home ? HOME_FACTOR : 1) + pair->home;
}

static int by_score(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    uint64_t sx = score(x), sy = score(y);
    if (sx != sy)
        return sx > sy ? -1 : 1;
    return by_files(a, b);
}

static size_t file_index(const struct sl_manifest *m, size_t line)
{
    return (size_t)(sl_manifest_file_at(m, line) - m->files);
}

static bool is_rare(const struct side *side, uint32_t id)
{
    return side->counts[id] >= 1 && side->counts[id] <= RARE;
}

size_t first_place(const struct sl_manifest *m, uint64_t hash)
{
    size_t low = 0, high = m->line_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (m->places[middle].hash < hash)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The votes of one line of file f. */
static enum sl_status vote_of(struct pairing *p, size_t f, size_t line,
                              struct sl_error *error)
{
    struct drift *d = p->d;
    const struct sl_manifest *now = d->now.manifest;
    uint32_t id = d->then.ids[line];
    if (!is_rare(&d->then, id))
        return SL_OK;
    p->own_then[f] += VOTE / d->then.counts[id];
    if (!is_rare(&d->now, id))
        return SL_OK;
    uint32_t vote = VOTE / (d->then.counts[id] * d->now.counts[id]);
    size_t place = first_place(now, d->then.manifest->hashes[line]);
    enum sl_status status = SL_OK;
    for (uint32_t k = 0; !status && k < d->now.counts[id]; k++)
        status = add(p, f, file_index(now, now->places[place + k].at), vote,
                     false, error);
    return status;
}

static enum sl_status vote(struct pairing *p, struct sl_error *error)
{
    struct drift *d = p->d;
    const struct sl_manifest *a = d->then.manifest, *b = d->now.manifest;
    enum sl_status status = SL_OK;
    for (size_t f = 0; f < a->file_count; f++)
        for (size_t i = 0; !status && i < a->files[f].count; i++)
            status = vote_of(p, f, a->files[f].first + i, error);
    for (size_t f = 0; f < b->file_count; f++)
        for (size_t i = 0; i < b->files[f].count; i++) {
            uint32_t id = d->now.ids[b->files[f].first + i];
            if (is_rare(&d->now, id))
                p->own_now[f] += VOTE / d->now.counts[id];
        }
    return status;
}

/* Every path that both sides have is a pair, votes or not. */
static enum sl_status add_homes(struct pairing *p, struct sl_error *error)
{
    const struct sl_manifest *a = p->d->then.manifest;
    for (size_t f = 0; f < a->file_count; f++) {
        const struct sl_manifest_file *now =
            sl_manifest_find(p->d->now.manifest, a->files[f].path);
        if (!now)
            continue;
        enum sl_status status =
            add(p, f, (size_t)(now - p->d->now.manifest->files), 0, true,
                error);
        if (status)
            return status;
    }
    return SL_OK;
}

/* Pairs of the same files become one, with their votes together. */
static void fold(struct pairing *p)
{
    size_t kept = 0;
    if (p->count)
        qsort(p->pairs, p->count, sizeof *p->pairs, by_files);
    for (size_t i = 0; i < p->count; i++) {
        struct pair *last = kept ? &p->pairs[kept - 1] : NULL;
        if (last && by_files(last, &p->pairs[i]) == 0) {
            last->votes += p->pairs[i].votes;
            last->home |= p->pairs[i].home;
        } else {
            p->pairs[kept++] = p->pairs[i];
        }
    }
    p->count = kept;
    if (p->count)
        qsort(p->pairs, p->count, sizeof *p->pairs, by_score);
}

static struct sl_view name_of(struct sl_view path)
{
    size_t begin = path.len;
    while (begin && path.ptr[begin - 1] != '/')
        begin--;
    return sl_view_sub(path, begin, path.len);
}

static bool is_enough(const struct pairing *p, const struct pair *pair)
{
    if (pair->home)
        return true;
    uint32_t own = p->own_then[pair->then];
    if (p->own_now[pair->now] < own)
        own = p->own_now[pair->now];
    bool named = sl_view_eq(
        name_of(p->d->then.manifest->files[pair->then].path),
        name_of(p->d->now.manifest->files[pair->now].path));
    return pair->votes >= SHARED_LEAST &&
           (uint64_t)pair->votes *
                   (named ? SHARED_PART_NAMED : SHARED_PART) >= own;
}

enum sl_status pair_files(struct drift *d, struct sl_error *error)
{
    struct pairing p = {.d = d};
    size_t a = d->then.manifest->file_count, b = d->now.manifest->file_count;
    p.own_then = sl_arena_alloc(d->arena, (a + 1) * sizeof *p.own_then);
    p.own_now = sl_arena_alloc(d->arena, (b + 1) * sizeof *p.own_now);
    p.taken = sl_arena_alloc(d->arena, b + 1);
    if (!p.own_then || !p.own_now || !p.taken)
        return sl_error_nomem(error);
    enum sl_status status = vote(&p, error);
    if (!status)
        status = add_homes(&p, error);
    if (status)
        return status;
    fold(&p);
    for (size_t i = 0; i < p.count; i++) {
        const struct pair *pair = &p.pairs[i];
        if (d->became[pair->then] != SL_DRIFT_NOWHERE || p.taken[pair->now] ||
            !is_enough(&p, pair))
            continue;
        d->became[pair->then] = pair->now;
        p.taken[pair->now] = true;
    }
    for (size_t i = 0; i < p.count; i++)
        if (p.pairs[i].home && !p.taken[p.pairs[i].now])
            d->home[p.pairs[i].then] = p.pairs[i].now;
    return SL_OK;
}
