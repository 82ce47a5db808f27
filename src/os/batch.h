/*
 * Several files that change together: everything is written beside them first,
 * then all get their names. Where one cannot, those before it get their old
 * content back.
 */
#ifndef SL_OS_BATCH_H
#define SL_OS_BATCH_H

#include "base/arena.h"
#include "base/status.h"

struct sl_file_change {
    const char *path;
    struct sl_view old; /* what the change was made from; ptr NULL: no file */
    struct sl_view bytes;
    char *temporary; /* NULL unless it is there */
};

struct sl_file_batch {
    struct sl_arena *arena;
    struct sl_file_change *items;
    size_t count, cap;
};

void sl_file_batch_init(struct sl_file_batch *batch, struct sl_arena *arena);

/* path and views must outlive the batch. Bytes that are the old ones are left out. */
SL_CHECKED enum sl_status sl_file_batch_add(struct sl_file_batch *batch,
                                            const char *path,
                                            struct sl_view old,
                                            struct sl_view bytes,
                                            struct sl_error *error);

/*
 * Writes all or none. SL_ERR_REFUSED: a file is no longer what the change was made
 * from. A process that is killed between the first and the last name leaves a
 * part of them changed, each of them whole.
 */
SL_CHECKED enum sl_status sl_file_batch_commit(struct sl_file_batch *batch,
                                               struct sl_error *error);

#endif
