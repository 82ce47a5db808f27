/*
 * evidence/options.tsv: names that the headers declare only with a build option which
 * the released package leaves off. They are no names of the release, and none is in
 * symbols.tsv for the releases told here; docs/internals/api-index.md has the columns.
 */
#ifndef SL_API_OPTIONS_H
#define SL_API_OPTIONS_H

#include "api/symbols.h"

#define SL_OPTIONS_TSV "evidence/options.tsv"

struct sl_option_name {
    struct sl_view name, kind, option;
    struct sl_view first, last; /* as of struct sl_symbol */
    struct sl_view line, signature;
};

/* The table of what was found; symbols' family is the option. */
void sl_options_write(struct sl_buf *out, const struct sl_symbols *found);

/*
 * The row of a name, which views table; *found_out false without one. An empty table
 * has none; SL_ERR_SYNTAX for a table of another form.
 */
SL_CHECKED enum sl_status sl_options_find(struct sl_view table,
                                          struct sl_view name,
                                          struct sl_option_name *row_out,
                                          bool *found_out,
                                          struct sl_error *error);

/* Whether the release's headers have the row's name, with its option. */
bool sl_option_in(const struct sl_option_name *row, struct sl_view release);

#endif
