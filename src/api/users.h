/*
 * evidence/usage.tsv: who of the pinned projects uses which name where. One row for
 * each different combination of all but the last two columns;
 * docs/internals/usage-index.md says how it is made and what they may hold.
 */
#ifndef SL_API_USERS_H
#define SL_API_USERS_H

#include "base/arena.h"
#include "base/status.h"

#define SL_USAGE_TSV "evidence/usage.tsv"

struct sl_user {
    struct sl_view source; /* id in evidence/sources.yaml */
    struct sl_view name;   /* `*` in it: what a macro pastes */
    struct sl_view kind;   /* call, reference, env-set, ... */
    struct sl_view language;
    bool own;              /* the project defines the name itself */
    struct sl_view how, value;
    size_t count;
    struct sl_view places; /* the first ones, PATH:LINE[@SCOPE], blanks between */
};

struct sl_users {
    struct sl_user *items; /* in the table's order: by source, then name */
    size_t count, cap;
};

/*
 * Rows of that name, with those whose pasted name fits it; all rows when name is
 * empty. Lives in the arena, with views into bytes.
 */
SL_CHECKED enum sl_status sl_users_parse(struct sl_arena *arena,
                                         struct sl_view bytes,
                                         struct sl_view name,
                                         struct sl_users *users_out,
                                         struct sl_error *error);

/* A place in code that the compiler or interpreter sees: no text, no variable. */
bool sl_user_is_code(const struct sl_user *user);

/* One of the two libraries that are read in depth: they are told first. */
bool sl_source_is_study(struct sl_view source);

/* It sets or reads an environment variable. */
bool sl_user_is_env(const struct sl_user *user);

#endif
