/*
 * Inside `index env`: what is gathered about each variable before it becomes a
 * row of evidence/env.tsv, and the steps that gather it.
 */
#ifndef SL_INDEX_ENV_H
#define SL_INDEX_ENV_H

#include "api/env.h"
#include "clang/lex.h"

/*
 * Who may read a variable, as a set: `host`, `transport:ibrc`, ... `readers` of a draft
 * are those of the source tree.
 */
typedef uint64_t sl_env_set;
#define SL_MAX_ENV_READERS 64u

/* Moments at which something is read, as a set. */
enum {
    SL_WHEN_BOOTSTRAP = 1,  /* whenever the bootstrap plugin is loaded */
    SL_WHEN_CONFIGURE = 2,  /* when CMake runs */
    SL_WHEN_IMPORT = 4,     /* of the Python package */
    SL_WHEN_INIT = 8,       /* once, in the first init or get_uniqueid */
    SL_WHEN_START = 16,     /* of a test or example program */
    SL_WHEN_TRANSPORT = 32, /* when the transport plugin is loaded */
};

struct sl_env_draft {
    struct sl_env row; /* name, kind, type, fallback, category, first, last */
    sl_env_set readers;
    sl_env_set used;
    unsigned whens;
    bool is_text;           /* the default is a string */
    bool from_table;        /* made by NVSHMEMI_ENV_DEF */
    unsigned tables;        /* which of them, as a set */
    bool is_set;            /* NVSHMEM itself sets it */
    bool differs;           /* another place has another default */
    struct sl_env_later {   /* what a later tree says; place empty: nothing */
        struct sl_view type, fallback, place;
    } later;
    struct sl_view *places; /* citations */
    size_t place_count, place_cap;
    bool *seen; /* per release: in a shipped library */
    sl_env_set *asked; /* per release: libraries that asked for it when run */
    sl_env_set *held;  /* per release: readers that hold its string */
};

/* One name in the read-only data of a library, or one that it asked for. */
struct sl_env_string {
    size_t library; /* of the package */
    enum {
        SL_STRING_WHOLE,
        SL_STRING_TAIL,
        SL_STRING_INSIDE,
        SL_STRING_ASKED,
    } form;
    struct sl_view name;
};

struct sl_env_package {
    const char *folder;
    struct sl_view release;
    struct sl_view *libraries;
    bool *was_run; /* per library: what it asks for is known */
    size_t library_count, library_cap;
    bool has_asked;                /* of any library */
    struct sl_env_string *strings; /* in the libraries' order */
    size_t string_count, string_cap;
};

struct sl_env_work {
    struct sl_arena *arena;
    const char *tree;       /* of the source nvshmem */
    struct sl_view source;  /* its id, for citations */
    struct sl_view release; /* the tree's own */
    const char *later_tree; /* of a development state after it, or NULL */
    struct sl_view later_source;
    struct sl_env_draft *drafts;
    size_t count, cap;
    struct sl_map index; /* kind and name, to draft */
    struct sl_view readers[SL_MAX_ENV_READERS];
    size_t reader_count;
    struct sl_env_package *packages;
    size_t package_count, package_cap;
    struct sl_view *releases; /* of the packages, oldest first */
    size_t release_count, release_cap;
    sl_env_set loaders;    /* those that fill their table at run time */
    size_t files;          /* that were read */
    size_t opaque;         /* getenv calls whose name no literal gives */
    struct sl_buf remarks; /* lines for the report */
};

/* The draft of this name and kind, made when it is not there; NULL: memory. */
struct sl_env_draft *sl_env_draft(struct sl_env_work *work,
                                  enum sl_env_kind kind, struct sl_view name);
/* NULL when it is not there. */
struct sl_env_draft *sl_env_known(struct sl_env_work *work,
                                  enum sl_env_kind kind, struct sl_view name);

/* The set with this reader alone; empty: too many or no memory. */
sl_env_set sl_env_reader(struct sl_env_work *work, struct sl_view name);
/* Every reader whose name begins so. */
sl_env_set sl_env_readers(struct sl_env_work *work, const char *prefix);

/* A citation into the draft's, once. */
SL_CHECKED enum sl_status sl_env_add_place(struct sl_env_work *work,
                                           struct sl_env_draft *draft,
                                           struct sl_view citation,
                                           struct sl_error *error);
/* The same of a line of the tree: the draft has a source line from then on. */
SL_CHECKED enum sl_status sl_env_place(struct sl_env_work *work,
                                       struct sl_env_draft *draft,
                                       struct sl_view path, unsigned line,
                                       struct sl_error *error);

/* What the value is read as: a number once is a number, whoever else reads it. */
void sl_env_type(struct sl_env_draft *draft, const char *type);

/* NVSHMEM_ and name, in the arena. */
SL_CHECKED enum sl_status sl_env_prefixed(struct sl_env_work *work,
                                          struct sl_view name,
                                          struct sl_view *full_out,
                                          struct sl_error *error);

/* --- the steps, in order ------------------------------------------------- */

/* lib/strings.tsv of each folder; fills packages and releases. */
SL_CHECKED enum sl_status sl_env_read_packages(struct sl_env_work *work,
                                               const char *const *folders,
                                               size_t count,
                                               struct sl_error *error);

/* What the libraries of these releases asked for when they were run, below root. */
SL_CHECKED enum sl_status sl_env_read_observed(struct sl_env_work *work,
                                               const char *root,
                                               struct sl_error *error);

/* The tables of NVSHMEMI_ENV_DEF, evaluated by the front end. */
SL_CHECKED enum sl_status sl_env_read_tables(struct sl_env_work *work,
                                             struct sl_error *error);

/* Whoever fills a table reads all of it: after sl_env_read_uses(). */
void sl_env_table_readers(struct sl_env_work *work);

/* getenv calls, who fills the tables, who uses the values. */
SL_CHECKED enum sl_status sl_env_read_uses(struct sl_env_work *work,
                                           struct sl_error *error);
SL_CHECKED enum sl_status sl_env_read_python(struct sl_env_work *work,
                                             struct sl_error *error);
SL_CHECKED enum sl_status sl_env_read_cmake(struct sl_env_work *work,
                                            struct sl_error *error);

/* First and last release, and names that only libraries know. */
SL_CHECKED enum sl_status sl_env_gates(struct sl_env_work *work,
                                       struct sl_error *error);

/*
 * Types and defaults of the later tree, for names that are known: where they differ, or
 * where nothing else tells them, the row's note says so, with the citation.
 */
SL_CHECKED enum sl_status sl_env_read_later(struct sl_env_work *work,
                                            struct sl_error *error);

/* Drafts to rows, sorted. */
SL_CHECKED enum sl_status sl_env_finish(struct sl_env_work *work,
                                        struct sl_env_table *table_out,
                                        struct sl_error *error);

/* Names and libraries against each other, for every release that was read. */
struct sl_env_check {
    size_t strings, strings_known; /* NVSHMEM_... in libraries of the release */
    size_t rows, rows_found;       /* run-time rows with a source line */
    size_t pairs, pairs_found;     /* row and library that should hold it */
    size_t asked, asked_known;     /* the other way: what libraries asked for */
    size_t excused;                /* differences that have an explanation */
};
SL_CHECKED enum sl_status sl_env_compare(struct sl_env_work *work,
                                         const struct sl_env_table *table,
                                         struct sl_env_check *check_out,
                                         struct sl_error *error);

/*
 * Whether a library asks for the name or, when it was not run, holds it, be it in
 * the tail of a longer string.
 */
bool sl_env_in_library(const struct sl_env_package *package, size_t library,
                       const struct sl_env_draft *draft);
/* `host`, `transport:ibrc`, ... of a library's file name; empty: none of ours. */
struct sl_view sl_env_library_reader(struct sl_env_work *work,
                                     struct sl_view file);

#endif
