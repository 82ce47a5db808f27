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
    struct sl_view file; /* as the user reaches it, any bytes */
    unsigned line, column; /* from 1; columns are bytes */
    enum sl_upgrade_level level;
    const char *kind; /* removed, changed, internal, ... */
    struct sl_view name;
    struct sl_view message; /* one line */
    struct sl_view section; /* id; empty where none speaks of it */
};

/* A name of NVSHMEM's that the user's code defines itself. */
struct sl_own_name {
    struct sl_view name, file;
    unsigned line, column;
    const char *reach; /* "everywhere", "its file", "its class", ... */
};

enum sl_left_kind {
    SL_LEFT_UNREADABLE, /* it may hold code, and could not be read: a fault */
    SL_LEFT_UNREAD,   /* data: no text, or too large, and no name of a kind read */
    SL_LEFT_UNPARSED, /* read, and a cap stopped the parser: words only */
    SL_LEFT_OUT,      /* a tool's folder: .git, .venv, ... */
    SL_LEFT_KINDS,
};

struct sl_left {
    enum sl_left_kind kind;
    struct sl_view path;
    struct sl_view why;
};

struct sl_upgrade {
    struct sl_view from, to;
    struct sl_finding *items; /* by path, then line and column */
    size_t count, cap;
    size_t levels[3];
    size_t files, parsed, failed; /* read; parsed; not parsed because of a cap */
    size_t bytes, unparsed;       /* of the parsed ones */
    size_t pasted;                /* names that macros paste: not judged */
    struct sl_own_name *own; /* by name, then place */
    size_t own_count, own_cap;
    struct sl_left *left; /* by path */
    size_t left_count;
    size_t lefts[SL_LEFT_KINDS]; /* how many of each kind */
    size_t links;                /* inside of folders: not followed */
};

/* A file that is given, not read; no two have one path. */
struct sl_upgrade_text {
    struct sl_view path, text;
};

struct sl_upgrade_request {
    struct sl_view from, to;
    const char *const *paths; /* folders and files */
    size_t path_count;
    const char *beneath; /* not NULL: paths are this folder or "BENEATH/...",
                            and no link leads a read out of it */
    const struct sl_upgrade_text *texts;
    size_t text_count;
    unsigned threads;
};

/*
 * Lives in the corpus's arena. SL_ERR_USAGE for a release that was not read,
 * SL_ERR_NOTFOUND when none of the paths can be read. A path that cannot while others
 * can is in `left`, as are the files and folders that are not looked at; whether the
 * user named them or they lie in a folder is no matter.
 */
SL_CHECKED enum sl_status
sl_upgrade_run(struct sl_corpus *corpus,
               const struct sl_upgrade_request *request,
               struct sl_upgrade *upgrade_out, struct sl_error *error);

/*
 * One line a finding and a summary, no byte of a name steering a terminal; one object
 * of schema shmemlore.upgrade/1.
 */
void sl_upgrade_text(struct sl_buf *out, const struct sl_upgrade *upgrade);
void sl_upgrade_json(struct sl_buf *out, const struct sl_upgrade *upgrade);

#endif
