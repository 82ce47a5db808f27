/* Paths that a tool may read: those below the folders of --root, and no others. */
#ifndef SL_SERVE_ROOTS_H
#define SL_SERVE_ROOTS_H

#include "base/arena.h"
#include "serve/server.h"

/*
 * Finds a path (relative to a root, or absolute and below one) in the first root that
 * has it. SL_ERR_REFUSED: there is no root, it leads out of them, or a symbolic link
 * stands in it. *path_out is root/path, root itself for "."; both live as long as the
 * arena and the options.
 */
SL_CHECKED enum sl_status sl_roots_find(struct sl_arena *arena,
                                        const struct sl_serve_options *options,
                                        struct sl_view path,
                                        const char **root_out,
                                        const char **path_out,
                                        struct sl_error *error);

#endif
