#include "helpers/index/merge.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"

struct range {
    struct range *next;
    size_t first, last; /* of merge->releases */
    struct sl_view types;
    struct sl_view signature;
};

struct sl_merge_entry {
    struct sl_symbol symbol; /* of the release to tell of */
    size_t release;
    struct range *ranges, *newest;
    size_t range_count;
};

void sl_merge_init(struct sl_merge *merge, struct sl_arena *arena)
{
    *merge = (struct sl_merge){.arena = arena};
    sl_map_init(&merge->index, arena);
}

static bool copy_view(struct sl_merge *merge, struct sl_view *view)
{
    *view = sl_arena_copy(merge->arena, *view);
    return view->ptr != NULL;
}

/* symbol's texts lie in the release's arena, which goes. */
static enum sl_status keep_symbol(struct sl_merge *merge,
                                  const struct sl_symbol *from,
                                  struct sl_symbol *to, struct sl_error *error)
{
    *to = *from;
    struct sl_view *const views[] = {&to->name,          &to->family,
                                     &to->template_line, &to->instantiation,
                                     &to->type_list,     &to->signature};
    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        if (!copy_view(merge, views[i]))
            return sl_error_nomem(error);
    return SL_OK;
}

static enum sl_status add_range(struct sl_merge *merge,
                                struct sl_merge_entry *entry,
                                const struct sl_release_name *name,
                                size_t release, struct sl_error *error)
{
    struct range *range = sl_arena_alloc(merge->arena, sizeof *range);
    if (!range)
        return sl_error_nomem(error);
    *range = (struct range){.first = release,
                            .last = release,
                            .types = name->types,
                            .signature = name->symbol.signature};
    if (!copy_view(merge, &range->types) ||
        !copy_view(merge, &range->signature))
        return sl_error_nomem(error);
    if (entry->newest)
        entry->newest->next = range;
    else
        entry->ranges = range;
    entry->newest = range;
    entry->range_count++;
    return SL_OK;
}

static enum sl_status find_entry(struct sl_merge *merge, struct sl_view name,
                                 struct sl_merge_entry **entry_out,
                                 struct sl_error *error)
{
    const size_t *known = sl_map_get(&merge->index, name);
    if (known) {
        *entry_out = &merge->entries[*known];
        return SL_OK;
    }
    struct sl_merge_entry *entries = sl_arena_grow(merge->arena, merge->entries,
                                                   sizeof *entries,
                                                   merge->count, &merge->cap);
    if (!entries || !copy_view(merge, &name) ||
        !sl_map_put(&merge->index, name, merge->count, NULL))
        return sl_error_nomem(error);
    merge->entries = entries;
    *entry_out = &entries[merge->count++];
    **entry_out = (struct sl_merge_entry){.ranges = NULL};
    return SL_OK;
}

static enum sl_status add_name(struct sl_merge *merge,
                               const struct sl_release_name *name,
                               size_t release, struct sl_error *error)
{
    struct sl_merge_entry *entry = NULL;
    enum sl_status status = find_entry(merge, name->symbol.name, &entry, error);
    if (status)
        return status;
    struct range *newest = entry->newest;
    bool is_reference = newest && sl_view_is(merge->releases[entry->release],
                                             SL_REFERENCE_RELEASE);
    if (!is_reference) {
        entry->release = release;
        status = keep_symbol(merge, &name->symbol, &entry->symbol, error);
    }
    if (newest && newest->last + 1 == release &&
        sl_view_eq(newest->types, name->types))
        newest->last = release;
    else if (!status)
        status = add_range(merge, entry, name, release, error);
    return status;
}

enum sl_status sl_merge_add(struct sl_merge *merge,
                            const struct sl_release *release,
                            struct sl_error *error)
{
    if (merge->release_count >= SL_MAX_RELEASES)
        return sl_error_set(error, SL_ERR_LIMIT, "more than %u releases",
                            SL_MAX_RELEASES);
    struct sl_view *releases = sl_arena_grow(
        merge->arena, merge->releases, sizeof *releases, merge->release_count,
        &merge->release_cap);
    struct sl_view version = release->version;
    if (!releases || !copy_view(merge, &version))
        return sl_error_nomem(error);
    merge->releases = releases;
    size_t number = merge->release_count++;
    releases[number] = version;
    enum sl_status status = SL_OK;
    for (size_t i = 0; i < release->count && !status; i++)
        status = add_name(merge, &release->items[i], number, error);
    return status;
}

static void note(struct sl_merge_twin *twin, size_t *counter,
                 struct sl_view name)
{
    (*counter)++;
    if (!twin->example.len)
        twin->example = name;
}

enum sl_status sl_merge_add_twin(struct sl_merge *merge,
                                 const struct sl_release *release,
                                 struct sl_merge_twin *twin_out,
                                 struct sl_error *error)
{
    struct sl_merge_twin twin = {0, 0, 0, SL_LIT("")};
    size_t number = merge->release_count - 1, shared = 0, before = 0;
    for (size_t i = 0; i < merge->count; i++)
        before += merge->entries[i].newest->last == number;
    enum sl_status status = SL_OK;
    for (size_t i = 0; i < release->count && !status; i++) {
        const struct sl_release_name *name = &release->items[i];
        const size_t *known = sl_map_get(&merge->index, name->symbol.name);
        const struct range *newest = known ? merge->entries[*known].newest
                                           : NULL;
        if (!newest || newest->last != number) {
            note(&twin, &twin.only_second, name->symbol.name);
            status = add_name(merge, name, number, error);
            continue;
        }
        shared++;
        if (!sl_view_eq(newest->types, name->types))
            note(&twin, &twin.other_signature, name->symbol.name);
    }
    twin.only_first = before - shared;
    *twin_out = twin;
    return status;
}

static int by_name(const void *a, const void *b)
{
    return sl_view_cmp(((const struct sl_merge_entry *)a)->symbol.name,
                       ((const struct sl_merge_entry *)b)->symbol.name);
}

/* "<=3.1.7" for the oldest: what was before it has not been read. */
static struct sl_view first_text(struct sl_merge *merge, size_t release)
{
    if (release > 0)
        return merge->releases[release];
    struct sl_buf buf;
    sl_buf_init(&buf, SL_MAX_TOKEN);
    sl_buf_puts(&buf, "<=");
    sl_buf_add(&buf, merge->releases[0]);
    struct sl_view text = sl_arena_copy(merge->arena, sl_buf_view(&buf));
    sl_buf_release(&buf);
    return text;
}

static struct sl_view last_text(const struct sl_merge *merge, size_t release)
{
    return release + 1 == merge->release_count ? SL_LIT("-")
                                               : merge->releases[release];
}

static bool finish_entry(struct sl_merge *merge,
                         const struct sl_merge_entry *entry,
                         struct sl_symbols *out)
{
    struct sl_symbol *symbol = &out->items[out->count++];
    *symbol = entry->symbol;
    symbol->release = merge->releases[entry->release];
    symbol->first = first_text(merge, entry->ranges->first);
    symbol->last = last_text(merge, entry->newest->last);
    if (!symbol->first.ptr)
        return false;
    if (entry->range_count == 1)
        return true;
    for (const struct range *r = entry->ranges; r; r = r->next) {
        struct sl_view first = first_text(merge, r->first);
        if (!first.ptr)
            return false;
        out->ranges[out->range_count++] = (struct sl_symbol_range){
            symbol->name, first, last_text(merge, r->last), r->signature};
    }
    return true;
}

enum sl_status sl_merge_finish(struct sl_merge *merge,
                               struct sl_symbols *symbols_out,
                               struct sl_error *error)
{
    struct sl_symbols out = {.releases = merge->releases,
                             .release_count = merge->release_count};
    size_t ranges = 0;
    for (size_t i = 0; i < merge->count; i++)
        ranges += merge->entries[i].range_count;
    out.items = sl_arena_alloc(merge->arena,
                               (merge->count + 1) * sizeof *out.items);
    out.ranges = sl_arena_alloc(merge->arena,
                                (ranges + 1) * sizeof *out.ranges);
    if (!out.items || !out.ranges)
        return sl_error_nomem(error);
    if (merge->count)
        qsort(merge->entries, merge->count, sizeof *merge->entries, by_name);
    sl_map_init(&merge->index, merge->arena); /* the order has changed */
    for (size_t i = 0; i < merge->count; i++)
        if (!finish_entry(merge, &merge->entries[i], &out))
            return sl_error_nomem(error);
    *symbols_out = out;
    return SL_OK;
}
