/*
 * A line manifest: for each file of a source the 64-bit hash of every line
 * (sl_line_hash), and no text. With it a citation can be graded where the tree
 * is absent. The same struct is made from a tree, so that the two compare.
 *
 *     shmemlore-lines 2 SOURCE COMMIT FILES LINES
 *     path PATH
 *     file PATH COUNT
 *     hashes, 11 characters each, `.` for a blank line, several a line
 *
 * FILES and LINES are how many follow: a manifest that was cut, or merged away in
 * part, is not one. `path` says once for each of the source's paths what the
 * manifest covers: a file below them that it lacks was not in the commit.
 */
#ifndef SL_CITE_MANIFEST_H
#define SL_CITE_MANIFEST_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/status.h"
#include "cite/sources.h"

struct sl_manifest_file {
    struct sl_view path;
    size_t first; /* index of its first line in the manifest's hashes */
    size_t count;
};

/* A line of the source, in the order of sl_manifest_index(). */
struct sl_manifest_place {
    uint64_t hash;
    uint32_t at; /* index in hashes */
};

struct sl_manifest {
    struct sl_view source;
    struct sl_view commit;
    struct sl_view *paths; /* files and folders ('/') that it covers */
    size_t path_count, path_cap;
    struct sl_manifest_file *files; /* sorted by path */
    size_t file_count, file_cap;
    uint64_t *hashes; /* of all files, one after the other */
    size_t line_count, line_cap;
    struct sl_manifest_place *places; /* NULL until somebody searches */
};

/* A hash in 11 characters (base64url, most significant bits first) or `.`. */
void sl_hash_put(struct sl_buf *out, uint64_t hash);

/* Takes one hash off the front of *rest. */
bool sl_hash_take(struct sl_view *rest, uint64_t *hash_out);

/* Lives in the arena, with views into bytes. Messages begin "line N: ". */
SL_CHECKED enum sl_status sl_manifest_parse(struct sl_arena *arena,
                                            struct sl_view bytes,
                                            struct sl_manifest *manifest_out,
                                            struct sl_error *error);

/*
 * Whether a manifest may hold the path at all: no part of it begins with a dot,
 * and it has no control characters.
 */
bool sl_manifest_may_have(struct sl_view path);

/*
 * Appends a file behind those that are there (paths in bytewise order); one with a
 * NUL byte in it is left out. The path must live as long as the manifest.
 */
SL_CHECKED enum sl_status sl_manifest_add(struct sl_arena *arena,
                                          struct sl_manifest *manifest,
                                          struct sl_view path,
                                          struct sl_view bytes,
                                          struct sl_error *error);

/*
 * Reads the exported tree: every file below the source's paths, but no links,
 * no names that begin with a dot or hold a control character, and no file with
 * a NUL byte in it.
 */
SL_CHECKED enum sl_status sl_manifest_build(struct sl_arena *arena,
                                            const struct sl_source *source,
                                            const char *tree,
                                            struct sl_manifest *manifest_out,
                                            struct sl_error *error);

void sl_manifest_write(struct sl_buf *out, const struct sl_manifest *manifest);

/* Whether it was made for just these paths of the source, in their order. */
bool sl_manifest_is_for(const struct sl_manifest *manifest,
                        const struct sl_source *source);

/* NULL when the path is not one of the manifest's files. */
const struct sl_manifest_file *
sl_manifest_find(const struct sl_manifest *manifest, struct sl_view path);

/* The file that the line at index `at` of hashes belongs to. */
const struct sl_manifest_file *
sl_manifest_file_at(const struct sl_manifest *manifest, size_t at);

/* Orders all lines by hash, once, for searches. */
SL_CHECKED enum sl_status sl_manifest_index(struct sl_arena *arena,
                                            struct sl_manifest *manifest,
                                            struct sl_error *error);

#endif
