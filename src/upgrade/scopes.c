/* Which names of the user's code are the user's own, and where. */
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "upgrade/internal.h"

struct building {
    struct sl_arena *arena;
    struct sl_spots *spots;
    struct sl_map names;   /* base name to the newest file that has it */
    size_t *older;         /* the file before that has it, or SIZE_MAX */
    struct sl_error *error;
};

static struct sl_view base_name(struct sl_view path)
{
    size_t at = path.len;
    while (at && path.ptr[at - 1] != '/')
        at--;
    return sl_view_sub(path, at, path.len);
}

static bool is_own(const struct sl_use *use)
{
    if (use->language != SL_LANGUAGE_CUDA)
        return false;
    return use->kind == SL_USE_DEFINITION ||
           (use->kind == SL_USE_MEMBER && sl_view_is(use->how, "declared"));
}

static enum sl_status add_own(struct sl_arena *arena, struct sl_scopes *scopes,
                              const struct sl_spot *spot,
                              struct sl_error *error)
{
    bool added;
    scopes->items = sl_arena_grow(arena, scopes->items, sizeof *scopes->items,
                                  scopes->count, &scopes->cap);
    size_t *newest = sl_map_put(&scopes->index, spot->use->name, scopes->count,
                                &added);
    if (!scopes->items || !newest)
        return sl_error_nomem(error);
    scopes->items[scopes->count] = (struct sl_own){
        .use = spot->use,
        .file = spot->file,
        .next = added ? SIZE_MAX : *newest,
        .is_member = spot->use->kind == SL_USE_MEMBER,
    };
    *newest = scopes->count++;
    return SL_OK;
}

/* "FILE NAME" in the arena, or ptr NULL. */
static struct sl_view file_key(struct sl_arena *arena, size_t file,
                               struct sl_view name)
{
    struct sl_buf buf;
    sl_buf_init(&buf, SL_MAX_USAGE_NAME * 4);
    sl_buf_printf(&buf, "%zu %.*s", file, SL_ARG(name));
    struct sl_view key = sl_arena_copy(arena, sl_buf_view(&buf));
    sl_buf_release(&buf);
    return key;
}

/* Whether the path is what an #include of this operand may mean. */
static bool may_mean(struct sl_view path, struct sl_view operand)
{
    if (path.len < operand.len ||
        !sl_view_eq(sl_view_sub(path, path.len - operand.len, path.len),
                    operand))
        return false;
    return path.len == operand.len ||
           path.ptr[path.len - operand.len - 1] == '/';
}

static enum sl_status add_edge(struct building *b, size_t included,
                               size_t includer)
{
    struct sl_scopes *scopes = &b->spots->scopes;
    if (scopes->edge_count >= SL_MAX_INCLUDES)
        return SL_OK; /* fewer names are then taken as the user's own */
    scopes->edges = sl_arena_grow(b->arena, scopes->edges,
                                  sizeof *scopes->edges, scopes->edge_count,
                                  &scopes->edge_cap);
    if (!scopes->edges)
        return sl_error_nomem(b->error);
    scopes->edges[scopes->edge_count++] = (struct sl_edge){included, includer};
    return SL_OK;
}

/* The file beside the includer, or else all whose path ends in the operand. */
static enum sl_status add_include(struct building *b, size_t file,
                                  struct sl_view operand)
{
    const struct sl_usage_file *files = b->spots->usage.files;
    struct sl_view own = files[file].path;
    struct sl_view folder = sl_view_sub(own, 0, own.len - base_name(own).len);
    while (sl_view_starts(operand, "./") || sl_view_starts(operand, "../"))
        operand = sl_view_sub(operand,
                              operand.ptr[1] == '/' ? 2 : 3, operand.len);
    const size_t *newest = sl_map_get(&b->names, base_name(operand));
    size_t beside = SIZE_MAX;
    for (size_t i = newest ? *newest : SIZE_MAX; i != SIZE_MAX;
         i = b->older[i])
        if (files[i].path.len == folder.len + operand.len &&
            may_mean(files[i].path, operand) &&
            sl_view_eq(sl_view_sub(files[i].path, 0, folder.len), folder))
            beside = i;
    if (beside != SIZE_MAX)
        return add_edge(b, beside, file);
    enum sl_status status = SL_OK;
    for (size_t i = newest ? *newest : SIZE_MAX; !status && i != SIZE_MAX;
         i = b->older[i])
        if (may_mean(files[i].path, operand))
            status = add_edge(b, i, file);
    return status;
}

static enum sl_status read_typed(struct building *b, size_t file)
{
    struct sl_usage *usage = &b->spots->usage;
    const struct sl_usage_file *one = &usage->files[file];
    const struct sl_typed *items = usage->threads[one->thread].typed;
    enum sl_status status = SL_OK;
    for (size_t i = one->first_typed; !status && i < one->end_typed; i++) {
        if (items[i].kind == SL_TYPED_INCLUDE)
            status = add_include(b, file, items[i].name);
        if (items[i].kind != SL_TYPED_USING)
            continue;
        struct sl_view key = file_key(b->arena, file, items[i].name);
        if (!key.ptr || !sl_map_put(&b->spots->scopes.usings, key, 1, NULL))
            status = sl_error_nomem(b->error);
    }
    return status;
}

static int by_included(const void *a, const void *b)
{
    const struct sl_edge *x = a, *y = b;
    return (x->included > y->included) - (x->included < y->included);
}

static enum sl_status read_includes(struct building *b)
{
    const struct sl_usage *usage = &b->spots->usage;
    struct sl_scopes *scopes = &b->spots->scopes;
    b->older = sl_arena_alloc(b->arena,
                              (usage->file_count + 1) * sizeof *b->older);
    if (!b->older)
        return sl_error_nomem(b->error);
    for (size_t i = 0; i < usage->file_count; i++) {
        bool added;
        size_t *newest = sl_map_put(&b->names, base_name(usage->files[i].path),
                                    i, &added);
        if (!newest)
            return sl_error_nomem(b->error);
        b->older[i] = added ? SIZE_MAX : *newest;
        *newest = i;
    }
    enum sl_status status = SL_OK;
    for (size_t i = 0; !status && i < usage->file_count; i++)
        status = read_typed(b, i);
    if (scopes->edge_count)
        qsort(scopes->edges, scopes->edge_count, sizeof *scopes->edges,
              by_included);
    return status;
}

enum sl_status sl_scopes_read(struct sl_arena *arena, struct sl_spots *spots,
                              struct sl_error *error)
{
    struct building b = {.arena = arena, .spots = spots, .error = error};
    struct sl_scopes *scopes = &spots->scopes;
    sl_map_init(&scopes->index, arena);
    sl_map_init(&scopes->reach, arena);
    sl_map_init(&scopes->usings, arena);
    sl_map_init(&b.names, arena);
    enum sl_status status = SL_OK;
    for (size_t i = 0; !status && i < spots->count; i++)
        if (is_own(spots->items[i].use))
            status = add_own(arena, scopes, &spots->items[i], error);
    /* nobody needs the includes of code that defines nothing */
    return status || !scopes->count ? status : read_includes(&b);
}

/* The first edge whose included file is not before this one. */
static size_t first_edge(const struct sl_scopes *scopes, size_t file)
{
    size_t low = 0, high = scopes->edge_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (scopes->edges[middle].included < file)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The set of files that include this one, over any number of steps: a byte each. */
static bool *includers_of(struct sl_arena *arena, const struct sl_spots *spots,
                          size_t file)
{
    const struct sl_scopes *scopes = &spots->scopes;
    size_t count = spots->usage.file_count, waiting = 0;
    bool *set = sl_arena_alloc(arena, count);
    size_t *stack = malloc(count * sizeof *stack);
    if (set && stack) {
        set[file] = true;
        stack[waiting++] = file;
    }
    while (waiting) {
        size_t one = stack[--waiting];
        for (size_t i = first_edge(scopes, one);
             i < scopes->edge_count && scopes->edges[i].included == one; i++) {
            size_t includer = scopes->edges[i].includer;
            if (!set[includer])
                stack[waiting++] = includer;
            set[includer] = true;
        }
    }
    bool *result = stack ? set : NULL;
    free(stack);
    return result;
}

/* Whether `from` sees what `file` defines: it is the same, or includes it. */
static enum sl_status sees(struct sl_arena *arena, struct sl_spots *spots,
                           size_t from, size_t file, bool *sees_out,
                           struct sl_error *error)
{
    *sees_out = from == file;
    if (*sees_out)
        return SL_OK;
    bool added;
    struct sl_view key = file_key(arena, file, SL_LIT(""));
    size_t *place = key.ptr ? sl_map_put(&spots->scopes.reach, key, 0, &added)
                            : NULL;
    if (place && added)
        *place = (size_t)includers_of(arena, spots, file);
    if (!place || !*place)
        return sl_error_nomem(error);
    *sees_out = ((const bool *)*place)[from];
    return SL_OK;
}

/* Whether `inner` is `outer` or stands in it: "a::b" in "a". */
static bool is_within(struct sl_view inner, struct sl_view outer)
{
    return !outer.len ||
           (inner.len >= outer.len &&
            sl_view_eq(sl_view_sub(inner, 0, outer.len), outer) &&
            (inner.len == outer.len || inner.ptr[outer.len] == ':'));
}

/* `using namespace own;` or `using own::name;` in the file. */
static bool is_used_here(const struct sl_scopes *scopes, size_t file,
                         const struct sl_own *own)
{
    struct sl_buf buf;
    if (!scopes->usings.len)
        return false;
    sl_buf_init(&buf, SL_MAX_USAGE_NAME * 4);
    sl_buf_printf(&buf, "%zu %.*s", file, SL_ARG(own->use->around));
    bool used = sl_map_get(&scopes->usings, sl_buf_view(&buf)) != NULL;
    sl_buf_printf(&buf, "::%.*s", SL_ARG(own->use->name));
    used |= sl_map_get(&scopes->usings, sl_buf_view(&buf)) != NULL;
    sl_buf_release(&buf);
    return used;
}

static bool is_in_scope(const struct sl_scopes *scopes,
                        const struct sl_spot *spot, const struct sl_own *own)
{
    const struct sl_use *use = spot->use;
    struct sl_view around = own->use->around;
    if (use->global)
        return !around.len && !own->is_member;
    if (own->is_member)
        return around.len && (use->inherits || is_within(use->around, around));
    return is_within(use->around, around) ||
           is_used_here(scopes, spot->file, own);
}

enum sl_status sl_scopes_find(struct sl_arena *arena, struct sl_spots *spots,
                              const struct sl_spot *spot,
                              struct sl_own **own_out, struct sl_error *error)
{
    struct sl_scopes *scopes = &spots->scopes;
    const size_t *newest = sl_map_get(&scopes->index, spot->use->name);
    enum sl_status status = SL_OK;
    *own_out = NULL;
    for (size_t i = newest ? *newest : SIZE_MAX; !status && i != SIZE_MAX;
         i = scopes->items[i].next) {
        struct sl_own *own = &scopes->items[i];
        bool seen = true;
        if (!is_in_scope(scopes, spot, own))
            continue;
        if (own->use->is_internal && !own->is_member)
            status = sees(arena, spots, spot->file, own->file, &seen, error);
        if (!status && seen)
            *own_out = own;
    }
    return status;
}

const char *sl_own_reach(const struct sl_own *own)
{
    if (own->is_member)
        return "in its class";
    if (own->use->is_internal)
        return "in its file and where that is included";
    return own->use->around.len ? "in its namespace" : "everywhere";
}
