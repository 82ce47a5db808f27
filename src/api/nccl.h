/*
 * evidence/nccl-map.tsv: what NVSHMEM has in place of a variable of NCCL. One line
 * per variable of NCCL, sorted bytewise, fields between tabs:
 *
 *     shmemlore-nccl 1
 *     NAME COUNTERPARTS DIFFERENCE EVIDENCE
 *
 * COUNTERPARTS: names of evidence/env.tsv with commas, or `none`. EVIDENCE, with
 * spaces: citations; `observed:NAME` (a later release asks for NAME);
 * `absent:WORD,...` or `absent-3.4.5:WORD,...`: no run-time name of release 3.4.5
 * contains one of these words.
 */
#ifndef SL_API_NCCL_H
#define SL_API_NCCL_H

#include "api/env.h"

#define SL_NCCL_TSV "evidence/nccl-map.tsv"
#define SL_NCCL_EVIDENCE_COLUMN 3u /* from 0 */

struct sl_nccl {
    struct sl_view name;
    struct sl_view counterparts; /* empty: none */
    struct sl_view difference;   /* at most SL_MAX_NCCL_WORDS words */
    struct sl_view evidence;
};

struct sl_nccl_map {
    struct sl_nccl *items; /* sorted by name */
    size_t count, cap;
};

/* Lives in the arena, with views into bytes. Messages begin "line N: ". */
SL_CHECKED enum sl_status sl_nccl_parse(struct sl_arena *arena,
                                        struct sl_view bytes,
                                        struct sl_nccl_map *map_out,
                                        struct sl_error *error);

/* NULL when the map says nothing of it. Letter case counts for nothing. */
const struct sl_nccl *sl_nccl_find(const struct sl_nccl_map *map,
                                   struct sl_view name);

/*
 * Whether a row holds against the table of variables: its counterparts are rows,
 * what it calls observed is one, what it calls absent is in no run-time name of
 * the release. SL_ERR_SYNTAX says what does not hold. Citations are not opened.
 */
SL_CHECKED enum sl_status sl_nccl_check(const struct sl_nccl *row,
                                        const struct sl_env_table *table,
                                        struct sl_view release,
                                        struct sl_error *error);

#endif
