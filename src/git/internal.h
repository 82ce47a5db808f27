/* Shared by the files of git/ only. */
#ifndef SL_GIT_INTERNAL_H
#define SL_GIT_INTERNAL_H

#include <git2.h>

#include "git/repo.h"

/* Debian 12 has 1.5; shallow fetches and time limits came with 1.7. */
#define SL_GIT2_NEWER (LIBGIT2_VER_MAJOR > 1 || LIBGIT2_VER_MINOR >= 7)

struct sl_git {
    git_repository *repo;
    git_commit *commit; /* NULL before sl_git_find() */
    char *name;         /* for messages: the path or URL it was opened by */
    bool fetched;       /* from a server, into a folder of ours */
    bool by_tag;        /* sl_git_resolve() found it by a tag */
};

/* Starts libgit2 and opens path under the name that messages shall use. */
SL_CHECKED enum sl_status sl_git_open_as(const char *path, const char *name,
                                         struct sl_git **git_out,
                                         struct sl_error *error);

/* Starts libgit2 with this project's settings; git_libgit2_shutdown() ends. */
SL_CHECKED enum sl_status sl_git_start(struct sl_error *error);

/* The text of libgit2's last error. */
const char *sl_git_reason(void);

/* "tag T of NAME points to ..." with SL_ERR_REFUSED. */
enum sl_status sl_git_tag_moved(const char *name, const struct sl_git_pin *pin,
                                const git_oid *target, struct sl_error *error);

static inline bool sl_git_stopped(const struct sl_git_watch *watch)
{
    return watch && watch->stop && watch->stop(watch->context);
}

#endif
