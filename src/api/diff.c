#include "api/diff.h"

#include "api/release.h"

const char *sl_change_kind_name(enum sl_change_kind kind)
{
    static const char *const names[] = {"added", "removed", "changed"};
    return names[kind];
}

static bool compare(const struct sl_symbols *symbols,
                    const struct sl_symbol *symbol, struct sl_view from,
                    struct sl_view to, struct sl_change *change)
{
    *change = (struct sl_change){.symbol = symbol};
    bool was = sl_symbol_in(symbols, symbol, from, &change->before);
    bool is = sl_symbol_in(symbols, symbol, to, &change->after);
    change->kind = !was  ? SL_CHANGE_ADDED
                   : !is ? SL_CHANGE_REMOVED
                         : SL_CHANGE_SIGNATURE;
    return was != is || (was && !sl_view_eq(change->before, change->after));
}

enum sl_status sl_api_diff(struct sl_arena *arena,
                           const struct sl_symbols *symbols,
                           struct sl_view from, struct sl_view to,
                           struct sl_changes *changes_out,
                           struct sl_error *error)
{
    enum sl_status status =
        sl_release_pair(symbols->releases, symbols->release_count, &from, &to,
                        error);
    if (status)
        return status;
    struct sl_changes changes = {NULL, 0, 0};
    for (size_t i = 0; i < symbols->count; i++) {
        struct sl_change change;
        if (!compare(symbols, &symbols->items[i], from, to, &change))
            continue;
        changes.items = sl_arena_grow(arena, changes.items,
                                      sizeof *changes.items, changes.count,
                                      &changes.cap);
        if (!changes.items)
            return sl_error_nomem(error);
        changes.items[changes.count++] = change;
    }
    *changes_out = changes;
    return SL_OK;
}

enum sl_status sl_env_diff(struct sl_arena *arena,
                           const struct sl_env_table *table,
                           struct sl_view from, struct sl_view to,
                           struct sl_env_changes *changes_out,
                           struct sl_error *error)
{
    enum sl_status status =
        sl_release_pair(table->releases, table->release_count, &from, &to,
                        error);
    if (status)
        return status;
    struct sl_env_changes changes = {NULL, 0, 0};
    for (size_t i = 0; i < table->count; i++) {
        const struct sl_env *env = &table->items[i];
        bool was = sl_env_gate(table, env, from) == SL_ENV_HERE;
        bool is = sl_env_gate(table, env, to) == SL_ENV_HERE;
        if (was == is)
            continue;
        changes.items = sl_arena_grow(arena, changes.items,
                                      sizeof *changes.items, changes.count,
                                      &changes.cap);
        if (!changes.items)
            return sl_error_nomem(error);
        changes.items[changes.count++] = (struct sl_env_change){
            is ? SL_CHANGE_ADDED : SL_CHANGE_REMOVED, env};
    }
    *changes_out = changes;
    return SL_OK;
}
