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

/* What `verify --update` did before the checks ran. */
struct sl_verify_update {
    size_t added;     /* anchors of new citations */
    size_t refreshed; /* unchanged lines, other neighbours, symbol or commit */
    size_t accepted;  /* restamped because --accept named them */
    size_t dropped;   /* entries that nothing cites */
    size_t refused;   /* kept as they were: moved, changed, ambiguous, gone */
    size_t invalid;   /* no citation of a pinned file: no entry made */
    size_t manifests; /* written */
    size_t trees_refused; /* not written: the tree is not what was fetched */
    size_t swept;     /* temporary files of an interrupted update, removed */
    bool lock;        /* written */
};

void sl_verify_update_text(struct sl_buf *out,
                           const struct sl_verify_update *update);

/*
 * Text: file names as seen from where `root` is relative to. JSON, schema
 * shmemlore.verify/1: relative to the root; update may be NULL.
 */
void sl_report_text(struct sl_buf *out, const struct sl_report *report,
                    const char *root);
void sl_report_json(struct sl_buf *out, const struct sl_report *report,
                    const struct sl_verify_update *update);

#endif
