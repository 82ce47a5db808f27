/* Which sections name a symbol or a variable. */
#include <stdlib.h>

#include "base/limits.h"
#include "kb/generated.h"
#include "search/db.h"
#include "search/index.h"

/* How often the word stands in the text, letters around it apart. */
static size_t count_word(struct sl_view text, struct sl_view word)
{
    size_t n = 0;
    for (size_t at = sl_view_find(text, word, 0); at != SIZE_MAX;
         at = sl_view_find(text, word, at + 1)) {
        size_t end = at + word.len;
        n += (at == 0 || !sl_is_word(text.ptr[at - 1])) &&
             (end == text.len || !sl_is_word(text.ptr[end]));
    }
    return n;
}

static size_t count_outside(struct sl_view text, struct sl_view word)
{
    struct sl_generated generated;
    size_t n = 0, at = 0;
    for (; sl_generated_next(text, at, &generated); at = generated.after)
        n += count_word(sl_view_sub(text, at, generated.open), word);
    return n + count_word(sl_view_sub(text, at, text.len), word);
}

static int by_weight(const void *a, const void *b)
{
    const struct sl_mention *x = a, *y = b;
    if (x->in_title != y->in_title)
        return x->in_title ? -1 : 1;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return x->order < y->order ? -1 : 1;
}

static enum sl_status add(sqlite3_stmt *statement, struct sl_arena *arena,
                          struct sl_view word, struct sl_mentions *mentions,
                          struct sl_error *error)
{
    struct sl_view own = {(const char *)sqlite3_column_text(statement, 2),
                          (size_t)sqlite3_column_bytes(statement, 2)};
    /* SQL's instr() is five times slower */
    if (sl_view_find(own, word, 0) == SIZE_MAX)
        return SL_OK;
    struct sl_mention mention = {
        .id = sl_db_text(arena, statement, 0),
        .title = sl_db_text(arena, statement, 1),
        .own = sl_db_text(arena, statement, 2),
        .order = mentions->count,
    };
    if (!mention.id.ptr || !mention.title.ptr || !mention.own.ptr)
        return sl_error_nomem(error);
    mention.in_title = count_word(mention.title, word) > 0;
    mention.count = count_outside(mention.own, word);
    if (!mention.count)
        return SL_OK;
    mentions->items = sl_arena_grow(arena, mentions->items,
                                    sizeof *mentions->items, mentions->count,
                                    &mentions->cap);
    if (!mentions->items)
        return sl_error_nomem(error);
    mentions->items[mentions->count++] = mention;
    return SL_OK;
}

enum sl_status sl_index_mentions(struct sl_index *index, struct sl_arena *arena,
                                 struct sl_view word,
                                 struct sl_mentions *mentions_out,
                                 struct sl_error *error)
{
    struct sl_mentions mentions = {.items = NULL};
    sqlite3_stmt *statement;
    enum sl_status status = sl_db_prepare(
        index->db, "SELECT id, title, own FROM section ORDER BY n", &statement,
        error);
    if (status)
        return status;
    int rc = SQLITE_DONE;
    while (!status && (rc = sqlite3_step(statement)) == SQLITE_ROW)
        status = add(statement, arena, word, &mentions, error);
    if (!status && rc != SQLITE_DONE)
        status = sl_db_error(index->db, "searching a name", error);
    sqlite3_finalize(statement);
    if (status)
        return status;
    if (mentions.count)
        qsort(mentions.items, mentions.count, sizeof *mentions.items,
              by_weight);
    *mentions_out = mentions;
    return SL_OK;
}
