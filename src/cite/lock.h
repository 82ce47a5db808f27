/*
 * evidence/citations.lock: what each citation's lines were when somebody looked
 * at them. One line per distinct citation, sorted bytewise, fields between
 * tabs, hashes as in a line manifest:
 *
 *     shmemlore-lock 1
 *     CITATION COMMIT LINES BEFORE AFTER SYMBOL FLAG
 *
 * BEFORE and AFTER hold up to two neighbour lines each. SYMBOL is an identifier
 * that stands in the citing text and in the cited lines. FLAG is `trivial` when
 * every cited line has fewer than three characters. `-` is an empty field.
 */
#ifndef SL_CITE_LOCK_H
#define SL_CITE_LOCK_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/status.h"
#include "cite/citation.h"
#include "cite/manifest.h"

#define SL_NEIGHBOURS 2u /* kept on each side */

/* The anchor of one citation. */
struct sl_lock_entry {
    struct sl_view text; /* the citation */
    struct sl_citation citation;
    struct sl_view commit;
    struct sl_view symbol; /* empty: none */
    const uint64_t *lines; /* the cited lines' hashes; `before` hashes stand
                              in front of them and `after` behind them */
    unsigned before, after;
    bool trivial;
};

struct sl_lock {
    struct sl_lock_entry *entries; /* sorted by text; line of [i] is i + 2 */
    size_t count, cap;
};

/* Lives in the arena, with views into bytes. Messages begin "line N: ". */
SL_CHECKED enum sl_status sl_lock_parse(struct sl_arena *arena,
                                        struct sl_view bytes,
                                        struct sl_lock *lock_out,
                                        struct sl_error *error);

void sl_lock_write(struct sl_buf *out, const struct sl_lock *lock);

/* NULL when the citation is not in the lock. */
const struct sl_lock_entry *sl_lock_find(const struct sl_lock *lock,
                                         struct sl_view text);

/*
 * The anchor of a citation whose lines are there, without symbol and flag. It
 * points into the manifest. False when path or lines are not in the manifest.
 */
bool sl_lock_anchor(const struct sl_manifest *manifest, struct sl_view text,
                    const struct sl_citation *citation,
                    struct sl_lock_entry *entry_out);

#endif
