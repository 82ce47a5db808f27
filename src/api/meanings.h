/*
 * evidence/meanings.tsv: what a name does otherwise from a release on though it is
 * declared the same, or what is better from then on; written by hand, each row with the
 * section that proves it. docs/internals/api-index.md has the columns.
 */
#ifndef SL_API_MEANINGS_H
#define SL_API_MEANINGS_H

#include "base/arena.h"
#include "base/status.h"
#include "base/view.h"

#define SL_MEANINGS_TSV "evidence/meanings.tsv"

/* One name of one row; all view the table. */
struct sl_meaning {
    struct sl_view name; /* of a symbol, of a variable, or "TYPE.PATH.OF.MEMBER" */
    struct sl_view first; /* the first release in which it is so */
    struct sl_view last;  /* the last one; empty: it still is */
    struct sl_view level; /* "error", "warning" or "note" */
    struct sl_view kind;  /* "meaning" or "better" */
    struct sl_view section; /* id */
    struct sl_view text;
};

struct sl_meanings {
    struct sl_meaning *items; /* in the table's order */
    size_t count;
};

/* An empty table has no rows; SL_ERR_SYNTAX, with the line, for another form. */
SL_CHECKED enum sl_status sl_meanings_parse(struct sl_arena *arena,
                                            struct sl_view table,
                                            struct sl_meanings *meanings_out,
                                            struct sl_error *error);

#endif
