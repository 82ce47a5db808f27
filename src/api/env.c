#include "api/env.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"

#define MAGIC "shmemlore-env 1"
#define RELEASES "# releases "

enum {
    NAME,
    KIND,
    TYPE,
    FALLBACK,
    CATEGORY,
    READERS,
    USED,
    WHEN,
    FIRST,
    LAST,
    EVIDENCE,
    SOURCES,
    NOTE,
    FIELDS
};

static const char *const kinds[] = {
    [SL_ENV_BUILD] = "build",
    [SL_ENV_FOREIGN] = "foreign",
    [SL_ENV_RUN] = "run",
    [SL_ENV_TOOL] = "tool",
};

const char *sl_env_kind_name(enum sl_env_kind kind)
{
    return kinds[kind];
}

bool sl_env_kind_of(struct sl_view word, enum sl_env_kind *kind_out)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (sl_view_is(word, kinds[i])) {
            *kind_out = (enum sl_env_kind)i;
            return true;
        }
    return false;
}

static enum sl_status bad(struct sl_error *error, size_t line, const char *what)
{
    return sl_error_set(error, SL_ERR_SYNTAX, "line %zu: %s", line, what);
}

static bool is_name(struct sl_view v)
{
    for (size_t i = 0; i < v.len; i++)
        if (!sl_is_word(v.ptr[i]))
            return false;
    return v.len > 0 && v.len <= SL_MAX_TOKEN;
}

static bool is_release(struct sl_view v)
{
    struct sl_view rest = v, part;
    size_t parts = 0;
    uint64_t number;
    for (; sl_view_cut(&rest, '.', &part); parts++)
        if (!sl_view_number(part, UINT32_MAX, &number))
            return false;
    return parts > 0 && v.ptr[v.len - 1] != '.';
}

/* The first release may say that it is no later than the oldest one read. */
static bool is_gate(struct sl_view v)
{
    if (sl_view_starts(v, "<="))
        v = sl_view_sub(v, 2, v.len);
    return v.len == 0 || is_release(v);
}

bool sl_env_next_reader(struct sl_view *rest, struct sl_env_reader *reader_out)
{
    struct sl_view item, last;
    if (!sl_view_cut(rest, ',', &item))
        return false;
    size_t at = 0;
    while (at < item.len && item.ptr[at] != '@' && item.ptr[at] != '~')
        at++;
    *reader_out = (struct sl_env_reader){.name = sl_view_sub(item, 0, at)};
    if (at == item.len)
        return true;
    reader_out->is_observed = item.ptr[at] == '@';
    last = sl_view_sub(item, at + 1, item.len);
    (void)sl_view_cut(&last, '-', &reader_out->first);
    reader_out->last = last;
    return true;
}

bool sl_env_reads_in(const struct sl_env_reader *reader, struct sl_view release)
{
    return !reader->first.len ||
           (sl_env_release_cmp(reader->first, release) <= 0 &&
            sl_env_release_cmp(release, reader->last) <= 0);
}

/* NAME, or NAME with two releases. */
static bool are_readers(struct sl_view list)
{
    struct sl_env_reader reader;
    while (sl_env_next_reader(&list, &reader)) {
        bool plain = !reader.first.len && !reader.last.len;
        if (!reader.name.len ||
            (!plain && (!is_release(reader.first) || !is_release(reader.last))))
            return false;
    }
    return true;
}

static bool is_evidence(struct sl_view word)
{
    return sl_view_is(word, "source") || sl_view_is(word, "observed") ||
           sl_view_is(word, "binary");
}

static enum sl_status check_row(const struct sl_env *row, size_t number,
                                struct sl_error *error)
{
    if (!is_name(row->name))
        return bad(error, number, "the first field is not a name");
    if (!is_gate(row->first) || !is_gate(row->last) ||
        !row->first.len != !row->last.len)
        return bad(error, number, "first and last are not releases");
    if (!are_readers(row->readers))
        return bad(error, number,
                   "a reader is NAME, NAME@FIRST-LAST or NAME~FIRST-LAST");
    if (!is_evidence(row->evidence))
        return bad(error, number,
                   "the evidence is not source, observed or binary");
    return SL_OK;
}

static enum sl_status parse_row(struct sl_view line, size_t number,
                                struct sl_env *row, struct sl_error *error)
{
    struct sl_view fields[FIELDS];
    size_t n = 0;
    while (n < FIELDS && sl_view_cut(&line, '\t', &fields[n]))
        n++;
    if (n < FIELDS || line.len)
        return bad(error, number, "not thirteen fields between tabs");
    for (size_t i = 0; i < FIELDS; i++) {
        if (!fields[i].len)
            return bad(error, number, "an empty field; '-' says empty");
        if (sl_view_is(fields[i], "-"))
            fields[i].len = 0;
    }
    enum sl_env_kind kind;
    if (!sl_env_kind_of(fields[KIND], &kind))
        return bad(error, number,
                   "the kind is not build, foreign, run or tool");
    *row = (struct sl_env){
        .name = fields[NAME],
        .kind = kind,
        .type = fields[TYPE],
        .fallback = fields[FALLBACK],
        .category = fields[CATEGORY],
        .readers = fields[READERS],
        .used = fields[USED],
        .when = fields[WHEN],
        .first = fields[FIRST],
        .last = fields[LAST],
        .evidence = fields[EVIDENCE],
        .sources = fields[SOURCES],
        .note = fields[NOTE],
    };
    return check_row(row, number, error);
}

static int row_order(const struct sl_env *a, const struct sl_env *b)
{
    int order = sl_view_cmp(a->name, b->name);
    return order ? order : (int)a->kind - (int)b->kind;
}

static enum sl_status parse_releases(struct sl_arena *arena,
                                     struct sl_view line,
                                     struct sl_env_table *table,
                                     struct sl_error *error)
{
    if (!sl_view_starts(line, RELEASES))
        return bad(error, 2, "it does not begin with '" RELEASES "'");
    struct sl_view rest = sl_view_sub(line, sizeof RELEASES - 1, line.len);
    struct sl_view release;
    while (sl_view_cut(&rest, ' ', &release)) {
        struct sl_view *grown = sl_arena_grow(
            arena, table->releases, sizeof *grown, table->release_count,
            &table->release_cap);
        if (!grown)
            return sl_error_nomem(error);
        table->releases = grown;
        if (!is_release(release))
            return bad(error, 2, "not a list of releases");
        if (table->release_count &&
            sl_env_release_cmp(grown[table->release_count - 1], release) >= 0)
            return bad(error, 2, "the releases are not sorted");
        grown[table->release_count++] = release;
    }
    return table->release_count ? SL_OK
                                : bad(error, 2, "not a list of releases");
}

enum sl_status sl_env_parse(struct sl_arena *arena, struct sl_view bytes,
                            struct sl_env_table *table_out,
                            struct sl_error *error)
{
    if (bytes.len > SL_MAX_ENV_TABLE)
        return sl_error_set(error, SL_ERR_LIMIT,
                            "a table of %zu bytes; the limit is %u", bytes.len,
                            SL_MAX_ENV_TABLE);
    struct sl_env_table table = {.count = 0};
    struct sl_view rest = bytes;
    struct sl_view line = SL_LIT("");
    if (!sl_view_line(&rest, &line) || !sl_view_is(line, MAGIC))
        return bad(error, 1, "it does not begin with '" MAGIC "'");
    if (!sl_view_line(&rest, &line))
        return bad(error, 2, "it does not begin with '" RELEASES "'");
    enum sl_status status = parse_releases(arena, line, &table, error);
    for (size_t number = 3; !status && sl_view_line(&rest, &line); number++) {
        table.items = sl_arena_grow(arena, table.items, sizeof *table.items,
                                    table.count, &table.cap);
        if (!table.items)
            return sl_error_nomem(error);
        struct sl_env *row = &table.items[table.count];
        status = parse_row(line, number, row, error);
        if (!status && table.count && row_order(row - 1, row) >= 0)
            status = bad(error, number, "the names are not sorted");
        table.count++;
    }
    if (!status)
        *table_out = table;
    return status;
}

static void put(struct sl_buf *out, struct sl_view field, char end)
{
    sl_buf_add(out, field.len ? field : SL_LIT("-"));
    sl_buf_putc(out, end);
}

void sl_env_write(struct sl_buf *out, const struct sl_env_table *table)
{
    sl_buf_puts(out, MAGIC "\n# releases");
    for (size_t i = 0; i < table->release_count; i++)
        sl_buf_printf(out, " %.*s", SL_ARG(table->releases[i]));
    sl_buf_putc(out, '\n');
    for (size_t i = 0; i < table->count; i++) {
        const struct sl_env *row = &table->items[i];
        const struct sl_view fields[FIELDS] = {
            [NAME] = row->name,         [KIND] = sl_view_of(kinds[row->kind]),
            [TYPE] = row->type,         [FALLBACK] = row->fallback,
            [CATEGORY] = row->category, [READERS] = row->readers,
            [USED] = row->used,         [WHEN] = row->when,
            [FIRST] = row->first,       [LAST] = row->last,
            [EVIDENCE] = row->evidence, [SOURCES] = row->sources,
            [NOTE] = row->note,
        };
        for (size_t k = 0; k < FIELDS; k++)
            put(out, fields[k], k + 1 < FIELDS ? '\t' : '\n');
    }
}

int sl_env_release_cmp(struct sl_view a, struct sl_view b)
{
    struct sl_view x, y;
    while (true) {
        bool more_a = sl_view_cut(&a, '.', &x);
        bool more_b = sl_view_cut(&b, '.', &y);
        if (!more_a || !more_b)
            return (int)more_a - (int)more_b;
        uint64_t m, n;
        bool number_a = sl_view_number(x, UINT32_MAX, &m);
        bool number_b = sl_view_number(y, UINT32_MAX, &n);
        int order = number_a && number_b   ? (m > n) - (m < n)
                    : number_a != number_b ? (number_a ? -1 : 1)
                                           : sl_view_cmp(x, y);
        if (order)
            return order;
    }
}

enum sl_env_gate sl_env_gate(const struct sl_env_table *table,
                             const struct sl_env *env, struct sl_view release)
{
    /* options of the build and of test programs leave no trace in a library */
    bool read = false;
    if (env->kind == SL_ENV_BUILD || env->kind == SL_ENV_TOOL)
        return SL_ENV_NOT_READ;
    for (size_t i = 0; i < table->release_count && !read; i++)
        read = sl_view_eq(table->releases[i], release);
    if (!read)
        return SL_ENV_NOT_READ;
    if (!env->first.len)
        return SL_ENV_NOWHERE;
    struct sl_view first = env->first;
    bool open = sl_view_starts(first, "<=");
    if (open)
        first = sl_view_sub(first, 2, first.len);
    if (!open && sl_env_release_cmp(release, first) < 0)
        return SL_ENV_BEFORE_FIRST;
    if (sl_env_release_cmp(release, env->last) > 0)
        return SL_ENV_AFTER_LAST;
    return SL_ENV_HERE;
}
