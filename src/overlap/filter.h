/*
 * A corpus as a filter of hashes that holds no text: a binary fuse filter with
 * 16 bits a gram. A run of n words is asked for as its two runs of n - 1 words,
 * so that none that the corpus has is ever missed, and one that it has not is
 * reported with a chance of 2^-32. The file: docs/internals/overlap.md.
 */
#ifndef SL_OVERLAP_FILTER_H
#define SL_OVERLAP_FILTER_H

#include "overlap/corpus.h"

struct sl_filter {
    unsigned n;     /* words of the shortest run that it finds */
    uint64_t grams; /* different runs of n - 1 words in it */
    uint64_t words; /* of the corpus */
    uint32_t files;
    uint32_t segment_length, segment_count;
    uint64_t seed;
    uint16_t *cells; /* (segment_count + 2) * segment_length */
};

/* n: SL_MIN_FILTER_GRAM + 1 to SL_MAX_GRAM. SL_ERR_NOTFOUND: no such run. */
SL_CHECKED enum sl_status sl_filter_build(struct sl_filter *filter_out,
                                          struct sl_corpus *corpus, unsigned n,
                                          struct sl_faults *faults,
                                          struct sl_error *error);
void sl_filter_release(struct sl_filter *filter);

/* Whether the corpus has this run of n - 1 words (gram.h: front and back). */
bool sl_filter_has(const struct sl_filter *filter, uint64_t hash);

/* Appends the file. */
void sl_filter_write(struct sl_buf *out, const struct sl_filter *filter);

/* Reads one; every byte is checked. SL_ERR_SYNTAX: it is none, or damaged. */
SL_CHECKED enum sl_status sl_filter_parse(struct sl_view bytes,
                                          struct sl_filter *filter_out,
                                          struct sl_error *error);

#endif
