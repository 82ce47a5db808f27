/* The JSON form of what is known of a name. */
#include "answer/symbol.h"

static void member(struct sl_buf *out, const char *key, struct sl_view value)
{
    sl_buf_printf(out, "\"%s\":", key);
    if (!value.ptr) {
        sl_buf_puts(out, "null");
        return;
    }
    sl_buf_putc(out, '"');
    sl_buf_json(out, value);
    sl_buf_putc(out, '"');
}

static void next(struct sl_buf *out, const char *key, struct sl_view value)
{
    sl_buf_putc(out, ',');
    member(out, key, value);
}

/* A word of the table; null where it has none. */
static struct sl_view word(const char *name)
{
    struct sl_view view = sl_view_of(name);
    return sl_view_is(view, "-") ? (struct sl_view){NULL, 0} : view;
}

static struct sl_view or_null(struct sl_view value)
{
    return value.len && !sl_view_is(value, "-") ? value
                                                : (struct sl_view){NULL, 0};
}

static void put_symbol(struct sl_buf *out, const struct sl_symbol *symbol)
{
    member(out, "name", symbol->name);
    next(out, "family", symbol->family);
    next(out, "kind", word(sl_symbol_kind_name(symbol->kind)));
    next(out, "owner", word(sl_symbol_owner_name(symbol->owner)));
    next(out, "space", word(sl_symbol_space_name(symbol->space)));
    next(out, "scope", word(sl_symbol_scope_name(symbol->scope)));
    next(out, "blocking", word(sl_symbol_blocking_name(symbol->blocking)));
    next(out, "first", symbol->first);
    next(out, "last", or_null(symbol->last));
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
        member(out, "first", range->first);
        next(out, "last", or_null(range->last));
        next(out, "signature", range->signature);
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
        member(out, "what", sl_view_of(place->what));
        next(out, "header", place->header);
        next(out, "citation", or_null(place->citation));
        next(out, "url", or_null(place->url));
        sl_buf_putc(out, '}');
    }
    sl_buf_putc(out, ']');
}

static void put_uses(struct sl_buf *out, const struct sl_users *rows)
{
    sl_buf_puts(out, ",\"uses\":[");
    for (size_t i = 0; i < rows->count; i++) {
        const struct sl_user *row = &rows->items[i];
        struct sl_view rest = row->places, place;
        sl_buf_puts(out, i ? ",{" : "{");
        member(out, "source", row->source);
        next(out, "name", row->name);
        next(out, "kind", row->kind);
        next(out, "language", row->language);
        next(out, "owner", row->own ? SL_LIT("project")
                                    : (struct sl_view){NULL, 0});
        next(out, "how", or_null(row->how));
        next(out, "value", or_null(row->value));
        sl_buf_printf(out, ",\"count\":%zu,\"places\":[", row->count);
        for (bool some = false; sl_view_cut(&rest, ' ', &place); some = true) {
            sl_buf_puts(out, some ? ",\"" : "\"");
            sl_buf_json(out, place);
            sl_buf_putc(out, '"');
        }
        sl_buf_puts(out, "]}");
    }
    sl_buf_putc(out, ']');
}

static void put_sections(struct sl_buf *out, const struct sl_mentions *sections)
{
    sl_buf_puts(out, ",\"sections\":[");
    for (size_t i = 0; i < sections->count; i++) {
        sl_buf_puts(out, i ? ",{" : "{");
        member(out, "id", sections->items[i].id);
        next(out, "title", sections->items[i].title);
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
        next(out, "signature", answer->here ? answer->signature
                                            : (struct sl_view){NULL, 0});
        put_ranges(out, answer);
        next(out, "lines_of", symbol->release);
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
    }
    put_uses(out, &answer->rows);
    put_sections(out, &answer->sections);
}

void sl_symbol_json(struct sl_buf *out, const struct sl_symbol_answer *answer)
{
    sl_buf_puts(out, "{\"schema\":\"shmemlore.symbol/1\",");
    member(out, "asked", answer->asked);
    next(out, "release", or_null(answer->release));
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
