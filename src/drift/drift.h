/*
 * Where the lines of one state of a tree stand in another: both are known by
 * the hashes of their lines alone (cite/manifest.h), so no text and no history is
 * needed. A line is told to have stayed or moved only where its surroundings
 * leave no other place for it; docs/internals/drift.md says how that is decided.
 */
#ifndef SL_DRIFT_DRIFT_H
#define SL_DRIFT_DRIFT_H

#include "base/arena.h"
#include "base/status.h"
#include "cite/manifest.h"

#define SL_DRIFT_NOWHERE UINT32_MAX

enum sl_drift_line {
    SL_LINE_LOST,   /* it stands nowhere, or others have those places */
    SL_LINE_UNSURE, /* it may stand at `to`, or elsewhere, or be lost */
    SL_LINE_SURE,   /* it stands at `to` */
};

struct sl_drift {
    const struct sl_manifest *then;
    const struct sl_manifest *now;
    uint32_t *to;   /* of each line of then: index in now's hashes */
    uint32_t *from; /* of each line of now: the one of then that surely moved
                       there */
    unsigned char *state; /* of each line of then: enum sl_drift_line */
    uint32_t *became;     /* of each file of then: index in now's files */
};

/*
 * Compares two manifests, which must outlive *drift_out. Both get their index
 * (sl_manifest_index). Everything lives in the arena.
 */
SL_CHECKED enum sl_status sl_drift_make(struct sl_arena *arena,
                                        struct sl_manifest *then,
                                        struct sl_manifest *now,
                                        struct sl_drift *drift_out,
                                        struct sl_error *error);

enum sl_drift_verdict {
    SL_DRIFT_SAME,      /* same file, same numbers, same lines */
    SL_DRIFT_MOVED,     /* the same lines, all of them, elsewhere */
    SL_DRIFT_CHANGED,   /* the lines stand together nowhere any more */
    SL_DRIFT_AMBIGUOUS, /* they do, and whether these are they is not sure */
    SL_DRIFT_GONE,      /* neither the file nor any of the lines is there */
};
#define SL_DRIFT_VERDICTS (SL_DRIFT_GONE + 1)

/* Where the lines FIRST to LAST of a file are now. */
struct sl_drift_region {
    enum sl_drift_verdict verdict;
    /*
     * same, moved: where they stand. changed: around what is left of them.
     * ambiguous: one place, the likeliest. first is 0 where there is no such
     * place; path is then the file that theirs became, or theirs.
     */
    struct sl_view path;
    unsigned first, last;
    unsigned lines;  /* of the region */
    unsigned kept;   /* those that surely stand somewhere */
    unsigned places; /* ambiguous: how many there are */
};

/* "same", "moved", ... as in reports. */
const char *sl_drift_verdict_name(enum sl_drift_verdict verdict);

/* file is one of then's, 1 <= first <= last <= its lines. */
void sl_drift_region(const struct sl_drift *drift,
                     const struct sl_manifest_file *file, unsigned first,
                     unsigned last, struct sl_drift_region *region_out);

#endif
