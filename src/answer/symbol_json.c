/* The JSON form of what is known of a name. */
#include "answer/members.h"
#include "answer/symbol.h"

/* A word of the table; null where it has none. */
static struct sl_view word(const char *name)
{
    struct sl_view view = sl_view_of(name);
    return sl_view_is(view, "-") ? (struct sl_view){NULL, 0} : view;
}

static void put_symbol(struct sl_buf *out, const struct sl_symbol *symbol)
{
    sl_put_member(out, "name", symbol->name);
    sl_put_next(out, "family", symbol->family);
    sl_put_next(out, "kind", word(sl_symbol_kind_name(symbol->kind)));
    sl_put_next(out, "owner", word(sl_symbol_owner_name(symbol->owner)));
    sl_put_next(out, "space", word(sl_symbol_space_name(symbol->space)));
    sl_put_next(out, "scope", word(sl_symbol_scope_name(symbol->scope)));
    sl_put_next(out, "blocking",
                word(sl_symbol_blocking_name(symbol->blocking)));
    sl_put_next(out, "first", symbol->first);
    sl_put_next(out, "last", sl_or_null(symbol->last));
}

static void put_ranges(struct sl_buf *out,
                       const struct sl_symbol_answer *answer)
{
    bool some = false;
    sl_buf_puts(out, ",\"signatures\":[");
    for (size_t i = 0; i < answer->symbols.range_count; i++) {
        const struct sl_symbol_range *range = &answer->symbols.ranges[i];
        if (!sl_view_eq(range->name, answer->symbol->name))
            continue;
        sl_buf_puts(out, some ? ",{" : "{");
        sl_put_member(out, "first", range->first);
        sl_put_next(out, "last", sl_or_null(range->last));
        sl_put_next(out, "signature", range->signature);
        sl_buf_putc(out, '}');
        some = true;
    }
    sl_buf_putc(out, ']');
}

static void put_places(struct sl_buf *out,
                       const struct sl_symbol_answer *answer)
{
    sl_buf_puts(out, ",\"places\":[");
    for (size_t i = 0; i < answer->place_count; i++) {
        const struct sl_symbol_place *place = &answer->places[i];
        sl_buf_puts(out, i ? ",{" : "{");
        sl_put_member(out, "what", sl_view_of(place->what));
        sl_put_next(out, "header", place->header);
        sl_put_next(out, "citation", sl_or_null(place->citation));
        sl_put_next(out, "url", sl_or_null(place->url));
        sl_buf_putc(out, '}');
    }
    sl_buf_putc(out, ']');
}

/* Of a project's own name: NVSHMEM's near it. */
static void put_near(struct sl_buf *out, const struct sl_symbol_answer *answer)
{
    sl_buf_puts(out, ",\"near\":[");
    for (size_t i = 0; i < answer->near_count; i++) {
        sl_buf_puts(out, i ? ",{" : "{");
        sl_put_member(out, "family", answer->near[i].family);
        sl_put_next(out, "name", answer->near[i].name);
        sl_buf_putc(out, '}');
    }
    sl_buf_putc(out, ']');
}

static void put_one(struct sl_buf *out, const struct sl_symbol_answer *answer)
{
    sl_buf_puts(out, ",\"symbol\":");
    if (answer->symbol) {
        const struct sl_symbol *symbol = answer->symbol;
        sl_buf_putc(out, '{');
        put_symbol(out, symbol);
        sl_buf_printf(out, ",\"in_release\":%s",
                      answer->here ? "true" : "false");
        sl_put_next(out, "signature", answer->here ? answer->signature
                                            : (struct sl_view){NULL, 0});
        put_ranges(out, answer);
        sl_put_next(out, "lines_of", symbol->release);
        put_places(out, answer);
        sl_buf_puts(out, ",\"members\":[");
        for (size_t i = 0; i < answer->symbols.count; i++) {
            sl_buf_puts(out, i ? ",\"" : "\"");
            sl_buf_json(out, answer->symbols.items[i].name);
            sl_buf_putc(out, '"');
        }
        sl_buf_puts(out, "]}");
    } else {
        sl_buf_puts(out, "null");
        put_near(out, answer);
    }
    sl_buf_printf(out, ",\"is_variable\":%s",
                  answer->is_variable ? "true" : "false");
    sl_put_uses(out, &answer->rows);
    sl_put_sections(out, &answer->sections);
}

void sl_symbol_json(struct sl_buf *out, const struct sl_symbol_answer *answer)
{
    sl_buf_puts(out, "{\"schema\":\"shmemlore.symbol/1\",");
    sl_put_member(out, "asked", answer->asked);
    sl_put_next(out, "release", sl_or_null(answer->release));
    if (answer->is_list) {
        sl_buf_printf(out, ",\"count\":%zu,\"names\":[", answer->name_count);
        for (size_t i = 0; i < answer->name_count; i++) {
            sl_buf_puts(out, i ? ",\n{" : "\n{");
            put_symbol(out, answer->names[i]);
            sl_buf_putc(out, '}');
        }
        sl_buf_putc(out, ']');
    } else {
        put_one(out, answer);
    }
    sl_buf_puts(out, "}\n");
}
