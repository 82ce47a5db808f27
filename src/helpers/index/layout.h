/* The members of many releases' types, one row for each place: members.tsv. */
#ifndef SL_INDEX_LAYOUT_H
#define SL_INDEX_LAYOUT_H

#include "api/members.h"
#include "helpers/index/release.h"

struct sl_layout_row;

struct sl_layout {
    struct sl_arena *arena;
    struct sl_layout_row *rows;
    size_t count, cap;
    struct sl_map newest; /* "TYPE MEMBER" to its newest row */
    size_t release_count;
};

void sl_layout_init(struct sl_layout *layout, struct sl_arena *arena);

/* Releases come in ascending order. Nothing of release need stay afterwards. */
SL_CHECKED enum sl_status sl_layout_add(struct sl_layout *layout,
                                        const struct sl_release *release,
                                        struct sl_error *error);

/* releases: those that were added, ascending, first one marked as the oldest. */
SL_CHECKED enum sl_status sl_layout_finish(struct sl_layout *layout,
                                           const struct sl_view *releases,
                                           struct sl_members *members_out,
                                           struct sl_error *error);

/*
 * Compares the committed table with a fresh one, release by release: what differs goes
 * to out, a line each. *differences_out counts on.
 */
SL_CHECKED enum sl_status sl_layout_check(struct sl_arena *arena,
                                          struct sl_buf *out,
                                          const struct sl_members *committed,
                                          const struct sl_members *fresh,
                                          const struct sl_view *releases,
                                          size_t release_count,
                                          size_t *differences_out,
                                          struct sl_error *error);

#endif
