/*
 * Tokens of prose and code for the index and for questions.
 *
 * A plain word is lower-cased and stemmed by SQLite's porter tokenizer. An identifier
 * (`nvshmem_put_nbi`, `cudaMemcpyAsync`, `NVSHMEM_QP_DEPTH`) gives its parts in
 * sequence (`nvshmem` `put` `nbi`, stemmed like words) and, at the place of the
 * first part, itself whole. So `put_nbi` and `put` find it and a quoted identifier is a
 * phrase. A version (`3.4.5`) is one token and, at the same place, its first two parts.
 * In questions each plain word also gives its synonyms, at the same place.
 */
#ifndef SL_SEARCH_TOKENIZER_H
#define SL_SEARCH_TOKENIZER_H

#include <sqlite3.h>

#include "base/status.h"
#include "base/view.h"
#include "search/words.h"

/* Registers the tokenizer `shmemlore` with db; words must outlive db. */
SL_CHECKED enum sl_status sl_tokenizer_register(sqlite3 *db,
                                                const struct sl_words *words,
                                                struct sl_error *error);

/*
 * The next word of text at or after *at: letters, digits, `_`, non-ASCII bytes,
 * dots between digits, `++` after a letter. False at the end.
 */
bool sl_word_next(struct sl_view text, size_t *at, struct sl_view *word_out);

/* Whether the word has more than one part. */
bool sl_word_is_identifier(struct sl_view word);

/* The next part of an identifier at or after *at. */
bool sl_part_next(struct sl_view word, size_t *at, struct sl_view *part_out);

#endif
