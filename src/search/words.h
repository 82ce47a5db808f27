/*
 * The word lists of the search, read from data files that are built in:
 * synonyms.txt, stopwords.txt, field.txt (words that place a question in our field).
 */
#ifndef SL_SEARCH_WORDS_H
#define SL_SEARCH_WORDS_H

#include "base/arena.h"
#include "base/map.h"
#include "base/status.h"

struct sl_words {
    struct sl_arena arena;
    struct sl_map synonyms;  /* word -> group */
    struct sl_view *groups;  /* a group's words, separated by blanks */
    size_t group_count, group_cap;
    struct sl_map stopwords; /* word -> 0 */
    struct sl_map field;     /* word -> 0 */
};

SL_CHECKED enum sl_status sl_words_load(struct sl_words *words,
                                        struct sl_error *error);
void sl_words_release(struct sl_words *words);

/* The group of a lower-case word (itself included), or an empty view. */
struct sl_view sl_words_group(const struct sl_words *words,
                              struct sl_view word);
bool sl_words_is_stop(const struct sl_words *words, struct sl_view word);
bool sl_words_is_field(const struct sl_words *words, struct sl_view word);

#endif
