/* The uses of whole trees: owners, rows, the table. */
#ifndef SL_USAGE_INDEX_H
#define SL_USAGE_INDEX_H

#include "base/buf.h"
#include "usage/file.h"

struct sl_usage_file {
    struct sl_view path;
    struct sl_file_report report;
    bool read;         /* it names NVSHMEM, or all of it was asked for */
    bool left;         /* not read at all: see error */
    size_t first, end; /* of its uses, in the uses of its thread */
    size_t first_typed, end_typed; /* of its typed items, there too */
    unsigned thread;
    struct sl_error error; /* when report.failed or it could not be read */
};

/* One source. Everything lives until sl_usage_release(). */
struct sl_usage {
    struct sl_view source;
    struct sl_usage_file *files; /* by path */
    size_t file_count;
    struct sl_uses *threads;
    unsigned thread_count;
    size_t read_bytes;  /* of the files that were searched */
};

struct sl_usage_request {
    struct sl_view source; /* id: picks the macro list */
    const char *tree;
    bool all_env;
    unsigned threads; /* 1 to SL_MAX_USAGE_THREADS */
    bool (*wanted)(void *context, struct sl_view path); /* NULL: all */
    void *context;
    const struct sl_view *paths; /* not NULL: these files, and tree is not read */
    size_t path_count;
    const struct sl_view *texts; /* of the paths; NULL, or ptr NULL: on disk */
    /* not NULL: paths begin with it and a slash, and no link leads out of it */
    const char *beneath;
    bool lenient; /* a file that cannot be read is told in its error, no more */
    const struct sl_map *fields; /* not NULL: look for members of these names */
};

/*
 * Reads the tree with several threads; the result does not depend on them. Paths given
 * as a list are used as they are.
 */
SL_CHECKED enum sl_status sl_usage_read(struct sl_arena *arena,
                                        const struct sl_usage_request *request,
                                        struct sl_usage *usage_out,
                                        struct sl_error *error);
void sl_usage_release(struct sl_usage *usage);

/*
 * Whether the name is of a kind that is read for what it does: source, a script, a
 * build's description, settings, a notebook. JSON is data as often, and does not count.
 */
bool sl_usage_is_code(struct sl_view path);

/* Column names, with a newline. */
extern const char sl_usage_header[];

/*
 * Appends the source's rows, sorted: one per name, language, kind, owner, how
 * and value, with the number of places and the first of them. `all`: also rows
 * of comments, strings, documents and disabled code for names that are used.
 */
SL_CHECKED enum sl_status sl_usage_rows(struct sl_arena *arena,
                                        const struct sl_usage *usage, bool all,
                                        struct sl_buf *out,
                                        struct sl_error *error);

/* Appends a line per parsed file: what the grammar did not understand. */
void sl_usage_coverage(const struct sl_usage *usage, struct sl_buf *out);

#endif
