/* One row of the section table into a struct. Private to this folder. */
#ifndef SL_SEARCH_ROW_H
#define SL_SEARCH_ROW_H

#include "search/db.h"
#include "search/index.h"

#define SL_ROW_COLUMNS "id, title, file, line, level, own"

SL_CHECKED enum sl_status sl_row_section(struct sl_arena *arena,
                                         sqlite3_stmt *statement,
                                         struct sl_found *found_out,
                                         struct sl_error *error);

#endif
