/*
 * An environment variable: default and type, in which releases, who reads it when,
 * which projects set it to what; and what NVSHMEM has in place of one of NCCL's.
 */
#ifndef SL_ANSWER_ENV_H
#define SL_ANSWER_ENV_H

#include "answer/corpus.h"
#include "api/env.h"
#include "api/nccl.h"
#include "api/users.h"

struct sl_env_answer {
    struct sl_view asked;
    struct sl_view release; /* asked for, or empty */
    struct sl_env_table table;
    const struct sl_env **rows; /* of a name: what a program reads comes first */
    size_t count;
    enum sl_env_gate gate; /* of rows[0] in that release */
    bool is_list;          /* a glob: rows are names */
    bool is_symbol;        /* `symbol` has a name of the API that is the same */
    struct sl_users uses;  /* where a variable is set, unset or read */
    struct sl_mentions sections;
    const struct sl_nccl *nccl; /* what was asked with from_nccl; rows: counterparts */
};

/*
 * name as a user writes it (letter case apart, NVSHMEM_ may be left out; $NAME and
 * NAME=VALUE too), or a glob. release: as sl_release_read() takes it; ptr NULL: none in
 * particular. Lives in the corpus's arena. SL_ERR_NOTFOUND, with near names, of the
 * API too, when there is none; SL_ERR_USAGE for a release that was not read.
 */
SL_CHECKED enum sl_status sl_env_ask(struct sl_corpus *corpus,
                                     struct sl_view name,
                                     struct sl_view release,
                                     struct sl_env_answer *answer_out,
                                     struct sl_error *error);

/* A variable of NCCL. That it has no counterpart is an answer. */
SL_CHECKED enum sl_status sl_env_from_nccl(struct sl_corpus *corpus,
                                           struct sl_view name,
                                           struct sl_view release,
                                           struct sl_env_answer *answer_out,
                                           struct sl_error *error);

/* Whether the release asked for reads the variable, or none was asked for. */
bool sl_env_is_here(const struct sl_env_answer *answer);

/*
 * At most budget bytes; false: the text says that there is more. And one object of
 * schema shmemlore.env/1.
 */
bool sl_env_text(struct sl_buf *out, const struct sl_corpus *corpus,
                 const struct sl_env_answer *answer, size_t budget);
void sl_env_json(struct sl_buf *out, const struct sl_env_answer *answer);

#endif
