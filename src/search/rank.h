/*
 * How well a section answers a question.
 *
 * Two auxiliary functions of FTS5 over the table `words`, both called with the pointer
 * of the query: score(words, POINTER), larger is better, and coverage(words, POINTER),
 * the share of the question's words that the row holds, 0 to 1, each word weighed by how
 * rare it is. The formulas, and where their constants come from, are in
 * docs/internals/search.md.
 */
#ifndef SL_SEARCH_RANK_H
#define SL_SEARCH_RANK_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/limits.h"
#include "base/status.h"

#define SL_RANK_COLUMNS 4 /* of `words`: title, asks, file, body */

struct sl_rank_term {
    double weight;
    bool pair;     /* two neighbours of the question: a bonus, not a word */
    double rarity; /* filled on the first row */
};

/* Bound as pointer of this type; term i belongs to phrase i of the MATCH. */
#define SL_RANK_POINTER "sl_rank"
struct sl_rank {
    struct sl_rank_term terms[SL_MAX_QUERY_TERMS];
    size_t count;
    double total;                     /* weight * rarity of all its words */
    double mean_size[SL_RANK_COLUMNS]; /* words of a column, in the mean */
    bool ready;
};

SL_CHECKED enum sl_status sl_rank_register(sqlite3 *db,
                                           struct sl_error *error);

#endif
