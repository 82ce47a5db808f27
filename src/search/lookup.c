/* Sections and files by name, out of the index. */
#include <string.h>

#include "base/limits.h"
#include "search/db.h"
#include "search/edit.h"
#include "search/index.h"
#include "search/row.h"

enum sl_status sl_row_section(struct sl_arena *arena, sqlite3_stmt *statement,
                              struct sl_found *found_out,
                              struct sl_error *error)
{
    struct sl_found found = {
        .id = sl_db_text(arena, statement, 0),
        .title = sl_db_text(arena, statement, 1),
        .file = sl_db_text(arena, statement, 2),
        .line = (unsigned)sqlite3_column_int64(statement, 3),
        .level = (unsigned)sqlite3_column_int64(statement, 4),
        .own = sl_db_text(arena, statement, 5),
    };
    if (!found.id.ptr || !found.title.ptr || !found.file.ptr || !found.own.ptr)
        return sl_error_nomem(error);
    *found_out = found;
    return SL_OK;
}

/* The section's number in the table, or SL_ERR_NOTFOUND. */
static enum sl_status number_of(struct sl_index *index, struct sl_view id,
                                sqlite3_int64 *n_out, struct sl_error *error)
{
    sqlite3_stmt *statement;
    enum sl_status status = sl_db_prepare(
        index->db,
        "SELECT n FROM section WHERE id = ?1"
        " UNION ALL SELECT n FROM alias WHERE id = ?1 LIMIT 1",
        &statement, error);
    if (status)
        return status;
    sl_db_bind(statement, 1, id);
    int rc = sqlite3_step(statement);
    if (rc == SQLITE_ROW)
        *n_out = sqlite3_column_int64(statement, 0);
    else if (rc == SQLITE_DONE)
        status = sl_error_set(error, SL_ERR_NOTFOUND, "no section '%.*s'",
                              SL_ARG(sl_view_sub(id, 0, 200)));
    else
        status = sl_db_error(index->db, "reading", error);
    sqlite3_finalize(statement);
    return status;
}

enum sl_status sl_index_section(struct sl_index *index, struct sl_arena *arena,
                                struct sl_view id, struct sl_found *found_out,
                                struct sl_error *error)
{
    sqlite3_int64 n = 0;
    enum sl_status status = number_of(index, id, &n, error);
    sqlite3_stmt *statement;
    if (!status)
        status = sl_db_prepare(index->db,
                               "SELECT " SL_ROW_COLUMNS
                               " FROM section WHERE n = ?1",
                               &statement, error);
    if (status)
        return status;
    sqlite3_bind_int64(statement, 1, n);
    if (sqlite3_step(statement) == SQLITE_ROW)
        status = sl_row_section(arena, statement, found_out, error);
    else
        status = sl_db_error(index->db, "reading", error);
    sqlite3_finalize(statement);
    return status;
}

enum sl_status sl_index_subtree(struct sl_index *index, struct sl_arena *arena,
                                struct sl_view id, struct sl_view *text_out,
                                struct sl_error *error)
{
    sqlite3_int64 n = 0;
    enum sl_status status = number_of(index, id, &n, error);
    sqlite3_stmt *statement;
    if (!status)
        status = sl_db_prepare(index->db,
                               "SELECT file, level, own FROM section"
                               " WHERE n >= ?1 ORDER BY n",
                               &statement, error);
    if (status)
        return status;
    sqlite3_bind_int64(statement, 1, n);
    struct sl_buf buf;
    sl_buf_init(&buf, SL_MAX_MARKDOWN_FILE);
    struct sl_view file = {NULL, 0};
    sqlite3_int64 level = 0;
    int rc;
    while ((rc = sqlite3_step(statement)) == SQLITE_ROW) {
        struct sl_view here = sl_db_text(arena, statement, 0);
        if (!here.ptr) {
            status = sl_error_nomem(error);
            break;
        }
        if (!file.ptr) {
            file = here;
            level = sqlite3_column_int64(statement, 1);
        } else if (!sl_view_eq(here, file) ||
                   sqlite3_column_int64(statement, 1) <= level) {
            break;
        }
        sl_buf_add(&buf, sl_db_text(arena, statement, 2));
    }
    sqlite3_finalize(statement);
    if (!status)
        status = sl_buf_check(&buf, error);
    if (!status) {
        *text_out = sl_arena_copy(arena, sl_buf_view(&buf));
        if (!text_out->ptr)
            status = sl_error_nomem(error);
    }
    sl_buf_release(&buf);
    return status;
}

enum sl_status sl_index_read(struct sl_index *index, struct sl_arena *arena,
                             struct sl_view path, struct sl_view *bytes_out,
                             struct sl_error *error)
{
    sqlite3_stmt *statement;
    enum sl_status status =
        sl_db_prepare(index->db, "SELECT bytes FROM file WHERE path = ?1",
                      &statement, error);
    if (status)
        return status;
    sl_db_bind(statement, 1, path);
    if (sqlite3_step(statement) == SQLITE_ROW) {
        struct sl_view bytes = sl_db_text(arena, statement, 0);
        if (bytes.ptr)
            *bytes_out = bytes;
        else
            status = sl_error_nomem(error);
    } else {
        status = sl_error_set(error, SL_ERR_NOTFOUND,
                              "this knowledge base has no file '%.*s'",
                              SL_ARG(sl_view_sub(path, 0, 200)));
    }
    sqlite3_finalize(statement);
    return status;
}

/* The ids that a query with the one parameter ?1 gives. */
static enum sl_status list_ids(struct sl_index *index, struct sl_arena *arena,
                               const char *sql, struct sl_view parameter,
                               size_t limit, struct sl_view *ids_out,
                               size_t *count_out, struct sl_error *error)
{
    sqlite3_stmt *statement;
    enum sl_status status = sl_db_prepare(index->db, sql, &statement, error);
    if (status)
        return status;
    sl_db_bind(statement, 1, parameter);
    size_t count = 0;
    while (!status && count < limit && sqlite3_step(statement) == SQLITE_ROW) {
        ids_out[count] = sl_db_text(arena, statement, 0);
        if (!ids_out[count++].ptr)
            status = sl_error_nomem(error);
    }
    sqlite3_finalize(statement);
    if (!status)
        *count_out = count;
    return status;
}

enum sl_status sl_index_naming(struct sl_index *index, struct sl_arena *arena,
                               struct sl_view text, size_t limit,
                               struct sl_view *ids_out, size_t *count_out,
                               struct sl_error *error)
{
    return list_ids(index, arena,
                    "SELECT id FROM section WHERE instr(own, ?1) ORDER BY n",
                    text, limit, ids_out, count_out, error);
}

enum sl_status sl_index_beginning(struct sl_index *index,
                                  struct sl_arena *arena,
                                  struct sl_view prefix, size_t limit,
                                  struct sl_view *ids_out, size_t *count_out,
                                  struct sl_error *error)
{
    return list_ids(index, arena,
                    "SELECT id FROM section"
                    " WHERE substr(id, 1, length(?1)) = ?1 ORDER BY n",
                    prefix, limit, ids_out, count_out, error);
}

/* Keeps ids_out sorted by distance; the table is small. */
static void insert_near(struct sl_view *ids, unsigned *distances,
                        size_t *count, size_t limit, struct sl_view id,
                        unsigned distance)
{
    size_t at = *count;
    while (at && distances[at - 1] > distance)
        at--;
    if (at == limit)
        return;
    size_t last = *count < limit ? *count : limit - 1;
    memmove(ids + at + 1, ids + at, (last - at) * sizeof *ids);
    memmove(distances + at + 1, distances + at,
            (last - at) * sizeof *distances);
    ids[at] = id;
    distances[at] = distance;
    *count = last + 1;
}

enum sl_status sl_index_similar(struct sl_index *index, struct sl_arena *arena,
                                struct sl_view id, size_t limit,
                                struct sl_view *ids_out, size_t *count_out,
                                struct sl_error *error)
{
    unsigned distances[SL_MAX_RESULTS];
    if (limit > SL_MAX_RESULTS)
        limit = SL_MAX_RESULTS;
    sqlite3_stmt *statement;
    enum sl_status status = sl_db_prepare(
        index->db, "SELECT id FROM section ORDER BY n", &statement, error);
    if (status)
        return status;
    size_t count = 0;
    while (!status && sqlite3_step(statement) == SQLITE_ROW) {
        struct sl_view other = sl_db_text(arena, statement, 0);
        if (!other.ptr)
            status = sl_error_nomem(error);
        else if (sl_view_find(other, id, 0) != SIZE_MAX)
            insert_near(ids_out, distances, &count, limit, other, 0);
        else if (sl_edit_distance(id, other, 6) <= 6)
            insert_near(ids_out, distances, &count, limit, other,
                        sl_edit_distance(id, other, 6));
    }
    sqlite3_finalize(statement);
    if (!status)
        *count_out = count;
    return status;
}
