#include "skill/report.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/limits.h"

void sl_skill_report_init(struct sl_skill_report *report)
{
    *report = (struct sl_skill_report){.name = SL_LIT("")};
    sl_arena_init(&report->arena, SL_MAX_SKILL_ARENA);
}

void sl_skill_report_release(struct sl_skill_report *report)
{
    sl_arena_release(&report->arena);
    *report = (struct sl_skill_report){.arena = report->arena};
}

void sl_skill_add(struct sl_skill_report *report, enum sl_skill_level level,
                  struct sl_view file, unsigned line, const char *rule,
                  const char *format, ...)
{
    if (level == SL_SKILL_ERROR)
        report->errors++;
    else
        report->warnings++;
    if (report->count >= SL_MAX_FAULTS || report->failed) {
        report->left_out++;
        return;
    }
    char message[1024];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(message, sizeof message, format, args);
    va_end(args);
    report->items = sl_arena_grow(&report->arena, report->items,
                                  sizeof *report->items, report->count,
                                  &report->cap);
    struct sl_view text = sl_arena_copy(&report->arena, sl_view_of(message));
    struct sl_view name = sl_arena_copy(&report->arena, file);
    if (!report->items || !text.ptr || !name.ptr) {
        report->failed = SL_ERR_NOMEM;
        return;
    }
    size_t order = report->count++;
    report->items[order] = (struct sl_skill_finding){
        .file = name,
        .line = line,
        .level = level,
        .rule = rule,
        .text = text.ptr,
        .order = order,
    };
}

static int by_place(const void *a, const void *b)
{
    const struct sl_skill_finding *x = a;
    const struct sl_skill_finding *y = b;
    int order = sl_view_cmp(x->file, y->file);
    if (!order)
        order = (x->line > y->line) - (x->line < y->line);
    if (!order)
        order = sl_view_cmp(sl_view_of(x->rule), sl_view_of(y->rule));
    return order ? order : (x->order > y->order) - (x->order < y->order);
}

void sl_skill_report_sort(struct sl_skill_report *report)
{
    if (report->count)
        qsort(report->items, report->count, sizeof *report->items, by_place);
}

static const char *level_name(enum sl_skill_level level)
{
    return level == SL_SKILL_ERROR ? "error" : "warning";
}

/* One line, whatever a text or a file name holds. */
static void put_line(struct sl_buf *out, struct sl_view text)
{
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        sl_buf_putc(out, c < 0x20 || c == 0x7f ? '?' : (char)c);
    }
}

/* "1 error", "2 errors" */
static void put_number(struct sl_buf *out, size_t n, const char *what)
{
    sl_buf_printf(out, "%zu %s%s", n, what, n == 1 ? "" : "s");
}

static struct sl_view without_slash(const char *folder)
{
    struct sl_view name = sl_view_of(folder);
    while (name.len > 1 && sl_view_ends(name, "/"))
        name.len--;
    return name;
}

void sl_skill_report_text(struct sl_buf *out,
                          const struct sl_skill_report *report,
                          const char *folder)
{
    struct sl_view prefix = without_slash(folder);
    for (size_t i = 0; i < report->count; i++) {
        const struct sl_skill_finding *item = &report->items[i];
        put_line(out, prefix);
        if (item->file.len && !sl_view_ends(prefix, "/"))
            sl_buf_putc(out, '/');
        put_line(out, item->file);
        if (item->line)
            sl_buf_printf(out, ":%u", item->line);
        sl_buf_printf(out, ": %s: ", level_name(item->level));
        put_line(out, sl_view_of(item->text));
        sl_buf_printf(out, " [%s]\n", item->rule);
    }
    put_number(out, report->files, "file");
    sl_buf_printf(out, ", %llu bytes; SKILL.md: ",
                  (unsigned long long)report->bytes);
    put_number(out, report->body_lines, "line");
    sl_buf_printf(out, ", about %zu tokens\n", report->body_tokens);
    put_number(out, report->errors, "error");
    sl_buf_puts(out, ", ");
    put_number(out, report->warnings, "warning");
    if (report->left_out)
        sl_buf_printf(out, " (%zu not shown)", report->left_out);
    sl_buf_puts(out, "\n");
}

static void put_member(struct sl_buf *out, const char *key,
                       struct sl_view text)
{
    sl_buf_printf(out, "\"%s\":\"", key);
    sl_buf_json(out, text);
    sl_buf_putc(out, '"');
}

void sl_skill_report_json(struct sl_buf *out,
                          const struct sl_skill_report *report,
                          const char *folder)
{
    sl_buf_puts(out, "{\"schema\":\"shmemlore.skill-check/1\",");
    put_member(out, "folder", without_slash(folder));
    sl_buf_putc(out, ',');
    put_member(out, "name", report->name);
    sl_buf_printf(out,
                  ",\"files\":%zu,\"markdown\":%zu,\"bytes\":%llu,"
                  "\"body_lines\":%zu,\"body_tokens\":%zu,"
                  "\"errors\":%zu,\"warnings\":%zu,\"left_out\":%zu,"
                  "\"findings\":[",
                  report->files, report->markdown,
                  (unsigned long long)report->bytes, report->body_lines,
                  report->body_tokens, report->errors, report->warnings,
                  report->left_out);
    for (size_t i = 0; i < report->count; i++) {
        const struct sl_skill_finding *item = &report->items[i];
        sl_buf_puts(out, i ? ",{" : "{");
        put_member(out, "file", item->file);
        sl_buf_printf(out, ",\"line\":%u,\"level\":\"%s\",\"rule\":\"%s\",",
                      item->line, level_name(item->level), item->rule);
        put_member(out, "text", sl_view_of(item->text));
        sl_buf_putc(out, '}');
    }
    sl_buf_puts(out, "]}\n");
}
