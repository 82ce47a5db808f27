#include "api/members.h"

#include "api/symbols.h"
#include "base/limits.h"

#define COLUMNS 8u

static const char header[] =
    "type\tmember\tfirst\tlast\toffset\tsize\tdeclared\tline";

static bool read_member(struct sl_view line, struct sl_member *member)
{
    struct sl_view f[COLUMNS];
    size_t n = 0;
    while (n < COLUMNS && sl_view_cut(&line, '\t', &f[n]))
        n++;
    if (n < COLUMNS)
        return false;
    *member = (struct sl_member){f[0], f[1], f[2], f[3],
                                 f[4], f[5], f[6], f[7]};
    return !line.len && f[0].len && f[1].len && f[2].len &&
           f[3].len;
}

static int compare(const struct sl_member *a, const struct sl_member *b)
{
    int order = sl_view_cmp(a->type, b->type);
    if (!order)
        order = sl_view_cmp(a->path, b->path);
    return order ? order : sl_release_cmp(a->first, b->first);
}

static enum sl_status add(struct sl_arena *arena, struct sl_members *out,
                          size_t *cap, const struct sl_member *member,
                          struct sl_error *error)
{
    out->items = sl_arena_grow(arena, out->items, sizeof *out->items,
                               out->count, cap);
    if (!out->items ||
        !sl_map_put(&out->types, member->type, out->count, NULL))
        return sl_error_nomem(error);
    out->items[out->count++] = *member;
    return SL_OK;
}

enum sl_status sl_members_parse(struct sl_arena *arena, struct sl_view text,
                                struct sl_members *members_out,
                                struct sl_error *error)
{
    struct sl_members out = {.items = NULL};
    struct sl_view line;
    size_t cap = 0;
    enum sl_status status = SL_OK;
    sl_map_init(&out.types, arena);
    if (text.len && (!sl_view_line(&text, &line) || !sl_view_is(line, header)))
        return sl_error_set(error, SL_ERR_SYNTAX,
                            SL_MEMBERS_TSV ":1: the header line must be: %s",
                            header);
    for (size_t n = 2; !status && sl_view_line(&text, &line); n++) {
        struct sl_member member;
        if (out.count == SL_MAX_SYMBOLS)
            return sl_error_set(error, SL_ERR_LIMIT,
                                SL_MEMBERS_TSV " has more than %u lines",
                                SL_MAX_SYMBOLS);
        if (!read_member(line, &member) ||
            (out.count && compare(&out.items[out.count - 1], &member) >= 0))
            return sl_error_set(error, SL_ERR_SYNTAX,
                                SL_MEMBERS_TSV ":%zu: not %u columns, or not "
                                               "after the line before it",
                                n, COLUMNS);
        status = add(arena, &out, &cap, &member, error);
    }
    if (!status)
        *members_out = out;
    return status;
}

const struct sl_member *sl_members_of(const struct sl_members *members,
                                      struct sl_view type, size_t *count_out)
{
    const size_t *first = sl_map_get(&members->types, type);
    size_t end = first ? *first : 0;
    *count_out = 0;
    if (!first)
        return NULL;
    while (end < members->count && sl_view_eq(members->items[end].type, type))
        end++;
    *count_out = end - *first;
    return &members->items[*first];
}

bool sl_member_in(const struct sl_member *member, struct sl_view release)
{
    return sl_release_cmp(member->first, release) <= 0 &&
           (sl_view_is(member->last, "-") ||
            sl_release_cmp(release, member->last) <= 0);
}

const struct sl_member *sl_member_find(const struct sl_member *items,
                                       size_t count, struct sl_view path,
                                       struct sl_view release)
{
    for (size_t i = 0; i < count; i++)
        if (sl_view_eq(items[i].path, path) && sl_member_in(&items[i], release))
            return &items[i];
    return NULL;
}

bool sl_member_same(const struct sl_member *a, const struct sl_member *b)
{
    return sl_view_eq(a->offset, b->offset) && sl_view_eq(a->size, b->size);
}

void sl_members_write(struct sl_buf *out, const struct sl_members *members)
{
    sl_buf_printf(out, "%s\n", header);
    for (size_t i = 0; i < members->count; i++) {
        const struct sl_member *m = &members->items[i];
        sl_buf_printf(out, "%.*s\t%.*s\t%.*s\t%.*s\t%.*s\t%.*s\t%.*s\t%.*s\n",
                      SL_ARG(m->type), SL_ARG(m->path), SL_ARG(m->first),
                      SL_ARG(m->last), SL_ARG(m->offset), SL_ARG(m->size),
                      SL_ARG(m->declared), SL_ARG(m->line));
    }
}
