/* All that an index holds, in order: for lists and completions. */
#include "search/db.h"
#include "search/index.h"

enum sl_status sl_index_sections(struct sl_index *index, struct sl_arena *arena,
                                 struct sl_found **sections_out,
                                 size_t *count_out, struct sl_error *error)
{
    struct sl_found *sections = NULL;
    size_t count = 0, cap = 0;
    sqlite3_stmt *statement;
    enum sl_status status = sl_db_prepare(
        index->db,
        "SELECT id, title, file, line, level FROM section ORDER BY n",
        &statement, error);
    if (status)
        return status;
    int rc;
    while ((rc = sqlite3_step(statement)) == SQLITE_ROW && !status) {
        sections = sl_arena_grow(arena, sections, sizeof *sections, count,
                                 &cap);
        struct sl_found found = {
            .id = sl_db_text(arena, statement, 0),
            .title = sl_db_text(arena, statement, 1),
            .file = sl_db_text(arena, statement, 2),
            .line = (unsigned)sqlite3_column_int64(statement, 3),
            .level = (unsigned)sqlite3_column_int64(statement, 4),
        };
        if (sections && found.id.ptr && found.title.ptr && found.file.ptr)
            sections[count++] = found;
        else
            status = sl_error_nomem(error);
    }
    if (!status && rc != SQLITE_DONE)
        status = sl_db_error(index->db, "reading", error);
    sqlite3_finalize(statement);
    if (status)
        return status;
    *sections_out = sections;
    *count_out = count;
    return SL_OK;
}

enum sl_status sl_index_files(struct sl_index *index, struct sl_arena *arena,
                              struct sl_view **paths_out, size_t *count_out,
                              struct sl_error *error)
{
    struct sl_view *paths = NULL;
    size_t count = 0, cap = 0;
    sqlite3_stmt *statement;
    enum sl_status status = sl_db_prepare(
        index->db, "SELECT path FROM file ORDER BY path", &statement, error);
    if (status)
        return status;
    int rc;
    while ((rc = sqlite3_step(statement)) == SQLITE_ROW && !status) {
        paths = sl_arena_grow(arena, paths, sizeof *paths, count, &cap);
        struct sl_view path = sl_db_text(arena, statement, 0);
        if (paths && path.ptr)
            paths[count++] = path;
        else
            status = sl_error_nomem(error);
    }
    if (!status && rc != SQLITE_DONE)
        status = sl_db_error(index->db, "reading", error);
    sqlite3_finalize(statement);
    if (status)
        return status;
    *paths_out = paths;
    *count_out = count;
    return SL_OK;
}
