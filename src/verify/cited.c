/*
 * Citations in the tables of evidence: the sources of evidence/env.tsv and the evidence
 * of nccl-map.tsv are anchored as those of the text are.
 */
#include <string.h>

#include "api/env.h"
#include "api/nccl.h"
#include "api/table.h"
#include "base/limits.h"
#include "verify/checks.h"

static const struct cited {
    const char *path;
    size_t column; /* the one with citations, blanks between them */
} tables[] = {
    {SL_ENV_TSV, SL_ENV_SOURCES_COLUMN},
    {SL_NCCL_TSV, SL_NCCL_EVIDENCE_COLUMN},
};

void sl_checks_table_fault(struct sl_checks *checks, const char *path,
                           const struct sl_error *why)
{
    const struct sl_report *report = checks->report;
    for (size_t i = 0; i < report->count; i++)
        if (strcmp(report->items[i].rule, "table-form") == 0 &&
            sl_view_is(report->items[i].file, path))
            return;
    sl_report_fault(checks->report, sl_view_of(path), 0, "table-form", "", "%s",
                    why->message);
}

static struct sl_view column_of(struct sl_view line, size_t column)
{
    struct sl_view field = SL_LIT("");
    for (size_t i = 0; i <= column; i++)
        if (!sl_view_cut(&line, '\t', &field))
            return SL_LIT("");
    return field;
}

/* `-`, and what the map says without citing. */
static bool is_other(struct sl_view item)
{
    return !item.len || sl_view_is(item, "-") ||
           sl_view_starts(item, "absent") || sl_view_starts(item, "observed:");
}

static enum sl_status collect(struct sl_checks *checks,
                              const struct cited *table, struct sl_view bytes,
                              struct sl_error *error)
{
    enum sl_status status = SL_OK;
    struct sl_view line, item;
    for (unsigned n = 1; !status && sl_view_line(&bytes, &line); n++) {
        struct sl_view rest = column_of(line, table->column);
        while (!status && sl_view_cut(&rest, ' ', &item)) {
            struct sl_use use = {.next = SIZE_MAX, .table = table->path,
                                 .line = n};
            if (!is_other(item))
                status = sl_checks_add_use(checks, use, item, error);
        }
    }
    return status;
}

enum sl_status sl_checks_collect_tables(struct sl_checks *checks,
                                        struct sl_error *error)
{
    enum sl_status status = SL_OK;
    for (size_t i = 0; !status && i < sizeof tables / sizeof *tables; i++) {
        struct sl_view bytes;
        struct sl_error why = {SL_OK, ""};
        status = sl_table_read(&checks->arena, checks->root, tables[i].path,
                               SL_MAX_ENV_TABLE, &bytes, &why);
        if (!status)
            status = collect(checks, &tables[i], bytes, error);
        else if (status == SL_ERR_NOTFOUND)
            status = SL_OK;
        else if (status == SL_ERR_SYNTAX)
            sl_checks_table_fault(checks, tables[i].path, &why);
        else
            return sl_error_set(error, status, "%s", why.message);
        if (status == SL_ERR_SYNTAX)
            status = SL_OK;
    }
    return status;
}
