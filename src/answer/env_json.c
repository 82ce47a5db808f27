/* The JSON form of what is known of a variable. */
#include "answer/env.h"
#include "answer/members.h"

/* A list of the table as an array of strings. */
static void put_words(struct sl_buf *out, const char *key, struct sl_view list,
                      char between)
{
    struct sl_view one;
    sl_buf_printf(out, ",\"%s\":[", key);
    for (bool some = false; sl_view_cut(&list, between, &one); some = true) {
        sl_buf_puts(out, some ? ",\"" : "\"");
        sl_buf_json(out, one);
        sl_buf_putc(out, '"');
    }
    sl_buf_putc(out, ']');
}

/* Names, of the release asked for; then where a reader is not in all releases. */
static void put_readers(struct sl_buf *out, const struct sl_env *row,
                        struct sl_view release)
{
    struct sl_env_reader reader;
    struct sl_view rest = row->readers;
    bool some = false;
    sl_buf_puts(out, ",\"readers\":[");
    while (sl_env_next_reader(&rest, &reader)) {
        if (release.len && !sl_env_reads_in(&reader, release))
            continue;
        sl_buf_puts(out, some ? ",\"" : "\"");
        sl_buf_json(out, reader.name);
        sl_buf_putc(out, '"');
        some = true;
    }
    sl_buf_puts(out, "],\"reader_releases\":[");
    rest = row->readers;
    for (some = false; sl_env_next_reader(&rest, &reader);) {
        if (!reader.first.len)
            continue;
        sl_buf_puts(out, some ? ",{" : "{");
        sl_put_member(out, "reader", reader.name);
        sl_put_next(out, "first", reader.first);
        sl_put_next(out, "last", reader.last);
        sl_put_next(out, "evidence", reader.is_observed ? SL_LIT("observed")
                                                        : SL_LIT("binary"));
        sl_buf_putc(out, '}');
        some = true;
    }
    sl_buf_putc(out, ']');
}

static void put_row(struct sl_buf *out, const struct sl_env_answer *answer,
                    const struct sl_env *row)
{
    static const char *const gates[] = {
        [SL_ENV_HERE] = "here",
        [SL_ENV_BEFORE_FIRST] = "not-yet",
        [SL_ENV_AFTER_LAST] = "gone",
        [SL_ENV_NOWHERE] = "nowhere",
        [SL_ENV_NOT_READ] = "unknown",
    };
    sl_buf_putc(out, '{');
    sl_put_member(out, "name", row->name);
    sl_put_next(out, "kind", sl_view_of(sl_env_kind_name(row->kind)));
    sl_put_next(out, "type", sl_or_null(row->type));
    sl_put_next(out, "default", sl_or_null(row->fallback));
    sl_put_next(out, "category", sl_or_null(row->category));
    put_readers(out, row, answer->release);
    put_words(out, "used", row->used, ',');
    sl_put_next(out, "when", sl_or_null(row->when));
    sl_put_next(out, "first", sl_or_null(row->first));
    sl_put_next(out, "last", sl_or_null(row->last));
    if (answer->release.len) {
        enum sl_env_gate gate =
            sl_env_gate(&answer->table, row, answer->release);
        sl_put_next(out, "gate", sl_view_of(gates[gate]));
    }
    sl_put_next(out, "evidence", sl_or_null(row->evidence));
    put_words(out, "sources", row->sources, ' ');
    sl_put_next(out, "note", sl_or_null(row->note));
    sl_buf_putc(out, '}');
}

void sl_env_json(struct sl_buf *out, const struct sl_env_answer *answer)
{
    sl_buf_puts(out, "{\"schema\":\"shmemlore.env/1\",");
    sl_put_member(out, "asked", answer->asked);
    sl_put_next(out, "release", sl_or_null(answer->release));
    if (answer->nccl) {
        sl_put_next(out, "nccl", answer->nccl->name);
        sl_put_next(out, "difference", answer->nccl->difference);
        put_words(out, "evidence", answer->nccl->evidence, ' ');
    }
    sl_buf_puts(out, ",\"variables\":[");
    for (size_t i = 0; i < answer->count; i++) {
        if (i)
            sl_buf_puts(out, ",\n");
        put_row(out, answer, answer->rows[i]);
    }
    sl_buf_putc(out, ']');
    if (!answer->nccl && !answer->is_list) {
        sl_buf_printf(out, ",\"is_symbol\":%s",
                      answer->is_symbol ? "true" : "false");
        sl_put_uses(out, &answer->uses);
        sl_put_sections(out, &answer->sections);
    }
    sl_buf_puts(out, "}\n");
}
