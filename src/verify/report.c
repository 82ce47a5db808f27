#include "verify/report.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/limits.h"

void sl_report_init(struct sl_report *report)
{
    *report = (struct sl_report){.count = 0};
    sl_arena_init(&report->arena, SL_MAX_KB_ARENA);
}

void sl_report_release(struct sl_report *report)
{
    sl_arena_release(&report->arena);
    *report = (struct sl_report){.arena = report->arena};
}

SL_PRINTF(2, 0)
static void add(struct sl_report *report, const char *format, va_list args,
                struct sl_fault fault)
{
    if (fault.notice)
        report->notices++;
    else
        report->faults++;
    if (report->count >= SL_MAX_FAULTS || report->failed) {
        report->left_out++;
        return;
    }
    char message[1024];
    (void)vsnprintf(message, sizeof message, format, args);
    report->items = sl_arena_grow(&report->arena, report->items,
                                  sizeof *report->items, report->count,
                                  &report->cap);
    struct sl_view text = sl_arena_copy(&report->arena, sl_view_of(message));
    struct sl_view fix = sl_arena_copy(&report->arena, sl_view_of(fault.fix));
    fault.file = sl_arena_copy(&report->arena, fault.file);
    if (!report->items || !text.ptr || !fix.ptr || !fault.file.ptr) {
        report->failed = SL_ERR_NOMEM;
        return;
    }
    fault.message = text.ptr;
    fault.fix = fix.ptr;
    fault.order = report->count;
    report->items[report->count++] = fault;
}

void sl_report_fault(struct sl_report *report, struct sl_view file,
                     unsigned line, const char *rule, const char *fix,
                     const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(report, format, args,
        (struct sl_fault){.file = file, .line = line, .rule = rule,
                          .fix = fix});
    va_end(args);
}

void sl_report_notice(struct sl_report *report, struct sl_view file,
                      unsigned line, const char *rule, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(report, format, args,
        (struct sl_fault){.file = file, .line = line, .rule = rule,
                          .fix = "", .notice = true});
    va_end(args);
}

static int fault_order(const void *a, const void *b)
{
    const struct sl_fault *x = a;
    const struct sl_fault *y = b;
    int order = sl_view_cmp(x->file, y->file);
    if (!order)
        order = (x->line > y->line) - (x->line < y->line);
    if (!order)
        order = sl_view_cmp(sl_view_of(x->rule), sl_view_of(y->rule));
    return order ? order : (x->order > y->order) - (x->order < y->order);
}

void sl_report_sort(struct sl_report *report)
{
    if (report->count)
        qsort(report->items, report->count, sizeof *report->items,
              fault_order);
}

enum sl_status sl_report_check(const struct sl_report *report,
                               struct sl_error *error)
{
    if (!report->failed)
        return SL_OK;
    return sl_arena_explain(&report->arena, sl_error_nomem(error), error);
}

/* What a text or a file name holds must not steer the terminal. */
static void put_plain(struct sl_buf *out, struct sl_view text)
{
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        sl_buf_putc(out, c < 0x20 || c == 0x7f ? '?' : (char)c);
    }
}

static void text_fault(struct sl_buf *out, const struct sl_fault *fault)
{
    put_plain(out, fault->file);
    sl_buf_putc(out, ':');
    if (fault->line)
        sl_buf_printf(out, "%u:", fault->line);
    sl_buf_puts(out, fault->notice ? " note: " : " error: ");
    put_plain(out, sl_view_of(fault->message));
    if (*fault->fix)
        sl_buf_puts(out, "; ");
    put_plain(out, sl_view_of(fault->fix));
    sl_buf_printf(out, " [%s]\n", fault->rule);
}

/* "1 fault", "2 faults" */
static void number(struct sl_buf *out, size_t n, const char *what)
{
    sl_buf_printf(out, "%zu %s%s", n, what, n == 1 ? "" : "s");
}

static void text_summary(struct sl_buf *out, const struct sl_report *report)
{
    const struct sl_verify_counts *c = &report->counts;
    number(out, c->files, "file");
    sl_buf_puts(out, ", ");
    number(out, c->sections, "section");
    sl_buf_puts(out, ", ");
    number(out, c->blocks, "block");
    sl_buf_puts(out, "\n");
    number(out, c->citations, "citation");
    sl_buf_printf(out, " (%zu distinct:", c->citations_distinct);
    const char *separator = " ";
    for (size_t i = 0; i < SL_GRADES; i++) {
        if (!report->grades[i] && i != SL_GRADE_OK)
            continue;
        sl_buf_printf(out, "%s%zu %s", separator, report->grades[i],
                      sl_grade_name((enum sl_grade)i));
        separator = ", ";
    }
    sl_buf_puts(out, "), ");
    number(out, c->runs, "mention");
    sl_buf_puts(out, " of ");
    number(out, c->runs_distinct, "run");
    sl_buf_puts(out, ", ");
    number(out, c->threads, "mention");
    sl_buf_puts(out, " of ");
    number(out, c->threads_distinct, "thread");
    sl_buf_puts(out, ", ");
    number(out, c->specs, "mention");
    sl_buf_puts(out, " of the specification\n");
    number(out, report->faults, "fault");
    sl_buf_puts(out, ", ");
    number(out, report->notices, "note");
    if (report->left_out)
        sl_buf_printf(out, " (%zu not shown)", report->left_out);
    sl_buf_puts(out, "\n");
}

void sl_report_text(struct sl_buf *out, const struct sl_report *report,
                    const char *root)
{
    struct sl_view prefix = sl_view_of(root);
    while (prefix.len > 1 && sl_view_ends(prefix, "/"))
        prefix.len--;
    if (sl_view_is(prefix, "."))
        prefix.len = 0;
    for (size_t i = 0; i < report->count; i++) {
        if (prefix.len) {
            sl_buf_add(out, prefix);
            sl_buf_puts(out, sl_view_ends(prefix, "/") ? "" : "/");
        }
        text_fault(out, &report->items[i]);
    }
    text_summary(out, report);
}

void sl_verify_update_text(struct sl_buf *out,
                           const struct sl_verify_update *update)
{
    sl_buf_printf(out,
                  "anchors: %zu added, %zu refreshed, %zu accepted, %zu "
                  "dropped, %zu refused, %zu not possible\n",
                  update->added, update->refreshed, update->accepted,
                  update->dropped, update->refused, update->invalid);
    sl_buf_puts(out, "written: ");
    number(out, update->manifests, "line manifest");
    sl_buf_puts(out, update->lock ? ", the lock\n"
                                  : "; the lock is as it was\n");
    if (update->trees_refused) {
        sl_buf_puts(out, "refused: ");
        number(out, update->trees_refused, "source");
        sl_buf_puts(out, " whose tree is not what was fetched\n");
    }
    if (update->swept) {
        sl_buf_puts(out, "removed: ");
        number(out, update->swept, "file");
        sl_buf_puts(out, " of an interrupted update\n");
    }
}

static void json_text(struct sl_buf *out, const char *key, struct sl_view text)
{
    sl_buf_printf(out, "\"%s\":\"", key);
    sl_buf_json(out, text);
    sl_buf_putc(out, '"');
}

static void json_items(struct sl_buf *out, const struct sl_report *report,
                       bool notices)
{
    const char *separator = "";
    for (size_t i = 0; i < report->count; i++) {
        const struct sl_fault *fault = &report->items[i];
        if (fault->notice != notices)
            continue;
        sl_buf_printf(out, "%s\n{", separator);
        separator = ",";
        json_text(out, "file", fault->file);
        sl_buf_printf(out, ",\"line\":%u,", fault->line);
        json_text(out, "rule", sl_view_of(fault->rule));
        sl_buf_putc(out, ',');
        json_text(out, "message", sl_view_of(fault->message));
        sl_buf_putc(out, ',');
        json_text(out, "fix", sl_view_of(fault->fix));
        sl_buf_putc(out, '}');
    }
}

static void json_update(struct sl_buf *out, const struct sl_verify_update *u)
{
    sl_buf_printf(out,
                  "\"update\":{\"added\":%zu,\"refreshed\":%zu,"
                  "\"accepted\":%zu,\"dropped\":%zu,\"refused\":%zu,"
                  "\"invalid\":%zu,\"manifests\":%zu,"
                  "\"trees_refused\":%zu,\"swept\":%zu,\"lock\":%s},\n",
                  u->added, u->refreshed, u->accepted, u->dropped, u->refused,
                  u->invalid, u->manifests, u->trees_refused, u->swept,
                  u->lock ? "true" : "false");
}

void sl_report_json(struct sl_buf *out, const struct sl_report *report,
                    const struct sl_verify_update *update)
{
    const struct sl_verify_counts *c = &report->counts;
    const struct sl_verify_seconds *s = &report->seconds;
    sl_buf_printf(out, "{\"schema\":\"shmemlore.verify/1\",\"ok\":%s,\n",
                  report->faults ? "false" : "true");
    sl_buf_printf(out,
                  "\"counts\":{\"files\":%zu,\"sections\":%zu,\"blocks\":%zu,"
                  "\"citations\":%zu,\"citations_distinct\":%zu,"
                  "\"runs\":%zu,\"runs_distinct\":%zu,\"threads\":%zu,"
                  "\"threads_distinct\":%zu,\"specs\":%zu,"
                  "\"lock_entries\":%zu,\"trees\":%zu,"
                  "\"manifest_lines\":%zu,\"faults\":%zu,\"notices\":%zu,"
                  "\"left_out\":%zu},\n",
                  c->files, c->sections, c->blocks, c->citations,
                  c->citations_distinct, c->runs, c->runs_distinct,
                  c->threads, c->threads_distinct, c->specs, c->lock_entries,
                  c->trees, c->manifest_lines, report->faults, report->notices,
                  report->left_out);
    sl_buf_puts(out, "\"citations\":{");
    for (size_t i = 0; i < SL_GRADES; i++)
        sl_buf_printf(out, "\"%s\":%zu,", sl_grade_name((enum sl_grade)i),
                      report->grades[i]);
    sl_buf_printf(out, "\"trivial\":%zu},\n", report->trivial);
    sl_buf_printf(out,
                  "\"seconds\":{\"load\":%.6f,\"prose\":%.6f,"
                  "\"citations\":%.6f,\"runs\":%.6f,\"total\":%.6f},\n",
                  s->load, s->prose, s->citations, s->runs, s->total);
    if (update)
        json_update(out, update);
    sl_buf_puts(out, "\"faults\":[");
    json_items(out, report, false);
    sl_buf_puts(out, "],\n\"notices\":[");
    json_items(out, report, true);
    sl_buf_puts(out, "]}\n");
}
