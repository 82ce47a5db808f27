/* One thing by its name: a section, a cited place, a run. */
#ifndef SL_ANSWER_SHOW_H
#define SL_ANSWER_SHOW_H

#include "answer/corpus.h"

/*
 * Appends what ref names to out, as text or as one JSON object of schema
 * shmemlore.show/1. The text of a symbol or a variable takes at most budget bytes, all
 * else is whole. SL_ERR_NOTFOUND says what resembles it.
 */
SL_CHECKED enum sl_status sl_show(struct sl_corpus *corpus, struct sl_view ref,
                                  bool json, size_t budget,
                                  struct sl_buf *out,
                                  struct sl_error *error);

/*
 * Takes marks off around a reference, and makes a citation of a permalink of ours; it
 * may then be a copy in the corpus's arena.
 */
SL_CHECKED enum sl_status sl_show_citation_of(struct sl_corpus *corpus,
                                              struct sl_view *ref,
                                              struct sl_error *error);

#endif
