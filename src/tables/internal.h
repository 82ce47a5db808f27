/* What the files of this folder share. */
#ifndef SL_TABLES_INTERNAL_H
#define SL_TABLES_INTERNAL_H

#include "tables/tables.h"

/* "used WHICH" and "families GROUP"; false: there is no such table. */
bool sl_table_used(const struct sl_tables *tables, struct sl_view which,
                   struct sl_view path, struct sl_buf *out);
SL_CHECKED enum sl_status sl_table_families(struct sl_arena *arena,
                                            const struct sl_tables *tables,
                                            struct sl_view group,
                                            struct sl_buf *out, bool *known_out,
                                            struct sl_error *error);

/* "variables KIND", kind as in env.tsv, and "sources"; they share the caller's form. */
bool sl_table_variables(const struct sl_tables *tables, struct sl_view kind,
                        struct sl_view path, struct sl_buf *out);
void sl_table_sources(const struct sl_tables *tables, struct sl_buf *out);

/* A link to the section that speaks most of the name, else of the other one. */
void sl_table_section(struct sl_buf *out, const struct sl_tables *tables,
                      struct sl_view name, struct sl_view other,
                      struct sl_view path);

/* "3.5.19", "3.3.9 to 3.4.5": a release after which it is gone stands last. */
void sl_table_gate(struct sl_buf *out, struct sl_view first,
                   struct sl_view last);

#endif
