/* What changed between two releases: names and environment variables. */
#ifndef SL_ANSWER_DIFF_H
#define SL_ANSWER_DIFF_H

#include "answer/corpus.h"
#include "api/diff.h"
#include "base/buf.h"

struct sl_diff_answer {
    struct sl_view from, to; /* as the tables spell them */
    struct sl_changes changes;
    struct sl_env_changes variables; /* none where there is no table of them */
};

/* What of it is told. */
struct sl_diff_wants {
    bool internal; /* the names of NVSHMEM's own internals too */
    bool names;    /* each name, where families are told otherwise; text alone */
};

/*
 * from and to: as sl_release_read() takes them. Lives in the corpus's arena.
 * SL_ERR_USAGE for a release that was not read, and where there are no tables of names.
 */
SL_CHECKED enum sl_status sl_diff_ask(struct sl_corpus *corpus,
                                      struct sl_view from, struct sl_view to,
                                      struct sl_diff_answer *answer_out,
                                      struct sl_error *error);

/* Lines for a reader; one object of schema shmemlore-index-diff/1. */
void sl_diff_text(struct sl_buf *out, const struct sl_diff_answer *answer,
                  const struct sl_diff_wants *wants);
void sl_diff_json(struct sl_buf *out, const struct sl_diff_answer *answer,
                  const struct sl_diff_wants *wants);

#endif
