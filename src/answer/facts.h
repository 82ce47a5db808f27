/*
 * What the tables say of the names in a question that asks for releases: "since when
 * is there nvshmemx_flush" is told before any section.
 */
#ifndef SL_ANSWER_FACTS_H
#define SL_ANSWER_FACTS_H

#include "answer/corpus.h"

/*
 * A line in brackets for each name, and an empty line behind them; empty where the
 * question asks for no release, names nothing that the tables know, or there are none.
 * Lives in the corpus's arena.
 */
SL_CHECKED enum sl_status sl_facts_of(struct sl_corpus *corpus,
                                      struct sl_view question,
                                      struct sl_view *facts_out,
                                      struct sl_error *error);

#endif
