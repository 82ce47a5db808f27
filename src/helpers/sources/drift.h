/* `sources drift`: what its files share. */
#ifndef SL_SOURCES_DRIFT_H
#define SL_SOURCES_DRIFT_H

#include "cite/lock.h"
#include "cite/manifest.h"
#include "drift/drift.h"
#include "git/repo.h"
#include "helpers/sources/command.h"

/* Why a region that has a verdict is left as it is, or has none. */
enum drift_note {
    NOTE_NONE,
    NOTE_STALE,   /* its anchor is not what stands at the pin: no verdict */
    NOTE_OUTSIDE, /* moved to a file that the source's paths do not cover */
    NOTE_TAKEN,   /* moved to lines that a citation left alone names */
};

struct drift_region {
    struct sl_view text; /* the citation, or PATH:FIRST-LAST */
    struct sl_citation at;
    const struct sl_lock_entry *entry; /* NULL: not from the lock */
    struct sl_drift_region to;
    enum drift_note note;
    struct sl_view moved; /* --write: the citation that takes its place */
};

struct drift_run {
    const struct sl_request *request;
    const struct sl_source *source;
    const char *root;
    const char *from;          /* the mirror */
    struct sl_git_found found; /* the new commit */
    const char *tag;           /* what sources.yaml would call it */
    bool has_pin;              /* the mirror has the pinned commit too */
    struct sl_manifest anchored; /* evidence/lines/ID.lines */
    struct sl_manifest then, now;
    struct sl_drift drift;
    struct sl_lock lock;
    struct drift_region *regions; /* by file and line */
    size_t count, cap;
    size_t counts[SL_DRIFT_VERDICTS];
    size_t stale;
    size_t written; /* files that --write changed */
    size_t moved;   /* citations that it moved */
};

/* Whether somebody has to look at it. */
bool drift_needs_review(const struct drift_region *region);

/* The files of `now` that a manifest of the source may hold. */
SL_CHECKED enum sl_status drift_covered(struct drift_run *run,
                                        struct sl_manifest *manifest_out,
                                        struct sl_error *error);

/* drift_print.c */
void drift_put_text(struct sl_buf *out, const struct drift_run *run);
void drift_put_json(struct sl_buf *out, const struct drift_run *run);

/* drift_write.c: the new pin with all that follows from it. */
SL_CHECKED enum sl_status drift_write(struct drift_run *run,
                                      struct sl_error *error);

#endif
