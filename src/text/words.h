/*
 * Words of prose as they are compared: Unicode-normalised (NFKC), case-folded,
 * reduced to a hash. What a word is: docs/internals/overlap.md.
 */
#ifndef SL_TEXT_WORDS_H
#define SL_TEXT_WORDS_H

#include "base/view.h"

/*
 * From the byte `at` of a text on, the line is `line`; `fresh`: what stands there
 * continues nothing (something was left out before it). No word crosses a mark.
 */
struct sl_word_mark {
    size_t at;
    uint32_t line;
    bool fresh;
};

struct sl_word {
    uint64_t hash;     /* equal words have equal hashes, others practically never */
    size_t begin, end; /* bytes of the text */
    uint32_t line;     /* 1-based */
    bool plain;        /* letters alone: no digit, no underscore inside */
    bool fresh;        /* it continues nothing */
};

struct sl_words {
    struct sl_view text;
    const struct sl_word_mark *marks; /* ascending */
    size_t mark_count;
    size_t at;
    size_t end; /* of what lies before the next mark */
    uint32_t line;
    bool fresh;
};

/* The first line of text is `line`; marks may be NULL. Both are borrowed. */
void sl_words_open(struct sl_words *words, struct sl_view text, uint32_t line,
                   const struct sl_word_mark *marks, size_t mark_count);

bool sl_words_next(struct sl_words *words, struct sl_word *word_out);

#endif
