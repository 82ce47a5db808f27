/*
 * `symbol` and `env` point to each other: what one of them does not know may be a
 * name of the other's table.
 */
#ifndef SL_ANSWER_OTHER_H
#define SL_ANSWER_OTHER_H

#include "answer/corpus.h"

#define SL_OTHER_MAX 3u

/* Names of the other table; none when it is not there. */
struct sl_names_near {
    struct sl_view names[SL_OTHER_MAX]; /* families, of the API's names */
    size_t count;
    bool exact; /* the first is what was asked for */
};

/* Variables that are called so, or may be meant. */
SL_CHECKED enum sl_status sl_near_variables(struct sl_corpus *corpus,
                                            struct sl_view name,
                                            struct sl_names_near *near_out,
                                            struct sl_error *error);

/* Names of the API that are called so, or may be meant. */
SL_CHECKED enum sl_status sl_near_symbols(struct sl_corpus *corpus,
                                          struct sl_view name,
                                          struct sl_names_near *near_out,
                                          struct sl_error *error);

/* Whether the other table has exactly this name, in these letters. */
SL_CHECKED enum sl_status sl_is_variable(struct sl_corpus *corpus,
                                         struct sl_view name, bool *is_out,
                                         struct sl_error *error);
SL_CHECKED enum sl_status sl_is_symbol(struct sl_corpus *corpus,
                                       struct sl_view name, bool *is_out,
                                       struct sl_error *error);

/* The name in `$NAME`, `${NAME}`, `NAME=VALUE`, `export NAME`. A view into text. */
struct sl_view sl_variable_clean(struct sl_view text);

#endif
