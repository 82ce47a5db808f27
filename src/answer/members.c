#include "answer/members.h"

void sl_put_member(struct sl_buf *out, const char *key, struct sl_view value)
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

void sl_put_next(struct sl_buf *out, const char *key, struct sl_view value)
{
    sl_buf_putc(out, ',');
    sl_put_member(out, key, value);
}

struct sl_view sl_or_null(struct sl_view value)
{
    return value.len && !sl_view_is(value, "-") ? value
                                                : (struct sl_view){NULL, 0};
}

void sl_put_uses(struct sl_buf *out, const struct sl_users *rows)
{
    sl_buf_puts(out, ",\"uses\":[");
    for (size_t i = 0; i < rows->count; i++) {
        const struct sl_user *row = &rows->items[i];
        struct sl_view rest = row->places, place;
        sl_buf_puts(out, i ? ",{" : "{");
        sl_put_member(out, "source", row->source);
        sl_put_next(out, "name", row->name);
        sl_put_next(out, "kind", row->kind);
        sl_put_next(out, "language", row->language);
        sl_put_next(out, "owner", row->own ? SL_LIT("project")
                                    : (struct sl_view){NULL, 0});
        sl_put_next(out, "how", sl_or_null(row->how));
        sl_put_next(out, "value", sl_or_null(row->value));
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

void sl_put_sections(struct sl_buf *out, const struct sl_mentions *sections)
{
    sl_buf_puts(out, ",\"sections\":[");
    for (size_t i = 0; i < sections->count; i++) {
        sl_buf_puts(out, i ? ",{" : "{");
        sl_put_member(out, "id", sections->items[i].id);
        sl_put_next(out, "title", sections->items[i].title);
        sl_buf_putc(out, '}');
    }
    sl_buf_putc(out, ']');
}
