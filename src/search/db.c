#include "search/db.h"

enum sl_status sl_db_error(sqlite3 *db, const char *doing,
                           struct sl_error *error)
{
    int code = sqlite3_errcode(db);
    if (code == SQLITE_NOMEM)
        return sl_error_nomem(error);
    return sl_error_set(error, SL_ERR_INTERNAL, "search index, %s: %s", doing,
                        sqlite3_errmsg(db));
}

enum sl_status sl_db_exec(sqlite3 *db, const char *sql,
                          struct sl_error *error)
{
    if (sqlite3_exec(db, sql, NULL, NULL, NULL))
        return sl_db_error(db, "statement", error);
    return SL_OK;
}

enum sl_status sl_db_prepare(sqlite3 *db, const char *sql,
                             sqlite3_stmt **statement_out,
                             struct sl_error *error)
{
    if (sqlite3_prepare_v2(db, sql, -1, statement_out, NULL))
        return sl_db_error(db, "preparing", error);
    return SL_OK;
}

void sl_db_bind(sqlite3_stmt *statement, int at, struct sl_view text)
{
    (void)sqlite3_bind_text64(statement, at, text.ptr ? text.ptr : "",
                              text.len, SQLITE_STATIC, SQLITE_UTF8);
}

enum sl_status sl_db_run(sqlite3 *db, sqlite3_stmt *statement,
                         struct sl_error *error)
{
    int rc = sqlite3_step(statement);
    if (rc != SQLITE_DONE && rc != SQLITE_ROW) {
        enum sl_status status = sl_db_error(db, "writing", error);
        sqlite3_reset(statement);
        return status;
    }
    sqlite3_reset(statement);
    return SL_OK;
}

struct sl_view sl_db_text(struct sl_arena *arena, sqlite3_stmt *statement,
                          int column)
{
    const void *bytes = sqlite3_column_blob(statement, column);
    int n = sqlite3_column_bytes(statement, column);
    return sl_arena_copy(arena, (struct sl_view){bytes, n > 0 ? (size_t)n : 0});
}
