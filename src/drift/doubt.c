/*
 * Second thoughts, when every line has been placed: what was found for a few
 * lines alone is doubtful where the lines around them went elsewhere, and, in a
 * file that was split, where another part has the same lines to offer.
 */
#include <string.h>

#include "drift/internal.h"

#define STRONG_BITS 30 /* a run of lines that needs no support */

/* Sure lines that follow each other on both sides. */
struct run {
    size_t a, b, lines;
    size_t file; /* of now */
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

static struct run run_from(const struct drift *d, size_t a, size_t end)
{
    struct run run = {a, d->to[a], 1, file_of(d, d->to[a]), false};
    unsigned bits = d->weights[d->then.ids[a]];
    for (a++; a < end && d->state[a] == SL_LINE_SURE &&
              d->to[a] == run.b + run.lines && file_of(d, d->to[a]) == run.file;
         a++) {
        bits += BOND + d->weights[d->then.ids[a]];
        run.lines++;
    }
    run.strong = bits >= STRONG_BITS;
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

/* A weak run must stand in order with the nearer of the strong ones around it. */
static bool is_supported(const struct doubts *s, size_t i)
{
    const struct run *run = &s->runs[i];
    const struct run *up =
        s->above[i] == SIZE_MAX ? NULL : &s->runs[s->above[i]];
    const struct run *down =
        s->below[i] == SIZE_MAX ? NULL : &s->runs[s->below[i]];
    if (run->strong || (!up && !down))
        return true;
    bool fits_up = up && up->file == run->file && up->b < run->b;
    bool fits_down = down && down->file == run->file && down->b > run->b;
    if (!up || !down)
        return up ? fits_up : fits_down;
    size_t to_up = run->a - (up->a + up->lines);
    size_t to_down = down->a - (run->a + run->lines);
    return (fits_up || to_up > to_down) && (fits_down || to_down > to_up);
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

static bool has_twin(const struct doubts *s, const struct run *run)
{
    bool split = false;
    for (size_t i = 0; i < s->count && !split; i++)
        split = s->runs[i].strong && s->runs[i].file != run->file;
    if (!split)
        return false;
    for (size_t i = 0; i < run->lines; i++)
        if (s->d->kinds[s->d->then.ids[run->a + i]] != KIND_BLANK &&
            !elsewhere(s, run, run->a + i))
            return false;
    return true;
}

static void demote(struct drift *d, const struct run *run)
{
    for (size_t i = 0; i < run->lines; i++) {
        d->from[run->b + i] = SL_DRIFT_NOWHERE;
        d->state[run->a + i] = SL_LINE_UNSURE;
    }
}

enum sl_status doubt(struct drift *d, struct sl_error *error)
{
    const struct sl_manifest *then = d->then.manifest;
    struct doubts s = {.d = d};
    enum sl_status status = SL_OK;
    for (size_t f = 0; !status && f < then->file_count; f++) {
        status = collect(&s, &then->files[f], error);
        for (size_t i = 0; !status && i < s.count; i++) {
            bool home = sl_view_eq(d->now.manifest->files[s.runs[i].file].path,
                                   then->files[f].path);
            if (!is_supported(&s, i) || (!home && has_twin(&s, &s.runs[i])))
                demote(d, &s.runs[i]);
        }
    }
    return status;
}
