/* What the files of this folder share: the uses, and what they are judged by. */
#ifndef SL_UPGRADE_INTERNAL_H
#define SL_UPGRADE_INTERNAL_H

#include "api/env.h"
#include "api/symbols.h"
#include "base/map.h"
#include "upgrade/upgrade.h"
#include "usage/index.h"

/* One place of the user's tree. */
struct sl_spot {
    struct sl_view file;
    const struct sl_use *use;
};

/* The user's trees, read. */
struct sl_spots {
    struct sl_spot *items; /* by path, then line */
    size_t count, cap;
    struct sl_map own; /* names that the code defines itself */
    struct sl_usage *trees; /* what the uses live in */
    size_t tree_count;
    struct sl_uses *single; /* of paths that are files */
};

/* Counts of files and bytes go to *upgrade. */
SL_CHECKED enum sl_status
sl_spots_read(struct sl_arena *arena, const struct sl_upgrade_request *request,
              struct sl_spots *spots_out, struct sl_upgrade *upgrade,
              struct sl_error *error);
void sl_spots_release(struct sl_spots *spots);

struct sl_judge {
    struct sl_corpus *corpus;
    struct sl_arena *arena;
    struct sl_symbols symbols;
    struct sl_env_table env;
    const struct sl_spots *spots;
    struct sl_upgrade *upgrade;
    struct sl_map told; /* what is told once: "KIND NAME" */
    struct sl_error *error;
};

SL_CHECKED enum sl_status sl_judge_spot(struct sl_judge *judge,
                                        const struct sl_spot *spot);

#endif
