/*
 * evidence/members.tsv: where the members of NVSHMEM's structs and unions lie, and
 * from which release to which. Read into structs that lie in the caller's arena and
 * view the table's bytes, which must stay. docs/internals/api-index.md has the columns.
 */
#ifndef SL_API_MEMBERS_H
#define SL_API_MEMBERS_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/status.h"

#define SL_MEMBERS_TSV "evidence/members.tsv"

/* One place of one member, in a stretch of releases. */
struct sl_member {
    struct sl_view type;
    struct sl_view path; /* "globalmem.rcs"; "-": the type as a whole */
    struct sl_view first, last; /* as in symbols.tsv */
    struct sl_view offset; /* bytes from the beginning; "12:3": bit 3 of them */
    struct sl_view size;   /* bytes; "5b": bits */
    struct sl_view declared; /* its type; "{}": without a name */
    struct sl_view line; /* PATH:LINE in the headers of `first` */
};

struct sl_members {
    struct sl_member *items; /* by type, then path, then release */
    size_t count;
    struct sl_map types; /* type to its first item */
};

/* An empty text gives an empty table. */
SL_CHECKED enum sl_status sl_members_parse(struct sl_arena *arena,
                                           struct sl_view text,
                                           struct sl_members *members_out,
                                           struct sl_error *error);

/* The items of a type, or NULL; *count_out of them. */
const struct sl_member *sl_members_of(const struct sl_members *members,
                                      struct sl_view type, size_t *count_out);

bool sl_member_in(const struct sl_member *member, struct sl_view release);

/* The member of this path in the release, among `count` of one type; or NULL. */
const struct sl_member *sl_member_find(const struct sl_member *items,
                                       size_t count, struct sl_view path,
                                       struct sl_view release);

/* The same place and width. */
bool sl_member_same(const struct sl_member *a, const struct sl_member *b);

/* Appends the table, header line and all. */
void sl_members_write(struct sl_buf *out, const struct sl_members *members);

#endif
