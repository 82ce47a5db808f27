/*
 * A lock file: advisory, whole, and gone with the process that holds it,
 * however that ends. The file stays; only the lock comes and goes.
 */
#ifndef SL_OS_LOCK_H
#define SL_OS_LOCK_H

#include <stdbool.h>

#include "base/status.h"

struct sl_file_lock {
    int fd;      /* -1: nothing is held */
    long holder; /* the process that held it at the last try; 0: unknown */
};

#define SL_FILE_LOCK_NONE ((struct sl_file_lock){-1, 0})

/*
 * Tries to take the lock file called name in the open folder; never waits.
 * *taken_out false: somebody else has it, and lock->holder says who.
 * A name that is a symbolic link is refused.
 */
SL_CHECKED enum sl_status sl_file_lock_try(struct sl_file_lock *lock,
                                           int folder, const char *name,
                                           bool *taken_out,
                                           struct sl_error *error);

/*
 * Locks the folder itself, so that nothing is left behind in it; waits up to
 * `milliseconds` for whoever holds it. *taken_out false: they still do. Where the
 * file system has no such locks, or there is no such folder, nothing is held and
 * *taken_out is true: the caller's own reads say what is wrong with the folder.
 */
SL_CHECKED enum sl_status sl_folder_lock(struct sl_file_lock *lock,
                                         const char *path,
                                         unsigned milliseconds,
                                         bool *taken_out,
                                         struct sl_error *error);

/* The same for a writer: SL_ERR_IO, with the folder, when somebody still has it. */
SL_CHECKED enum sl_status sl_folder_lock_write(struct sl_file_lock *lock,
                                               const char *path,
                                               unsigned milliseconds,
                                               struct sl_error *error);

/* Nothing happens when nothing is held. */
void sl_file_lock_release(struct sl_file_lock *lock);

#endif
