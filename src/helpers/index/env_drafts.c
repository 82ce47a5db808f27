/* What is gathered about variables, and how it becomes rows. */
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "helpers/index/env.h"

/* KIND:NAME as a key that lives as long as the draft. */
static struct sl_view key_of(struct sl_env_work *work, enum sl_env_kind kind,
                             struct sl_view name)
{
    struct sl_buf buf;
    sl_buf_init(&buf, SL_MAX_PATH);
    sl_buf_printf(&buf, "%d:%.*s", (int)kind, SL_ARG(name));
    struct sl_view key = {NULL, 0};
    if (!buf.failed)
        key = sl_arena_copy(work->arena, sl_buf_view(&buf));
    sl_buf_release(&buf);
    return key;
}

struct sl_env_draft *sl_env_known(struct sl_env_work *work,
                                  enum sl_env_kind kind, struct sl_view name)
{
    struct sl_view key = key_of(work, kind, name);
    size_t *place = key.ptr ? sl_map_get(&work->index, key) : NULL;
    return place ? &work->drafts[*place] : NULL;
}

struct sl_env_draft *sl_env_draft(struct sl_env_work *work,
                                  enum sl_env_kind kind, struct sl_view name)
{
    struct sl_view key = key_of(work, kind, name);
    bool added;
    size_t *place = key.ptr ? sl_map_put(&work->index, key, work->count, &added)
                            : NULL;
    if (!place)
        return NULL;
    if (!added)
        return &work->drafts[*place];
    struct sl_env_draft *grown = sl_arena_grow(
        work->arena, work->drafts, sizeof *grown, work->count, &work->cap);
    struct sl_view copy = sl_arena_copy(work->arena, name);
    size_t releases = work->release_count + 1;
    bool *seen = sl_arena_alloc(work->arena, releases);
    sl_env_set *asked = sl_arena_alloc(work->arena, releases * sizeof *asked);
    sl_env_set *held = sl_arena_alloc(work->arena, releases * sizeof *held);
    if (!grown || !copy.ptr || !seen || !asked || !held)
        return NULL;
    work->drafts = grown;
    struct sl_env_draft *draft = &grown[work->count++];
    *draft = (struct sl_env_draft){
        .row = {.name = copy, .kind = kind, .evidence = SL_LIT("binary")},
        .seen = seen,
        .asked = asked,
        .held = held,
    };
    return draft;
}

sl_env_set sl_env_reader(struct sl_env_work *work, struct sl_view name)
{
    for (size_t i = 0; i < work->reader_count; i++)
        if (sl_view_eq(work->readers[i], name))
            return (sl_env_set)1 << i;
    struct sl_view copy = sl_arena_copy(work->arena, name);
    if (!copy.ptr || work->reader_count == SL_MAX_ENV_READERS)
        return 0;
    work->readers[work->reader_count] = copy;
    return (sl_env_set)1 << work->reader_count++;
}

sl_env_set sl_env_readers(struct sl_env_work *work, const char *prefix)
{
    sl_env_set set = 0;
    for (size_t i = 0; i < work->reader_count; i++)
        if (sl_view_starts(work->readers[i], prefix))
            set |= (sl_env_set)1 << i;
    return set;
}

enum sl_status sl_env_add_place(struct sl_env_work *work,
                                struct sl_env_draft *draft,
                                struct sl_view citation, struct sl_error *error)
{
    for (size_t i = 0; i < draft->place_count; i++)
        if (sl_view_eq(draft->places[i], citation))
            return SL_OK;
    struct sl_view *grown = sl_arena_grow(work->arena, draft->places,
                                          sizeof *grown, draft->place_count,
                                          &draft->place_cap);
    if (!grown)
        return sl_error_nomem(error);
    draft->places = grown;
    grown[draft->place_count++] = citation;
    return SL_OK;
}

enum sl_status sl_env_place(struct sl_env_work *work,
                            struct sl_env_draft *draft, struct sl_view path,
                            unsigned line, struct sl_error *error)
{
    struct sl_buf buf;
    sl_buf_init(&buf, SL_MAX_PATH);
    sl_buf_printf(&buf, "%.*s:%.*s:%u", SL_ARG(work->source), SL_ARG(path),
                  line);
    enum sl_status status = sl_buf_check(&buf, error);
    struct sl_view text = {NULL, 0};
    if (!status)
        text = sl_arena_copy(work->arena, sl_buf_view(&buf));
    sl_buf_release(&buf);
    if (!status && !text.ptr)
        status = sl_error_nomem(error);
    if (!status)
        status = sl_env_add_place(work, draft, text, error);
    if (!status)
        draft->row.evidence = SL_LIT("source");
    return status;
}

void sl_env_type(struct sl_env_draft *draft, const char *type)
{
    if (!draft->row.type.len || sl_view_is(draft->row.type, "string"))
        draft->row.type = sl_view_of(type);
}

enum sl_status sl_env_prefixed(struct sl_env_work *work, struct sl_view name,
                               struct sl_view *full_out, struct sl_error *error)
{
    static const char prefix[] = "NVSHMEM_";
    size_t head = sizeof prefix - 1;
    char *text = sl_arena_alloc(work->arena, head + name.len + 1);
    if (!text)
        return sl_error_nomem(error);
    memcpy(text, prefix, head);
    memcpy(text + head, name.ptr, name.len);
    *full_out = (struct sl_view){text, head + name.len};
    return SL_OK;
}

/* --- rows ---------------------------------------------------------------- */

static int by_bytes(const void *a, const void *b)
{
    return sl_view_cmp(*(const struct sl_view *)a, *(const struct sl_view *)b);
}

static struct sl_view take(struct sl_env_work *work, struct sl_buf *buf)
{
    struct sl_view text = {NULL, 0};
    if (!buf->failed)
        text = sl_arena_copy(work->arena, sl_buf_view(buf));
    sl_buf_truncate(buf, 0);
    return text;
}

static void put_set(struct sl_env_work *work, struct sl_buf *buf,
                    sl_env_set set)
{
    struct sl_view names[SL_MAX_ENV_READERS];
    size_t n = 0;
    for (size_t i = 0; i < work->reader_count; i++)
        if (set >> i & 1)
            names[n++] = work->readers[i];
    qsort(names, n, sizeof *names, by_bytes);
    for (size_t i = 0; i < n; i++)
        sl_buf_printf(buf, "%s%.*s", i ? "," : "", SL_ARG(names[i]));
}

/* A part of a library, of which the packages tell in every release. */
static bool is_library(struct sl_view reader)
{
    return sl_view_is(reader, "host") ||
           sl_view_starts(reader, "bootstrap:") ||
           sl_view_starts(reader, "transport:");
}

/* Places in work->releases; first SIZE_MAX: none. */
struct span {
    size_t first, last;
    size_t holes; /* in between: releases that have the variable, and not this */
};

static void stretch(struct span *span, size_t at, size_t *open)
{
    if (span->first == SIZE_MAX)
        span->first = at;
    span->last = at;
    span->holes += *open;
    *open = 0;
}

/* Where the draft is seen at all; where one reader, of this bit, has it. */
static void find_spans(const struct sl_env_work *work,
                       const struct sl_env_draft *draft, sl_env_set bit,
                       struct span *all, struct span *one)
{
    size_t none = 0, open = 0;
    *all = *one = (struct span){.first = SIZE_MAX};
    for (size_t i = 0; i < work->release_count; i++) {
        bool pinned = sl_view_eq(work->releases[i], work->release) &&
                      (draft->readers & bit);
        if (draft->seen[i])
            stretch(all, i, &none);
        if (pinned || ((draft->asked[i] | draft->held[i]) & bit))
            stretch(one, i, &open);
        else
            open += draft->seen[i] && one->first != SIZE_MAX;
    }
}

static bool was_asked(const struct sl_env_work *work,
                      const struct sl_env_draft *draft, sl_env_set bit)
{
    for (size_t i = 0; i < work->release_count; i++)
        if (draft->asked[i] & bit)
            return true;
    return false;
}

/*
 * NAME; NAME@FIRST-LAST where it asks for the variable in a part only of the releases
 * that have it; NAME~FIRST-LAST where only its string tells.
 */
static void put_reader(struct sl_env_work *work, struct sl_buf *buf,
                       const struct sl_env_draft *draft, struct sl_view name)
{
    sl_env_set bit = sl_env_reader(work, name);
    struct span all, one;
    sl_buf_add(buf, name);
    find_spans(work, draft, bit, &all, &one);
    if (!is_library(name) || one.first == SIZE_MAX || all.first == SIZE_MAX)
        return;
    if (one.holes)
        sl_buf_printf(&work->remarks, "not in between: %.*s by %.*s\n",
                      SL_ARG(draft->row.name), SL_ARG(name));
    if (one.first > all.first || one.last < all.last)
        sl_buf_printf(buf, "%c%.*s-%.*s",
                      was_asked(work, draft, bit) ? '@' : '~',
                      SL_ARG(work->releases[one.first]),
                      SL_ARG(work->releases[one.last]));
}

/* The tree's readers, and those of other releases. */
static void put_readers(struct sl_env_work *work, struct sl_buf *buf,
                        const struct sl_env_draft *draft)
{
    struct sl_view names[SL_MAX_ENV_READERS];
    sl_env_set set = draft->readers;
    size_t n = 0;
    for (size_t i = 0; i < work->release_count; i++)
        set |= draft->asked[i] | draft->held[i];
    for (size_t i = 0; i < work->reader_count; i++)
        if (set >> i & 1)
            names[n++] = work->readers[i];
    qsort(names, n, sizeof *names, by_bytes);
    for (size_t i = 0; i < n; i++) {
        if (i)
            sl_buf_putc(buf, ',');
        put_reader(work, buf, draft, names[i]);
    }
}

static void put_whens(struct sl_buf *buf, const struct sl_env_draft *draft)
{
    static const struct {
        unsigned bit;
        const char *word;
    } words[] = {
        {SL_WHEN_BOOTSTRAP, "bootstrap-load"},
        {SL_WHEN_CONFIGURE, "configure"},
        {SL_WHEN_IMPORT, "import"},
        {SL_WHEN_INIT, "init"},
        {SL_WHEN_START, "start"},
        {SL_WHEN_TRANSPORT, "transport-load"},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (draft->whens & words[i].bit)
            sl_buf_printf(buf, "%s%s", buf->len ? "," : "", words[i].word);
    if (!buf->len)
        sl_buf_puts(buf, "unknown");
}

/* Whether one of the tree's readers is a library. */
static bool has_library(const struct sl_env_work *work,
                        const struct sl_env_draft *draft)
{
    for (size_t i = 0; i < work->reader_count; i++)
        if (draft->readers >> i & 1 && is_library(work->readers[i]))
            return true;
    return false;
}

/* What a later tree says otherwise, or what nothing else says. */
static void put_later(const struct sl_env_work *work, struct sl_buf *buf,
                      const struct sl_env_draft *draft)
{
    const struct sl_env_later *later = &draft->later;
    bool same = sl_view_eq(later->type, draft->row.type);
    if (!later->place.len)
        return;
    sl_buf_puts(buf, buf->len ? "; " : "");
    if (!same)
        sl_buf_printf(buf, "%.*s, ", SL_ARG(later->type));
    sl_buf_printf(buf, "default %.*s in the development tree %.*s",
                  SL_ARG(later->fallback), SL_ARG(work->later_source));
}

/* What the columns cannot say. */
static void put_note(const struct sl_env_work *work, struct sl_buf *buf,
                     const struct sl_env_draft *draft)
{
    const struct sl_env *row = &draft->row;
    bool foreign = row->kind == SL_ENV_FOREIGN && has_library(work, draft);
    const struct {
        bool holds;
        const char *words;
    } notes[] = {
        {draft->tables && !draft->used, "read, and no line uses the value"},
        {(draft->tables || foreign) && !row->first.len,
         "compiled out of the shipped libraries"},
        {draft->differs, "another default where other options are set"},
        {draft->is_set, row->kind == SL_ENV_TOOL ? "set by the program"
                                                 : "set by NVSHMEM"},
    };
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++)
        if (notes[i].holds)
            sl_buf_printf(buf, "%s%s", buf->len ? "; " : "", notes[i].words);
    put_later(work, buf, draft);
}

static enum sl_status finish_row(struct sl_env_work *work,
                                 struct sl_env_draft *draft, struct sl_buf *buf,
                                 struct sl_env *row, struct sl_error *error)
{
    *row = draft->row;
    put_readers(work, buf, draft);
    row->readers = take(work, buf);
    put_set(work, buf, draft->used);
    row->used = take(work, buf);
    put_whens(buf, draft);
    row->when = take(work, buf);
    put_note(work, buf, draft);
    row->note = take(work, buf);
    if (draft->place_count)
        qsort(draft->places, draft->place_count, sizeof *draft->places,
              by_bytes);
    for (size_t i = 0; i < draft->place_count; i++)
        sl_buf_printf(buf, "%s%.*s", i ? " " : "", SL_ARG(draft->places[i]));
    row->sources = take(work, buf);
    if (draft->is_text && !row->fallback.len)
        row->fallback = SL_LIT("\"\"");
    bool whole = row->readers.ptr && row->used.ptr && row->when.ptr &&
                 row->note.ptr && row->sources.ptr;
    return whole ? sl_buf_check(buf, error) : sl_error_nomem(error);
}

static int row_order(const void *a, const void *b)
{
    const struct sl_env *x = a, *y = b;
    int order = sl_view_cmp(x->name, y->name);
    return order ? order : (int)x->kind - (int)y->kind;
}

enum sl_status sl_env_finish(struct sl_env_work *work,
                             struct sl_env_table *table_out,
                             struct sl_error *error)
{
    struct sl_env_table table = {
        .items = sl_arena_alloc(work->arena,
                                (work->count + 1) * sizeof *table.items),
        .count = work->count,
        .releases = work->releases,
        .release_count = work->release_count,
    };
    if (!table.items)
        return sl_error_nomem(error);
    struct sl_buf buf;
    sl_buf_init(&buf, SL_MAX_ENV_TABLE);
    enum sl_status status = SL_OK;
    for (size_t i = 0; i < work->count && !status; i++)
        status = finish_row(work, &work->drafts[i], &buf, &table.items[i],
                            error);
    sl_buf_release(&buf);
    if (status)
        return status;
    qsort(table.items, table.count, sizeof *table.items, row_order);
    *table_out = table;
    return SL_OK;
}
