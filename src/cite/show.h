/*
 * One citation for a reader: its lines where the source's tree is in the cache,
 * otherwise what the lock knows; the permalink, the licence of that file, and
 * the command that brings the tree.
 */
#ifndef SL_CITE_SHOW_H
#define SL_CITE_SHOW_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/status.h"
#include "cite/citation.h"
#include "cite/lock.h"
#include "cite/sources.h"

enum sl_shown_state {
    SL_SHOWN_LOCKED,   /* no tree; the lock has an anchor */
    SL_SHOWN_SAME,     /* the lines are what was anchored */
    SL_SHOWN_OTHER,    /* they are not */
    SL_SHOWN_LINES,    /* the tree is there, the lock has no anchor */
};

struct sl_shown_citation {
    struct sl_view text;
    struct sl_citation citation;
    const struct sl_source *source;
    const struct sl_lock_entry *entry; /* NULL: not in the lock */
    enum sl_shown_state state;
    struct sl_view *lines; /* last - first + 1; NULL without a tree */
    const char *refused;   /* why a tree that is there is not used, or NULL */
};

/*
 * lock NULL: there is none. Lives in the arena, with views into the arguments.
 * SL_ERR_NOTFOUND: no such source, the tree is there and has no such lines, or it
 * is not there and the lock does not know them either.
 */
SL_CHECKED enum sl_status sl_citation_show(struct sl_arena *arena,
                                           const struct sl_sources *sources,
                                           const struct sl_lock *lock,
                                           struct sl_view text,
                                           struct sl_shown_citation *shown_out,
                                           struct sl_error *error);

void sl_citation_show_text(struct sl_buf *out,
                           const struct sl_shown_citation *shown);

/* Schema shmemlore.show/1, with a newline at its end. */
void sl_citation_show_json(struct sl_buf *out,
                           const struct sl_shown_citation *shown);

#endif
