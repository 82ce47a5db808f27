/*
 * The search index: one SQLite database, in memory or embedded, that holds the
 * sections, the files that were read and the full-text index over them.
 *
 * An index is read-only once it is made. Not for use by two threads at once.
 */
#ifndef SL_SEARCH_INDEX_H
#define SL_SEARCH_INDEX_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/status.h"
#include "kb/kb.h"

struct sl_index;

/* A file that travels with the index (evidence, for show and permalinks). */
struct sl_index_file {
    struct sl_view path;
    struct sl_view bytes;
};

/* Indexes a loaded knowledge base; files may be NULL when count is 0. */
SL_CHECKED enum sl_status sl_index_build(const struct sl_kb *kb,
                                         const struct sl_index_file *files,
                                         size_t file_count,
                                         struct sl_index **index_out,
                                         struct sl_error *error);

/* Opens an image made by sl_index_serialize; the bytes must stay. */
SL_CHECKED enum sl_status sl_index_open(struct sl_view image,
                                        struct sl_index **index_out,
                                        struct sl_error *error);

SL_CHECKED enum sl_status sl_index_serialize(struct sl_index *index,
                                             struct sl_buf *image,
                                             struct sl_error *error);

/*
 * It holds documents of any field: a question need not be of ours, and a name that
 * they hold is good enough to be answered.
 */
void sl_index_set_foreign(struct sl_index *index);

void sl_index_close(struct sl_index *index); /* NULL is fine */

/* A section as the index holds it; views live in the caller's arena. */
struct sl_found {
    struct sl_view id;
    struct sl_view title;
    struct sl_view file; /* path in the knowledge base */
    unsigned line, level;
    struct sl_view own;
    double score;        /* of a hit, larger is better */
    double coverage;     /* of a hit: 0 to 1, how much of the question it has */
};

/* By id or alias; SL_ERR_NOTFOUND. */
SL_CHECKED enum sl_status sl_index_section(struct sl_index *index,
                                           struct sl_arena *arena,
                                           struct sl_view id,
                                           struct sl_found *found_out,
                                           struct sl_error *error);

/* A section's text with everything below it. */
SL_CHECKED enum sl_status sl_index_subtree(struct sl_index *index,
                                           struct sl_arena *arena,
                                           struct sl_view id,
                                           struct sl_view *text_out,
                                           struct sl_error *error);

/* A file that was given to sl_index_build (or of the knowledge base). */
SL_CHECKED enum sl_status sl_index_read(struct sl_index *index,
                                        struct sl_arena *arena,
                                        struct sl_view path,
                                        struct sl_view *bytes_out,
                                        struct sl_error *error);

/* All sections in order, without their text; all paths that sl_index_read() has. */
SL_CHECKED enum sl_status sl_index_sections(struct sl_index *index,
                                            struct sl_arena *arena,
                                            struct sl_found **sections_out,
                                            size_t *count_out,
                                            struct sl_error *error);
SL_CHECKED enum sl_status sl_index_files(struct sl_index *index,
                                         struct sl_arena *arena,
                                         struct sl_view **paths_out,
                                         size_t *count_out,
                                         struct sl_error *error);

struct sl_hits {
    struct sl_found *items; /* best first */
    size_t count;
    bool weak;              /* nothing fits the question well */
    struct sl_view asked;   /* an identifier that nothing knows, or empty */
    struct sl_view taken;   /* what was searched instead of it */
};

/*
 * The best sections for a question, at most limit. Any text is a question: none of it
 * is syntax. SL_ERR_NOTFOUND, with the reason, when nothing good was found.
 */
SL_CHECKED enum sl_status sl_index_ask(struct sl_index *index,
                                       struct sl_arena *arena,
                                       struct sl_view question, size_t limit,
                                       struct sl_hits *hits_out,
                                       struct sl_error *error);

/* A section that names a word (a symbol, a variable) outside generated tables. */
struct sl_mention {
    struct sl_view id, title, own;
    size_t count; /* how often */
    bool in_title;
    size_t order; /* of the knowledge base */
};

struct sl_mentions {
    struct sl_mention *items; /* named in the title first, then by count */
    size_t count, cap;
};

/* Finding none is no failure. */
SL_CHECKED enum sl_status sl_index_mentions(struct sl_index *index,
                                            struct sl_arena *arena,
                                            struct sl_view word,
                                            struct sl_mentions *mentions_out,
                                            struct sl_error *error);

/* Up to limit ids of sections whose text holds these bytes, in order. */
SL_CHECKED enum sl_status sl_index_naming(struct sl_index *index,
                                          struct sl_arena *arena,
                                          struct sl_view text, size_t limit,
                                          struct sl_view *ids_out,
                                          size_t *count_out,
                                          struct sl_error *error);

/* Up to limit ids that begin with these bytes, in order. */
SL_CHECKED enum sl_status sl_index_beginning(struct sl_index *index,
                                             struct sl_arena *arena,
                                             struct sl_view prefix,
                                             size_t limit,
                                             struct sl_view *ids_out,
                                             size_t *count_out,
                                             struct sl_error *error);

/* Up to limit section ids that resemble id, nearest first. */
SL_CHECKED enum sl_status sl_index_similar(struct sl_index *index,
                                           struct sl_arena *arena,
                                           struct sl_view id, size_t limit,
                                           struct sl_view *ids_out,
                                           size_t *count_out,
                                           struct sl_error *error);

#endif
