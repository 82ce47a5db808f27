/*
 * Reading one corpus past the other, which is held: every pair of places that
 * have a run of n words or more in common, each run as long as it goes.
 */
#ifndef SL_OVERLAP_MATCH_H
#define SL_OVERLAP_MATCH_H

#include "overlap/held.h"

struct sl_match {
    uint32_t at;    /* the run's first token of the held side */
    uint32_t words;
    uint32_t file, line, last_line; /* where it stands in the other one */
    uint64_t order; /* its first word's number there */
};

struct sl_matches {
    struct sl_match *items;
    size_t count, cap;
    size_t more;    /* past SL_MAX_OVERLAP_MATCHES: counted, not kept */
    uint64_t words; /* of the side that was read past */
    uint64_t grams; /* of them that count */
};

/*
 * Release it, also after an error. Every word of a run stands in some match; of
 * more than SL_MAX_OVERLAP_SAME places of one run in the held side, the rest have
 * one match each, which may be cut in pieces.
 */
SL_CHECKED enum sl_status sl_match_corpus(struct sl_matches *matches_out,
                                          const struct sl_held *held,
                                          struct sl_corpus *corpus,
                                          struct sl_faults *faults,
                                          struct sl_error *error);
void sl_matches_release(struct sl_matches *matches);

#endif
