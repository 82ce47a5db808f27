/* Generated tables: each must be what the data gives today. */
#include "tables/tables.h"

#include "base/limits.h"
#include "kb/generated.h"
#include "verify/names.h"

#define REBUILD "run `shmemlore index tables`"

static unsigned line_of(struct sl_view text, size_t at)
{
    unsigned line = 1;
    for (size_t i = 0; i < at && i < text.len; i++)
        line += text.ptr[i] == '\n';
    return line;
}

/* Lines before the first one that differs. */
static unsigned same_lines(struct sl_view a, struct sl_view b)
{
    unsigned lines = 0;
    struct sl_view x, y;
    while (sl_view_line(&a, &x) && sl_view_line(&b, &y) && sl_view_eq(x, y))
        lines++;
    return lines;
}

struct checker {
    struct sl_checks *checks;
    const struct sl_tables *tables; /* NULL: there is no data */
    const struct sl_kb_file *file;
    struct sl_view name;
};

static enum sl_status check_one(const struct checker *c,
                                const struct sl_generated *generated,
                                struct sl_error *error)
{
    struct sl_view text = c->file->bytes;
    struct sl_report *report = c->checks->report;
    struct sl_buf table;
    struct sl_error why = {SL_OK, ""};
    if (generated->after == text.len && generated->begin == generated->end &&
        sl_view_find(text, SL_LIT("<!-- end -->"), generated->begin) ==
            SIZE_MAX) {
        sl_report_fault(report, c->name, line_of(text, generated->open),
                        "generated-table", "end it with `<!-- end -->`",
                        "nothing ends this table");
        return SL_OK;
    }
    if (!c->tables) {
        sl_report_fault(report, c->name, line_of(text, generated->open),
                        "generated-table", "",
                        "the data that this table is made from is not there");
        return SL_OK;
    }
    sl_buf_init(&table, SL_MAX_MARKDOWN_FILE);
    enum sl_status status =
        sl_table_write(&c->checks->arena, c->tables, generated->name,
                       c->file->path, &table, &why);
    struct sl_view is = sl_view_sub(text, generated->begin, generated->end);
    if (status == SL_ERR_NOTFOUND) {
        sl_report_fault(report, c->name, line_of(text, generated->open),
                        "generated-table", "", "%s", why.message);
        status = SL_OK;
    } else if (!status && !sl_view_eq(is, sl_buf_view(&table))) {
        sl_report_fault(report, c->name,
                        line_of(text, generated->begin) +
                            same_lines(is, sl_buf_view(&table)),
                        "generated-table", REBUILD,
                        "the table '%.*s' is not what the data gives",
                        SL_ARG(generated->name));
    } else if (status) {
        status = sl_error_set(error, status, "%s", why.message);
    }
    sl_buf_release(&table);
    return status;
}

static bool has_tables(const struct sl_kb *kb)
{
    struct sl_generated generated;
    for (size_t i = 0; i < kb->file_count; i++)
        if (sl_generated_next(kb->files[i].bytes, 0, &generated))
            return true;
    return false;
}

enum sl_status sl_checks_tables(struct sl_checks *checks,
                                const struct sl_names *names,
                                struct sl_error *error)
{
    const struct sl_kb *kb = &checks->kb;
    struct sl_tables tables;
    struct checker c = {.checks = checks};
    enum sl_status status = SL_OK;
    if (!has_tables(kb))
        return SL_OK;
    if (names->there) {
        struct sl_tables_data data = {&names->symbols, &names->users,
                                      &names->env, &checks->sources, kb};
        status = sl_tables_make(&checks->arena, &data, &tables, error);
        c.tables = &tables;
    }
    for (size_t i = 0; !status && i < kb->file_count; i++) {
        struct sl_generated generated;
        c.file = &kb->files[i];
        c.name = sl_checks_name(checks, i);
        for (size_t at = 0; !status && sl_generated_next(c.file->bytes, at,
                                                         &generated);
             at = generated.after)
            status = check_one(&c, &generated, error);
    }
    return status;
}
