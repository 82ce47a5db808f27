/*
 * Whole folders: how much is in one, and its removal. Symbolic links are
 * never followed, other file systems mounted inside are never entered.
 */
#ifndef SL_OS_TREE_H
#define SL_OS_TREE_H

#include "base/status.h"
#include "base/view.h"

struct sl_tree_size {
    size_t files; /* everything that is not a folder */
    uint64_t bytes;
};

/* Measures `name` in the open folder. SL_ERR_NOTFOUND when it is not there. */
SL_CHECKED enum sl_status sl_tree_measure(int folder, const char *name,
                                          struct sl_tree_size *size_out,
                                          struct sl_error *error);

/*
 * Removes `name` in the open folder with all that is in it. It is fine when it
 * is not there. name must be a plain name without a slash.
 */
SL_CHECKED enum sl_status sl_tree_remove(int folder, const char *name,
                                         struct sl_error *error);

#endif
