/*
 * How much of a question a section holds, beside FTS5's own bm25().
 *
 * The auxiliary function coverage(words, POINTER) gives, for the row, the share of the
 * question's terms that it holds, each term weighed by how rare it is and by the
 * weight the query gave it; headings and `asks` count more than the body.
 */
#ifndef SL_SEARCH_RANK_H
#define SL_SEARCH_RANK_H

#include <sqlite3.h>

#include "base/limits.h"
#include "base/status.h"

/* Bound as pointer of this type; term i belongs to phrase i of the MATCH. */
#define SL_RANK_POINTER "sl_rank"
struct sl_rank {
    size_t count;
    double weight[SL_MAX_QUERY_TERMS];
    double rarity[SL_MAX_QUERY_TERMS]; /* filled on the first row */
    unsigned rows[SL_MAX_QUERY_TERMS]; /* sections that hold the term */
    double total;                      /* sum of weight * rarity */
    int ready;
};

SL_CHECKED enum sl_status sl_rank_register(sqlite3 *db,
                                           struct sl_error *error);

#endif
