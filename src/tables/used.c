/* Tables of the names that the pinned projects use. */
#include "tables/internal.h"

/* The tables and which of the used names each one has. */
static const struct used_table {
    const char *which;
    bool function, internal;
    enum sl_symbol_space space; /* of functions */
} used_tables[] = {
    {"host", true, false, SL_SPACE_HOST},
    {"host+device", true, false, SL_SPACE_BOTH},
    {"device", true, false, SL_SPACE_DEVICE},
    {"on-stream", true, false, SL_SPACE_ON_STREAM},
    {"others", false, false, SL_SPACE_NONE},
    {"internal", false, true, SL_SPACE_NONE},
};

static bool is_in(const struct used_table *table,
                  const struct sl_symbol *symbol)
{
    bool internal = symbol->owner == SL_OWNER_INTERNAL;
    bool function = symbol->kind == SL_KIND_FUNCTION;
    if (internal != table->internal)
        return false;
    return internal ||
           (function == table->function &&
            (!function || symbol->space == table->space));
}

/* Appends the way from the folder of one file to another file. */
static void put_way(struct sl_buf *out, struct sl_view from, struct sl_view to)
{
    size_t same = 0;
    for (size_t i = 0; i < from.len && i < to.len &&
                       from.ptr[i] == to.ptr[i];
         i++)
        if (from.ptr[i] == '/')
            same = i + 1;
    for (size_t i = same; i < from.len; i++)
        if (from.ptr[i] == '/')
            sl_buf_puts(out, "../");
    sl_buf_add(out, sl_view_sub(to, same, to.len));
}

void sl_table_section(struct sl_buf *out, const struct sl_tables *tables,
                      struct sl_view name, struct sl_view other,
                      struct sl_view path)
{
    const size_t *index = sl_map_get(&tables->sections, name);
    if (!index)
        index = sl_map_get(&tables->sections, other);
    if (!index)
        return;
    const struct sl_kb *kb = tables->data.kb;
    const struct sl_section *section = &kb->sections[*index];
    const struct sl_kb_file *file = &kb->files[section->file];
    sl_buf_printf(out, "[%.*s](", SL_ARG(file->stem));
    if (!sl_view_eq(file->path, path))
        put_way(out, path, file->path);
    sl_buf_printf(out, "#%.*s)", SL_ARG(section->slug));
}

bool sl_table_used(const struct sl_tables *tables, struct sl_view which,
                   struct sl_view path, struct sl_buf *out)
{
    const struct used_table *table = NULL;
    for (size_t i = 0; i < sizeof used_tables / sizeof *used_tables; i++)
        if (sl_view_is(which, used_tables[i].which))
            table = &used_tables[i];
    if (!table)
        return false;
    sl_buf_puts(out, "\n| name | owner | releases | used by | read |\n"
                     "|---|---|---|---|---|\n");
    for (size_t i = 0; i < tables->data.symbols->count; i++) {
        const struct sl_symbol *symbol = &tables->data.symbols->items[i];
        const size_t *list = is_in(table, symbol)
                                 ? sl_map_get(&tables->users, symbol->name)
                                 : NULL;
        if (!list)
            continue;
        sl_buf_printf(out, "| `%.*s` | %s | ", SL_ARG(symbol->name),
                      sl_symbol_owner_name(symbol->owner));
        sl_table_gate(out, symbol->first, symbol->last);
        sl_buf_printf(out, " | %.*s | ", SL_ARG(tables->lists[*list]));
        sl_table_section(out, tables, symbol->name, symbol->family, path);
        sl_buf_puts(out, " |\n");
    }
    sl_buf_putc(out, '\n');
    return true;
}
