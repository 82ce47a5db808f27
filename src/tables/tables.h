/*
 * The generated tables of the knowledge base: what stands between the markers of
 * kb/generated.h, made from the tables and the list of sources in evidence/ and from
 * where the sections speak of a name. docs/internals/names.md lists them.
 */
#ifndef SL_TABLES_TABLES_H
#define SL_TABLES_TABLES_H

#include "api/env.h"
#include "api/symbols.h"
#include "api/users.h"
#include "base/buf.h"
#include "cite/sources.h"
#include "kb/kb.h"

/* What the tables are made from. */
struct sl_tables_data {
    const struct sl_symbols *symbols;
    const struct sl_users *users;
    const struct sl_env_table *env;
    const struct sl_sources *sources;
    const struct sl_kb *kb;
};

struct sl_tables {
    struct sl_tables_data data;
    struct sl_map users;    /* name -> its row in lists */
    struct sl_map setters;  /* environment variable -> its row in lists */
    struct sl_view *lists;  /* "ID, ID" of the projects that use a name */
    size_t list_count, list_cap;
    struct sl_map sections; /* name -> the section that speaks of it most */
};

/* Views into the data, which must stay. Pasted and own names do not count. */
SL_CHECKED enum sl_status sl_tables_make(struct sl_arena *arena,
                                         const struct sl_tables_data *data,
                                         struct sl_tables *tables_out,
                                         struct sl_error *error);

/*
 * Appends one table for the file at path (links are relative to it).
 * SL_ERR_NOTFOUND when no table has that name.
 */
SL_CHECKED enum sl_status sl_table_write(struct sl_arena *arena,
                                         const struct sl_tables *tables,
                                         struct sl_view name,
                                         struct sl_view path,
                                         struct sl_buf *out,
                                         struct sl_error *error);

/* Appends the file's text with every table in it written anew. */
SL_CHECKED enum sl_status sl_tables_update(struct sl_arena *arena,
                                           const struct sl_tables *tables,
                                           struct sl_view path,
                                           struct sl_view text,
                                           struct sl_buf *out,
                                           struct sl_error *error);

#endif
