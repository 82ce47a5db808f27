#include "api/options.h"

#define COLUMNS 7

static const char header[] = "name\tkind\toption\tfirst\tlast\tline\tsignature";

void sl_options_write(struct sl_buf *out, const struct sl_symbols *found)
{
    sl_buf_printf(out, "%s\n", header);
    for (size_t i = 0; i < found->count; i++) {
        const struct sl_symbol *s = &found->items[i];
        sl_buf_printf(out, "%.*s\t%s\t%.*s\t%.*s\t%.*s\t%.*s\t%.*s\n",
                      SL_ARG(s->name), sl_symbol_kind_name(s->kind),
                      SL_ARG(s->family), SL_ARG(s->first), SL_ARG(s->last),
                      SL_ARG(s->instantiation), SL_ARG(s->signature));
    }
}

enum sl_status sl_options_find(struct sl_view table, struct sl_view name,
                               struct sl_option_name *row_out, bool *found_out,
                               struct sl_error *error)
{
    struct sl_view line, f[COLUMNS];
    *found_out = false;
    if (!table.len)
        return SL_OK;
    if (!sl_view_line(&table, &line) || !sl_view_is(line, header))
        return sl_error_set(error, SL_ERR_SYNTAX,
                            "%s:1: the header line must be: %s", SL_OPTIONS_TSV,
                            header);
    for (size_t n = 2; sl_view_line(&table, &line); n++) {
        struct sl_view rest = line;
        if (!sl_view_cut(&rest, '\t', &f[0]) || !sl_view_eq(f[0], name))
            continue;
        for (size_t i = 1; i < COLUMNS; i++)
            if (!sl_view_cut(&rest, '\t', &f[i]))
                return sl_error_set(error, SL_ERR_SYNTAX,
                                    "%s:%zu: not 7 columns", SL_OPTIONS_TSV, n);
        *row_out = (struct sl_option_name){f[0], f[1], f[2], f[3],
                                           f[4], f[5], f[6]};
        *found_out = true;
        return SL_OK;
    }
    return SL_OK;
}

bool sl_option_in(const struct sl_option_name *row, struct sl_view release)
{
    return sl_release_cmp(row->first, release) <= 0 &&
           (sl_view_is(row->last, "-") ||
            sl_release_cmp(release, row->last) <= 0);
}
