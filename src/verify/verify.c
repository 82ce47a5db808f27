#include "verify/verify.h"

#include <time.h>

#include "base/limits.h"
#include "os/file.h"
#include "verify/checks.h"
#include "verify/names.h"

static void count_refs(struct sl_checks *checks)
{
    struct sl_verify_counts *counts = &checks->report->counts;
    const struct sl_kb *kb = &checks->kb;
    counts->files = kb->file_count;
    counts->sections = kb->section_count;
    for (size_t i = 0; i < kb->block_count; i++)
        counts->blocks += !kb->blocks[i].generated;
    for (size_t i = 0; i < kb->refs.count; i++) {
        counts->runs += kb->refs.items[i].kind == SL_REF_RUN;
        counts->threads += kb->refs.items[i].kind == SL_REF_THREAD;
        counts->specs += kb->refs.items[i].kind == SL_REF_SPEC;
    }
}

static enum sl_status count_threads(struct sl_checks *checks,
                                    struct sl_error *error)
{
    struct sl_map threads;
    sl_map_init(&threads, &checks->arena);
    for (size_t i = 0; i < checks->kb.refs.count; i++) {
        const struct sl_ref *ref = &checks->kb.refs.items[i];
        if (ref->kind == SL_REF_THREAD &&
            !sl_map_put(&threads, ref->text, i, NULL))
            return sl_error_nomem(error);
    }
    checks->report->counts.threads_distinct = threads.len;
    return SL_OK;
}

static void report_problems(struct sl_checks *checks)
{
    for (size_t i = 0; i < checks->kb.problem_count; i++) {
        const struct sl_kb_problem *problem = &checks->kb.problems[i];
        sl_report_fault(checks->report, sl_checks_name(checks, problem->file),
                        problem->line, "form", "", "%s", problem->message);
    }
}

/* Seconds since *since, which becomes now. */
static double lap(struct timespec *since)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    double seconds = (double)(now.tv_sec - since->tv_sec) +
                     (double)(now.tv_nsec - since->tv_nsec) / 1e9;
    *since = now;
    return seconds;
}

static enum sl_status check_prose(struct sl_checks *checks,
                                  struct sl_error *error)
{
    report_problems(checks);
    count_refs(checks);
    sl_checks_front(checks);
    sl_checks_cards(checks);
    enum sl_status status = count_threads(checks, error);
    if (!status)
        status = sl_checks_prose(checks, error);
    if (!status)
        status = sl_checks_unseen(checks, error);
    if (!status)
        status = sl_checks_links(checks, error);
    return status;
}

static enum sl_status check_names(struct sl_checks *checks,
                                  struct sl_error *error)
{
    struct sl_names names;
    enum sl_status status = sl_names_load(checks, &names, error);
    if (!status)
        status = sl_checks_names(checks, &names, error);
    if (!status)
        status = sl_checks_tables(checks, &names, error);
    return status;
}

static enum sl_status check_citations(struct sl_checks *checks,
                                      struct sl_error *error)
{
    enum sl_status status = sl_checks_evidence(checks, error);
    size_t left = 0;
    if (!status)
        status = sl_checks_left(checks, false, &left, error);
    if (!status)
        sl_checks_near(checks);
    if (!status)
        status = sl_checks_collect(checks, error);
    if (!status)
        status = sl_checks_grade(checks, error);
    if (!status)
        sl_checks_report_citations(checks);
    return status;
}

enum sl_status sl_verify_run(const char *root, struct sl_report *report,
                             struct sl_error *error)
{
    struct sl_checks checks;
    sl_checks_init(&checks, root, report);
    struct sl_verify_seconds *seconds = &report->seconds;
    struct timespec start, total;
    (void)clock_gettime(CLOCK_MONOTONIC, &start);
    total = start;
    enum sl_status status = sl_checks_load(&checks, error);
    seconds->load = lap(&start);
    if (!status)
        status = check_prose(&checks, error);
    seconds->prose = lap(&start);
    if (!status)
        status = check_citations(&checks, error);
    seconds->citations = lap(&start);
    if (!status) /* a table tells of the sources, so they come first */
        status = check_names(&checks, error);
    seconds->prose += lap(&start);
    if (!status)
        status = sl_checks_runs(&checks, error);
    seconds->runs = lap(&start);
    seconds->total = lap(&total);
    status = sl_arena_explain(&checks.arena, status, error);
    sl_checks_release(&checks);
    sl_report_sort(report);
    return status ? status : sl_report_check(report, error);
}
