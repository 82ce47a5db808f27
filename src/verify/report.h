/*
 * What the checks found. Faults and notices are added without a status: when
 * memory is used up the report is marked as failed, and sl_report_check() says
 * so once, at the end. Everything lives in the report's own arena.
 */
#ifndef SL_VERIFY_REPORT_H
#define SL_VERIFY_REPORT_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/status.h"
#include "cite/check.h"

struct sl_fault {
    struct sl_view file; /* relative to the project's root */
    unsigned line;       /* 0: of the whole file */
    const char *rule;    /* kebab-case */
    const char *message;
    const char *fix;     /* "" where the message says it */
    bool notice;         /* worth knowing, not wrong */
    size_t order;        /* in which it was added */
};

struct sl_verify_counts {
    size_t files, sections, blocks;
    size_t citations, citations_distinct;
    size_t runs, runs_distinct;
    size_t threads, threads_distinct;
    size_t specs;
    size_t lock_entries, trees, manifest_lines;
};

struct sl_verify_seconds {
    double load;      /* Markdown into sections and references */
    double prose;     /* form, links, blocks, cards */
    double citations; /* lock, manifests, trees, grading */
    double runs;
    double total;
};

struct sl_report {
    struct sl_arena arena;
    struct sl_fault *items;
    size_t count, cap;
    size_t faults, notices; /* all of them */
    size_t left_out;        /* of them: over SL_MAX_FAULTS, only counted */
    struct sl_verify_counts counts;
    size_t grades[SL_GRADES]; /* of distinct citations */
    size_t trivial;           /* distinct citations of next to nothing */
    struct sl_verify_seconds seconds;
    enum sl_status failed;
};

void sl_report_init(struct sl_report *report);
void sl_report_release(struct sl_report *report);

/* rule is borrowed (a literal), file and fix are copied. */
SL_PRINTF(6, 7)
void sl_report_fault(struct sl_report *report, struct sl_view file,
                     unsigned line, const char *rule, const char *fix,
                     const char *format, ...);
SL_PRINTF(5, 6)
void sl_report_notice(struct sl_report *report, struct sl_view file,
                      unsigned line, const char *rule, const char *format, ...);

/* By file, line and rule; what was added first stays first. */
void sl_report_sort(struct sl_report *report);

SL_CHECKED enum sl_status sl_report_check(const struct sl_report *report,
                                          struct sl_error *error);

/* prefix: "" or what is put before each file name ("DIR/"). */
void sl_report_text(struct sl_buf *out, const struct sl_report *report,
                    const char *prefix, bool notices);
void sl_report_json(struct sl_buf *out, const struct sl_report *report);

#endif
