/* What a run says while it lasts and when it is over. */
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "base/utf8.h"
#include "helpers/docs/fetch.h"

static void put_size(struct sl_buf *out, uint64_t bytes)
{
    if (bytes < 1000)
        sl_buf_printf(out, "%" PRIu64 " bytes", bytes);
    else if (bytes < 1000000)
        sl_buf_printf(out, "%.1f kB", (double)bytes / 1e3);
    else
        sl_buf_printf(out, "%.1f MB", (double)bytes / 1e6);
}

static bool is_shown(const struct sl_fetch_options *options)
{
    return !options->quiet && isatty(STDERR_FILENO) == 1;
}

static size_t pages_done(const struct sl_fetch_report *report)
{
    return report->fresh + report->changed + report->same + report->earlier +
           report->failed;
}

void sl_fetch_progress(const struct sl_fetch_options *options,
                       const struct sl_fetch_report *report,
                       struct sl_view file)
{
    if (!is_shown(options))
        return;
    size_t left = report->pages - pages_done(report);
    unsigned seconds = options->loopback ? 0
                                         : (options->pause_min_s +
                                            options->pause_max_s + 1) / 2;
    struct sl_buf line;
    sl_buf_init(&line, 1000);
    sl_buf_printf(&line, "%zu of %zu pages, ", pages_done(report),
                  report->pages);
    put_size(&line, report->bytes);
    sl_buf_printf(&line, "; %zu left, about %zu min: %.*s", left,
                  (left * seconds + 59) / 60,
                  SL_ARG(sl_view_sub(file, 0, 60)));
    if (line.ptr)
        fprintf(stderr, "\r%s\033[K", line.ptr);
    sl_buf_release(&line);
}

void sl_fetch_progress_clear(const struct sl_fetch_options *options)
{
    if (is_shown(options))
        fputs("\r\033[K", stderr);
}

void sl_fetch_put_text(struct sl_buf *out, const struct sl_fetch_options *o,
                       const struct sl_fetch_report *report)
{
    const struct sl_fetch_manifest *manifest = report->manifest;
    sl_buf_printf(out, "%s (%.*s %.*s)\n", o->base, SL_ARG(manifest->project),
                  SL_ARG(manifest->version));
    sl_buf_printf(out, "  folder      %s\n", report->folder);
    sl_buf_printf(out,
                  "  pages       %zu: %zu new, %zu changed, %zu as before, %zu "
                  "of the run before\n",
                  report->pages, report->fresh, report->changed, report->same,
                  report->earlier);
    if (report->failed)
        sl_buf_printf(out, "  failed      %zu\n", report->failed);
    if (report->doubtful)
        sl_buf_printf(out, "  doubtful    %zu (`note` in manifest.json)\n",
                      report->doubtful);
    if (report->removed)
        sl_buf_printf(out, "  removed     %zu that the site has no more\n",
                      report->removed);
    if (report->left)
        sl_buf_printf(out, "  left        %zu: %s; the same command goes on\n",
                      report->left, report->limit);
    sl_buf_puts(out, "  received    ");
    put_size(out, report->bytes);
    sl_buf_printf(out,
                  "\n  next        shmemlore docs convert %s/" SL_FETCH_PAGES
                  " -o %s/markdown\n",
                  report->folder, report->folder);
    if (out->ptr)
        sl_plain(out->ptr, out->len);
}

void sl_fetch_put_json(struct sl_buf *out, const struct sl_fetch_options *o,
                       const struct sl_fetch_report *report)
{
    const struct sl_fetch_manifest *manifest = report->manifest;
    const struct {
        const char *member;
        struct sl_view value;
    } texts[] = {
        {"base", sl_view_of(o->base)},
        {"folder", sl_view_of(report->folder)},
        {"project", manifest->project},
        {"version", manifest->version},
        {"stopped_by", sl_view_of(report->limit)},
    };
    const struct {
        const char *member;
        uint64_t value;
    } counts[] = {
        {"pages", report->pages},       {"new", report->fresh},
        {"changed", report->changed},   {"same", report->same},
        {"earlier", report->earlier},   {"left", report->left},
        {"removed", report->removed},   {"doubtful", report->doubtful},
        {"refused_entries", report->refused}, {"bytes", report->bytes},
    };
    sl_buf_puts(out, "{\"schema\": \"shmemlore.docs-fetch/1\"");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        sl_buf_puts(out, ", ");
        sl_fetch_put_member(out, texts[i].member, texts[i].value);
    }
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        sl_buf_printf(out, ", \"%s\": %" PRIu64, counts[i].member,
                      counts[i].value);
    sl_buf_puts(out, ", \"failures\": [");
    for (size_t i = 0; i < report->failed; i++) {
        sl_buf_puts(out, i ? ", {" : "{");
        sl_fetch_put_member(out, "url", report->failures[i].url);
        sl_buf_puts(out, ", ");
        sl_fetch_put_member(out, "why", sl_view_of(report->failures[i].why));
        sl_buf_putc(out, '}');
    }
    sl_buf_puts(out, "]}\n");
}
