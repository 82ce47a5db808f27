#include "overlap/report.h"

#include <stdlib.h>
#include <string.h>

/* A match seen from OURS, whichever side was held. */
struct pair {
    uint64_t order; /* of its first word in OURS */
    struct sl_place ours, theirs;
    uint32_t words;
    uint32_t their_file;
    uint32_t at; /* held token */
};

static int by_order(const void *left, const void *right)
{
    const struct pair *a = left, *b = right;
    if (a->order != b->order)
        return a->order < b->order ? -1 : 1;
    if (a->words != b->words)
        return a->words > b->words ? -1 : 1;
    if (a->their_file != b->their_file)
        return a->their_file < b->their_file ? -1 : 1;
    return (a->theirs.line > b->theirs.line) -
           (a->theirs.line < b->theirs.line);
}

static const char *path_of(const struct sl_corpus *corpus, size_t file)
{
    return corpus->files[file].path ? corpus->files[file].path : "-";
}

static struct pair pair_of(const struct sl_held *held,
                           const struct sl_match *match,
                           const struct sl_corpus *held_corpus,
                           const struct sl_corpus *read_corpus, bool ours_held)
{
    size_t file = sl_held_file(held, match->at);
    struct sl_place here = {path_of(held_corpus, file),
                            held->tokens[match->at].line,
                            held->tokens[match->at + match->words - 1].line};
    struct sl_place there = {path_of(read_corpus, match->file), match->line,
                             match->last_line};
    return (struct pair){
        .order = ours_held ? match->at : match->order,
        .ours = ours_held ? here : there,
        .theirs = ours_held ? there : here,
        .words = match->words,
        .their_file = ours_held ? match->file : (uint32_t)file,
        .at = match->at,
    };
}

static void add_place(struct sl_run *run, const struct pair *pair,
                      const struct pair *before)
{
    if (run->place_count < SL_MAX_OVERLAP_PLACES)
        run->places[run->place_count] = pair->theirs;
    run->place_count++;
    run->file_count += !before || before->their_file != pair->their_file;
}

/* Pairs of one run of OURS become one run; a part of another is only counted. */
static enum sl_status merge(struct sl_arena *arena, const struct pair *pairs,
                            size_t count, const struct sl_held *held,
                            struct sl_report *report, struct sl_error *error)
{
    size_t cap = 0;
    uint64_t end = 0;
    bool is_part = false; /* of another run */
    for (size_t i = 0; i < count; i++) {
        const struct pair *pair = &pairs[i];
        const struct pair *before = i ? &pairs[i - 1] : NULL;
        uint64_t pair_end = pair->order + pair->words;
        struct sl_run *run =
            report->count ? &report->runs[report->count - 1] : NULL;
        bool same = before && before->order == pair->order &&
                    before->words == pair->words;
        is_part = run && (same ? is_part : pair_end <= end);
        if (is_part) {
            run->part_count++;
            continue;
        }
        if (!same) {
            report->runs =
                sl_arena_grow(arena, report->runs, sizeof *report->runs,
                              report->count, &cap);
            if (!report->runs)
                return sl_error_nomem(error);
            run = &report->runs[report->count++];
            *run = (struct sl_run){
                .ours = pair->ours,
                .words = pair->words,
                .text = sl_held_text(held, pair->at, pair->words),
            };
            uint64_t begin = pair->order > end ? pair->order : end;
            report->words += pair_end - begin;
            end = pair_end;
        }
        add_place(run, pair, same ? before : NULL);
    }
    return SL_OK;
}

static enum sl_status group(struct sl_arena *arena, struct sl_corpus *ours,
                            struct sl_corpus *theirs, bool ours_held,
                            const struct sl_held *held,
                            const struct sl_matches *matches,
                            struct sl_report *report, struct sl_error *error)
{
    struct pair *pairs = malloc((matches->count + 1) * sizeof *pairs);
    if (!pairs)
        return sl_error_nomem(error);
    for (size_t i = 0; i < matches->count; i++)
        pairs[i] = pair_of(held, &matches->items[i],
                           ours_held ? ours : theirs,
                           ours_held ? theirs : ours, ours_held);
    qsort(pairs, matches->count, sizeof *pairs, by_order);
    enum sl_status status =
        merge(arena, pairs, matches->count, held, report, error);
    free(pairs);
    return status;
}

enum sl_status sl_report_compare(struct sl_arena *arena,
                                 struct sl_corpus *ours,
                                 struct sl_corpus *theirs, unsigned n,
                                 struct sl_faults *faults,
                                 struct sl_held *held_out,
                                 struct sl_report *report_out,
                                 struct sl_error *error)
{
    *held_out = (struct sl_held){.n = n};
    if (ours->streamed && theirs->streamed)
        return sl_error_set(error, SL_ERR_USAGE,
                            "standard input can be one side, not both");
    bool ours_held = theirs->streamed ||
                     (!ours->streamed && ours->bytes <= theirs->bytes);
    struct sl_matches matches = {.items = NULL};
    struct sl_report report = {.n = n,
                               .our_files = ours->count,
                               .their_files = theirs->count,
                               .skipped = ours->skipped + theirs->skipped};
    enum sl_status status = sl_held_build(held_out, ours_held ? ours : theirs,
                                          n, faults, error);
    if (!status)
        status = sl_match_corpus(&matches, held_out,
                                 ours_held ? theirs : ours, faults, error);
    if (!status)
        status = group(arena, ours, theirs, ours_held, held_out, &matches,
                       &report, error);
    report.more = matches.more;
    report.our_words = ours_held ? held_out->count : matches.words;
    report.their_words = ours_held ? matches.words : held_out->count;
    sl_matches_release(&matches);
    if (!status)
        *report_out = report;
    return status;
}

/* Whether a run stands in a known one; else how many words of it may be new. */
static bool is_known(const struct sl_report *report, const struct sl_run *run,
                     uint32_t *new_out)
{
    *new_out = run->words;
    for (size_t i = 0; i < report->count; i++) {
        const struct sl_run *known = &report->runs[i];
        if (known->ours.line > run->ours.last_line ||
            known->ours.last_line < run->ours.line ||
            strcmp(known->ours.path, run->ours.path) != 0)
            continue;
        if (sl_view_find(known->text, run->text, 0) != SIZE_MAX)
            return true;
        *new_out -= known->words < *new_out ? known->words : *new_out;
    }
    return false;
}

enum sl_status sl_report_add(struct sl_arena *arena, struct sl_report *report,
                             const struct sl_report *other,
                             struct sl_error *error)
{
    struct sl_report known = *report;
    size_t count = report->count + other->count;
    struct sl_run *runs = sl_arena_alloc(arena, (count + 1) * sizeof *runs);
    if (!runs)
        return sl_error_nomem(error);
    if (known.count)
        memcpy(runs, known.runs, known.count * sizeof *runs);
    report->runs = runs;
    for (size_t i = 0; i < other->count; i++) {
        uint32_t words;
        if (is_known(&known, &other->runs[i], &words))
            continue;
        runs[report->count++] = other->runs[i];
        report->words += words;
    }
    report->more += other->more > known.more ? other->more - known.more : 0;
    return SL_OK;
}

/* A run of OURS as it grows, gram by gram. */
struct growing {
    struct sl_report *report;
    const struct sl_held *held;
    const struct sl_corpus *ours;
    struct sl_arena *arena;
    size_t cap;
    size_t begin, end; /* tokens; end 0: none */
};

static enum sl_status end_run(struct growing *g, struct sl_error *error)
{
    size_t words = g->end - g->begin;
    struct sl_report *report = g->report;
    if (g->end == 0 || words < report->n) {
        g->end = 0;
        return SL_OK;
    }
    report->runs = sl_arena_grow(g->arena, report->runs, sizeof *report->runs,
                                 report->count, &g->cap);
    if (!report->runs)
        return sl_error_nomem(error);
    uint32_t at = (uint32_t)g->begin;
    report->runs[report->count++] = (struct sl_run){
        .ours = {path_of(g->ours, sl_held_file(g->held, at)),
                 g->held->tokens[at].line, g->held->tokens[g->end - 1].line},
        .words = (uint32_t)words,
        .text = sl_held_text(g->held, at, (uint32_t)words),
    };
    report->words += words;
    g->end = 0;
    return SL_OK;
}

static enum sl_status look_up(struct growing *g,
                              const struct sl_filter *filter,
                              struct sl_error *error)
{
    const struct sl_held *held = g->held;
    struct sl_gram gram;
    enum sl_status status = SL_OK;
    sl_gram_open(&gram, filter->n);
    for (size_t i = 0; i < held->count && !status; i++) {
        const struct sl_token *token = &held->tokens[i];
        struct sl_word word = {.hash = token->hash,
                               .plain = token->plain,
                               .fresh = token->fresh};
        bool counts = sl_gram_push(&gram, &word);
        g->report->our_grams += counts;
        if (counts && sl_filter_has(filter, gram.front) &&
            sl_filter_has(filter, gram.back)) {
            if (g->end == 0)
                g->begin = i + 1 - filter->n;
            g->end = i + 1;
        } else {
            status = end_run(g, error);
        }
    }
    return status ? status : end_run(g, error);
}

enum sl_status sl_report_against(struct sl_arena *arena,
                                 struct sl_corpus *ours,
                                 const struct sl_filter *filter, unsigned n,
                                 struct sl_faults *faults,
                                 struct sl_held *held_out,
                                 struct sl_report *report_out,
                                 struct sl_error *error)
{
    *held_out = (struct sl_held){.n = filter->n};
    if (n < filter->n)
        return sl_error_set(error, SL_ERR_USAGE,
                            "the filter finds runs of %u words or more, not "
                            "of %u",
                            filter->n, n);
    struct sl_report report = {.n = n,
                               .our_files = ours->count,
                               .their_files = filter->files,
                               .their_words = filter->words,
                               .skipped = ours->skipped};
    struct growing growing = {.report = &report,
                              .held = held_out,
                              .ours = ours,
                              .arena = arena};
    enum sl_status status =
        sl_held_build(held_out, ours, filter->n, faults, error);
    if (!status)
        status = look_up(&growing, filter, error);
    report.our_words = held_out->count;
    if (!status)
        *report_out = report;
    return status;
}

double sl_report_chance(const struct sl_report *report)
{
    const double both = 1.0 / 65536.0 / 65536.0;
    return (double)report->our_grams * both;
}
