/* Tables of the environment variables and of the pinned sources. */
#include "tables/internal.h"

static void put_or_dash(struct sl_buf *out, struct sl_view text)
{
    sl_buf_add(out, text.len ? text : SL_LIT("-"));
}

/* With a blank after each comma, so that a viewer may wrap it. */
static void put_readers(struct sl_buf *out, struct sl_view list)
{
    struct sl_env_reader reader;
    const char *before = "";
    if (!list.len)
        sl_buf_putc(out, '-');
    for (; sl_env_next_reader(&list, &reader); before = ", ") {
        sl_buf_printf(out, "%s%.*s", before, SL_ARG(reader.name));
        if (reader.first.len && sl_view_eq(reader.first, reader.last))
            sl_buf_printf(out, " (%.*s)", SL_ARG(reader.first));
        else if (reader.first.len)
            sl_buf_printf(out, " (%.*s to %.*s)", SL_ARG(reader.first),
                          SL_ARG(reader.last));
    }
}

static void put_releases(struct sl_buf *out, const struct sl_tables *tables,
                         const struct sl_env *env)
{
    const struct sl_env_table *table = tables->data.env;
    if (!env->first.len) {
        sl_buf_putc(out, '-');
        return;
    }
    bool newest = table->release_count &&
                  sl_view_eq(env->last,
                             table->releases[table->release_count - 1]);
    sl_table_gate(out, env->first, newest ? SL_LIT("-") : env->last);
}

bool sl_table_variables(const struct sl_tables *tables, struct sl_view which,
                        struct sl_view path, struct sl_buf *out)
{
    enum sl_env_kind kind;
    if (!sl_env_kind_of(which, &kind))
        return false;
    sl_buf_puts(out,
                "\n| variable | type | default | read by | when | releases | "
                "set by | read |\n|---|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < tables->data.env->count; i++) {
        const struct sl_env *env = &tables->data.env->items[i];
        if (env->kind != kind)
            continue;
        sl_buf_printf(out, "| `%.*s` | ", SL_ARG(env->name));
        put_or_dash(out, env->type);
        sl_buf_puts(out, " | ");
        if (env->fallback.len)
            sl_buf_printf(out, "`%.*s`", SL_ARG(env->fallback));
        else
            sl_buf_putc(out, '-');
        sl_buf_puts(out, " | ");
        put_readers(out, env->readers);
        sl_buf_puts(out, " | ");
        put_or_dash(out, env->when);
        sl_buf_puts(out, " | ");
        put_releases(out, tables, env);
        sl_buf_puts(out, " | ");
        const size_t *list = sl_map_get(&tables->setters, env->name);
        if (list)
            sl_buf_add(out, tables->lists[*list]);
        sl_buf_puts(out, " | ");
        sl_table_section(out, tables, env->name, env->name, path);
        sl_buf_puts(out, " |\n");
    }
    sl_buf_putc(out, '\n');
    return true;
}

void sl_table_sources(const struct sl_tables *tables, struct sl_buf *out)
{
    sl_buf_puts(out, "\n| source | what | licence | tag or date | lines FIRST "
                     "to LAST of PATH |\n|---|---|---|---|---|\n");
    for (size_t i = 0; i < tables->data.sources->count; i++) {
        const struct sl_source *source = &tables->data.sources->items[i];
        sl_buf_printf(out, "| `%.*s` | %.*s | %.*s", SL_ARG(source->id),
                      SL_ARG(source->title), SL_ARG(source->licence));
        for (size_t k = 0; k < source->exception_count; k++)
            sl_buf_printf(out, "; `%.*s`: %.*s",
                          SL_ARG(source->exceptions[k].path),
                          SL_ARG(source->exceptions[k].licence));
        sl_buf_printf(out, " | %.*s | `%.*s/blob/%.*s/PATH#LFIRST-LLAST` |\n",
                      SL_ARG(source->tag), SL_ARG(source->repository),
                      SL_ARG(source->commit));
    }
    sl_buf_putc(out, '\n');
}
