/*
 * A window of n words that moves along prose, and the hashes of what is in it.
 * Which windows count: docs/internals/overlap.md.
 */
#ifndef SL_OVERLAP_GRAM_H
#define SL_OVERLAP_GRAM_H

#include "base/limits.h"
#include "text/words.h"

/* What is kept of a word in the window. */
struct sl_gram_word {
    uint64_t hash;
    uint32_t line;
    uint32_t plain; /* 0 or 1 */
};

struct sl_gram {
    unsigned n;
    unsigned len;   /* words in the window */
    unsigned at;    /* of the oldest word, once it is full */
    unsigned plain; /* plain words in it */
    uint64_t weight; /* of the oldest of n - 1 words */
    uint64_t front; /* hash of its first n - 1 words */
    uint64_t back;  /* hash of its last n - 1 words (fewer at first) */
    uint64_t hash;  /* of all n */
    struct sl_gram_word words[SL_MAX_GRAM]; /* a ring */
};

/* n: SL_MIN_GRAM to SL_MAX_GRAM. */
void sl_gram_open(struct sl_gram *gram, unsigned n);

/*
 * Moves on by one word; a fresh one empties the window first. True: the window
 * is full and counts, that is, half of its words or more are plain.
 */
bool sl_gram_push(struct sl_gram *gram, const struct sl_word *word);

/* The first of the n words. */
const struct sl_gram_word *sl_gram_first(const struct sl_gram *gram);

#endif
