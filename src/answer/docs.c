/* A question put to the knowledge base and, apart from it, to other documents. */
#include "answer/ask.h"

#include "base/limits.h"

#define DOCS_SECTIONS 2u

void sl_docs_heading(struct sl_buf *out, const struct sl_corpus *docs)
{
    sl_buf_printf(out,
                  "---- from the documents in %s: not ours, not checked ----"
                  "\n\n",
                  docs->from);
}

/* How the bytes are shared: ours, and theirs without their heading. */
static enum sl_status share(const struct sl_corpus *docs, size_t budget,
                            size_t *ours_out, size_t *theirs_out,
                            struct sl_error *error)
{
    struct sl_buf heading;
    sl_buf_init(&heading, SL_MAX_PATH + 200);
    sl_docs_heading(&heading, docs);
    enum sl_status status = sl_buf_check(&heading, error);
    size_t theirs = budget / 8 * 3, taken = heading.len + 1;
    sl_buf_release(&heading);
    if (status)
        return status;
    if (theirs < taken + SL_MIN_BUDGET)
        return sl_error_set(error, SL_ERR_USAGE,
                            "a budget of %zu bytes is too small for two "
                            "answers; with documents it must be %zu at least",
                            budget, (taken + SL_MIN_BUDGET) * 8 / 3 + 8);
    *ours_out = budget - theirs;
    *theirs_out = theirs - taken;
    return SL_OK;
}

/* Finding nothing is an answer without sections. */
static enum sl_status ask_one(struct sl_corpus *corpus, struct sl_view question,
                              const struct sl_ask_options *options,
                              struct sl_answer *answer_out,
                              struct sl_error *error)
{
    struct sl_error why = {SL_OK, ""};
    enum sl_status status = sl_ask(corpus, question, options, answer_out, &why);
    if (status == SL_ERR_NOTFOUND) {
        *answer_out = (struct sl_answer){.question = question,
                                         .budget = options->budget};
        return SL_OK;
    }
    return status ? sl_error_set(error, status, "%s", why.message) : SL_OK;
}

/* Names that are too long for the budget must not cost ours its answer. */
static enum sl_status ask_docs(struct sl_corpus *docs, struct sl_view question,
                               const struct sl_ask_options *options,
                               struct sl_docs *kept, struct sl_error *error)
{
    sl_index_set_foreign(docs->index);
    enum sl_status status = ask_one(docs, question, options, &kept->answer,
                                    error);
    if (status != SL_ERR_USAGE)
        return status;
    kept->no_room = true;
    kept->answer = (struct sl_answer){.question = question,
                                      .budget = options->budget};
    return SL_OK;
}

enum sl_status sl_ask_with_docs(struct sl_corpus *corpus,
                                struct sl_corpus *docs,
                                struct sl_view question,
                                const struct sl_ask_options *options,
                                struct sl_answer *answer_out,
                                struct sl_error *error)
{
    struct sl_ask_options ours = *options;
    struct sl_ask_options theirs = {.limit = DOCS_SECTIONS};
    struct sl_docs *kept = sl_arena_alloc(&corpus->arena, sizeof *kept);
    if (!kept)
        return sl_error_nomem(error);
    enum sl_status status = share(docs, options->budget, &ours.budget,
                                  &theirs.budget, error);
    struct sl_answer answer;
    if (!status)
        status = ask_docs(docs, question, &theirs, kept, error);
    if (!status)
        status = ask_one(corpus, question, &ours, &answer, error);
    if (!status && !answer.count && !kept->answer.count && !kept->no_room)
        status = sl_error_set(error, SL_ERR_NOTFOUND,
                              "neither the knowledge base nor %s answers that",
                              docs->from);
    if (status)
        return status;
    kept->corpus = docs;
    answer.docs = kept;
    *answer_out = answer;
    return SL_OK;
}
