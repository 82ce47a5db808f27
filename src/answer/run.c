#include "answer/run.h"

#include "json/json.h"

/* A value on one line; nested ones as far as records nest. */
static void value(struct sl_buf *out, const struct sl_json *node)
{
    struct sl_view text;
    int64_t number;
    double real;
    bool truth;
    if (sl_json_text(node, &text))
        sl_buf_add(out, text);
    else if (sl_json_integer(node, &number))
        sl_buf_printf(out, "%lld", (long long)number);
    else if (sl_json_real(node, &real))
        sl_buf_printf(out, "%g", real);
    else if (sl_json_bool(node, &truth))
        sl_buf_puts(out, truth ? "yes" : "no");
    else
        sl_buf_putc(out, '-');
}

static void list(struct sl_buf *out, const struct sl_json *node)
{
    size_t count = sl_json_count(node);
    for (size_t i = 0; i < count; i++) {
        if (i)
            sl_buf_puts(out, ", ");
        value(out, sl_json_at(node, i));
    }
    if (count == 0)
        sl_buf_putc(out, '-');
}

/* NAME  key value  key value …; `name` leads, the rest as in the record. */
static void case_line(struct sl_buf *out, const struct sl_json *node)
{
    void *cursor = NULL;
    struct sl_view key;
    const struct sl_json *member;
    sl_buf_puts(out, "  ");
    sl_buf_add(out, sl_json_member(node, "name"));
    while (sl_json_each(node, &cursor, &key, &member)) {
        if (sl_view_is(key, "name"))
            continue;
        sl_buf_printf(out, "  %.*s ", SL_ARG(key));
        value(out, member);
    }
    sl_buf_putc(out, '\n');
}

static void variables(struct sl_buf *out, const struct sl_json *node)
{
    void *cursor = NULL;
    struct sl_view key;
    const struct sl_json *member;
    while (sl_json_each(node, &cursor, &key, &member)) {
        sl_buf_printf(out, "  %.*s=", SL_ARG(key));
        value(out, member);
        sl_buf_putc(out, '\n');
    }
}

static void facts(struct sl_buf *out, const struct sl_json *record)
{
    static const char *const keys[] = {
        "outcome", "program", "command", "nvshmem",       "cuda",
        "driver",  "devices", "pes",     "pes_per_device", "mps",
        "date",    "seconds", "notes",
    };
    sl_buf_puts(out, "run:");
    sl_buf_add(out, sl_json_member(record, "name"));
    sl_buf_putc(out, '\n');
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const struct sl_json *node = sl_json_get(record, keys[i]);
        sl_buf_printf(out, "%-14s  ", keys[i]);
        if (sl_json_is_array(node))
            list(out, node);
        else
            value(out, node);
        sl_buf_putc(out, '\n');
    }
}

static enum sl_status parse(struct sl_view record, struct sl_json **root_out,
                            struct sl_error *error)
{
    struct sl_error why = {SL_OK, ""};
    enum sl_status status = sl_json_parse(record, root_out, &why);
    if (!status && !sl_json_is_object(*root_out)) {
        sl_json_release(*root_out);
        status = sl_error_set(&why, SL_ERR_SYNTAX, "it is no object");
    }
    if (status)
        return sl_error_set(error, status, "the run record is broken: %.400s",
                            why.message);
    return SL_OK;
}

enum sl_status sl_run_check(struct sl_view record, struct sl_error *error)
{
    struct sl_json *root;
    enum sl_status status = parse(record, &root, error);
    if (!status)
        sl_json_release(root);
    return status;
}

enum sl_status sl_run_text(struct sl_view record, struct sl_buf *out,
                           struct sl_error *error)
{
    struct sl_json *root;
    enum sl_status status = parse(record, &root, error);
    if (status)
        return status;
    facts(out, root);
    sl_buf_puts(out, "variables\n");
    variables(out, sl_json_get(root, "variables"));
    const struct sl_json *cases = sl_json_get(root, "cases");
    sl_buf_printf(out, "cases (%zu)\n", sl_json_count(cases));
    for (size_t i = 0; i < sl_json_count(cases); i++)
        case_line(out, sl_json_at(cases, i));
    sl_json_release(root);
    return SL_OK;
}
