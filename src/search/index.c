#include "search/index.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "kb/generated.h"
#include "search/db.h"
#include "search/rank.h"
#include "search/tokenizer.h"

/* Raise when tables or tokens change: an image of another format is refused. */
#define FORMAT "1"

static const char schema[] =
    "CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;"
    "CREATE TABLE file(path TEXT PRIMARY KEY, bytes BLOB) WITHOUT ROWID;"
    "CREATE TABLE section(n INTEGER PRIMARY KEY, id TEXT UNIQUE, title TEXT,"
    " file TEXT, line INT, level INT, own TEXT);"
    "CREATE TABLE alias(id TEXT PRIMARY KEY, n INT) WITHOUT ROWID;"
    "CREATE TABLE name(name TEXT PRIMARY KEY) WITHOUT ROWID;"
    "CREATE VIRTUAL TABLE words USING fts5(title, asks, file, body,"
    " content='', tokenize='shmemlore');"
    "INSERT INTO meta VALUES('format', '" FORMAT "');";

static enum sl_status make(struct sl_index **index_out, struct sl_error *error)
{
    struct sl_index *index = calloc(1, sizeof *index);
    if (!index)
        return sl_error_nomem(error);
    enum sl_status status = sl_words_load(&index->words, error);
    if (status) {
        free(index);
        return status;
    }
    if (sqlite3_open_v2(":memory:", &index->db,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
                            SQLITE_OPEN_NOMUTEX,
                        NULL))
        status = sl_error_set(error, SL_ERR_INTERNAL, "cannot open SQLite");
    if (!status)
        status = sl_tokenizer_register(index->db, &index->words, error);
    if (!status)
        status = sl_rank_register(index->db, error);
    if (status) {
        sl_index_close(index);
        return status;
    }
    *index_out = index;
    return SL_OK;
}

void sl_index_set_foreign(struct sl_index *index)
{
    index->foreign = true;
}

void sl_index_close(struct sl_index *index)
{
    if (!index)
        return;
    sqlite3_close(index->db);
    sl_words_release(&index->words);
    free(index);
}

static enum sl_status add_file(sqlite3 *db, sqlite3_stmt *insert,
                               struct sl_view path, struct sl_view bytes,
                               struct sl_error *error)
{
    sl_db_bind(insert, 1, path);
    (void)sqlite3_bind_blob64(insert, 2, bytes.len ? bytes.ptr : "", bytes.len,
                              SQLITE_STATIC);
    return sl_db_run(db, insert, error);
}

static enum sl_status add_files(sqlite3 *db, const struct sl_kb *kb,
                                const struct sl_index_file *files,
                                size_t count, struct sl_error *error)
{
    sqlite3_stmt *insert;
    enum sl_status status = sl_db_prepare(
        db, "INSERT OR REPLACE INTO file VALUES(?1, ?2)", &insert, error);
    if (status)
        return status;
    for (size_t i = 0; i < kb->file_count && !status; i++)
        status = add_file(db, insert, kb->files[i].path, kb->files[i].bytes,
                          error);
    for (size_t i = 0; i < count && !status; i++)
        status = add_file(db, insert, files[i].path, files[i].bytes, error);
    sqlite3_finalize(insert);
    return status;
}

/* What a section is about beside its own words: its file's title and summary. */
static struct sl_view context_of(struct sl_buf *buf,
                                 const struct sl_kb_file *file,
                                 const struct sl_section *section,
                                 const struct sl_kb *kb)
{
    sl_buf_truncate(buf, 0);
    sl_buf_add(buf, sl_yaml_text(file->front, "title"));
    sl_buf_putc(buf, '\n');
    if (section->level == 1)
        sl_buf_add(buf, sl_yaml_text(file->front, "summary"));
    else if (section->parent != SIZE_MAX)
        sl_buf_add(buf, kb->sections[section->parent].title);
    return sl_buf_view(buf);
}

/* Whether a line is `<a id="x"></a>`, once or more often. */
static bool is_anchors(struct sl_view line)
{
    line = sl_view_trim(line);
    while (sl_view_starts(line, "<a ")) {
        size_t end = sl_view_find(line, SL_LIT(">"), 0);
        if (end == SIZE_MAX ||
            !sl_view_starts(sl_view_sub(line, end + 1, line.len), "</a>"))
            return false;
        line = sl_view_trim(sl_view_sub(line, end + 5, line.len));
        if (!line.len)
            return true;
    }
    return false;
}

/* A section without the anchors at its end: they are the next heading's. */
static struct sl_view without_anchors(struct sl_view own)
{
    struct sl_view text = sl_view_trim(own);
    size_t keep = own.len;
    while (text.len) {
        size_t begin = text.len;
        while (begin && text.ptr[begin - 1] != '\n')
            begin--;
        if (!is_anchors(sl_view_sub(text, begin, text.len)))
            break;
        keep = (size_t)(text.ptr + begin - own.ptr);
        text = sl_view_trim(sl_view_sub(text, 0, begin));
    }
    return sl_view_sub(own, 0, keep);
}

static enum sl_status add_sections(sqlite3 *db, const struct sl_kb *kb,
                                   struct sl_error *error)
{
    sqlite3_stmt *row = NULL, *words = NULL;
    struct sl_buf context, body;
    sl_buf_init(&context, SL_MAX_FRONT_MATTER + SL_MAX_MARKDOWN_FILE);
    sl_buf_init(&body, SL_MAX_MARKDOWN_FILE);
    enum sl_status status = sl_db_prepare(
        db, "INSERT INTO section VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)", &row,
        error);
    if (!status)
        status = sl_db_prepare(
            db,
            "INSERT INTO words(rowid, title, asks, file, body)"
            " VALUES(?1, ?2, ?3, ?4, ?5)",
            &words, error);
    for (size_t i = 0; i < kb->section_count && !status; i++) {
        const struct sl_section *s = &kb->sections[i];
        const struct sl_kb_file *file = &kb->files[s->file];
        struct sl_view own = without_anchors(s->own);
        sqlite3_bind_int64(row, 1, (sqlite3_int64)i + 1);
        sl_db_bind(row, 2, s->id);
        sl_db_bind(row, 3, s->title);
        sl_db_bind(row, 4, file->path);
        sqlite3_bind_int64(row, 5, s->line);
        sqlite3_bind_int64(row, 6, s->level);
        sl_db_bind(row, 7, own);
        status = sl_db_run(db, row, error);
        if (status)
            break;
        size_t below = sl_view_find(own, SL_LIT("\n"), 0);
        sl_buf_truncate(&body, 0);
        sl_generated_strip(&body, sl_view_sub(own, below, own.len));
        if (!sl_view_trim(sl_buf_view(&body)).len && !s->asks.len &&
            sl_generated_bytes(s->own))
            continue; /* a table alone: `symbol` finds what is in it */
        sqlite3_bind_int64(words, 1, (sqlite3_int64)i + 1);
        sl_db_bind(words, 2, s->title);
        sl_db_bind(words, 3, s->asks);
        sl_db_bind(words, 4, context_of(&context, file, s, kb));
        sl_db_bind(words, 5, sl_buf_view(&body));
        status = sl_db_run(db, words, error);
    }
    if (!status)
        status = sl_buf_check(&context, error);
    if (!status)
        status = sl_buf_check(&body, error);
    sl_buf_release(&context);
    sl_buf_release(&body);
    sqlite3_finalize(row);
    sqlite3_finalize(words);
    return status;
}

static enum sl_status add_aliases(sqlite3 *db, const struct sl_kb *kb,
                                  struct sl_error *error)
{
    sqlite3_stmt *insert;
    enum sl_status status = sl_db_prepare(
        db, "INSERT OR IGNORE INTO alias VALUES(?1, ?2)", &insert, error);
    if (status)
        return status;
    for (size_t i = 0; i < kb->aliases.cap && !status; i++) {
        const struct sl_map_slot *slot = &kb->aliases.slots[i];
        if (!slot->key.ptr)
            continue;
        sl_db_bind(insert, 1, slot->key);
        sqlite3_bind_int64(insert, 2, (sqlite3_int64)slot->value + 1);
        status = sl_db_run(db, insert, error);
    }
    sqlite3_finalize(insert);
    return status;
}

/* Identifiers of the text, for the spelling fallback. */
static enum sl_status add_names(sqlite3 *db, const struct sl_kb *kb,
                                struct sl_error *error)
{
    sqlite3_stmt *insert;
    enum sl_status status = sl_db_prepare(
        db, "INSERT OR IGNORE INTO name VALUES(?1)", &insert, error);
    if (status)
        return status;
    for (size_t i = 0; i < kb->refs.count && !status; i++) {
        const struct sl_ref *ref = &kb->refs.items[i];
        if ((ref->kind != SL_REF_NAME && ref->kind != SL_REF_VARIABLE) ||
            !sl_word_is_identifier(ref->text) || ref->text.len > SL_MAX_TOKEN)
            continue;
        sl_db_bind(insert, 1, ref->text);
        status = sl_db_run(db, insert, error);
    }
    sqlite3_finalize(insert);
    return status;
}

enum sl_status sl_index_build(const struct sl_kb *kb,
                              const struct sl_index_file *files,
                              size_t file_count, struct sl_index **index_out,
                              struct sl_error *error)
{
    struct sl_index *index;
    enum sl_status status = make(&index, error);
    if (status)
        return status;
    sqlite3 *db = index->db;
    status = sl_db_exec(db, schema, error);
    if (!status)
        status = sl_db_exec(db, "BEGIN", error);
    if (!status)
        status = add_files(db, kb, files, file_count, error);
    if (!status)
        status = add_sections(db, kb, error);
    if (!status)
        status = add_aliases(db, kb, error);
    if (!status)
        status = add_names(db, kb, error);
    if (!status)
        status = sl_db_exec(db, "COMMIT", error);
    if (status) {
        sl_index_close(index);
        return status;
    }
    *index_out = index;
    return SL_OK;
}

enum sl_status sl_index_serialize(struct sl_index *index, struct sl_buf *image,
                                  struct sl_error *error)
{
    enum sl_status status = sl_db_exec(
        index->db, "INSERT INTO words(words) VALUES('optimize'); VACUUM",
        error);
    if (status)
        return status;
    sqlite3_int64 size = 0;
    unsigned char *bytes = sqlite3_serialize(index->db, "main", &size, 0);
    if (!bytes)
        return sl_error_nomem(error);
    sl_buf_add(image, (struct sl_view){(const char *)bytes, (size_t)size});
    sqlite3_free(bytes);
    return sl_buf_check(image, error);
}

enum sl_status sl_index_open(struct sl_view image, struct sl_index **index_out,
                             struct sl_error *error)
{
    struct sl_index *index;
    enum sl_status status = make(&index, error);
    if (status)
        return status;
    /* READONLY: SQLite never writes to the bytes, although its type says so */
    unsigned char *bytes = (unsigned char *)(uintptr_t)image.ptr;
    sqlite3_stmt *statement = NULL;
    if (sqlite3_deserialize(index->db, "main", bytes, (sqlite3_int64)image.len,
                            (sqlite3_int64)image.len,
                            SQLITE_DESERIALIZE_READONLY))
        status = sl_db_error(index->db, "opening the image", error);
    /* pages are then read where they lie, not copied into a cache first */
    if (!status)
        status = sl_db_exec(index->db, "PRAGMA mmap_size = 268435456", error);
    if (!status)
        status = sl_db_prepare(index->db,
                               "SELECT value FROM meta WHERE key = 'format'",
                               &statement, error);
    if (!status) {
        const char *format =
            sqlite3_step(statement) == SQLITE_ROW
                ? (const char *)sqlite3_column_text(statement, 0)
                : NULL;
        if (!format || strcmp(format, FORMAT) != 0)
            status = sl_error_set(error, SL_ERR_SYNTAX,
                                  "the image is of format %s, this program "
                                  "reads " FORMAT,
                                  format ? format : "(none)");
        sqlite3_finalize(statement);
    }
    if (status) {
        sl_index_close(index);
        return status;
    }
    *index_out = index;
    return SL_OK;
}
