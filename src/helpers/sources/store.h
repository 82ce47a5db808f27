/*
 * CACHE/sources, where the exported trees are: ID-COMMIT for a complete tree,
 * .tmp-ID-PID for one that is being made, .lock for who may make them. A tree
 * gets its final name by one rename, so a name that is there is complete.
 * Everything is done relative to the folder's descriptor; no symbolic link in
 * it is followed.
 */
#ifndef SL_SOURCES_STORE_H
#define SL_SOURCES_STORE_H

#include "base/arena.h"
#include "base/status.h"
#include "cite/sources.h"
#include "os/lock.h"
#include "os/tree.h"

struct sl_store {
    const char *path; /* CACHE/sources */
    int dir;          /* -1: the folder is not there */
    struct sl_file_lock lock;
};

/* A place for work in progress inside the store. */
struct sl_temp {
    char name[96];
    int dir;          /* the folder `tree` in it is what gets published */
    int tree;
    const char *path; /* of the folder */
};

/* Longer than any ID-COMMIT. */
struct sl_tree_name {
    char text[96];
};

struct sl_tree_name sl_store_name(const struct sl_source *source);

/* Without `make` a folder that is not there is no fault. */
SL_CHECKED enum sl_status sl_store_open(struct sl_arena *arena, bool make,
                                        struct sl_store *store_out,
                                        struct sl_error *error);
void sl_store_close(struct sl_store *store); /* gives the lock back, too */

/* Whether the tree is there. A link or file of its name is SL_ERR_REFUSED. */
SL_CHECKED enum sl_status sl_store_has(const struct sl_store *store,
                                       const char *name, bool *has_out,
                                       struct sl_error *error);

/*
 * Removes what killed processes left. Only for the holder of the lock: so
 * nothing that is found belongs to a living one.
 */
SL_CHECKED enum sl_status sl_store_sweep(const struct sl_store *store,
                                         struct sl_error *error);

SL_CHECKED enum sl_status sl_store_begin(struct sl_arena *arena,
                                         const struct sl_store *store,
                                         const struct sl_source *source,
                                         struct sl_temp *temp_out,
                                         struct sl_error *error);

/* Gives temp's tree its final name; an older tree of that name goes. */
SL_CHECKED enum sl_status sl_store_publish(const struct sl_store *store,
                                           struct sl_temp *temp,
                                           const char *name,
                                           struct sl_error *error);

/* Removes temp and what is still in it. */
SL_CHECKED enum sl_status sl_store_end(const struct sl_store *store,
                                       struct sl_temp *temp,
                                       struct sl_error *error);

#endif
