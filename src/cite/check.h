/*
 * Grading: is a citation still what its lock entry says? Asked of a manifest,
 * read from evidence/lines/ or made from the tree, so that the verdict does not
 * depend on which of the two there is.
 */
#ifndef SL_CITE_CHECK_H
#define SL_CITE_CHECK_H

#include "base/arena.h"
#include "base/status.h"
#include "cite/citation.h"
#include "cite/lock.h"
#include "cite/manifest.h"

enum sl_grade {
    SL_GRADE_OK,
    SL_GRADE_MOVED,     /* the lines stand elsewhere: path, first, last */
    SL_GRADE_CHANGED,   /* the file is there, the lines are nowhere */
    SL_GRADE_AMBIGUOUS, /* they stand in several places, none the better */
    SL_GRADE_GONE,      /* neither the file nor the lines are there */
    SL_GRADE_UNLOCKED,  /* no entry in the lock */
    SL_GRADE_PATH,      /* not locked, and the source has no such file */
    SL_GRADE_LINE,      /* not locked, and the file is shorter */
    SL_GRADE_FORM,      /* no citation, or of no known source */
    SL_GRADE_UNCHECKED, /* the source has no usable manifest */
};
#define SL_GRADES (SL_GRADE_UNCHECKED + 1)

struct sl_graded {
    enum sl_grade grade;
    struct sl_view path; /* moved: where to; ambiguous: the likeliest */
    unsigned first, last;
    size_t places;       /* ambiguous: how many */
    unsigned neighbours; /* moved: how many of the four fit there */
    size_t line_count;   /* line: of the file */
};

/* "ok", "moved", … as in reports. */
const char *sl_grade_name(enum sl_grade grade);

/*
 * entry NULL: not in the lock. A search for moved lines indexes the manifest
 * first, in the arena. Failures are memory only.
 */
SL_CHECKED enum sl_status sl_citation_grade(struct sl_arena *arena,
                                            struct sl_manifest *manifest,
                                            const struct sl_citation *citation,
                                            const struct sl_lock_entry *entry,
                                            struct sl_graded *graded_out,
                                            struct sl_error *error);

#endif
