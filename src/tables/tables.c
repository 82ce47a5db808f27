#include "tables/tables.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "kb/generated.h"
#include "tables/internal.h"

/* Whether the list ends with the id. */
static bool is_last(struct sl_view list, struct sl_view id)
{
    if (list.len < id.len)
        return false;
    size_t begin = list.len - id.len;
    return sl_view_eq(sl_view_sub(list, begin, list.len), id) &&
           (begin == 0 || list.ptr[begin - 1] == ' ');
}

/* Adds the source to the list of the name's users (or setters), once. */
static enum sl_status add_user(struct sl_arena *arena, struct sl_tables *tables,
                               struct sl_map *map, const struct sl_user *row,
                               struct sl_error *error)
{
    bool added;
    size_t *place = sl_map_put(map, row->name, tables->list_count, &added);
    if (!place)
        return sl_error_nomem(error);
    if (added) {
        tables->lists = sl_arena_grow(arena, tables->lists,
                                      sizeof *tables->lists,
                                      tables->list_count, &tables->list_cap);
        if (!tables->lists)
            return sl_error_nomem(error);
        tables->lists[tables->list_count++] = row->source;
        return SL_OK;
    }
    struct sl_view *list = &tables->lists[*place];
    struct sl_buf longer;
    if (is_last(*list, row->source))
        return SL_OK; /* rows of one project stand together */
    sl_buf_init(&longer, SL_MAX_SOURCES * 100u);
    sl_buf_printf(&longer, "%.*s, %.*s", SL_ARG(*list), SL_ARG(row->source));
    *list = sl_arena_copy(arena, sl_buf_view(&longer));
    enum sl_status status = sl_buf_check(&longer, error);
    sl_buf_release(&longer);
    return status || list->ptr ? status : sl_error_nomem(error);
}

/* The library's name, in code that needs it. */
static bool is_use(const struct sl_user *row)
{
    static const char *const kinds[] = {"call",    "reference", "declaration",
                                        "by-name", "generated", "unparsed",
                                        "macro-body"};
    if (row->own)
        return false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (sl_view_is(row->kind, kinds[i]))
            return true;
    return false;
}

/* The rows stand by source: the list of a name comes out in that order. */
static enum sl_status read_users(struct sl_arena *arena,
                                 struct sl_tables *tables,
                                 struct sl_error *error)
{
    const struct sl_users *users = tables->data.users;
    enum sl_status status = SL_OK;
    for (size_t i = 0; !status && i < users->count; i++) {
        const struct sl_user *row = &users->items[i];
        if (sl_view_is(row->kind, "env-set"))
            status = add_user(arena, tables, &tables->setters, row, error);
        else if (is_use(row) &&
                 sl_symbols_find(tables->data.symbols, row->name))
            status = add_user(arena, tables, &tables->users, row, error);
    }
    return status;
}

/* How much a section speaks of a name: its heading counts most. */
struct weight {
    size_t section, count;
    size_t now, now_section; /* in the section that is being read */
};

struct scan {
    struct sl_arena *arena;
    struct sl_map names; /* -> weights */
    struct weight *weights;
    size_t count, cap;
    struct sl_error *error;
};

#define IN_HEADING 1000u

static enum sl_status add_word(struct scan *scan, struct sl_view word,
                               size_t section, size_t worth)
{
    bool added;
    size_t *place = sl_map_put(&scan->names, word, scan->count, &added);
    if (!place)
        return sl_error_nomem(scan->error);
    if (added) {
        scan->weights = sl_arena_grow(scan->arena, scan->weights,
                                      sizeof *scan->weights, scan->count,
                                      &scan->cap);
        if (!scan->weights)
            return sl_error_nomem(scan->error);
        scan->weights[scan->count++] = (struct weight){
            .section = section, .now_section = section};
    }
    struct weight *weight = &scan->weights[*place];
    if (weight->now_section != section) {
        weight->now_section = section;
        weight->now = 0;
    }
    weight->now += worth;
    if (weight->now > weight->count) {
        weight->count = weight->now;
        weight->section = section;
    }
    return SL_OK;
}

static enum sl_status scan_text(struct scan *scan, struct sl_view text,
                                size_t section, size_t worth)
{
    enum sl_status status = SL_OK;
    for (size_t i = 0; !status && i < text.len;) {
        size_t end = i;
        while (end < text.len && sl_is_word(text.ptr[end]))
            end++;
        struct sl_view word = sl_view_sub(text, i, end);
        if (sl_view_starts(word, "nvshmem") || sl_view_starts(word, "NVSHMEM"))
            status = add_word(scan, word, section, worth);
        i = end > i ? end : i + 1;
    }
    return status;
}

static enum sl_status scan_section(struct scan *scan, const struct sl_kb *kb,
                                   size_t index)
{
    const struct sl_section *section = &kb->sections[index];
    struct sl_generated generated;
    size_t at = 0;
    enum sl_status status =
        scan_text(scan, section->title, index, IN_HEADING);
    for (; !status && sl_generated_next(section->own, at, &generated);
         at = generated.after)
        status = scan_text(scan, sl_view_sub(section->own, at, generated.open),
                           index, 1);
    return status ? status
                  : scan_text(scan,
                              sl_view_sub(section->own, at, section->own.len),
                              index, 1);
}

/* The topic files come first: at equal weight the first section stays. */
static bool is_topic(const struct sl_kb *kb, size_t section)
{
    return sl_view_starts(kb->files[kb->sections[section].file].path,
                          "references/nvshmem/");
}

static bool is_other(const struct sl_kb *kb, size_t section)
{
    return !is_topic(kb, section) &&
           sl_view_starts(kb->files[kb->sections[section].file].path,
                          "references/");
}

static enum sl_status read_sections(struct sl_arena *arena,
                                    struct sl_tables *tables,
                                    struct sl_error *error)
{
    const struct sl_kb *kb = tables->data.kb;
    struct scan scan = {.arena = arena, .error = error};
    sl_map_init(&scan.names, arena);
    enum sl_status status = SL_OK;
    for (size_t i = 0; !status && i < kb->section_count; i++)
        if (is_topic(kb, i))
            status = scan_section(&scan, kb, i);
    for (size_t i = 0; !status && i < kb->section_count; i++)
        if (is_other(kb, i))
            status = scan_section(&scan, kb, i);
    for (size_t i = 0; !status && i < scan.names.cap; i++) {
        const struct sl_map_slot *slot = &scan.names.slots[i];
        if (slot->key.ptr &&
            !sl_map_put(&tables->sections, slot->key,
                        scan.weights[slot->value].section, NULL))
            status = sl_error_nomem(error);
    }
    return status;
}

enum sl_status sl_tables_make(struct sl_arena *arena,
                              const struct sl_tables_data *data,
                              struct sl_tables *tables_out,
                              struct sl_error *error)
{
    struct sl_tables tables = {.data = *data};
    sl_map_init(&tables.users, arena);
    sl_map_init(&tables.setters, arena);
    sl_map_init(&tables.sections, arena);
    enum sl_status status = read_users(arena, &tables, error);
    if (!status)
        status = read_sections(arena, &tables, error);
    if (!status)
        *tables_out = tables;
    return status;
}

void sl_table_gate(struct sl_buf *out, struct sl_view first,
                   struct sl_view last)
{
    sl_buf_add(out, first);
    if (!sl_view_is(last, "-"))
        sl_buf_printf(out, " to %.*s", SL_ARG(last));
}

enum sl_status sl_table_write(struct sl_arena *arena,
                              const struct sl_tables *tables,
                              struct sl_view name, struct sl_view path,
                              struct sl_buf *out, struct sl_error *error)
{
    size_t blank = sl_view_find(name, SL_LIT(" "), 0);
    struct sl_view which =
        blank == SIZE_MAX ? SL_LIT("") : sl_view_sub(name, blank + 1, name.len);
    struct sl_view kind = sl_view_sub(name, 0, blank);
    bool known = false;
    enum sl_status status = SL_OK;
    if (sl_view_is(kind, "used"))
        known = sl_table_used(tables, which, path, out);
    else if (sl_view_is(kind, "families"))
        status = sl_table_families(arena, tables, which, out, &known, error);
    else if (sl_view_is(kind, "variables"))
        known = sl_table_variables(tables, which, path, out);
    else if (sl_view_is(name, "sources")) {
        sl_table_sources(tables, out);
        known = true;
    }
    if (status)
        return status;
    return known ? sl_buf_check(out, error)
                 : sl_error_set(error, SL_ERR_NOTFOUND,
                                "there is no generated table '%.*s'",
                                SL_ARG(sl_view_sub(name, 0, 100)));
}

enum sl_status sl_tables_update(struct sl_arena *arena,
                                const struct sl_tables *tables,
                                struct sl_view path, struct sl_view text,
                                struct sl_buf *out, struct sl_error *error)
{
    struct sl_generated generated;
    size_t at = 0;
    enum sl_status status = SL_OK;
    while (!status && sl_generated_next(text, at, &generated)) {
        sl_buf_add(out, sl_view_sub(text, at, generated.begin));
        status = sl_table_write(arena, tables, generated.name, path, out,
                                error);
        sl_buf_add(out, sl_view_sub(text, generated.end, generated.after));
        at = generated.after;
    }
    sl_buf_add(out, sl_view_sub(text, at, text.len));
    return status ? status : sl_buf_check(out, error);
}
