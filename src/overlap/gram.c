#include "overlap/gram.h"

/* odd, so that no word's weight is ever 0 modulo 2^64 */
#define BASE UINT64_C(0x9e3779b97f4a7c15)

void sl_gram_open(struct sl_gram *gram, unsigned n)
{
    gram->n = n;
    gram->len = gram->at = gram->plain = 0;
    gram->front = gram->back = gram->hash = 0;
    gram->weight = 1;
    for (unsigned i = 2; i < n; i++)
        gram->weight *= BASE;
}

bool sl_gram_push(struct sl_gram *gram, const struct sl_word *word)
{
    const unsigned n = gram->n;
    if (word->fresh) {
        gram->len = gram->at = gram->plain = 0;
        gram->back = 0;
    }
    gram->front = gram->back;
    gram->hash = gram->front * BASE + word->hash;
    /* the oldest of the last n - 1 words leaves `back` */
    uint64_t back = gram->back;
    if (gram->len + 1 >= n) {
        unsigned oldest = gram->len < n ? 0 : gram->at + 1;
        if (oldest == n)
            oldest = 0;
        back -= gram->words[oldest].hash * gram->weight;
    }
    gram->back = back * BASE + word->hash;
    unsigned slot = gram->len;
    if (gram->len < n) {
        gram->len++;
    } else {
        slot = gram->at;
        gram->plain -= gram->words[slot].plain;
        gram->at = slot + 1 == n ? 0 : slot + 1;
    }
    gram->words[slot] =
        (struct sl_gram_word){word->hash, word->line, word->plain};
    gram->plain += word->plain;
    return gram->len == n && 2 * gram->plain >= n;
}

const struct sl_gram_word *sl_gram_first(const struct sl_gram *gram)
{
    return &gram->words[gram->len < gram->n ? 0 : gram->at];
}
