/*
 * Files: whole reads with caps, atomic writes, paths that may not leave a
 * folder, sorted walks, and where the user's cache is.
 */
#ifndef SL_OS_FILE_H
#define SL_OS_FILE_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/limits.h"
#include "base/status.h"

/*
 * Reads a regular file whole into arena memory. Folders, devices and FIFOs are
 * refused; a file over max bytes gives SL_ERR_LIMIT before anything is read.
 */
SL_CHECKED enum sl_status sl_file_read(struct sl_arena *arena,
                                       const char *path, size_t max,
                                       struct sl_view *bytes_out,
                                       struct sl_error *error);

/*
 * The same for a path inside root. Refused (SL_ERR_REFUSED): absolute paths,
 * empty, `.` and `..` components, and any component that is a symbolic link.
 */
SL_CHECKED enum sl_status sl_file_read_beneath(struct sl_arena *arena,
                                               const char *root,
                                               struct sl_view path, size_t max,
                                               struct sl_view *bytes_out,
                                               struct sl_error *error);

/* Whether path is relative and has only ordinary components. */
bool sl_path_is_inside(struct sl_view path);

/*
 * A link's path, seen from the folder of the file `from`, as a path in the same
 * root, without `.` and `..`; the root itself is "". False when it leaves the root,
 * is absolute or longer than SL_MAX_PATH.
 */
bool sl_path_resolve(struct sl_view from, struct sl_view path,
                     char path_out[SL_MAX_PATH + 1]);

/*
 * Replaces path with bytes: temporary file beside it, fsync, rename. On failure
 * the old content stays and the temporary file is gone; a signal that ends the
 * program (INT, TERM, HUP, QUIT) waits until then. A link to a file is replaced, not
 * followed; a file keeps its rights, and its owner where root writes. What
 * sl_path_is_stream() is, is written to and stays.
 */
SL_CHECKED enum sl_status sl_file_write(const char *path, struct sl_view bytes,
                                        struct sl_error *error);

/*
 * The first half of sl_file_write(): a complete file beside path, whose name goes
 * into temporary_out (room bytes, at least those of path and SL_STAGE_SUFFIX).
 * Renaming it to path is the caller's; on failure it is gone.
 */
#define SL_STAGE_SUFFIX 8u /* a dot, six characters, a NUL */
SL_CHECKED enum sl_status sl_file_stage(const char *path, struct sl_view bytes,
                                        char *temporary_out, size_t room,
                                        struct sl_error *error);

struct sl_file_new {
    const char *path;
    struct sl_view bytes;
};

/* The same for files that belong together: each is complete before any is replaced. */
SL_CHECKED enum sl_status sl_files_write(const struct sl_file_new *files,
                                         size_t count, struct sl_error *error);

/* A device, a FIFO, a socket, or a link in /dev such as /dev/stdout. */
bool sl_path_is_stream(const char *path);

enum sl_path_kind {
    SL_PATH_NONE, /* there is no such thing, or it cannot be looked at */
    SL_PATH_FILE,
    SL_PATH_FOLDER,
    SL_PATH_LINK,  /* it, or what stands above it in root, is a symbolic link */
    SL_PATH_OTHER, /* a device, a FIFO, a socket */
};

/* What a path inside root is; nothing is followed. */
enum sl_path_kind sl_path_kind_beneath(const char *root, struct sl_view path);

bool sl_path_is_folder(const char *path);
bool sl_path_exists(const char *path);

/* The same for who must know why: SL_ERR_IO when the path cannot be looked at. */
SL_CHECKED enum sl_status sl_path_find_folder(const char *path,
                                              bool *is_there_out,
                                              struct sl_error *error);

/* "a/b"; NULL when memory is used up. */
char *sl_path_join(struct sl_arena *arena, const char *a, struct sl_view b);

/*
 * Every regular file below root whose name ends in suffix (NULL: all), as
 * paths relative to root with '/', sorted bytewise. Symbolic links and names that
 * begin with a dot are not followed. Caps: files, depth (base/limits.h).
 */
SL_CHECKED enum sl_status sl_folder_list(struct sl_arena *arena,
                                         const char *root, const char *suffix,
                                         size_t max_files,
                                         struct sl_view **paths_out,
                                         size_t *count_out,
                                         struct sl_error *error);

/* Folders that lie deeper than a walk goes. */
struct sl_deep {
    struct sl_view *paths; /* relative to the root */
    size_t count;
};

/*
 * The same down to a depth of the caller's; a folder below that is not entered
 * and named in *deep_out.
 */
SL_CHECKED enum sl_status sl_folder_list_to(struct sl_arena *arena,
                                            const char *root, size_t max_files,
                                            unsigned max_depth,
                                            struct sl_view **paths_out,
                                            size_t *count_out,
                                            struct sl_deep *deep_out,
                                            struct sl_error *error);

/* Removes a file; that it is not there is fine. */
SL_CHECKED enum sl_status sl_file_remove(const char *path,
                                         struct sl_error *error);

/* Makes the folder and its parents (mode 0777 less the umask). */
SL_CHECKED enum sl_status sl_folder_make(const char *path,
                                         struct sl_error *error);

/*
 * $SHMEMLORE_CACHE, else $XDG_CACHE_HOME/shmemlore, else ~/.cache/shmemlore.
 * The folder need not exist. Relative values are refused.
 */
SL_CHECKED enum sl_status sl_cache_folder(struct sl_arena *arena,
                                          const char **path_out,
                                          struct sl_error *error);

#endif
