/*
 * A name of NVSHMEM's API: what it is, in which releases, where it is declared, who
 * uses it and which sections speak of it.
 */
#ifndef SL_ANSWER_SYMBOL_H
#define SL_ANSWER_SYMBOL_H

#include "answer/corpus.h"
#include "api/near.h"
#include "api/symbols.h"
#include "api/users.h"

/* A line of a header that makes the name. */
struct sl_symbol_place {
    const char *what;        /* template, instantiation, type list, declaration */
    struct sl_view header;   /* PATH:LINE below the package's include folder */
    struct sl_view citation; /* of the pinned tree; empty where it has no such file */
    struct sl_view url;
};

/* A project's uses of the name, all kinds together. */
struct sl_symbol_user {
    struct sl_view source;
    size_t count;
    bool own;             /* it defines the name itself */
    bool pasted;          /* a macro of it makes the name, among others */
    struct sl_view place; /* the first one */
};

struct sl_symbol_answer {
    struct sl_view asked;
    struct sl_view release;  /* asked for, or empty */
    bool is_variable;        /* `env` has a variable of this name */
    const struct sl_symbol *symbol; /* NULL: in no release; a project's own name */
    bool here;                      /* in the release asked for */
    struct sl_view signature;       /* in that release, or the record's */
    struct sl_symbols symbols;      /* the family's members and the releases */
    struct sl_symbol_place *places;
    size_t place_count;
    struct sl_users rows; /* of usage.tsv */
    struct sl_symbol_user *users;
    size_t user_count;
    struct sl_mentions sections; /* that name it or its family */
    struct sl_near *near;        /* of a project's own name: NVSHMEM's near it */
    size_t near_count;
    const struct sl_symbol **names; /* what a glob or a family lists */
    size_t name_count;
    bool is_list;
};

/*
 * name: a symbol, as somebody pasted it (sl_name_clean()), a family (nvshmem_TYPE_put)
 * or a glob. release: as sl_release_read() takes it; ptr NULL: none in particular. Lives
 * in the corpus's arena. SL_ERR_NOTFOUND, with the names that may be meant, variables
 * too, when nothing is called so; SL_ERR_USAGE for a release that was not read.
 */
SL_CHECKED enum sl_status sl_symbol_ask(struct sl_corpus *corpus,
                                        struct sl_view name,
                                        struct sl_view release,
                                        struct sl_symbol_answer *answer_out,
                                        struct sl_error *error);

/*
 * At most budget bytes; false: the text says that there is more. And one object of
 * schema shmemlore.symbol/1.
 */
bool sl_symbol_text(struct sl_buf *out, const struct sl_corpus *corpus,
                    const struct sl_symbol_answer *answer, size_t budget);
void sl_symbol_json(struct sl_buf *out, const struct sl_symbol_answer *answer);

/* "RETURN NAME(PARAMETERS)" from the table's signature, which has no name. */
void sl_symbol_declare(struct sl_buf *out, struct sl_view name,
                       enum sl_symbol_kind kind, struct sl_view signature);

/*
 * Whether the record's release is the one of the pinned tree, and the header stands in
 * it as it is in the package (two headers are made by the build).
 */
bool sl_header_is_pinned(const struct sl_corpus *corpus, struct sl_view release,
                         struct sl_view header);

#endif
