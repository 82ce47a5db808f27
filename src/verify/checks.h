/*
 * What the checks share (private to src/verify): the knowledge base, the
 * evidence beside it, and which text cites what. Checks add to the report and
 * return a status for memory, I/O and caps only.
 */
#ifndef SL_VERIFY_CHECKS_H
#define SL_VERIFY_CHECKS_H

#include "base/arena.h"
#include "base/map.h"
#include "cite/check.h"
#include "cite/lock.h"
#include "cite/manifest.h"
#include "cite/sources.h"
#include "kb/kb.h"
#include "verify/report.h"

#define SL_SKILL_FOLDER "skills/nvshmem"
#define SL_EVIDENCE_FOLDER "evidence"
#define SL_SOURCES_FILE "evidence/sources.yaml"
#define SL_LOCK_FILE "evidence/citations.lock"
#define SL_LINES_FOLDER "evidence/lines"
#define SL_RUNS_FOLDER "evidence/runs"

/* A source with what is there of it. */
struct sl_pinned {
    const struct sl_source *source;
    const char *file_name;   /* evidence/lines/ID.lines */
    struct sl_manifest file; /* usable when has_file */
    struct sl_manifest tree; /* made from the tree when has_tree */
    const char *tree_path;   /* in the cache, when has_tree */
    const char *refused;     /* why what stands there is not used, or NULL */
    bool has_file, has_tree;
    bool differs; /* the tree is not what was fetched: nothing comes of it */
    size_t uses; /* distinct citations */
};

/* A distinct citation: of a text, or of the lock alone (uses 0). */
struct sl_cite {
    struct sl_view text;
    struct sl_citation citation;       /* when form is SL_OK */
    enum sl_status form;
    const struct sl_lock_entry *entry; /* NULL: not in the lock */
    struct sl_pinned *pinned;          /* NULL: unknown source */
    struct sl_graded graded;
    size_t uses;
    size_t first_use; /* in checks->uses; SIZE_MAX: none */
    size_t last_use;
};

struct sl_use {
    size_t cite;
    size_t next; /* the next use of that citation, or SIZE_MAX */
    const char *table; /* of evidence, then `line` is in it; NULL: a text */
    unsigned line;
    size_t file, block, ref;
};

struct sl_checks {
    const char *root;
    struct sl_report *report;
    struct sl_arena arena; /* evidence and everything made from it */
    struct sl_kb kb;
    struct sl_sources sources;
    struct sl_pinned *pinned; /* sources.count */
    bool has_sources;
    struct sl_lock lock;
    bool has_lock; /* there, and of the right form */
    struct sl_cite *cites;
    size_t cite_count, cite_cap;
    struct sl_use *uses;
    size_t use_count, use_cap;
    struct sl_map cite_index; /* text -> cites */
};

void sl_checks_init(struct sl_checks *checks, const char *root,
                    struct sl_report *report);
void sl_checks_release(struct sl_checks *checks);

/* Reads the knowledge base. */
SL_CHECKED enum sl_status sl_checks_load(struct sl_checks *checks,
                                         struct sl_error *error);

/* "skills/nvshmem/PATH" in the arena, and a line in that file. */
struct sl_view sl_checks_name(struct sl_checks *checks, size_t file);
unsigned sl_block_line(const struct sl_kb_file *file,
                       const struct sl_kb_block *block);
unsigned sl_ref_line(const struct sl_kb_file *file,
                     const struct sl_kb_block *block,
                     const struct sl_ref *ref);

/* evidence.c: sources, manifests, trees and the lock, with their faults. */
SL_CHECKED enum sl_status sl_checks_evidence(struct sl_checks *checks,
                                             struct sl_error *error);

/* tree.c: the tree of one source, compared with the manifest. */
SL_CHECKED enum sl_status sl_checks_tree(struct sl_checks *checks,
                                         struct sl_pinned *pinned,
                                         struct sl_error *error);

/* left.c: notices of temporary files, or their removal; counts them. */
SL_CHECKED enum sl_status sl_checks_left(struct sl_checks *checks, bool remove,
                                         size_t *removed_out,
                                         struct sl_error *error);

/* near.c: what looks like evidence and is none; after the evidence. */
void sl_checks_near(struct sl_checks *checks);

/* citations.c: that something cites text. */
SL_CHECKED enum sl_status sl_checks_add_use(struct sl_checks *checks,
                                            struct sl_use use,
                                            struct sl_view text,
                                            struct sl_error *error);

/* cited.c: table-form of a table of evidence, told once a file. */
void sl_checks_table_fault(struct sl_checks *checks, const char *path,
                           const struct sl_error *why);

/* cited.c: what the tables of evidence cite. */
SL_CHECKED enum sl_status sl_checks_collect_tables(struct sl_checks *checks,
                                                   struct sl_error *error);

/* citations.c: which text cites what, graded; faults only when reported. */
SL_CHECKED enum sl_status sl_checks_collect(struct sl_checks *checks,
                                            struct sl_error *error);
SL_CHECKED enum sl_status sl_checks_grade(struct sl_checks *checks,
                                          struct sl_error *error);
void sl_checks_report_citations(struct sl_checks *checks);

/* front.c, prose.c, links.c, cards.c, unseen.c: what the text itself must be. */
void sl_checks_front(struct sl_checks *checks);
SL_CHECKED enum sl_status sl_checks_prose(struct sl_checks *checks,
                                          struct sl_error *error);
SL_CHECKED enum sl_status sl_checks_links(struct sl_checks *checks,
                                          struct sl_error *error);
void sl_checks_cards(struct sl_checks *checks);
SL_CHECKED enum sl_status sl_checks_unseen(struct sl_checks *checks,
                                           struct sl_error *error);

/* runs.c: the records that are cited, and those that are not. */
SL_CHECKED enum sl_status sl_checks_runs(struct sl_checks *checks,
                                         struct sl_error *error);

/* symbol.c: the identifiers of blocks, each block's read when it is asked for. */
struct sl_block_names {
    const struct sl_kb *kb;
    struct sl_arena *arena;
    struct sl_map **names; /* of each block */
};

/* lines: those that are cited. Empty when no identifier stands in both. */
SL_CHECKED enum sl_status sl_symbol_find(struct sl_block_names *symbols,
                                         const struct sl_cite *cite,
                                         const struct sl_use *uses,
                                         const struct sl_view *lines,
                                         size_t count,
                                         struct sl_view *symbol_out,
                                         struct sl_error *error);

/* cards.c: a section below references/symptoms/ that is a card. */
bool sl_section_is_card(const struct sl_kb *kb,
                        const struct sl_section *section);

/* text.c: the text of a list item's first line after its marker. */
struct sl_view sl_item_text(struct sl_view block);

/* text.c: whole words, letters of either case; `word` is lower case. */
bool sl_text_has_word(struct sl_view text, const char *word);

#endif
