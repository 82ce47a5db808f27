/* The files of the user's paths: each once, whatever names lead to it. */
#ifndef SL_UPGRADE_PATHS_H
#define SL_UPGRADE_PATHS_H

#include "upgrade/upgrade.h"

struct sl_paths {
    struct sl_view *files; /* sorted; as the user reaches them */
    size_t count, cap;
    size_t links; /* symbolic links inside of folders: not followed */
    struct sl_left *left; /* what could not be read, or was left out */
    size_t left_count, left_cap;
};

/* Folders are walked without end of depth but SL_MAX_TREE_DEPTH; faults are told. */
SL_CHECKED enum sl_status
sl_paths_collect(struct sl_arena *arena, const char *const *paths, size_t count,
                 struct sl_paths *paths_out, struct sl_error *error);

SL_CHECKED enum sl_status sl_paths_leave(struct sl_arena *arena,
                                         struct sl_paths *paths,
                                         enum sl_left_kind kind,
                                         struct sl_view path, const char *why,
                                         struct sl_error *error);

#endif
