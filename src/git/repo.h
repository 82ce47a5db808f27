/*
 * git repositories, read only, through libgit2: open one, find the pinned
 * commit in it, write that commit's plain files to a folder. This folder is
 * the only one that includes git2.h.
 *
 * Nothing of a repository is run or trusted: objects are read by their id and
 * every one is hashed again (strict hash verification), so whatever mirror or
 * server the bytes came from, they are the pinned commit's.
 */
#ifndef SL_GIT_REPO_H
#define SL_GIT_REPO_H

#include "base/arena.h"
#include "base/status.h"

/* An open repository. Freed with sl_git_free(). */
struct sl_git;

/* What the lock asks for. */
struct sl_git_pin {
    const char *tag;    /* a name below refs/tags/ */
    const char *commit; /* 40 lower-case hexadecimal digits */
};

enum sl_git_phase { SL_GIT_RECEIVE, SL_GIT_EXPORT };

struct sl_git_progress {
    enum sl_git_phase phase;
    size_t done;  /* objects received, or files written */
    size_t total; /* 0: not known */
    uint64_t bytes;
};

/* How a caller follows and ends long work. Both functions may be NULL. */
struct sl_git_watch {
    void *context;
    bool (*stop)(void *context); /* asked often; true ends with SL_ERR_IO */
    void (*show)(void *context, const struct sl_git_progress *progress);
};

/* What an export wrote and left out. */
struct sl_git_export {
    size_t files;
    uint64_t bytes;
    size_t links;      /* symbolic links, left out */
    size_t submodules; /* left out */
};

/*
 * Opens the bare or ordinary repository at path; folders above it are not
 * searched. SL_ERR_NOTFOUND when path is none. Writes nothing there.
 */
SL_CHECKED enum sl_status sl_git_open(const char *path, struct sl_git **git_out,
                                      struct sl_error *error);
void sl_git_free(struct sl_git *git);

/*
 * Finds the pinned commit; sl_git_export() then writes it. SL_ERR_REFUSED when
 * the tag is there and points elsewhere (a missing tag is no fault) or when
 * the id is not a commit's; SL_ERR_NOTFOUND when the commit is not there.
 */
SL_CHECKED enum sl_status sl_git_find(struct sl_git *git,
                                      const struct sl_git_pin *pin,
                                      struct sl_error *error);

/*
 * Finds the commit that a person names: a tag, a branch, a full id or its first
 * seven digits or more; NULL: the one that the repository's HEAD names. It takes
 * the place of the pinned one. SL_ERR_NOTFOUND: there is none;
 * SL_ERR_REFUSED: several ids begin so, or it is no commit.
 */
SL_CHECKED enum sl_status sl_git_resolve(struct sl_git *git, const char *name,
                                         struct sl_error *error);

/* What was found: its id, its day (UTC), and a tag that names it exactly. */
struct sl_git_found {
    char commit[41];
    char date[11];  /* YYYY-MM-DD */
    bool is_tag;    /* sl_git_resolve() was given a tag's name */
};
SL_CHECKED enum sl_status sl_git_found(const struct sl_git *git,
                                       struct sl_git_found *found_out,
                                       struct sl_error *error);

/*
 * Who is shown a commit's tree, in the order of its names. path is the whole
 * path, name its last part; bytes live until the function returns. Only `file`
 * must be there.
 */
struct sl_git_visitor {
    void *context;
    enum sl_status (*file)(void *context, const char *path, const char *name,
                           struct sl_view bytes, struct sl_error *error);
    enum sl_status (*enter)(void *context, const char *path, const char *name,
                            struct sl_error *error);
    void (*leave)(void *context);
    void (*other)(void *context, bool link); /* a link, else a submodule */
};

/*
 * Shows the found commit's regular and executable files. A tree that passes a
 * cap or has a name that could leave its folder is refused.
 */
SL_CHECKED enum sl_status sl_git_walk(struct sl_git *git,
                                      const struct sl_git_watch *watch,
                                      const struct sl_git_visitor *visitor,
                                      struct sl_error *error);

/*
 * Writes the commit's regular and executable files below the open, empty
 * folder `to`, all as mode 0644. Symbolic links and submodules are counted and
 * left out. A tree that passes a cap or has a name that could leave the folder
 * is refused. On failure what was written so far is the caller's to remove.
 */
SL_CHECKED enum sl_status sl_git_export(struct sl_git *git, int to,
                                        const struct sl_git_watch *watch,
                                        struct sl_git_export *export_out,
                                        struct sl_error *error);

/*
 * Fetches the pin from an https URL into a new bare repository at folder and
 * opens it; messages call it name (a URL may hold a password). SL_ERR_REFUSED
 * before any object travels when the server's tag points elsewhere. On failure
 * what is at folder is the caller's to remove.
 */
SL_CHECKED enum sl_status sl_git_fetch(const char *url, const char *name,
                                       const char *folder,
                                       const struct sl_git_pin *pin,
                                       const struct sl_git_watch *watch,
                                       struct sl_git **git_out,
                                       struct sl_error *error);

/*
 * The host of an https URL, without user name and port; the empty view when
 * there is none.
 */
struct sl_view sl_url_host(struct sl_view url);

#endif
