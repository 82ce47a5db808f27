/* What changed between two releases, by the tables alone. */
#ifndef SL_API_DIFF_H
#define SL_API_DIFF_H

#include "api/env.h"
#include "api/symbols.h"

enum sl_change_kind { SL_CHANGE_ADDED, SL_CHANGE_REMOVED, SL_CHANGE_SIGNATURE };

struct sl_change {
    enum sl_change_kind kind;
    const struct sl_symbol *symbol;
    struct sl_view before, after; /* signatures; ptr NULL where it is not in */
};

struct sl_changes {
    struct sl_change *items; /* by name */
    size_t count, cap;
};

/*
 * The way from one release to another, in either direction; both as
 * sl_release_read() takes them, which names those that there are (SL_ERR_USAGE).
 */
SL_CHECKED enum sl_status sl_api_diff(struct sl_arena *arena,
                                      const struct sl_symbols *symbols,
                                      struct sl_view from, struct sl_view to,
                                      struct sl_changes *changes_out,
                                      struct sl_error *error);

/*
 * A variable that one of the two releases reads and the other does not. Defaults are
 * known of the pinned release alone, so that none can be told to have changed.
 */
struct sl_env_change {
    enum sl_change_kind kind; /* SL_CHANGE_ADDED or SL_CHANGE_REMOVED */
    const struct sl_env *env;
};

struct sl_env_changes {
    struct sl_env_change *items; /* by name */
    size_t count, cap;
};

/* The same way for variables. */
SL_CHECKED enum sl_status sl_env_diff(struct sl_arena *arena,
                                      const struct sl_env_table *table,
                                      struct sl_view from, struct sl_view to,
                                      struct sl_env_changes *changes_out,
                                      struct sl_error *error);

const char *sl_change_kind_name(enum sl_change_kind kind);

#endif
