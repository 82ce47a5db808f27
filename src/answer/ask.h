/*
 * An answer: the best sections for a question, as much of them as a budget of
 * bytes holds, with their evidence and permalinks.
 */
#ifndef SL_ANSWER_ASK_H
#define SL_ANSWER_ASK_H

#include "answer/corpus.h"

/* A reference of a printed section. */
struct sl_evidence {
    enum sl_ref_kind kind;  /* citation, run, specification, thread */
    struct sl_view ref;     /* as written */
    struct sl_view url;     /* permalink; empty for runs and specifications */
};

struct sl_answer_section {
    struct sl_found found;
    struct sl_view text;    /* what is printed of found.own */
    bool cut;               /* text is not all of it */
    bool links;             /* all permalinks fit; else their pattern is given */
    struct sl_evidence *evidence; /* of text, each once, in order */
    size_t evidence_count;
};

struct sl_answer {
    struct sl_view question;
    struct sl_view asked, taken; /* see struct sl_hits */
    struct sl_view facts; /* from the tables, on releases; see answer/facts.h */
    bool weak;
    struct sl_answer_section *sections;
    size_t count;
    struct sl_view *more;   /* ids of further sections that did not fit */
    size_t more_count;
    size_t budget;
    const struct sl_docs *docs; /* NULL: none were asked */
};

/* What somebody else's documents say, kept apart from what is ours. */
struct sl_docs {
    const struct sl_corpus *corpus; /* its folder: corpus->from */
    struct sl_answer answer;        /* without sections: they say nothing */
    bool no_room; /* they say something, of which not even the name fits */
};

struct sl_ask_options {
    size_t limit;  /* sections, 1 to SL_MAX_RESULTS */
    size_t budget; /* bytes of the text form, SL_MIN_BUDGET to SL_MAX_BUDGET */
};

/* What the text form of a weak answer begins with. */
#define SL_WEAK_NOTE                                                       \
    "(nothing here fits the question well: judge by the headings)\n\n"

/* Lives in the corpus's arena. SL_ERR_NOTFOUND when nothing good is known. */
SL_CHECKED enum sl_status sl_ask(struct sl_corpus *corpus,
                                 struct sl_view question,
                                 const struct sl_ask_options *options,
                                 struct sl_answer *answer_out,
                                 struct sl_error *error);

/*
 * The same, and apart from it what the documents say, in 3/8 of the budget. They are a
 * folder of Markdown that is not of this knowledge base: nothing of it is checked, and
 * it has no evidence. SL_ERR_NOTFOUND when neither answers. Both corpora must stay.
 */
SL_CHECKED enum sl_status sl_ask_with_docs(struct sl_corpus *corpus,
                                           struct sl_corpus *docs,
                                           struct sl_view question,
                                           const struct sl_ask_options *options,
                                           struct sl_answer *answer_out,
                                           struct sl_error *error);

/* The line above what the documents say; appended to out. */
void sl_docs_heading(struct sl_buf *out, const struct sl_corpus *docs);

/*
 * The text form (at most answer->budget bytes) and the JSON form, one object of
 * schema shmemlore.ask/1, whose texts are the same.
 */
void sl_answer_text(struct sl_buf *out, const struct sl_corpus *corpus,
                    const struct sl_answer *answer);
void sl_answer_json(struct sl_buf *out, const struct sl_corpus *corpus,
                    const struct sl_answer *answer);

/* One section, as both forms show it (also used by show). */
void sl_answer_section_text(struct sl_buf *out, const struct sl_corpus *corpus,
                            const struct sl_answer_section *section);

void sl_answer_section_json(struct sl_buf *out,
                            const struct sl_answer_section *section);

/* The evidence of a text, each reference once, with permalinks. */
SL_CHECKED enum sl_status sl_evidence_of(struct sl_corpus *corpus,
                                         struct sl_view text,
                                         struct sl_evidence **evidence_out,
                                         size_t *count_out,
                                         struct sl_error *error);

#endif
