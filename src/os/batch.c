#include "os/batch.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "os/file.h"

void sl_file_batch_init(struct sl_file_batch *batch, struct sl_arena *arena)
{
    *batch = (struct sl_file_batch){.arena = arena};
}

enum sl_status sl_file_batch_add(struct sl_file_batch *batch, const char *path,
                                 struct sl_view old, struct sl_view bytes,
                                 struct sl_error *error)
{
    if (old.ptr && sl_view_eq(old, bytes))
        return SL_OK;
    batch->items = sl_arena_grow(batch->arena, batch->items,
                                 sizeof *batch->items, batch->count,
                                 &batch->cap);
    if (!batch->items)
        return sl_error_nomem(error);
    batch->items[batch->count++] =
        (struct sl_file_change){.path = path, .old = old, .bytes = bytes};
    return SL_OK;
}

/* Whether the file still is what the change was made from. */
static enum sl_status check_old(const struct sl_file_change *change,
                                struct sl_error *error)
{
    struct sl_arena arena;
    struct sl_view now = {NULL, 0};
    sl_arena_init(&arena, change->old.len + 4096);
    bool there = sl_path_exists(change->path);
    bool same = there == (change->old.ptr != NULL);
    if (same && there)
        same = sl_file_read(&arena, change->path, change->old.len, &now,
                            NULL) == SL_OK &&
               sl_view_eq(now, change->old);
    sl_arena_release(&arena);
    return same ? SL_OK
                : sl_error_set(error, SL_ERR_REFUSED,
                               "%s was changed in the meantime; nothing was "
                               "written, try again",
                               change->path);
}

static enum sl_status stage(struct sl_file_batch *batch,
                            struct sl_file_change *change,
                            struct sl_error *error)
{
    size_t room = strlen(change->path) + SL_STAGE_SUFFIX;
    char *temporary = sl_arena_alloc(batch->arena, room);
    if (!temporary)
        return sl_error_nomem(error);
    enum sl_status status = sl_file_stage(change->path, change->bytes,
                                          temporary, room, error);
    if (!status)
        change->temporary = temporary;
    return status;
}

/* The first `done` have their new content: back with what they had. */
static void undo(struct sl_file_batch *batch, size_t done)
{
    for (size_t i = 0; i < done; i++) {
        const struct sl_file_change *change = &batch->items[i];
        if (!change->old.ptr)
            (void)unlink(change->path);
        else if (sl_file_write(change->path, change->old, NULL) != SL_OK)
            continue; /* the first error is the one that is told */
    }
}

enum sl_status sl_file_batch_commit(struct sl_file_batch *batch,
                                    struct sl_error *error)
{
    enum sl_status status = SL_OK;
    for (size_t i = 0; !status && i < batch->count; i++)
        status = stage(batch, &batch->items[i], error);
    for (size_t i = 0; !status && i < batch->count; i++)
        status = check_old(&batch->items[i], error);
    for (size_t i = 0; !status && i < batch->count; i++) {
        struct sl_file_change *change = &batch->items[i];
        if (rename(change->temporary, change->path) == 0) {
            change->temporary = NULL;
            continue;
        }
        status = sl_error_set(error, SL_ERR_IO,
                              "cannot replace %s: %s; nothing was changed",
                              change->path, strerror(errno));
        undo(batch, i);
    }
    for (size_t i = 0; i < batch->count; i++)
        if (batch->items[i].temporary)
            (void)unlink(batch->items[i].temporary);
    return status;
}
