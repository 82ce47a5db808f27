/* The pinned public trees of evidence/sources.yaml. */
#ifndef SL_CITE_SOURCES_H
#define SL_CITE_SOURCES_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/status.h"
#include "cite/citation.h"

struct sl_licence_exception {
    struct sl_view path; /* a file, or a folder ending in '/' */
    struct sl_view licence;
};

struct sl_source {
    struct sl_view id;
    struct sl_view title;
    struct sl_view repository; /* https URL without a trailing slash */
    struct sl_view tag;        /* or a date, where the commit has none */
    struct sl_view commit;     /* 40 lower-case hexadecimal digits */
    struct sl_view licence;
    struct sl_licence_exception *exceptions;
    size_t exception_count;
    struct sl_view *paths;     /* the files and folders ('/') that matter */
    size_t path_count;
    struct sl_view *cited; /* those that may be cited and have a manifest: */
    size_t cited_count;    /* all of paths, or the list `cited` */
    bool uncited; /* `cited: no`: for the usage index, without a manifest */
    bool partly;  /* `cited` is a list */
    bool unused;  /* `usage: no`: `index usage` reads it only by name */
};

struct sl_sources {
    struct sl_source *items; /* in the file's order */
    size_t count;
};

/* Everything lives in the arena. Errors say the line. */
SL_CHECKED enum sl_status sl_sources_parse(struct sl_arena *arena,
                                           struct sl_view yaml,
                                           struct sl_sources *sources_out,
                                           struct sl_error *error);

/*
 * Appends yaml with another tag and commit for one source of it; nothing else
 * of the text changes. tag must be of letters, digits and `._/+-`.
 * SL_ERR_REFUSED: the text is written in a way that this cannot change.
 */
SL_CHECKED enum sl_status sl_sources_repin(struct sl_arena *arena,
                                           struct sl_view yaml,
                                           const struct sl_source *source,
                                           struct sl_view tag,
                                           struct sl_view commit,
                                           struct sl_buf *out,
                                           struct sl_error *error);

const struct sl_source *sl_sources_find(const struct sl_sources *sources,
                                        struct sl_view id);

/* Whether path is one of paths or lies below one of them (that end in '/'). */
bool sl_paths_cover(const struct sl_view *paths, size_t count,
                    struct sl_view path);

/* The same for the paths of a source, and for those that may be cited. */
bool sl_source_has_path(const struct sl_source *source, struct sl_view path);
bool sl_source_may_cite(const struct sl_source *source, struct sl_view path);

/* The licence of one file of the source. */
struct sl_view sl_source_licence(const struct sl_source *source,
                                 struct sl_view path);

/* Appends the URL of the cited lines at the pinned commit. */
void sl_source_permalink(struct sl_buf *out, const struct sl_source *source,
                         const struct sl_citation *citation);

/*
 * The exported tree of the source in the user's cache: CACHE/sources/ID-COMMIT.
 * SL_ERR_NOTFOUND: there is none, or no cache. SL_ERR_REFUSED: what is there is a
 * symbolic link or no folder.
 */
SL_CHECKED enum sl_status sl_source_tree_open(struct sl_arena *arena,
                                              const struct sl_source *source,
                                              const char **path_out,
                                              struct sl_error *error);

/*
 * Where the exported tree of the source is, or would be, in the user's cache:
 * CACHE/sources/ID-COMMIT. Written by `sources sync`, read by show and verify.
 */
SL_CHECKED enum sl_status sl_source_tree(struct sl_arena *arena,
                                         const struct sl_source *source,
                                         const char **path_out,
                                         struct sl_error *error);

#endif
