/*
 * Where a source comes from: its own repository, or what --from names. Finds
 * the mirror of a source in a folder of mirrors.
 */
#ifndef SL_SOURCES_ORIGIN_H
#define SL_SOURCES_ORIGIN_H

#include "base/arena.h"
#include "base/status.h"
#include "cite/sources.h"
#include "git/repo.h"

enum sl_origin_kind {
    SL_ORIGIN_UPSTREAM, /* the repository that sources.yaml names */
    SL_ORIGIN_URL,
    SL_ORIGIN_FOLDER, /* a repository, or a folder of them */
};

struct sl_origin {
    enum sl_origin_kind kind;
    const char *where; /* URL or path; NULL for the upstream */
};

/* from is the option's value or NULL. Only https://, file:// and folders. */
SL_CHECKED enum sl_status sl_origin_parse(struct sl_arena *arena,
                                          const char *from,
                                          struct sl_origin *origin_out,
                                          struct sl_error *error);

/*
 * Opens the repository of the source below a folder (SL_ORIGIN_FOLDER) and looks
 * for no commit. The rest as with sl_origin_open().
 */
SL_CHECKED enum sl_status sl_origin_folder(struct sl_arena *arena,
                                           const struct sl_origin *origin,
                                           const struct sl_source *source,
                                           bool alone, struct sl_git **git_out,
                                           const char **from_out,
                                           struct sl_error *error);

/*
 * Opens the repository of the source and finds the pinned commit in it. A
 * download goes to folder, which must not exist. `alone`: one source is
 * wanted, so a repository or URL may stand for it. *from_out is what to call
 * the place, without passwords; it lives in the arena.
 */
SL_CHECKED enum sl_status sl_origin_open(struct sl_arena *arena,
                                         const struct sl_origin *origin,
                                         const struct sl_source *source,
                                         bool alone, const char *folder,
                                         const struct sl_git_watch *watch,
                                         struct sl_git **git_out,
                                         const char **from_out,
                                         struct sl_error *error);

#endif
