#include "cite/lock.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"

#define MAGIC "shmemlore-lock 1"

enum { CITATION, COMMIT, LINES, BEFORE, AFTER, SYMBOL, FLAG, FIELDS };

static enum sl_status bad(struct sl_error *error, size_t line,
                          const char *what)
{
    return sl_error_set(error, SL_ERR_SYNTAX, "line %zu: %s", line, what);
}

/* Appends the hashes of one field; false: not hashes, or more than room. */
static bool take_hashes(struct sl_view field, uint64_t *hashes, size_t room,
                        size_t *count_out)
{
    size_t n = 0;
    if (!field.len)
        return false;
    if (!sl_view_is(field, "-"))
        while (field.len) {
            if (n == room || !sl_hash_take(&field, &hashes[n]))
                return false;
            n++;
        }
    *count_out = n;
    return true;
}

/* lines, before and after into one array of the entry's own. */
static enum sl_status parse_hashes(struct sl_arena *arena,
                                   const struct sl_view *fields,
                                   struct sl_lock_entry *entry, size_t number,
                                   struct sl_error *error)
{
    size_t wanted = entry->citation.last - entry->citation.first + 1;
    size_t above = entry->citation.first - 1; /* lines that could be there */
    if (above > SL_NEIGHBOURS)
        above = SL_NEIGHBOURS;
    uint64_t *hashes = sl_arena_alloc(
        arena, (above + wanted + SL_NEIGHBOURS) * sizeof *hashes);
    if (!hashes)
        return sl_error_nomem(error);
    size_t before, lines, after;
    if (!take_hashes(fields[BEFORE], hashes, above, &before) ||
        before != above)
        return bad(error, number, "the hashes before do not fit the citation");
    if (!take_hashes(fields[LINES], hashes + above, wanted, &lines) ||
        lines != wanted)
        return bad(error, number, "not one hash per cited line");
    if (!take_hashes(fields[AFTER], hashes + above + wanted, SL_NEIGHBOURS,
                     &after))
        return bad(error, number, "the hashes after are not hashes");
    entry->lines = hashes + above;
    entry->before = (unsigned)before;
    entry->after = (unsigned)after;
    return SL_OK;
}

static bool is_commit(struct sl_view v)
{
    for (size_t i = 0; i < v.len; i++)
        if (!sl_is_digit(v.ptr[i]) && !(v.ptr[i] >= 'a' && v.ptr[i] <= 'f'))
            return false;
    return v.len == 40;
}

static bool is_symbol(struct sl_view v)
{
    for (size_t i = 0; i < v.len; i++)
        if (!sl_is_word(v.ptr[i]))
            return false;
    return v.len > 0 && v.len <= SL_MAX_TOKEN;
}

static enum sl_status parse_entry(struct sl_arena *arena, struct sl_view line,
                                  size_t number, struct sl_lock_entry *entry,
                                  struct sl_error *error)
{
    struct sl_view fields[FIELDS];
    size_t n = 0;
    bool open = sl_view_ends(line, "\t"); /* an eighth field, and it is empty */
    while (n < FIELDS && sl_view_cut(&line, '\t', &fields[n]))
        n++;
    if (n < FIELDS || line.len || open)
        return bad(error, number, "not seven fields between tabs");
    *entry = (struct sl_lock_entry){
        .text = fields[CITATION],
        .commit = fields[COMMIT],
        .symbol = fields[SYMBOL],
    };
    struct sl_error why = {SL_OK, ""};
    enum sl_status status =
        sl_citation_parse(fields[CITATION], &entry->citation, &why);
    if (status)
        return sl_error_set(error, status, "line %zu: %.400s", number,
                            why.message);
    if (!is_commit(entry->commit))
        return bad(error, number, "the second field is not a commit");
    if (sl_view_is(entry->symbol, "-"))
        entry->symbol.len = 0;
    else if (!is_symbol(entry->symbol))
        return bad(error, number, "the sixth field is not an identifier");
    entry->trivial = sl_view_is(fields[FLAG], "trivial");
    if (!entry->trivial && !sl_view_is(fields[FLAG], "-"))
        return bad(error, number, "the last field is not 'trivial' or '-'");
    return parse_hashes(arena, fields, entry, number, error);
}

enum sl_status sl_lock_parse(struct sl_arena *arena, struct sl_view bytes,
                             struct sl_lock *lock_out, struct sl_error *error)
{
    if (bytes.len > SL_MAX_LOCK)
        return sl_error_set(error, SL_ERR_LIMIT,
                            "a lock of %zu bytes; the limit is %u", bytes.len,
                            SL_MAX_LOCK);
    struct sl_lock lock = {.count = 0};
    struct sl_view rest = bytes;
    struct sl_view line = SL_LIT("");
    if (!sl_view_line(&rest, &line) || !sl_view_is(line, MAGIC))
        return bad(error, 1, "it does not begin with '" MAGIC "'");
    for (size_t at = 0; at < rest.len; at++)
        lock.cap += rest.ptr[at] == '\n' || at + 1 == rest.len;
    lock.entries = sl_arena_alloc(arena, lock.cap * sizeof *lock.entries + 1);
    if (!lock.entries)
        return sl_error_nomem(error);
    for (size_t number = 2; sl_view_line(&rest, &line); number++) {
        lock.entries = sl_arena_grow(arena, lock.entries, sizeof *lock.entries,
                                     lock.count, &lock.cap);
        if (!lock.entries)
            return sl_error_nomem(error);
        struct sl_lock_entry *entry = &lock.entries[lock.count];
        enum sl_status status = parse_entry(arena, line, number, entry, error);
        if (status)
            return status;
        if (lock.count && sl_view_cmp(entry[-1].text, entry->text) >= 0)
            return bad(error, number, "the citations are not sorted");
        lock.count++;
    }
    *lock_out = lock;
    return SL_OK;
}

static void put_hashes(struct sl_buf *out, const uint64_t *hashes, size_t n)
{
    sl_buf_putc(out, '\t');
    if (n == 0)
        sl_buf_putc(out, '-');
    for (size_t i = 0; i < n; i++)
        sl_hash_put(out, hashes[i]);
}

void sl_lock_write(struct sl_buf *out, const struct sl_lock *lock)
{
    sl_buf_puts(out, MAGIC "\n");
    for (size_t i = 0; i < lock->count; i++) {
        const struct sl_lock_entry *entry = &lock->entries[i];
        size_t lines = entry->citation.last - entry->citation.first + 1;
        sl_buf_add(out, entry->text);
        sl_buf_putc(out, '\t');
        sl_buf_add(out, entry->commit);
        put_hashes(out, entry->lines, lines);
        put_hashes(out, entry->lines - entry->before, entry->before);
        put_hashes(out, entry->lines + lines, entry->after);
        sl_buf_putc(out, '\t');
        sl_buf_add(out, entry->symbol.len ? entry->symbol : SL_LIT("-"));
        sl_buf_puts(out, entry->trivial ? "\ttrivial\n" : "\t-\n");
    }
}

static int text_order(const void *key, const void *element)
{
    const struct sl_lock_entry *entry = element;
    return sl_view_cmp(*(const struct sl_view *)key, entry->text);
}

const struct sl_lock_entry *sl_lock_find(const struct sl_lock *lock,
                                         struct sl_view text)
{
    if (!lock->count)
        return NULL;
    return bsearch(&text, lock->entries, lock->count, sizeof *lock->entries,
                   text_order);
}

bool sl_lock_anchor(const struct sl_manifest *manifest, struct sl_view text,
                    const struct sl_citation *citation,
                    struct sl_lock_entry *entry_out)
{
    const struct sl_manifest_file *file =
        sl_manifest_find(manifest, citation->path);
    if (!file || citation->last > file->count)
        return false;
    size_t above = citation->first - 1;
    size_t below = file->count - citation->last;
    *entry_out = (struct sl_lock_entry){
        .text = text,
        .citation = *citation,
        .commit = manifest->commit,
        .symbol = SL_LIT(""),
        .lines = manifest->hashes + file->first + above,
        .before = above < SL_NEIGHBOURS ? (unsigned)above : SL_NEIGHBOURS,
        .after = below < SL_NEIGHBOURS ? (unsigned)below : SL_NEIGHBOURS,
    };
    return true;
}
