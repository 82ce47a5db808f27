/*
 * Uses of members of NVSHMEM's types. What the user's code says of types is enough to
 * follow `state->globalmem.rcs[i].mvars`: names, no scopes inside of functions.
 */
#include <string.h>

#include "base/limits.h"
#include "upgrade/internal.h"

#define MAX_STEPS 8u /* from a name to what it was made from */

/* A value's type: one of NVSHMEM's, and the path to a part of it without a name. */
struct place {
    struct sl_view type; /* empty: none that is known */
    struct sl_view path; /* "globalmem", or empty: all of it */
};

/* "KIND FILE FUNCTION NAME" */
static struct sl_view key_of(struct sl_buf *buf, enum sl_typed_kind kind,
                             size_t file, size_t function, struct sl_view name)
{
    sl_buf_truncate(buf, 0);
    sl_buf_printf(buf, "%d %zu %zu %.*s", (int)kind, file, function,
                  SL_ARG(name));
    return sl_buf_view(buf);
}

/* Functions, members and aliases are looked for in all files: file SIZE_MAX. */
static bool is_everywhere(const struct sl_typed *typed)
{
    return typed->kind != SL_TYPED_VARIABLE || !typed->function;
}

static enum sl_status note(struct sl_judge *judge, struct sl_buf *buf,
                           size_t file, const struct sl_typed *typed)
{
    if (is_everywhere(typed))
        file = SIZE_MAX;
    struct sl_view key = sl_arena_copy(
        judge->arena, key_of(buf, typed->kind, file, typed->function,
                             typed->name));
    if (!key.ptr ||
        !sl_map_put(&judge->typed, key, (size_t)typed, NULL))
        return sl_error_nomem(judge->error);
    return SL_OK;
}

static const struct sl_typed *find(const struct sl_judge *judge,
                                   struct sl_buf *buf, enum sl_typed_kind kind,
                                   size_t file, size_t function,
                                   struct sl_view name)
{
    const size_t *place = sl_map_get(
        &judge->typed, key_of(buf, kind, file, function, name));
    return place ? (const struct sl_typed *)*place : NULL;
}

/* A type's name without what makes it a pointer, an array, const or a struct. */
static struct sl_view plain_type(struct sl_view type)
{
    static const char *const words[] = {"const ", "volatile ", "struct ",
                                        "union "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (sl_view_starts(type, words[i])) {
            type = sl_view_sub(type, strlen(words[i]), type.len);
            i = SIZE_MAX;
        }
    size_t end = 0;
    while (end < type.len && (sl_is_word(type.ptr[end]) ||
                              type.ptr[end] == ':'))
        end++;
    return sl_view_sub(type, 0, end);
}

/* NVSHMEM's own type of the name, the user's aliases followed; or empty. */
static struct sl_view known_type(const struct sl_judge *judge,
                                 struct sl_buf *buf, struct sl_view name)
{
    for (unsigned step = 0; step < MAX_STEPS; step++) {
        name = plain_type(name);
        const struct sl_symbol *symbol = sl_symbols_find(&judge->symbols, name);
        if (symbol && symbol->kind == SL_KIND_TYPE)
            return symbol->name;
        const struct sl_typed *alias =
            find(judge, buf, SL_TYPED_ALIAS, SIZE_MAX, 0, name);
        if (!alias)
            break;
        name = alias->from;
    }
    return SL_LIT("");
}

/* The value's member of this name. */
static struct place step_into(const struct sl_judge *judge, struct sl_buf *buf,
                              struct place at, struct sl_view name)
{
    struct place none = {SL_LIT(""), SL_LIT("")};
    if (!at.type.len) {
        const struct sl_typed *own =
            find(judge, buf, SL_TYPED_MEMBER, SIZE_MAX, 0, name);
        if (own)
            none.type = known_type(judge, buf, own->from);
        return none;
    }
    struct sl_layouts l;
    const struct sl_symbol *symbol = sl_symbols_find(&judge->symbols, at.type);
    if (!symbol || !sl_layouts_of(judge, symbol, &l))
        return none;
    sl_buf_truncate(buf, 0);
    sl_buf_printf(buf, "%.*s%s%.*s", SL_ARG(at.path), at.path.len ? "." : "",
                  SL_ARG(name));
    const struct sl_member *member = sl_member_find(
        l.was, l.was_count, sl_buf_view(buf), judge->upgrade->from);
    if (!member)
        return none;
    if (sl_view_is(member->declared, "{}") ||
        sl_view_starts(member->declared, "{}"))
        return (struct place){at.type, member->path};
    return (struct place){known_type(judge, buf, member->declared),
                          SL_LIT("")};
}

/* What the first name of a chain was declared as: a type, or a chain again. */
static struct sl_view root_of(const struct sl_judge *judge, struct sl_buf *buf,
                              size_t file, size_t function,
                              struct sl_view root)
{
    if (sl_view_starts(root, "<"))
        return sl_view_sub(root, 1, root.len - 1);
    bool called = sl_view_ends(root, "()");
    if (called)
        root = sl_view_sub(root, 0, root.len - 2);
    const struct sl_typed *typed =
        called ? find(judge, buf, SL_TYPED_FUNCTION, SIZE_MAX, 0, root)
               : find(judge, buf, SL_TYPED_VARIABLE, file, function, root);
    if (!typed && !called && function)
        typed = find(judge, buf, SL_TYPED_VARIABLE, SIZE_MAX, 0, root);
    if (!typed)
        typed = find(judge, buf, SL_TYPED_MEMBER, SIZE_MAX, 0, root);
    if (typed)
        return typed->from;
    const struct sl_symbol *symbol = sl_symbols_find(&judge->symbols, root);
    struct sl_view signature;
    if (symbol && (symbol->kind == SL_KIND_VARIABLE ||
                   symbol->kind == SL_KIND_FUNCTION) &&
        sl_symbol_in(&judge->symbols, symbol, judge->upgrade->from,
                     &signature))
        return plain_type(signature);
    return SL_LIT("");
}

/*
 * The type that a chain leads to. A root that is a chain itself is put in its place,
 * MAX_STEPS times at most: `parts` is what follows the roots, the newest first.
 */
static struct place follow(const struct sl_judge *judge, struct sl_buf *buf,
                           size_t file, size_t function, struct sl_view from)
{
    struct sl_view parts[MAX_STEPS];
    struct place at = {SL_LIT(""), SL_LIT("")};
    size_t count = 0;
    while (sl_view_starts(from, "=") && count < MAX_STEPS) {
        struct sl_view rest = sl_view_sub(from, 1, from.len);
        size_t dot = sl_view_find(rest, SL_LIT("."), 0);
        parts[count++] = dot == SIZE_MAX
                             ? SL_LIT("")
                             : sl_view_sub(rest, dot + 1, rest.len);
        from = root_of(judge, buf, file, function, sl_view_sub(rest, 0, dot));
    }
    if (sl_view_starts(from, "="))
        return at;
    at.type = known_type(judge, buf, from);
    while (count-- > 0) {
        struct sl_view name;
        while (sl_view_cut(&parts[count], '.', &name))
            at = step_into(judge, buf, at, name);
    }
    return at;
}

static void put_place(struct sl_buf *out, const struct sl_member *member,
                      struct sl_view release)
{
    sl_buf_printf(out, "at byte %.*s, %.*s bytes, `%.*s` in %.*s (%.*s",
                  SL_ARG(member->offset), SL_ARG(member->size),
                  SL_ARG(member->declared), SL_ARG(release),
                  SL_ARG(member->line));
    struct sl_view first = member->first;
    if (sl_view_starts(first, "<="))
        first = sl_view_sub(first, 2, first.len);
    if (!sl_view_eq(first, release))
        sl_buf_printf(out, " of %.*s", SL_ARG(first));
    sl_buf_putc(out, ')');
}

/* The member in both releases, when it is not the same. */
static enum sl_status tell_access(struct sl_judge *judge, size_t file,
                                  const struct sl_typed *typed,
                                  const struct sl_symbol *symbol,
                                  struct sl_view path)
{
    struct sl_layouts l;
    if (!sl_layouts_of(judge, symbol, &l))
        return SL_OK;
    const struct sl_member *was =
        sl_member_find(l.was, l.was_count, path, judge->upgrade->from);
    const struct sl_member *is =
        sl_member_find(l.is, l.is_count, path, judge->upgrade->to);
    bool alike = was && is && sl_member_same(was, is) &&
                 sl_view_eq(was->declared, is->declared);
    if ((!was && !is) || alike)
        return SL_OK;
    struct sl_buf message;
    sl_buf_init(&message, 4000);
    sl_buf_printf(&message, "`%.*s` of %.*s: ", SL_ARG(path),
                  SL_ARG(symbol->name));
    if (was)
        put_place(&message, was, judge->upgrade->from);
    else
        sl_buf_printf(&message, "not in %.*s", SL_ARG(judge->upgrade->from));
    sl_buf_puts(&message, ", ");
    if (is)
        put_place(&message, is, judge->upgrade->to);
    else
        sl_buf_printf(&message, "not in %.*s", SL_ARG(judge->upgrade->to));
    struct sl_use use = {
        .name = path, .line = typed->line, .column = typed->column};
    return sl_judge_tell(judge, file, &use,
                         is ? SL_UPGRADE_WARNING : SL_UPGRADE_ERROR,
                         !is ? "member-removed"
                         : was ? "member-moved" : "member-added",
                         &message, SL_LIT(""));
}

static enum sl_status judge_access(struct sl_judge *judge, struct sl_buf *buf,
                                   size_t file, const struct sl_typed *typed)
{
    struct place at = follow(judge, buf, file, typed->function, typed->from);
    const struct sl_symbol *symbol =
        at.type.len ? sl_symbols_find(&judge->symbols, at.type) : NULL;
    if (!symbol || sl_map_get(&judge->spots->scopes.index, at.type))
        return SL_OK; /* a type of the user's own has its own members */
    sl_buf_truncate(buf, 0);
    sl_buf_printf(buf, "%.*s%s%.*s", SL_ARG(at.path), at.path.len ? "." : "",
                  SL_ARG(typed->name));
    struct sl_view path = sl_arena_copy(judge->arena, sl_buf_view(buf));
    if (!path.ptr)
        return sl_error_nomem(judge->error);
    sl_buf_truncate(buf, 0);
    sl_buf_printf(buf, "%.*s.%.*s", SL_ARG(at.type), SL_ARG(path));
    struct sl_use use = {
        .name = path, .line = typed->line, .column = typed->column};
    enum sl_status status =
        sl_judge_meaning(judge, file, &use, sl_buf_view(buf));
    return status ? status : tell_access(judge, file, typed, symbol, path);
}

/* Calls `take` for each typed item of all files: accesses, or all the others. */
static enum sl_status each_typed(struct sl_judge *judge, struct sl_buf *buf,
                                 bool accesses)
{
    const struct sl_usage *usage = &judge->spots->usage;
    enum sl_status status = SL_OK;
    for (size_t i = 0; i < usage->file_count; i++) {
        const struct sl_usage_file *file = &usage->files[i];
        const struct sl_typed *items = usage->threads[file->thread].typed;
        for (size_t k = file->first_typed; !status && k < file->end_typed;
             k++) {
            if (items[k].kind == SL_TYPED_INCLUDE ||
                items[k].kind == SL_TYPED_USING ||
                (items[k].kind == SL_TYPED_ACCESS) != accesses)
                continue;
            status = accesses ? judge_access(judge, buf, i, &items[k])
                              : note(judge, buf, i, &items[k]);
        }
    }
    return status;
}

enum sl_status sl_judge_accesses(struct sl_judge *judge)
{
    struct sl_buf buf;
    sl_buf_init(&buf, SL_MAX_USAGE_NAME * 4);
    sl_map_init(&judge->typed, judge->arena);
    enum sl_status status = each_typed(judge, &buf, false);
    if (!status)
        status = each_typed(judge, &buf, true);
    sl_buf_release(&buf);
    return status;
}
