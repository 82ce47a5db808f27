/* What the files of this folder share: the uses, and what they are judged by. */
#ifndef SL_UPGRADE_INTERNAL_H
#define SL_UPGRADE_INTERNAL_H

#include "api/env.h"
#include "api/meanings.h"
#include "api/members.h"
#include "api/symbols.h"
#include "base/map.h"
#include "upgrade/paths.h"
#include "upgrade/upgrade.h"
#include "usage/index.h"

/* One place of the user's tree. */
struct sl_spot {
    size_t file; /* of usage.files */
    const struct sl_use *use;
};

/* What the user's code defines, by name. */
struct sl_own {
    const struct sl_use *use;
    size_t file;
    size_t next; /* of the same name, or SIZE_MAX */
    bool is_member;
    bool hides; /* something was not judged because of it */
};

struct sl_edge {
    size_t included, includer; /* files */
};

struct sl_scopes {
    struct sl_own *items;
    size_t count, cap;
    struct sl_map index;   /* name to its newest item */
    struct sl_edge *edges; /* by included */
    size_t edge_count, edge_cap;
    struct sl_map reach;  /* "FILE" to the place of its set of includers */
    struct sl_map usings; /* "FILE NAMESPACE" */
};

/* The user's trees, read. */
struct sl_spots {
    struct sl_spot *items; /* by file, then place */
    size_t count, cap;
    struct sl_usage usage; /* what the uses live in */
    struct sl_scopes scopes;
};

/* Counts of files and bytes, and what was left, go to *upgrade. */
SL_CHECKED enum sl_status
sl_spots_read(struct sl_arena *arena, const struct sl_upgrade_request *request,
              const struct sl_map *fields, struct sl_spots *spots_out,
              struct sl_upgrade *upgrade, struct sl_error *error);
void sl_spots_release(struct sl_spots *spots);

/* Fills spots->scopes. */
SL_CHECKED enum sl_status sl_scopes_read(struct sl_arena *arena,
                                         struct sl_spots *spots,
                                         struct sl_error *error);

/*
 * The user's own definition that the name of this use stands for, or NULL in *own_out.
 * A definition that others do not see by linking counts in its file and in those that
 * include it; a namespace's inside of it and where it is used; a class's member inside
 * of the class.
 */
SL_CHECKED enum sl_status sl_scopes_find(struct sl_arena *arena,
                                         struct sl_spots *spots,
                                         const struct sl_spot *spot,
                                         struct sl_own **own_out,
                                         struct sl_error *error);

const char *sl_own_reach(const struct sl_own *own);

struct sl_judge {
    struct sl_corpus *corpus;
    struct sl_arena *arena;
    struct sl_symbols symbols;
    struct sl_members members;
    struct sl_env_table env;
    struct sl_view options; /* options.tsv, or empty */
    struct sl_meanings meanings;
    struct sl_map fields; /* names of members that lie elsewhere in the new release */
    struct sl_spots *spots;
    struct sl_upgrade *upgrade;
    struct sl_map told; /* what is told once: "KIND NAME" */
    struct sl_map typed; /* what has which type: sl_judge_accesses() */
    struct sl_error *error;
};

SL_CHECKED enum sl_status sl_judge_spot(struct sl_judge *judge,
                                        const struct sl_spot *spot);

/*
 * Of a name that the package of the new release does not declare: that its headers, or
 * those of the old one, do with an option that is off. *told_out false: neither does.
 */
SL_CHECKED enum sl_status sl_judge_option(struct sl_judge *judge,
                                          const struct sl_spot *spot,
                                          bool *told_out);

/*
 * What a name that stays does otherwise, or better, in the new release, from the table:
 * an error at each place, others once a file. A member is named by its type, a dot and
 * its path.
 */
SL_CHECKED enum sl_status sl_judge_meaning(struct sl_judge *judge, size_t file,
                                           const struct sl_use *use,
                                           struct sl_view name);

/* Adds a finding; the message's text is copied, and it is released. */
SL_CHECKED enum sl_status sl_judge_tell(struct sl_judge *judge, size_t file,
                                        const struct sl_use *use,
                                        enum sl_upgrade_level level,
                                        const char *kind,
                                        struct sl_buf *message,
                                        struct sl_view section);

/* Whether this is told for the first time; *first_out false: it was. */
SL_CHECKED enum sl_status sl_judge_once(struct sl_judge *judge,
                                        const char *kind, struct sl_view name,
                                        bool *first_out);

/*
 * What a type, or the type of a variable, is made of in a release: aliases followed,
 * *name_out the last name.
 */
struct sl_view sl_judge_resolve(const struct sl_judge *judge,
                                const struct sl_symbol *symbol,
                                struct sl_view release,
                                struct sl_view *name_out);

/* The members of a type in the old release and in the new one. */
struct sl_layouts {
    const struct sl_member *was, *is;
    size_t was_count, is_count;
    struct sl_view was_type, is_type; /* aliases followed */
};

/* False: the table has no members of it in one of them. */
bool sl_layouts_of(const struct sl_judge *judge, const struct sl_symbol *symbol,
                   struct sl_layouts *layouts_out);

/* Fills judge->fields. */
SL_CHECKED enum sl_status sl_layouts_fields(struct sl_judge *judge);

/* "; members: a moved, b is new, ..."; whether there is any difference. */
bool sl_layouts_put(const struct sl_judge *judge, struct sl_buf *out,
                    const struct sl_layouts *layouts);

/* The uses of members that lie elsewhere, or nowhere, in the new release. */
SL_CHECKED enum sl_status sl_judge_accesses(struct sl_judge *judge);

#endif
