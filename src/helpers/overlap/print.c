#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "helpers/overlap/command.h"

void sl_overlap_say(const char *message)
{
    char safe[sizeof((struct sl_error *)0)->message];
    size_t len = strnlen(message, sizeof safe - 1);
    memcpy(safe, message, len);
    safe[len] = '\0';
    for (size_t i = 0; i < len; i++)
        if (safe[i] == '\n')
            safe[i] = '?';
    sl_plain(safe, len);
    fprintf(stderr, "shmemlore overlap: %s\n", safe);
}

bool sl_overlap_flush(struct sl_buf *out)
{
    struct sl_error error = {SL_OK, ""};
    if (sl_buf_check(out, &error)) {
        sl_overlap_say(error.message);
        return false;
    }
    size_t len = out->len;
    bool done = fwrite(out->ptr ? out->ptr : "", 1, len, stdout) == len &&
                fflush(stdout) == 0;
    if (!done)
        sl_overlap_say("cannot write to standard output");
    sl_buf_truncate(out, 0);
    return done;
}

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

static void put_path(struct sl_buf *out, const char *path)
{
    size_t begin = out->len;
    sl_buf_puts(out, path);
    for (size_t i = begin; i < out->len; i++)
        if (out->ptr[i] == '\n')
            out->ptr[i] = '?';
    sl_plain(out->ptr + begin, out->len - begin);
}

static void put_place(struct sl_buf *out, const struct sl_place *place)
{
    put_path(out, place->path);
    sl_buf_printf(out, ":%u", place->line);
    if (place->last_line > place->line)
        sl_buf_printf(out, "-%u", place->last_line);
}

/* The text on one line, cut where it is long; controls are '?'. */
static void put_words(struct sl_buf *out, struct sl_view text)
{
    size_t begin = out->len;
    size_t len = text.len;
    bool cut = len > SL_MAX_OVERLAP_SHOWN;
    if (cut) {
        len = SL_MAX_OVERLAP_SHOWN;
        while (len && !sl_is_space(text.ptr[len]))
            len--;
    }
    bool blank = true;
    for (size_t i = 0; i < len; i++) {
        bool space = sl_is_space(text.ptr[i]);
        if (!space || !blank)
            sl_buf_putc(out, space ? ' ' : text.ptr[i]);
        blank = space;
    }
    if (out->len > begin)
        sl_plain(out->ptr + begin, out->len - begin);
    if (cut)
        sl_buf_puts(out, " ...");
}

static void put_run(struct sl_buf *out, const struct sl_run *run,
                    const char *filter)
{
    put_place(out, &run->ours);
    sl_buf_printf(out, ": %u words, also in ", run->words);
    if (filter)
        put_path(out, filter);
    for (size_t i = 0; i < run->place_count && i < SL_MAX_OVERLAP_PLACES; i++) {
        sl_buf_puts(out, i ? ", " : "");
        put_place(out, &run->places[i]);
    }
    if (run->place_count > SL_MAX_OVERLAP_PLACES)
        sl_buf_printf(out, " and %zu more places (%zu files in all)",
                      run->place_count - SL_MAX_OVERLAP_PLACES,
                      run->file_count);
    if (run->part_count)
        sl_buf_printf(out, "; parts of it in %zu more", run->part_count);
    sl_buf_puts(out, "\n    ");
    put_words(out, run->text);
    sl_buf_putc(out, '\n');
}

static void put_chance(struct sl_buf *out, const struct sl_report *report)
{
    sl_buf_printf(out,
                  "by chance, %.2g runs are to be expected: %llu looked up, "
                  "each as two of a word less,\neach of these there by "
                  "chance once in 65536\n",
                  sl_report_chance(report),
                  (unsigned long long)report->our_grams);
}

void sl_overlap_text(struct sl_buf *out, const struct sl_report *report,
                     const char *filter)
{
    for (size_t i = 0; i < report->count; i++)
        put_run(out, &report->runs[i], filter);
    if (report->count)
        sl_buf_printf(out, "%zu run%s of %u words or more", report->count,
                      plural(report->count), report->n);
    else
        sl_buf_printf(out, "no run of %u words or more", report->n);
    sl_buf_printf(out, ", %llu of %llu words, in %zu file%s; compared with "
                       "%llu words in %zu file%s",
                  (unsigned long long)report->words,
                  (unsigned long long)report->our_words, report->our_files,
                  plural(report->our_files),
                  (unsigned long long)report->their_words,
                  report->their_files, plural(report->their_files));
    if (report->skipped)
        sl_buf_printf(out, "; %zu of no kind that holds prose left out",
                      report->skipped);
    sl_buf_putc(out, '\n');
    if (report->more)
        sl_buf_printf(out, "%zu more matches were found and are not shown\n",
                      report->more);
    if (filter)
        put_chance(out, report);
}

static void json_text(struct sl_buf *out, const char *key,
                      struct sl_view text)
{
    sl_buf_printf(out, "\"%s\":\"", key);
    sl_buf_json(out, text);
    sl_buf_putc(out, '"');
}

static void json_place(struct sl_buf *out, const struct sl_place *place)
{
    json_text(out, "file", sl_view_of(place->path));
    sl_buf_printf(out, ",\"line\":%u,\"last_line\":%u", place->line,
                  place->last_line);
}

static void json_run(struct sl_buf *out, const struct sl_run *run)
{
    sl_buf_putc(out, '{');
    json_place(out, &run->ours);
    sl_buf_printf(out, ",\"words\":%u,", run->words);
    json_text(out, "text",
              sl_view_sub(run->text, 0,
                          run->text.len < SL_MAX_OVERLAP_QUOTED
                              ? run->text.len
                              : SL_MAX_OVERLAP_QUOTED));
    sl_buf_puts(out, ",\"places\":[");
    for (size_t i = 0; i < run->place_count && i < SL_MAX_OVERLAP_PLACES; i++) {
        sl_buf_puts(out, i ? ",{" : "{");
        json_place(out, &run->places[i]);
        sl_buf_putc(out, '}');
    }
    sl_buf_printf(out,
                  "],\"place_count\":%zu,\"file_count\":%zu,"
                  "\"part_count\":%zu}",
                  run->place_count, run->file_count, run->part_count);
}

void sl_overlap_json(struct sl_buf *out, const struct sl_report *report,
                     const char *filter)
{
    sl_buf_printf(out, "{\"schema\":\"shmemlore.overlap/1\",\"n\":%u,",
                  report->n);
    if (filter) {
        json_text(out, "filter", sl_view_of(filter));
        sl_buf_printf(out, ",\"looked_up\":%llu,\"by_chance\":%.3g,",
                      (unsigned long long)report->our_grams,
                      sl_report_chance(report));
    }
    sl_buf_puts(out, "\"runs\":[");
    for (size_t i = 0; i < report->count; i++) {
        sl_buf_puts(out, i ? "," : "");
        json_run(out, &report->runs[i]);
    }
    sl_buf_printf(out,
                  "],\"more\":%zu,\"words\":%llu,\"skipped\":%zu,"
                  "\"ours\":{\"files\":%zu,\"words\":%llu},"
                  "\"theirs\":{\"files\":%zu,\"words\":%llu}}\n",
                  report->more, (unsigned long long)report->words,
                  report->skipped, report->our_files,
                  (unsigned long long)report->our_words, report->their_files,
                  (unsigned long long)report->their_words);
}
