/* SQLite with our errors. Private to this folder. */
#ifndef SL_SEARCH_DB_H
#define SL_SEARCH_DB_H

#include <sqlite3.h>

#include "base/arena.h"
#include "base/status.h"
#include "search/words.h"

struct sl_index {
    sqlite3 *db;
    struct sl_words words;
    bool foreign; /* see sl_index_set_foreign() */
};

/* The SQLite message with what we were doing. */
enum sl_status sl_db_error(sqlite3 *db, const char *doing,
                           struct sl_error *error);

SL_CHECKED enum sl_status sl_db_exec(sqlite3 *db, const char *sql,
                                     struct sl_error *error);
SL_CHECKED enum sl_status sl_db_prepare(sqlite3 *db, const char *sql,
                                        sqlite3_stmt **statement_out,
                                        struct sl_error *error);
void sl_db_bind(sqlite3_stmt *statement, int at, struct sl_view text);

/* Runs a statement that gives no rows, and resets it. */
SL_CHECKED enum sl_status sl_db_run(sqlite3 *db, sqlite3_stmt *statement,
                                    struct sl_error *error);

/* A column's bytes, copied; ptr NULL when memory is used up. */
struct sl_view sl_db_text(struct sl_arena *arena, sqlite3_stmt *statement,
                          int column);

#endif
