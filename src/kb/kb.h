/*
 * The knowledge base: every Markdown file below a folder, its front matter,
 * its sections with stable ids, its blocks and their references.
 *
 * Bytes, sections and references live in the knowledge base's one arena; all
 * views point into it. What does not fit the form is no failure: it is recorded
 * as a problem, and what can be used is used. Failures are memory, I/O and caps.
 */
#ifndef SL_KB_KB_H
#define SL_KB_KB_H

#include "base/arena.h"
#include "base/map.h"
#include "base/status.h"
#include "kb/refs.h"
#include "markdown/doc.h"
#include "markdown/yaml.h"

struct sl_kb_file {
    struct sl_view path;  /* relative to the folder */
    struct sl_view bytes; /* the whole file */
    struct sl_view stem;  /* of its section ids */
    const struct sl_yaml *front; /* NULL where there is none */
    unsigned body_line;   /* line of the first byte after the front matter */
    uint32_t body;        /* its offset */
    struct sl_md_doc doc; /* lines and offsets count from the body */
    size_t first_section, section_count;
    size_t first_heading, heading_count;
};

/* A paragraph, list item or table row, or a code block, of a section. */
struct sl_kb_block {
    const struct sl_md_block *md;
    uint32_t md_index;
    struct sl_view text;
    size_t first_ref, ref_count; /* in kb->refs; none for code */
    bool generated; /* between markers: of its references only the links */
};

struct sl_section {
    struct sl_view id;    /* file-stem#slug */
    struct sl_view slug;
    struct sl_view title; /* heading text as written, without '#' */
    unsigned level;
    unsigned line;        /* of the heading, in the file */
    size_t file;
    size_t parent;        /* index, or SIZE_MAX */
    struct sl_view own;   /* from its heading to the next heading */
    struct sl_view whole; /* to the next heading of its or a higher level */
    struct sl_view asks;  /* other ways to put its question, one a line */
    size_t first_block, block_count;
};

struct sl_kb_problem {
    size_t file; /* SIZE_MAX: of the knowledge base as a whole */
    unsigned line;
    const char *message;
};

struct sl_kb {
    struct sl_arena arena;
    const char *root; /* as given, or "" */
    size_t bytes;
    struct sl_kb_file *files;
    size_t file_count, file_cap;
    struct sl_section *sections;
    size_t section_count, section_cap;
    struct sl_kb_block *blocks;
    size_t block_count, block_cap;
    struct sl_kb_block *headings; /* of all levels, in quotes and lists too */
    size_t heading_count, heading_cap;
    struct sl_refs refs;   /* of blocks and of headings */
    struct sl_map ids;     /* section id -> section */
    struct sl_map aliases; /* old id -> section */
    struct sl_map next;    /* doubled id -> the last number given to it */
    struct sl_kb_problem *problems;
    size_t problem_count, problem_cap;
};

void sl_kb_init(struct sl_kb *kb);
void sl_kb_release(struct sl_kb *kb);

/*
 * Loads every *.md below root (names that begin with a dot and links are left
 * out). SL_ERR_NOTFOUND when there is no such folder or no Markdown in it.
 */
SL_CHECKED enum sl_status sl_kb_load(struct sl_kb *kb, const char *root,
                                     struct sl_error *error);

/* Pages that were left out, and why the first of them was. */
struct sl_kb_left {
    size_t count;
    struct sl_error first;
};

/*
 * The same of a folder that is not ours: a page that cannot be read, is too large
 * or has a name that cannot be printed on one line is left out and counted.
 */
SL_CHECKED enum sl_status sl_kb_load_foreign(struct sl_kb *kb,
                                             const char *root,
                                             struct sl_kb_left *left_out,
                                             struct sl_error *error);

/* Adds one file; path and bytes are copied. For loaders and tests. */
SL_CHECKED enum sl_status sl_kb_add(struct sl_kb *kb, struct sl_view path,
                                    struct sl_view bytes,
                                    struct sl_error *error);

/*
 * Appends the references of a whole section or a part of one: of its paragraphs,
 * list items and table rows, which are the blocks that sl_kb_add() reads them
 * from. So nothing is called evidence that verify has not seen.
 */
SL_CHECKED enum sl_status sl_kb_refs_of(struct sl_arena *arena,
                                        struct sl_view text,
                                        struct sl_refs *refs,
                                        struct sl_error *error);

/* The section with that id or alias, or NULL. */
const struct sl_section *sl_kb_find(const struct sl_kb *kb, struct sl_view id);

/* Line in the file of an offset in a file's body. */
unsigned sl_kb_line(const struct sl_kb_file *file, const char *at);

/* Records a problem (private to the loader and the checks that extend it). */
SL_CHECKED SL_PRINTF(4, 6) enum sl_status
    sl_kb_problem(struct sl_kb *kb, size_t file, unsigned line,
                  const char *format, struct sl_error *error, ...);

#endif
