/* Where the members of NVSHMEM's types lie in the two releases. */
#include <string.h>

#include "base/limits.h"
#include "upgrade/internal.h"

bool sl_layouts_of(const struct sl_judge *judge, const struct sl_symbol *symbol,
                   struct sl_layouts *layouts_out)
{
    struct sl_layouts layouts = {.was_type = SL_LIT("")};
    layouts.is_type = layouts.was_type;
    (void)sl_judge_resolve(judge, symbol, judge->upgrade->from,
                           &layouts.was_type);
    (void)sl_judge_resolve(judge, symbol, judge->upgrade->to,
                           &layouts.is_type);
    layouts.was = sl_members_of(&judge->members, layouts.was_type,
                                &layouts.was_count);
    layouts.is = sl_members_of(&judge->members, layouts.is_type,
                               &layouts.is_count);
    *layouts_out = layouts;
    return layouts.was && layouts.is &&
           sl_member_find(layouts.was, layouts.was_count, SL_LIT("-"),
                          judge->upgrade->from) &&
           sl_member_find(layouts.is, layouts.is_count, SL_LIT("-"),
                          judge->upgrade->to);
}

static bool is_alike(const struct sl_member *a, const struct sl_member *b)
{
    return a && b && sl_member_same(a, b) &&
           sl_view_eq(a->declared, b->declared);
}

/* The last part of "globalmem.rcs". */
static struct sl_view last_part(struct sl_view path)
{
    size_t at = path.len;
    while (at && path.ptr[at - 1] != '.')
        at--;
    return sl_view_sub(path, at, path.len);
}

/* Adds the names of what `mine` has in its release and the others have otherwise. */
static enum sl_status add_fields(struct sl_judge *judge,
                                 const struct sl_member *mine, size_t count,
                                 struct sl_view release,
                                 const struct sl_member *others,
                                 size_t other_count, struct sl_view other)
{
    for (size_t i = 0; i < count; i++) {
        const struct sl_member *one = &mine[i];
        if (!sl_member_in(one, release) || sl_view_is(one->path, "-"))
            continue;
        if (is_alike(one, sl_member_find(others, other_count, one->path,
                                         other)))
            continue;
        if (!sl_map_put(&judge->fields, last_part(one->path), 1, NULL))
            return sl_error_nomem(judge->error);
    }
    return SL_OK;
}

/* Adds the members that lie where they lay and mean something else. */
static enum sl_status add_meant(struct sl_judge *judge)
{
    for (size_t i = 0; i < judge->meanings.count; i++) {
        struct sl_view name = judge->meanings.items[i].name;
        struct sl_view last = last_part(name);
        if (last.len < name.len &&
            !sl_map_put(&judge->fields, last, 1, NULL))
            return sl_error_nomem(judge->error);
    }
    return SL_OK;
}

enum sl_status sl_layouts_fields(struct sl_judge *judge)
{
    const struct sl_symbols *symbols = &judge->symbols;
    struct sl_view from = judge->upgrade->from, to = judge->upgrade->to;
    enum sl_status status = SL_OK;
    sl_map_init(&judge->fields, judge->arena);
    for (size_t i = 0; !status && i < symbols->count; i++) {
        struct sl_layouts l;
        if (symbols->items[i].kind != SL_KIND_TYPE ||
            !sl_layouts_of(judge, &symbols->items[i], &l))
            continue;
        status = add_fields(judge, l.was, l.was_count, from, l.is, l.is_count,
                            to);
        if (!status)
            status = add_fields(judge, l.is, l.is_count, to, l.was,
                                l.was_count, from);
    }
    return status ? status : add_meant(judge);
}

#define MAX_TOLD 8u /* members in one message; the rest is counted */

struct telling {
    struct sl_buf *out;
    size_t count;
};

/* The separator, or nothing when enough is told. */
static bool put_next(struct telling *t, struct sl_view path)
{
    t->count++;
    if (t->count > MAX_TOLD)
        return false;
    sl_buf_printf(t->out, "%s`%.*s` ", t->count == 1 ? "; members: " : ", ",
                  SL_ARG(path));
    return true;
}

static void put_changed(struct telling *t, const struct sl_member *was,
                        const struct sl_member *is)
{
    if (!put_next(t, was->path))
        return;
    struct sl_buf *out = t->out;
    if (!is) {
        sl_buf_puts(out, "is gone");
        return;
    }
    if (!sl_view_eq(was->offset, is->offset))
        sl_buf_printf(out, "from byte %.*s to %.*s", SL_ARG(was->offset),
                      SL_ARG(is->offset));
    if (!sl_view_eq(was->size, is->size))
        sl_buf_printf(out, "%s%.*s bytes, now %.*s",
                      sl_view_eq(was->offset, is->offset) ? "" : ", ",
                      SL_ARG(was->size), SL_ARG(is->size));
    else if (!sl_view_eq(was->declared, is->declared))
        sl_buf_printf(out, "%s`%.*s`, now `%.*s`",
                      sl_view_eq(was->offset, is->offset) ? "" : ", ",
                      SL_ARG(was->declared), SL_ARG(is->declared));
}

bool sl_layouts_put(const struct sl_judge *judge, struct sl_buf *out,
                    const struct sl_layouts *l)
{
    struct telling t = {out, 0};
    struct sl_view from = judge->upgrade->from, to = judge->upgrade->to;
    const struct sl_member *was = sl_member_find(l->was, l->was_count,
                                                 SL_LIT("-"), from);
    const struct sl_member *is = sl_member_find(l->is, l->is_count,
                                                SL_LIT("-"), to);
    bool resized = was && is && !sl_member_same(was, is);
    if (resized)
        sl_buf_printf(out, "; it had %.*s bytes, has %.*s", SL_ARG(was->size),
                      SL_ARG(is->size));
    for (size_t i = 0; i < l->was_count; i++) {
        if (!sl_member_in(&l->was[i], from) || sl_view_is(l->was[i].path, "-"))
            continue;
        is = sl_member_find(l->is, l->is_count, l->was[i].path, to);
        if (!is_alike(&l->was[i], is))
            put_changed(&t, &l->was[i], is);
    }
    for (size_t i = 0; i < l->is_count; i++) {
        if (!sl_member_in(&l->is[i], to) ||
            sl_member_find(l->was, l->was_count, l->is[i].path, from))
            continue;
        if (put_next(&t, l->is[i].path))
            sl_buf_printf(out, "is new at byte %.*s", SL_ARG(l->is[i].offset));
    }
    if (t.count > MAX_TOLD)
        sl_buf_printf(out, " and %zu more", t.count - MAX_TOLD);
    return resized || t.count;
}
