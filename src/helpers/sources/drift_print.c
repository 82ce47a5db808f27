/* What `sources drift` prints. */
#include "helpers/sources/drift.h"

static void put_lines(struct sl_buf *out, unsigned first, unsigned last)
{
    sl_buf_printf(out, last > first ? "%u-%u" : "%u", first, last);
}

static void put_place(struct sl_buf *out, const struct drift_region *region)
{
    if (!sl_view_eq(region->to.path, region->at.path)) {
        sl_buf_add(out, region->to.path);
        if (region->to.first)
            sl_buf_putc(out, ':');
    }
    if (region->to.first)
        put_lines(out, region->to.first, region->to.last);
}

static const char *note_text(enum drift_note note)
{
    switch (note) {
    case NOTE_OUTSIDE:
        return "; the source's paths do not cover it: left alone";
    case NOTE_TAKEN:
        return "; a citation that is left alone names these lines: this one "
               "stays too";
    case NOTE_STALE:
    case NOTE_NONE:
        break;
    }
    return "";
}

static void put_verdict(struct sl_buf *out, const struct drift_region *region)
{
    const struct sl_drift_region *to = &region->to;
    switch (to->verdict) {
    case SL_DRIFT_SAME:
    case SL_DRIFT_GONE:
        break;
    case SL_DRIFT_MOVED:
        sl_buf_puts(out, " to ");
        put_place(out, region);
        break;
    case SL_DRIFT_CHANGED:
        if (to->kept == to->lines)
            sl_buf_puts(out, ": no longer together");
        else
            sl_buf_printf(out, ": %u of %u line%s left", to->kept, to->lines,
                          to->lines == 1 ? "" : "s");
        if (to->first || !sl_view_eq(to->path, region->at.path)) {
            sl_buf_puts(out, to->first ? ", around " : ", in ");
            put_place(out, region);
        }
        break;
    case SL_DRIFT_AMBIGUOUS:
        sl_buf_printf(out, ": %u place%s, likeliest ", to->places,
                      to->places == 1 ? "" : "s");
        put_place(out, region);
        break;
    }
    sl_buf_puts(out, note_text(region->note));
}

static void put_region(struct sl_buf *out, const struct drift_region *region)
{
    bool stale = region->note == NOTE_STALE;
    sl_buf_printf(out, "  %-9s  ",
                  stale ? "stale"
                        : sl_drift_verdict_name(region->to.verdict));
    put_lines(out, region->at.first, region->at.last);
    if (stale)
        sl_buf_puts(out, ": its anchor is not what stands at the pin; see "
                         "`shmemlore verify`");
    else
        put_verdict(out, region);
    sl_buf_putc(out, '\n');
}

static void put_counts(struct sl_buf *out, const size_t *counts, size_t stale,
                       const char *before, const char *between)
{
    const char *glue = before;
    for (int v = 0; v < SL_DRIFT_VERDICTS; v++) {
        if (!counts[v])
            continue;
        sl_buf_printf(out, "%s%zu %s", glue, counts[v],
                      sl_drift_verdict_name((enum sl_drift_verdict)v));
        glue = between;
    }
    if (stale)
        sl_buf_printf(out, "%s%zu stale", glue, stale);
}

/* The regions of one file, from [i] on; gives the first of the next. */
static size_t count_file(const struct drift_run *run, size_t i, size_t *counts,
                         size_t *stale_out)
{
    struct sl_view path = run->regions[i].at.path;
    size_t stale = 0;
    for (; i < run->count && sl_view_eq(run->regions[i].at.path, path); i++) {
        bool is_stale = run->regions[i].note == NOTE_STALE;
        stale += is_stale;
        if (!is_stale)
            counts[run->regions[i].to.verdict]++;
    }
    *stale_out = stale;
    return i;
}

static void put_written(struct sl_buf *out, const struct drift_run *run)
{
    const struct sl_source *source = run->source;
    sl_buf_printf(out,
                  "written: %zu files; %zu citations moved, the pin of "
                  "%.*s is %s = %s\n"
                  "next: look at the title of %.*s in evidence/sources.yaml; "
                  "`shmemlore sources sync %.*s`,\n"
                  "      `shmemlore index tables`, `shmemlore verify`; then "
                  "what is listed above and not moved\n",
                  run->written, run->moved, SL_ARG(source->id), run->tag,
                  run->found.commit, SL_ARG(source->id), SL_ARG(source->id));
}

void drift_put_text(struct sl_buf *out, const struct drift_run *run)
{
    const struct sl_source *source = run->source;
    sl_buf_printf(out, "%.*s: from %.12s (%.*s) to %.12s (%s, %s)\n",
                  SL_ARG(source->id), source->commit.ptr, SL_ARG(source->tag),
                  run->found.commit,
                  run->request->rev ? run->request->rev : "HEAD",
                  run->found.date);
    if (!run->has_pin)
        sl_buf_puts(out, "the mirror does not have the pinned commit: only "
                         "files below the source's paths are compared\n");
    for (size_t i = 0; i < run->count;) {
        size_t counts[SL_DRIFT_VERDICTS] = {0}, stale;
        size_t next = count_file(run, i, counts, &stale);
        sl_buf_add(out, run->regions[i].at.path);
        put_counts(out, counts, stale, ": ", ", ");
        sl_buf_putc(out, '\n');
        for (; i < next; i++)
            if (run->regions[i].to.verdict != SL_DRIFT_SAME ||
                run->regions[i].note)
                put_region(out, &run->regions[i]);
    }
    sl_buf_printf(out, "%zu %s%s", run->count,
                  run->request->lines ? "region" : "citation",
                  run->count == 1 ? "" : "s");
    put_counts(out, run->counts, run->stale, ": ", ", ");
    sl_buf_putc(out, '\n');
    if (run->request->write)
        put_written(out, run);
}

static void put_region_json(struct sl_buf *out,
                            const struct drift_region *region)
{
    static const char *const notes[] = {NULL, "stale", "outside", "taken"};
    const struct sl_drift_region *to = &region->to;
    bool stale = region->note == NOTE_STALE;
    struct sl_view none = {NULL, 0};
    sl_buf_puts(out, "  {");
    sl_put_string(out, "citation", region->text);
    sl_buf_puts(out, ", ");
    sl_put_string(out, "verdict",
                  stale ? none
                        : sl_view_of(sl_drift_verdict_name(to->verdict)));
    sl_buf_puts(out, ", ");
    sl_put_string(out, "path",
                  stale || to->verdict == SL_DRIFT_GONE ? none : to->path);
    if (!stale && to->first)
        sl_buf_printf(out, ", \"first\": %u, \"last\": %u", to->first,
                      to->last);
    else
        sl_buf_puts(out, ", \"first\": null, \"last\": null");
    sl_buf_printf(out, ", \"lines\": %u, \"kept\": %u, \"places\": %u, ",
                  region->at.last - region->at.first + 1, to->kept,
                  to->places);
    sl_put_string(out, "note",
                  notes[region->note] ? sl_view_of(notes[region->note])
                                      : none);
    sl_buf_putc(out, '}');
}

void drift_put_json(struct sl_buf *out, const struct drift_run *run)
{
    sl_buf_puts(out, "{\"schema\": \"shmemlore-sources-drift/1\", ");
    sl_put_string(out, "source", run->source->id);
    sl_buf_puts(out, ", \"then\": {");
    sl_put_string(out, "commit", run->source->commit);
    sl_buf_puts(out, ", ");
    sl_put_string(out, "tag", run->source->tag);
    sl_buf_printf(out, ", \"in_mirror\": %s}, \"now\": {",
                  run->has_pin ? "true" : "false");
    sl_put_string(out, "commit", sl_view_of(run->found.commit));
    sl_buf_puts(out, ", ");
    sl_put_string(out, "tag", sl_view_of(run->tag));
    sl_buf_puts(out, ", ");
    sl_put_string(out, "date", sl_view_of(run->found.date));
    sl_buf_puts(out, "}, \"counts\": {");
    for (int v = 0; v < SL_DRIFT_VERDICTS; v++)
        sl_buf_printf(out, "\"%s\": %zu, ",
                      sl_drift_verdict_name((enum sl_drift_verdict)v),
                      run->counts[v]);
    sl_buf_printf(out, "\"stale\": %zu}, \"written\": ", run->stale);
    if (run->request->write)
        sl_buf_printf(out, "{\"files\": %zu, \"citations\": %zu}",
                      run->written, run->moved);
    else
        sl_buf_puts(out, "null");
    sl_buf_puts(out, ", \"citations\": [\n");
    for (size_t i = 0; i < run->count; i++) {
        put_region_json(out, &run->regions[i]);
        sl_buf_puts(out, i + 1 < run->count ? ",\n" : "\n");
    }
    sl_buf_puts(out, "]}\n");
}
