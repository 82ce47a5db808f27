/* Owners and rows: from the uses of all files to the lines of the table. */
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "usage/index.h"
#include "usage/words.h"

const char sl_usage_header[] =
    "source\tname\tkind\tlanguage\towner\thow\tvalue\tcount\tplaces\n";

struct row {
    const struct sl_use *use;
    struct sl_view path;
    struct sl_view name; /* in full: of an own namespace */
    bool project;
};

/* What the project defines, by language: name -> 1. */
struct owned {
    struct sl_map defined[SL_LANGUAGE_COUNT];
    struct sl_map members[SL_LANGUAGE_COUNT]; /* of classes and structs */
    struct sl_map namespaces; /* last component -> index in full */
    struct sl_view *full;
    size_t full_count, full_cap;
    struct sl_map files;   /* base names of the tree */
    struct sl_map in_code; /* names with a place that is a use */
};

static struct sl_view base_name(struct sl_view path)
{
    size_t at = path.len;
    while (at && path.ptr[at - 1] != '/')
        at--;
    return sl_view_sub(path, at, path.len);
}

static struct sl_view last_component(struct sl_view name)
{
    size_t at = name.len;
    while (at && name.ptr[at - 1] != ':')
        at--;
    return sl_view_sub(name, at, name.len);
}

static bool note_use(struct sl_arena *arena, struct owned *owned,
                     const struct sl_use *use)
{
    if (sl_use_kind_is_use(use->kind) &&
        !sl_map_put(&owned->in_code, use->name, 1, NULL))
        return false;
    if (use->kind == SL_USE_DEFINITION) {
        if (!sl_map_put(&owned->defined[use->language], use->name, 1, NULL))
            return false;
        if (!sl_view_is(use->how, "namespace"))
            return true;
        owned->full = sl_arena_grow(arena, owned->full, sizeof *owned->full,
                                    owned->full_count, &owned->full_cap);
        if (!owned->full)
            return false;
        owned->full[owned->full_count] = use->name;
        return sl_map_put(&owned->namespaces, last_component(use->name),
                          owned->full_count++, NULL) != NULL;
    }
    if (use->kind == SL_USE_MEMBER && sl_view_is(use->how, "declared"))
        return sl_map_put(&owned->members[use->language], use->name, 1,
                          NULL) != NULL;
    return true;
}

static const struct sl_use *uses_of(const struct sl_usage *usage,
                                    const struct sl_usage_file *file)
{
    return usage->threads[file->thread].items;
}

static enum sl_status find_owned(struct sl_arena *arena,
                                 const struct sl_usage *usage,
                                 struct owned *owned, struct sl_error *error)
{
    *owned = (struct owned){.full = NULL};
    for (size_t i = 0; i < SL_LANGUAGE_COUNT; i++) {
        sl_map_init(&owned->defined[i], arena);
        sl_map_init(&owned->members[i], arena);
    }
    sl_map_init(&owned->namespaces, arena);
    sl_map_init(&owned->files, arena);
    sl_map_init(&owned->in_code, arena);
    for (size_t i = 0; i < usage->file_count; i++) {
        const struct sl_usage_file *file = &usage->files[i];
        const struct sl_use *uses = uses_of(usage, file);
        if (!sl_map_put(&owned->files, base_name(file->path), 1, NULL))
            return sl_error_nomem(error);
        for (size_t k = file->first; k < file->end; k++)
            if (!note_use(arena, owned, &uses[k]))
                return sl_error_nomem(error);
    }
    return SL_OK;
}

/* ultra_ep::nvshmem::x for nvshmem::x, where the project has the namespace. */
static struct sl_view full_name(struct sl_arena *arena,
                                const struct owned *owned,
                                struct sl_view name)
{
    size_t colon = sl_view_find(name, SL_LIT("::"), 0);
    if (colon == SIZE_MAX)
        return name;
    const size_t *index =
        sl_map_get(&owned->namespaces, sl_view_sub(name, 0, colon));
    if (!index)
        return name;
    struct sl_view full = owned->full[*index];
    struct sl_buf buf;
    sl_buf_init(&buf, SL_MAX_USAGE_NAME * 4);
    sl_buf_printf(&buf, "%.*s%.*s", SL_ARG(full),
                  SL_ARG(sl_view_sub(name, colon, name.len)));
    struct sl_view copy = sl_arena_copy(arena, sl_buf_view(&buf));
    sl_buf_release(&buf);
    return copy.ptr ? copy : name;
}

/* ultra_ep::nvshmem::x, or OwnClass::x. */
static bool is_in_own_namespace(const struct owned *owned,
                                struct sl_view name)
{
    size_t colon = sl_view_find(name, SL_LIT("::"), 0);
    if (colon == SIZE_MAX)
        return false;
    if (sl_map_get(&owned->defined[SL_LANGUAGE_CUDA],
                   sl_view_sub(name, 0, colon)))
        return true;
    for (size_t i = 0; i < owned->full_count; i++) {
        struct sl_view full = owned->full[i];
        if (name.len > full.len && name.ptr[full.len] == ':' &&
            sl_view_eq(sl_view_sub(name, 0, full.len), full))
            return true;
    }
    return false;
}

static bool is_owned(const struct owned *owned, const struct sl_use *use,
                     struct sl_view name)
{
    switch ((enum sl_use_kind)use->kind) {
    case SL_USE_MEMBER:
    case SL_USE_LOCAL:
        return true;
    case SL_USE_INCLUDE:
        return sl_map_get(&owned->files, base_name(use->name)) != NULL;
    case SL_USE_BY_NAME:
    case SL_USE_GENERATED:
        return sl_map_get(&owned->defined[SL_LANGUAGE_CUDA], name) != NULL;
    case SL_USE_REFERENCE:
        if (!use->global &&
            sl_map_get(&owned->members[use->language], name))
            return true;
        break;
    default:
        break;
    }
    if (use->kind >= SL_USE_ENV_SET)
        return false;
    return is_in_own_namespace(owned, name) ||
           sl_map_get(&owned->defined[use->language], name) != NULL;
}

static int compare_text(struct sl_view a, struct sl_view b)
{
    return a.ptr == b.ptr && a.len == b.len ? 0 : sl_view_cmp(a, b);
}

/* Rows that are one line of the table compare equal. */
static int compare_rows(const struct row *a, const struct row *b)
{
    int order = compare_text(a->name, b->name);
    if (!order)
        order = a->use->kind - b->use->kind;
    if (!order)
        order = a->use->language - b->use->language;
    if (!order)
        order = a->project - b->project;
    if (!order)
        order = compare_text(a->use->how, b->use->how);
    return order ? order : compare_text(a->use->value, b->use->value);
}

static int by_row(const void *x, const void *y)
{
    const struct row *a = x, *b = y;
    int order = compare_rows(a, b);
    if (!order)
        order = compare_text(a->path, b->path);
    if (!order && a->use->line != b->use->line)
        order = a->use->line < b->use->line ? -1 : 1;
    return order ? order : compare_text(a->use->scope, b->use->scope);
}

/* path:line@scope; what would end the field or the list becomes `?`. */
static void put_place(struct sl_buf *out, const struct row *row)
{
    const struct sl_view parts[2] = {row->path, row->use->scope};
    for (size_t i = 0; i < 2; i++) {
        if (i == 1)
            sl_buf_printf(out, ":%u", row->use->line);
        if (i == 1 && parts[i].len)
            sl_buf_putc(out, '@');
        for (size_t k = 0; k < parts[i].len; k++) {
            char c = parts[i].ptr[k];
            sl_buf_putc(out, (unsigned char)c <= ' ' ? '?' : c);
        }
    }
}

static void put_line(struct sl_buf *out, struct sl_view source,
                     const struct row *rows, size_t count)
{
    static const char *const languages[SL_LANGUAGE_COUNT] = {"text", "c",
                                                             "python"};
    const struct sl_use *use = rows->use;
    sl_buf_printf(out, "%.*s\t%.*s\t%s\t%s\t%s\t%.*s\t%.*s\t%zu\t",
                  SL_ARG(source), SL_ARG(rows->name),
                  sl_use_kind_name(use->kind), languages[use->language],
                  rows->project ? "project" : "-", SL_ARG(use->how),
                  SL_ARG(use->value), count);
    for (size_t i = 0; i < count && i < SL_MAX_USAGE_PLACES; i++) {
        if (i)
            sl_buf_putc(out, ' ');
        put_place(out, &rows[i]);
    }
    sl_buf_putc(out, '\n');
}

static bool is_kept(const struct owned *owned, const struct sl_use *use,
                    bool all)
{
    if (sl_view_is(use->name, "nvshmem") || sl_view_is(use->name, "NVSHMEM"))
        return sl_use_kind_is_use(use->kind) && use->kind != SL_USE_BUILD;
    return all || sl_use_kind_is_use(use->kind) ||
           !sl_map_get(&owned->in_code, use->name);
}

enum sl_status sl_usage_rows(struct sl_arena *arena,
                             const struct sl_usage *usage, bool all,
                             struct sl_buf *out, struct sl_error *error)
{
    struct owned owned;
    enum sl_status status = find_owned(arena, usage, &owned, error);
    size_t total = 0, n = 0;
    for (unsigned i = 0; i < usage->thread_count; i++)
        total += usage->threads[i].len;
    struct row *rows = calloc(total ? total : 1, sizeof *rows);
    if (status || !rows) {
        free(rows);
        return status ? status : sl_error_nomem(error);
    }
    for (size_t i = 0; i < usage->file_count; i++) {
        const struct sl_usage_file *file = &usage->files[i];
        const struct sl_use *uses = uses_of(usage, file);
        for (size_t k = file->first; k < file->end; k++) {
            struct row row = {.use = &uses[k], .path = file->path};
            if (!is_kept(&owned, &uses[k], all))
                continue;
            row.name = full_name(arena, &owned, uses[k].name);
            row.project = is_owned(&owned, &uses[k], row.name);
            rows[n++] = row;
        }
    }
    if (n)
        qsort(rows, n, sizeof *rows, by_row);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && !compare_rows(&rows[i], &rows[end]);)
            end++;
        put_line(out, usage->source, &rows[i], end - i);
    }
    free(rows);
    return sl_buf_check(out, error);
}
