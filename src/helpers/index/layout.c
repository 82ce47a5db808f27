#include "helpers/index/layout.h"

#include <stdlib.h>

#include "base/limits.h"

struct sl_layout_row {
    struct sl_release_member member;
    size_t first, last; /* releases, by number */
};

void sl_layout_init(struct sl_layout *layout, struct sl_arena *arena)
{
    *layout = (struct sl_layout){.arena = arena};
    sl_map_init(&layout->newest, arena);
}

/* "TYPE MEMBER" in the arena, or ptr NULL. */
static struct sl_view key_of(struct sl_arena *arena, struct sl_view type,
                             struct sl_view path)
{
    struct sl_buf buf;
    sl_buf_init(&buf, SL_MAX_SIGNATURE);
    sl_buf_printf(&buf, "%.*s %.*s", SL_ARG(type), SL_ARG(path));
    struct sl_view key = sl_arena_copy(arena, sl_buf_view(&buf));
    if (buf.failed)
        key.ptr = NULL;
    sl_buf_release(&buf);
    return key;
}

static bool is_same(const struct sl_release_member *a,
                    const struct sl_release_member *b)
{
    return a->offset == b->offset && a->size == b->size &&
           a->is_bits == b->is_bits && sl_view_eq(a->declared, b->declared);
}

static enum sl_status add_row(struct sl_layout *layout,
                              const struct sl_release_member *member,
                              size_t number, struct sl_error *error)
{
    layout->rows = sl_arena_grow(layout->arena, layout->rows,
                                 sizeof *layout->rows, layout->count,
                                 &layout->cap);
    if (!layout->rows)
        return sl_error_nomem(error);
    struct sl_layout_row *row = &layout->rows[layout->count++];
    *row = (struct sl_layout_row){*member, number, number};
    struct sl_view *const views[] = {&row->member.type, &row->member.path,
                                     &row->member.declared, &row->member.line};
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        *views[i] = sl_arena_copy(layout->arena, *views[i]);
        if (!views[i]->ptr)
            return sl_error_nomem(error);
    }
    return SL_OK;
}

enum sl_status sl_layout_add(struct sl_layout *layout,
                             const struct sl_release *release,
                             struct sl_error *error)
{
    size_t number = layout->release_count++;
    for (size_t i = 0; i < release->member_count; i++) {
        const struct sl_release_member *member = &release->members[i];
        bool added;
        struct sl_view key = key_of(layout->arena, member->type, member->path);
        size_t *newest = key.ptr ? sl_map_put(&layout->newest, key,
                                              layout->count, &added)
                                 : NULL;
        if (!newest)
            return sl_error_nomem(error);
        struct sl_layout_row *row = added ? NULL : &layout->rows[*newest];
        if (row && row->last + 1 == number && is_same(&row->member, member)) {
            row->last = number;
            continue;
        }
        *newest = layout->count;
        enum sl_status status = add_row(layout, member, number, error);
        if (status)
            return status;
    }
    return SL_OK;
}

static int by_key(const void *a, const void *b)
{
    const struct sl_layout_row *x = a, *y = b;
    int order = sl_view_cmp(x->member.type, y->member.type);
    if (!order)
        order = sl_view_cmp(x->member.path, y->member.path);
    return order ? order : (x->first > y->first) - (x->first < y->first);
}

/* What buf holds, in the arena; buf is released. */
static struct sl_view keep(struct sl_arena *arena, struct sl_buf *buf)
{
    struct sl_view text = sl_arena_copy(arena, sl_buf_view(buf));
    if (buf->failed)
        text.ptr = NULL;
    sl_buf_release(buf);
    return text;
}

static struct sl_view offset_text(struct sl_arena *arena,
                                  const struct sl_release_member *member)
{
    struct sl_buf buf;
    sl_buf_init(&buf, SL_MAX_TOKEN);
    sl_buf_printf(&buf, "%llu", member->offset / 8);
    if (member->is_bits)
        sl_buf_printf(&buf, ":%llu", member->offset % 8);
    return keep(arena, &buf);
}

static struct sl_view size_text(struct sl_arena *arena,
                                const struct sl_release_member *member)
{
    struct sl_buf buf;
    sl_buf_init(&buf, SL_MAX_TOKEN);
    if (member->is_bits)
        sl_buf_printf(&buf, "%llub", member->size);
    else
        sl_buf_printf(&buf, "%llu", member->size / 8);
    return keep(arena, &buf);
}

static struct sl_view oldest_text(struct sl_arena *arena,
                                  struct sl_view release)
{
    struct sl_buf buf;
    sl_buf_init(&buf, SL_MAX_TOKEN);
    sl_buf_printf(&buf, "<=%.*s", SL_ARG(release));
    return keep(arena, &buf);
}

enum sl_status sl_layout_finish(struct sl_layout *layout,
                                const struct sl_view *releases,
                                struct sl_members *members_out,
                                struct sl_error *error)
{
    struct sl_arena *arena = layout->arena;
    struct sl_members out = {.items = NULL};
    sl_map_init(&out.types, arena);
    out.items = sl_arena_alloc(arena, (layout->count + 1) * sizeof *out.items);
    if (!out.items)
        return sl_error_nomem(error);
    if (layout->count)
        qsort(layout->rows, layout->count, sizeof *layout->rows, by_key);
    sl_map_init(&layout->newest, arena); /* the order has changed */
    for (size_t i = 0; i < layout->count; i++) {
        const struct sl_layout_row *row = &layout->rows[i];
        const struct sl_release_member *m = &row->member;
        struct sl_member *item = &out.items[out.count++];
        *item = (struct sl_member){
            .type = m->type,
            .path = m->path,
            .first = row->first ? releases[row->first]
                                : oldest_text(arena, releases[0]),
            .last = row->last + 1 == layout->release_count
                        ? SL_LIT("-")
                        : releases[row->last],
            .offset = offset_text(arena, m),
            .size = size_text(arena, m),
            .declared = m->declared,
            .line = m->line,
        };
        if (!item->first.ptr || !item->offset.ptr || !item->size.ptr ||
            !sl_map_put(&out.types, item->type, i, NULL))
            return sl_error_nomem(error);
    }
    *members_out = out;
    return SL_OK;
}

static void differ(struct sl_buf *out, const struct sl_member *member,
                   struct sl_view release, const char *what, size_t *count)
{
    (*count)++;
    sl_buf_printf(out, "%.*s::%.*s\t%.*s\t%s\n", SL_ARG(member->type),
                  SL_ARG(member->path), SL_ARG(release), what);
}

/* Each of `mine` in the release against the other table's. */
static size_t check_release(struct sl_buf *out, const struct sl_members *mine,
                            const struct sl_members *theirs,
                            struct sl_view release, const char *alone,
                            bool compare, size_t *differences)
{
    size_t compared = 0;
    for (size_t i = 0; i < mine->count; i++) {
        const struct sl_member *one = &mine->items[i];
        size_t count;
        if (!sl_member_in(one, release))
            continue;
        const struct sl_member *all = sl_members_of(theirs, one->type, &count);
        const struct sl_member *other =
            all ? sl_member_find(all, count, one->path, release) : NULL;
        compared++;
        if (!other)
            differ(out, one, release, alone, differences);
        else if (compare && (!sl_member_same(one, other) ||
                             !sl_view_eq(one->declared, other->declared)))
            differ(out, one, release, "another place or type", differences);
    }
    return compared;
}

enum sl_status sl_layout_check(struct sl_arena *arena, struct sl_buf *out,
                               const struct sl_members *committed,
                               const struct sl_members *fresh,
                               const struct sl_view *releases,
                               size_t release_count, size_t *differences_out,
                               struct sl_error *error)
{
    /* written and read again: what is compared is what a table can say */
    struct sl_members parsed;
    struct sl_buf text;
    size_t compared = 0, differences = 0;
    sl_buf_init(&text, SL_MAX_SYMBOLS_FILE);
    sl_members_write(&text, fresh);
    enum sl_status status = sl_buf_check(&text, error);
    if (!status)
        status = sl_members_parse(arena, sl_buf_view(&text), &parsed, error);
    for (size_t i = 0; !status && i < release_count; i++) {
        compared += check_release(out, &parsed, committed, releases[i],
                                  "only in the headers", true, &differences);
        (void)check_release(out, committed, &parsed, releases[i],
                            "only in the table", false, &differences);
    }
    if (!status) {
        sl_buf_printf(out, "index api: %zu members compared, %zu differences\n",
                      compared, differences);
        *differences_out += differences;
    }
    sl_buf_release(&text);
    return status;
}
