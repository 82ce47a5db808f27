#include "drift/drift.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "drift/internal.h"

static enum sl_status make_tables(struct drift *d, struct sl_error *error)
{
    size_t a = d->then.manifest->line_count, b = d->now.manifest->line_count;
    size_t files = d->then.manifest->file_count;
    d->to = sl_arena_alloc(d->arena, (a + 1) * sizeof *d->to);
    d->from = sl_arena_alloc(d->arena, (b + 1) * sizeof *d->from);
    d->state = sl_arena_alloc(d->arena, a + 1);
    d->became = sl_arena_alloc(d->arena, (files + 1) * sizeof *d->became);
    d->home = sl_arena_alloc(d->arena, (files + 1) * sizeof *d->home);
    if (!d->to || !d->from || !d->state || !d->became || !d->home)
        return sl_error_nomem(error);
    memset(d->to, 0xff, (a + 1) * sizeof *d->to); /* SL_DRIFT_NOWHERE */
    memset(d->from, 0xff, (b + 1) * sizeof *d->from);
    memset(d->became, 0xff, (files + 1) * sizeof *d->became);
    memset(d->home, 0xff, (files + 1) * sizeof *d->home);
    return SL_OK;
}

static void unset(struct drift *d, size_t line, enum sl_drift_line state)
{
    if (d->state[line] == SL_LINE_SURE)
        d->from[d->to[line]] = SL_DRIFT_NOWHERE;
    d->state[line] = (unsigned char)state;
}

/* Whether a file of now has such a line, if it is one that tells anything. */
static bool has_line(const struct drift *d, size_t now, size_t line)
{
    const struct sl_manifest_file *file = &d->now.manifest->files[now];
    uint32_t id = d->then.ids[line];
    for (size_t i = 0; d->weights[id] >= COMMON_BITS && i < file->count; i++)
        if (d->now.ids[file->first + i] == id)
            return true;
    return false;
}

/*
 * A file whose lines went to another path, while something still stands at the
 * old one: both are asked. What surely stands at the old path stays there; what
 * only may is not sure.
 */
static enum sl_status align_both(struct drift *d, size_t then,
                                 struct sl_error *error)
{
    const struct sl_manifest_file *file = &d->then.manifest->files[then];
    uint32_t *to = sl_arena_alloc(d->arena, (file->count + 1) * sizeof *to);
    unsigned char *state = sl_arena_alloc(d->arena, file->count + 1);
    if (!to || !state)
        return sl_error_nomem(error);
    enum sl_status status = align_files(d, then, d->home[then], error);
    if (status)
        return status;
    for (size_t i = 0; i < file->count; i++) {
        size_t line = file->first + i;
        to[i] = d->to[line];
        state[i] = d->state[line];
        unset(d, line, SL_LINE_LOST);
    }
    status = align_files(d, then, d->became[then], error);
    for (size_t i = 0; !status && i < file->count; i++) {
        size_t line = file->first + i;
        if (state[i] == SL_LINE_LOST && has_line(d, d->home[then], line))
            state[i] = SL_LINE_UNSURE;
        if (state[i] == SL_LINE_LOST)
            continue;
        if (state[i] == SL_LINE_SURE) {
            unset(d, line, SL_LINE_LOST);
            set_sure(d, line, to[i]);
        } else {
            unset(d, line, SL_LINE_UNSURE);
            if (to[i] != SL_DRIFT_NOWHERE)
                d->to[line] = to[i];
        }
    }
    return status;
}

enum sl_status sl_drift_make(struct sl_arena *arena, struct sl_manifest *then,
                             struct sl_manifest *now,
                             struct sl_drift *drift_out,
                             struct sl_error *error)
{
    struct gap_work work = {NULL, 0};
    struct drift d = {.arena = arena, .then = {.manifest = then},
                      .now = {.manifest = now}, .work = &work};
    enum sl_status status = sl_manifest_index(arena, then, error);
    if (!status)
        status = sl_manifest_index(arena, now, error);
    if (!status)
        status = make_tables(&d, error);
    if (!status)
        status = number_lines(&d, error);
    if (!status)
        status = pair_files(&d, error);
    for (size_t i = 0; !status && i < then->file_count; i++)
        if (d.home[i] != SL_DRIFT_NOWHERE)
            status = align_both(&d, i, error);
        else if (d.became[i] != SL_DRIFT_NOWHERE)
            status = align_files(&d, i, d.became[i], error);
    if (!status)
        status = find_moves(&d, error);
    if (!status)
        status = doubt(&d, error);
    free(work.cells);
    if (!status)
        *drift_out = (struct sl_drift){.then = then, .now = now, .to = d.to,
                                       .from = d.from, .state = d.state,
                                       .became = d.became};
    return status;
}
