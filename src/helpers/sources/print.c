/* What list and sync both print, and the progress line. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/utf8.h"
#include "helpers/sources/command.h"

void sl_say(struct sl_view id, const char *message)
{
    char safe[sizeof((struct sl_error *)0)->message];
    int n = snprintf(safe, sizeof safe, "%s", message);
    size_t len = n < 0 ? 0 : (size_t)n < sizeof safe ? (size_t)n
                                                      : sizeof safe - 1;
    sl_plain(safe, len);
    for (size_t i = 0; i < len; i++)
        if (safe[i] == '\n')
            safe[i] = ' ';
    char name[64]; /* an id of sources.yaml, or an argument */
    n = snprintf(name, sizeof name, "%.*s", SL_ARG(id));
    sl_plain(name, n < 0 ? 0 : strlen(name));
    fprintf(stderr, "shmemlore sources: %s%s%s\n", name, id.len ? ": " : "",
            safe);
}

void sl_flush(struct sl_buf *out)
{
    size_t len = out->len;
    if (len)
        sl_plain(out->ptr, len);
    if (len && !ferror(stdout) &&
        (fwrite(out->ptr, 1, len, stdout) != len || fflush(stdout) != 0)) {
        if (errno != EPIPE) /* a reader that has seen enough is no news */
            sl_say(SL_LIT(""), "cannot write to standard output");
    }
    sl_buf_truncate(out, 0);
}

struct sl_size_text sl_size(uint64_t bytes)
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB"};
    struct sl_size_text size;
    double value = (double)bytes;
    size_t unit = 0;
    while (value >= 999.95 && unit < 3) {
        value /= 1000;
        unit++;
    }
    (void)snprintf(size.text, sizeof size.text, unit ? "%.1f %s" : "%.0f %s",
                   value, units[unit]);
    return size;
}

void sl_put_licence(struct sl_buf *out, const struct sl_source *source)
{
    sl_buf_printf(out, "  licence     %.*s\n", SL_ARG(source->licence));
    for (size_t i = 0; i < source->exception_count; i++)
        sl_buf_printf(out, "              %.*s: %.*s\n",
                      SL_ARG(source->exceptions[i].path),
                      SL_ARG(source->exceptions[i].licence));
}

void sl_put_string(struct sl_buf *out, const char *member, struct sl_view value)
{
    sl_buf_printf(out, "\"%s\": ", member);
    if (!value.ptr) {
        sl_buf_puts(out, "null");
        return;
    }
    sl_buf_putc(out, '"');
    sl_buf_json(out, value);
    sl_buf_putc(out, '"');
}

void sl_put_source_json(struct sl_buf *out, const struct sl_source *source)
{
    const struct {
        const char *member;
        struct sl_view value;
    } members[] = {
        {"id", source->id},         {"title", source->title},
        {"repository", source->repository}, {"tag", source->tag},
        {"commit", source->commit}, {"licence", source->licence},
    };
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        sl_put_string(out, members[i].member, members[i].value);
        sl_buf_puts(out, ", ");
    }
    sl_buf_puts(out, "\"exceptions\": [");
    for (size_t i = 0; i < source->exception_count; i++) {
        sl_buf_puts(out, i ? ", {" : "{");
        sl_put_string(out, "path", source->exceptions[i].path);
        sl_buf_puts(out, ", ");
        sl_put_string(out, "licence", source->exceptions[i].licence);
        sl_buf_putc(out, '}');
    }
    sl_buf_putc(out, ']');
}

static bool is_due(const struct timespec *now, const struct timespec *next)
{
    return now->tv_sec != next->tv_sec ? now->tv_sec > next->tv_sec
                                       : now->tv_nsec >= next->tv_nsec;
}

void sl_progress_begin(struct sl_progress *progress, struct sl_view what,
                       bool enabled)
{
    *progress = (struct sl_progress){.enabled = enabled && isatty(2) == 1,
                                     .what = what};
    if (clock_gettime(CLOCK_MONOTONIC, &progress->next) != 0)
        progress->enabled = false;
    progress->next.tv_sec++; /* what is over in a second needs no line */
}

void sl_progress_draw(struct sl_progress *progress,
                      const struct sl_git_progress *state)
{
    struct timespec now;
    if (!progress->enabled || clock_gettime(CLOCK_MONOTONIC, &now) != 0 ||
        !is_due(&now, &progress->next))
        return;
    progress->next = now;
    progress->next.tv_nsec += 100000000;
    if (progress->next.tv_nsec >= 1000000000) {
        progress->next.tv_nsec -= 1000000000;
        progress->next.tv_sec++;
    }
    progress->shown = true;
    struct sl_size_text size = sl_size(state->bytes);
    if (state->phase == SL_GIT_RECEIVE)
        fprintf(stderr, "\r%.*s: received %zu of %zu objects, %s\033[K",
                SL_ARG(progress->what), state->done, state->total, size.text);
    else
        fprintf(stderr, "\r%.*s: wrote %zu files, %s\033[K",
                SL_ARG(progress->what), state->done, size.text);
}

void sl_progress_clear(struct sl_progress *progress)
{
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = false;
}
