#include "api/meanings.h"

#define COLUMNS 7

static const char header[] = "name\tfirst\tlast\tlevel\tkind\tsection\ttext";

static bool is_level(struct sl_view level)
{
    return sl_view_is(level, "error") || sl_view_is(level, "warning") ||
           sl_view_is(level, "note");
}

static bool is_kind(struct sl_view kind)
{
    return sl_view_is(kind, "meaning") || sl_view_is(kind, "better");
}

/* The row once for each of its names, which commas part. */
static enum sl_status add_row(struct sl_arena *arena, struct sl_view f[COLUMNS],
                              struct sl_meanings *m, size_t *cap,
                              struct sl_error *error)
{
    struct sl_view names = f[0], name;
    while (sl_view_cut(&names, ',', &name)) {
        m->items = sl_arena_grow(arena, m->items, sizeof *m->items, m->count,
                                 cap);
        if (!m->items)
            return sl_error_nomem(error);
        m->items[m->count++] =
            (struct sl_meaning){name, f[1], f[2], f[3], f[4], f[5], f[6]};
    }
    return SL_OK;
}

enum sl_status sl_meanings_parse(struct sl_arena *arena, struct sl_view table,
                                 struct sl_meanings *meanings_out,
                                 struct sl_error *error)
{
    struct sl_meanings m = {NULL, 0};
    struct sl_view line, f[COLUMNS];
    size_t cap = 0;
    if (table.len && (!sl_view_line(&table, &line) ||
                      !sl_view_is(line, header)))
        return sl_error_set(error, SL_ERR_SYNTAX,
                            "%s:1: the header line must be: %s",
                            SL_MEANINGS_TSV, header);
    for (size_t n = 2; sl_view_line(&table, &line); n++) {
        size_t count = 0;
        while (count < COLUMNS && sl_view_cut(&line, '\t', &f[count]))
            count++;
        if (count < COLUMNS || line.len || !is_level(f[3]) || !is_kind(f[4]))
            return sl_error_set(error, SL_ERR_SYNTAX,
                                "%s:%zu: not 7 columns with error, warning or "
                                "note, then meaning or better",
                                SL_MEANINGS_TSV, n);
        enum sl_status status = add_row(arena, f, &m, &cap, error);
        if (status)
            return status;
    }
    *meanings_out = m;
    return SL_OK;
}
