/*
 * The smaller of two corpora, held in memory: its words, their text, and where
 * each gram of n words stands. The other is only read past it.
 */
#ifndef SL_OVERLAP_HELD_H
#define SL_OVERLAP_HELD_H

#include "overlap/corpus.h"
#include "overlap/gram.h"

#define SL_HELD_NONE UINT32_MAX

struct sl_token {
    uint64_t hash;
    uint32_t begin; /* in the text */
    uint32_t line : 30;
    uint32_t fresh : 1;
    uint32_t plain : 1;
};

struct sl_held {
    unsigned n;
    struct sl_token *tokens;
    size_t count, cap;
    struct sl_buf text;
    uint32_t *file_first; /* first token of each file; one more at the end */
    size_t file_count;
    size_t grams;         /* that count */
    uint64_t *hashes;     /* of the gram that begins with a token */
    uint32_t *next;       /* the next token that begins the same gram */
    uint32_t *slots;      /* hash -> first such token */
    size_t slot_mask;
    uint64_t *bits;       /* a filter before the slots */
    unsigned bit_shift;
};

/* n: SL_MIN_GRAM to SL_MAX_GRAM. Release it, also after an error. */
SL_CHECKED enum sl_status sl_held_build(struct sl_held *held_out,
                                        struct sl_corpus *corpus, unsigned n,
                                        struct sl_faults *faults,
                                        struct sl_error *error);
void sl_held_release(struct sl_held *held);

/* The first token that begins a gram of this hash, or SL_HELD_NONE. */
uint32_t sl_held_find(const struct sl_held *held, uint64_t hash);

/* The file that a token stands in. */
size_t sl_held_file(const struct sl_held *held, uint32_t token);

/* Bytes from a token's first to those of the word `words` - 1 further on. */
struct sl_view sl_held_text(const struct sl_held *held, uint32_t token,
                            uint32_t words);

#endif
