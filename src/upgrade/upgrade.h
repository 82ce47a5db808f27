/*
 * What somebody who goes from one release of NVSHMEM to another must look at in their
 * own tree: the difference of the releases, joined with the tree's uses.
 */
#ifndef SL_UPGRADE_UPGRADE_H
#define SL_UPGRADE_UPGRADE_H

#include "answer/corpus.h"
#include "base/buf.h"

enum sl_upgrade_level {
    SL_UPGRADE_ERROR,   /* it will not build, or not link */
    SL_UPGRADE_WARNING, /* it may not build, or mean something else */
    SL_UPGRADE_NOTE,    /* read about it */
};

struct sl_finding {
    struct sl_view file; /* as the user reaches it */
    unsigned line;
    enum sl_upgrade_level level;
    const char *kind; /* removed, changed, internal, ... */
    struct sl_view name;
    struct sl_view message; /* one line */
    struct sl_view section; /* id; empty where none speaks of it */
};

struct sl_upgrade {
    struct sl_view from, to;
    struct sl_finding *items; /* by path, then line */
    size_t count, cap;
    size_t levels[3];
    size_t files, parsed, failed; /* read; parsed; not parsed because of a cap */
    size_t bytes, unparsed;       /* of the parsed ones */
    size_t pasted;                /* names that macros paste: not judged */
};

struct sl_upgrade_request {
    struct sl_view from, to;
    const char *const *paths; /* folders and files */
    size_t path_count;
    unsigned threads;
};

/*
 * Lives in the corpus's arena. SL_ERR_USAGE for a release that was not read,
 * SL_ERR_NOTFOUND for a path that is not there.
 */
SL_CHECKED enum sl_status
sl_upgrade_run(struct sl_corpus *corpus,
               const struct sl_upgrade_request *request,
               struct sl_upgrade *upgrade_out, struct sl_error *error);

/* One line a finding and a summary; one object of schema shmemlore.upgrade/1. */
void sl_upgrade_text(struct sl_buf *out, const struct sl_upgrade *upgrade);
void sl_upgrade_json(struct sl_buf *out, const struct sl_upgrade *upgrade);

#endif
