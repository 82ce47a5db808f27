/*
 * Which words of a text are looked at. Found in the raw bytes, so that nothing
 * is missed where a grammar fails; what each is, the tree says.
 */
#ifndef SL_USAGE_WORDS_H
#define SL_USAGE_WORDS_H

#include "base/arena.h"
#include "base/status.h"

enum sl_word_kind {
    SL_WORD_NAME,  /* begins with nvshmem, NVSHMEM or ibgda_ */
    SL_WORD_ENV,   /* has `env` in it: may set or read any variable */
    SL_WORD_DL,    /* loads a library (Python's ctypes) */
    SL_WORD_ALIAS, /* what an import calls the package */
};

struct sl_word {
    size_t begin, end;
    enum sl_word_kind kind;
};

struct sl_words {
    struct sl_word *items; /* by begin, each place once */
    size_t len, cap;
};

/* Whether the text names NVSHMEM at all, in lower or upper case. */
bool sl_words_any(struct sl_view text);

/* Adds the words of the kind; needle is for SL_WORD_ALIAS only. */
SL_CHECKED enum sl_status sl_words_add(struct sl_arena *arena,
                                       struct sl_words *words,
                                       struct sl_view text,
                                       enum sl_word_kind kind,
                                       struct sl_view needle,
                                       struct sl_error *error);

/* By begin; of two at one place the first kind wins. */
void sl_words_sort(struct sl_words *words);

/* An environment variable by its spelling: NVSHMEM_ and capitals. */
bool sl_word_is_variable(struct sl_view name);

#endif
