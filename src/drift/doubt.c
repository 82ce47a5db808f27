/*
 * Second thoughts, when every line has been placed: what was found for a few
 * lines alone is doubtful where the lines around them went elsewhere, and, in a
 * file that was split, where another part has the same lines to offer.
 */
#include "drift/internal.h"

#define STRONG_BITS 30 /* a run that needs no support, if it has a single line */
#define NEAR 4         /* lines between two runs */
#define FIRM_BITS 60   /* one that needs no such line, nor fears a longer run elsewhere */

/* Sure lines that follow each other on both sides. */
struct run {
    size_t a, b, lines;
    size_t file; /* of now */
    unsigned bits;
    bool single; /* one of its lines stands but once in each file */
    bool strong;
};

struct doubts {
    struct drift *d;
    struct run *runs; /* of the file at hand, in its order */
    size_t count, cap;
    size_t *above, *below; /* of each: the nearest strong run; SIZE_MAX */
    size_t room;
};

static size_t file_of(const struct drift *d, size_t b)
{
    return (size_t)(sl_manifest_file_at(d->now.manifest, b) -
                    d->now.manifest->files);
}

static size_t count_in(const struct side *side,
                       const struct sl_manifest_file *file, uint32_t id)
{
    size_t count = 0;
    for (size_t i = file->first; i < file->first + file->count; i++)
        count += side->ids[i] == id;
    return count;
}

/* Whether a line that tells something stands but once in each of the two files. */
static bool is_single(const struct drift *d, size_t a, size_t file)
{
    uint32_t id = d->then.ids[a];
    return d->weights[id] >= COMMON_BITS && d->kinds[id] == KIND_PLAIN &&
           count_in(&d->then, sl_manifest_file_at(d->then.manifest, a), id) ==
               1 &&
           count_in(&d->now, &d->now.manifest->files[file], id) == 1;
}

static struct run run_from(const struct drift *d, size_t a, size_t end)
{
    struct run run = {a, d->to[a], 1, file_of(d, d->to[a]), 0, false, false};
    unsigned bits = d->weights[d->then.ids[a]];
    for (a++; a < end && d->state[a] == SL_LINE_SURE &&
              d->to[a] == run.b + run.lines && file_of(d, d->to[a]) == run.file;
         a++) {
        bits += BOND + d->weights[d->then.ids[a]];
        run.lines++;
    }
    run.bits = bits;
    for (size_t i = 0; i < run.lines && bits < FIRM_BITS && !run.single; i++)
        run.single = is_single(d, run.a + i, run.file);
    run.strong = bits >= FIRM_BITS || (bits >= STRONG_BITS && run.single);
    return run;
}

static enum sl_status collect(struct doubts *s,
                              const struct sl_manifest_file *file,
                              struct sl_error *error)
{
    struct drift *d = s->d;
    size_t end = file->first + file->count;
    s->count = 0;
    for (size_t a = file->first; a < end;) {
        if (d->state[a] != SL_LINE_SURE) {
            a++;
            continue;
        }
        s->runs = sl_arena_grow(d->arena, s->runs, sizeof *s->runs, s->count,
                                &s->cap);
        if (!s->runs)
            return sl_error_nomem(error);
        s->runs[s->count] = run_from(d, a, end);
        a += s->runs[s->count++].lines;
    }
    if (s->count > s->room) {
        s->room = s->count * 2;
        s->above = sl_arena_alloc(d->arena, s->room * sizeof *s->above);
        s->below = sl_arena_alloc(d->arena, s->room * sizeof *s->below);
        if (!s->above || !s->below)
            return sl_error_nomem(error);
    }
    size_t last = SIZE_MAX;
    for (size_t i = 0; i < s->count; i++) {
        s->above[i] = last;
        last = s->runs[i].strong ? i : last;
    }
    last = SIZE_MAX;
    for (size_t i = s->count; i-- > 0;) {
        s->below[i] = last;
        last = s->runs[i].strong ? i : last;
    }
    return SL_OK;
}

static const struct run *run_at(const struct doubts *s, size_t i)
{
    return i == SIZE_MAX ? NULL : &s->runs[i];
}

/* A weak run must stand in order with the nearer of the strong ones around it. */
static bool is_supported(const struct doubts *s, size_t i)
{
    const struct run *run = &s->runs[i];
    const struct run *up = run_at(s, s->above[i]);
    const struct run *down = run_at(s, s->below[i]);
    if (run->strong)
        return true;
    bool fits_up = !up || (up->file == run->file && up->b < run->b);
    bool fits_down = !down || (down->file == run->file && down->b > run->b);
    if (!up || !down)
        return fits_up && fits_down;
    size_t to_up = run->a - (up->a + up->lines);
    size_t to_down = down->a - (run->a + run->lines);
    return (fits_up || to_up > to_down) && (fits_down || to_down > to_up);
}

/* Whether few lines stand between the two, on both sides. */
static bool is_near(const struct run *above, const struct run *below)
{
    size_t a = above->a + above->lines, b = above->b + above->lines;
    return above->file == below->file && below->a <= a + NEAR &&
           below->b >= b && below->b <= b + NEAR;
}

/*
 * A weak run needs a line that is unique in both files, or strong runs close by
 * above and below.
 */
static bool is_told(const struct doubts *s, size_t i)
{
    const struct run *run = &s->runs[i];
    const struct run *up = run_at(s, s->above[i]);
    const struct run *down = run_at(s, s->below[i]);
    return run->strong || run->single ||
           (up && down && is_near(up, run) && is_near(run, down));
}

/* Whether a file that took a part of the same one has such a line, and free. */
static bool elsewhere(const struct doubts *s, const struct run *run, size_t a)
{
    const struct drift *d = s->d;
    for (size_t i = 0; i < s->count; i++) {
        const struct run *other = &s->runs[i];
        if (!other->strong || other->file == run->file ||
            (i && s->runs[i - 1].file == other->file && s->runs[i - 1].strong))
            continue;
        const struct sl_manifest_file *file =
            &d->now.manifest->files[other->file];
        for (size_t b = file->first; b < file->first + file->count; b++)
            if (d->now.ids[b] == d->then.ids[a] &&
                d->from[b] == SL_DRIFT_NOWHERE)
                return true;
    }
    return false;
}

static bool is_split(const struct doubts *s, const struct run *run)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->runs[i].strong && s->runs[i].file != run->file)
            return true;
    return false;
}

static void demote_line(struct drift *d, size_t a)
{
    d->from[d->to[a]] = SL_DRIFT_NOWHERE;
    d->state[a] = SL_LINE_UNSURE;
}

/* The lines of a run that another part of a split file could hold as well. */
static void demote_twins(const struct doubts *s, const struct run *run)
{
    if (run->bits >= FIRM_BITS || !is_split(s, run))
        return;
    for (size_t a = run->a; a < run->a + run->lines; a++)
        if (s->d->kinds[s->d->then.ids[a]] != KIND_BLANK &&
            elsewhere(s, run, a))
            demote_line(s->d, a);
}

/* How many lines are equal around (a, b), whoever has them. */
static size_t equal_around(const struct drift *d, size_t a, size_t b)
{
    const struct sl_manifest_file *fa =
        sl_manifest_file_at(d->then.manifest, a);
    const struct sl_manifest_file *fb = sl_manifest_file_at(d->now.manifest, b);
    size_t up = 0, down = 0;
    while (a - up > fa->first && b - up > fb->first &&
           d->then.ids[a - up - 1] == d->now.ids[b - up - 1])
        up++;
    while (a + down < fa->first + fa->count &&
           b + down < fb->first + fb->count &&
           d->then.ids[a + down] == d->now.ids[b + down])
        down++;
    return up + down;
}

/*
 * Whether the line that is rarest in the run also stands, free, amid more equal
 * lines than where it was found.
 */
static bool better_elsewhere(const struct drift *d, const struct run *run)
{
    const struct sl_manifest *now = d->now.manifest;
    size_t a = run->a;
    for (size_t i = 1; i < run->lines; i++)
        if (d->weights[d->then.ids[run->a + i]] > d->weights[d->then.ids[a]])
            a = run->a + i;
    if (run->bits >= FIRM_BITS || d->weights[d->then.ids[a]] < COMMON_BITS)
        return false;
    size_t here = equal_around(d, a, d->to[a]);
    size_t place = first_place(now, d->then.manifest->hashes[a]);
    for (size_t k = 0; k < d->now.counts[d->then.ids[a]]; k++) {
        size_t b = now->places[place + k].at;
        if (d->from[b] == SL_DRIFT_NOWHERE && equal_around(d, a, b) > here)
            return true;
    }
    return false;
}

/* One run; its file of then is at hand. */
static void weigh(const struct doubts *s, size_t i, struct sl_view path)
{
    struct drift *d = s->d;
    const struct run *run = &s->runs[i];
    if (!is_supported(s, i) || !is_told(s, i) || better_elsewhere(d, run)) {
        for (size_t a = run->a; a < run->a + run->lines; a++)
            demote_line(d, a);
        return;
    }
    if (!sl_view_eq(d->now.manifest->files[run->file].path, path))
        demote_twins(s, run);
}

enum sl_status doubt(struct drift *d, struct sl_error *error)
{
    const struct sl_manifest *then = d->then.manifest;
    struct doubts s = {.d = d};
    enum sl_status status = SL_OK;
    for (size_t f = 0; !status && f < then->file_count; f++) {
        status = collect(&s, &then->files[f], error);
        for (size_t i = 0; !status && i < s.count; i++)
            weigh(&s, i, then->files[f].path);
    }
    return status;
}
