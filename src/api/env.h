/*
 * evidence/env.tsv: the environment variables of NVSHMEM, one line per name and
 * kind, sorted bytewise, fields between tabs. docs/internals/env-index.md says
 * how it is made and what each column may hold.
 *
 *     shmemlore-env 1
 *     # releases OLDEST ... NEWEST
 *     NAME KIND TYPE DEFAULT CATEGORY READERS USED WHEN FIRST LAST EVIDENCE
 *     SOURCES NOTE
 *
 * An empty field is `-`; a default that is the empty string is `""`. Lists have
 * commas, SOURCES has spaces. READERS: sl_env_next_reader().
 */
#ifndef SL_API_ENV_H
#define SL_API_ENV_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/status.h"

#define SL_ENV_TSV "evidence/env.tsv"
#define SL_ENV_SOURCES_COLUMN 11u /* from 0 */

enum sl_env_kind {
    SL_ENV_BUILD,   /* an option of the build system */
    SL_ENV_FOREIGN, /* of another library or of a launcher */
    SL_ENV_RUN,     /* of NVSHMEM, read when a program runs */
    SL_ENV_TOOL,    /* of its performance tests and examples */
};

struct sl_env {
    struct sl_view name;
    enum sl_env_kind kind;
    struct sl_view type;
    struct sl_view fallback; /* the default, as text */
    struct sl_view category;
    struct sl_view readers; /* libraries that ask for it */
    struct sl_view used;    /* those in which a line uses the value */
    struct sl_view when;
    struct sl_view first, last; /* releases; empty: in none that was read */
    struct sl_view evidence;    /* source, observed or binary */
    struct sl_view sources;     /* citations of the definitions */
    struct sl_view note;
};

struct sl_env_table {
    struct sl_env *items; /* sorted by name, then kind */
    size_t count, cap;
    struct sl_view *releases; /* those that were read, oldest first */
    size_t release_count, release_cap;
};

/* Lives in the arena, with views into bytes. Messages begin "line N: ". */
SL_CHECKED enum sl_status sl_env_parse(struct sl_arena *arena,
                                       struct sl_view bytes,
                                       struct sl_env_table *table_out,
                                       struct sl_error *error);

void sl_env_write(struct sl_buf *out, const struct sl_env_table *table);

const char *sl_env_kind_name(enum sl_env_kind kind);
bool sl_env_kind_of(struct sl_view word, enum sl_env_kind *kind_out);

/*
 * Places of the rows whose name fits, in the table's order: the name itself
 * (letter case apart, the NVSHMEM_ may be left out) or, with * ? and [...], all that
 * match. Finding none is no failure.
 */
struct sl_env_hits {
    size_t *places;
    size_t count, cap;
};
SL_CHECKED enum sl_status sl_env_find(struct sl_arena *arena,
                                      const struct sl_env_table *table,
                                      struct sl_view pattern,
                                      struct sl_env_hits *hits_out,
                                      struct sl_error *error);

/* Run-time names that the user may have meant, best first; at most max. */
SL_CHECKED enum sl_status sl_env_near(struct sl_arena *arena,
                                      const struct sl_env_table *table,
                                      struct sl_view name, size_t max,
                                      struct sl_env_hits *hits_out,
                                      struct sl_error *error);

enum sl_env_gate {
    SL_ENV_HERE,
    SL_ENV_BEFORE_FIRST, /* that release does not have it yet */
    SL_ENV_AFTER_LAST,   /* that release does not have it any more */
    SL_ENV_NOWHERE,      /* no shipped release that was read has it */
    SL_ENV_NOT_READ, /* nothing is known: not that release, or not that kind */
};

/* Whether release (such as 3.4.5) reads the variable. */
enum sl_env_gate sl_env_gate(const struct sl_env_table *table,
                             const struct sl_env *env, struct sl_view release);

/*
 * One reader of a row's list: NAME, in all releases of the row; NAME@FIRST-LAST, in
 * these alone, as the library asked for it when it was run; NAME~FIRST-LAST, as its
 * strings tell.
 */
struct sl_env_reader {
    struct sl_view name;
    struct sl_view first, last; /* empty: in all of the row's */
    bool is_observed;           /* of a reader with releases */
};

/* Takes the next one off *rest; false when it is used up. */
bool sl_env_next_reader(struct sl_view *rest, struct sl_env_reader *reader_out);

/* Whether it asks for the variable in a release that has the row. */
bool sl_env_reads_in(const struct sl_env_reader *reader,
                     struct sl_view release);

/* Order of releases: numbers between dots; anything else after them. */
int sl_env_release_cmp(struct sl_view a, struct sl_view b);

#endif
