/*
 * What a check of a skill found: errors and warnings with file, line and rule.
 * They are added without a status: when memory is used up the report is marked as
 * failed, and sl_skill_check() says so at its end.
 */
#ifndef SL_SKILL_REPORT_H
#define SL_SKILL_REPORT_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/status.h"

enum sl_skill_level {
    SL_SKILL_ERROR,   /* a client may refuse it, or a reader is led nowhere */
    SL_SKILL_WARNING, /* advice */
};

struct sl_skill_finding {
    struct sl_view file; /* relative to the skill; "" is the folder itself */
    unsigned line;       /* 1-based; 0: of the whole file */
    enum sl_skill_level level;
    const char *rule;    /* kebab-case */
    const char *text;
    size_t order;        /* in which it was added */
};

struct sl_skill_report {
    struct sl_arena arena; /* holds all of it */
    struct sl_skill_finding *items;
    size_t count, cap;
    size_t errors, warnings; /* all of them */
    size_t left_out;         /* of them: over SL_MAX_FAULTS, only counted */
    struct sl_view name;     /* of the front matter; "" where it has none */
    size_t files, markdown;  /* of them: read as Markdown */
    uint64_t bytes;
    size_t body_lines, body_tokens; /* of SKILL.md; tokens are estimated */
    enum sl_status failed;
};

void sl_skill_report_init(struct sl_skill_report *report);
void sl_skill_report_release(struct sl_skill_report *report);

/* rule is borrowed (a literal), file is copied. */
SL_PRINTF(6, 7)
void sl_skill_add(struct sl_skill_report *report, enum sl_skill_level level,
                  struct sl_view file, unsigned line, const char *rule,
                  const char *format, ...);

/* By file, line and rule; what was added first stays first. */
void sl_skill_report_sort(struct sl_skill_report *report);

/* "FILE:LINE: error: TEXT [rule]" each, with folder before FILE, and a summary. */
void sl_skill_report_text(struct sl_buf *out,
                          const struct sl_skill_report *report,
                          const char *folder);

/* Schema shmemlore.skill-check/1; file names are relative to the skill. */
void sl_skill_report_json(struct sl_buf *out,
                          const struct sl_skill_report *report,
                          const char *folder);

#endif
