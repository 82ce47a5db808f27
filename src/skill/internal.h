/* What the parts of a check share. */
#ifndef SL_SKILL_INTERNAL_H
#define SL_SKILL_INTERNAL_H

#include "base/map.h"
#include "markdown/yaml.h"
#include "skill/report.h"

enum sl_skill_how {
    SL_SKILL_BY_LINK,
    SL_SKILL_BY_SPAN, /* a word of a code span */
    SL_SKILL_BY_CODE, /* a word of a code block: an example, may lead nowhere */
};

/* A mention of another file: a link, or a file name in a code span. */
struct sl_skill_mention {
    struct sl_view file; /* that has it */
    unsigned line;
    enum sl_skill_how how;
    struct sl_view target; /* as it is written */
};

enum sl_skill_kind {
    SL_SKILL_FILE,
    SL_SKILL_FOLDER,
    SL_SKILL_LINK, /* symbolic; not followed */
    SL_SKILL_OTHER,
};

struct sl_skill_file {
    struct sl_view path; /* relative to the skill, with '/' */
    enum sl_skill_kind kind;
    bool is_read;            /* as Markdown: its anchors are known */
    bool is_named;           /* by SKILL.md */
    struct sl_view named_by; /* another file that names it, or empty */
};

struct sl_skill_checker {
    struct sl_skill_report *report;
    struct sl_arena *arena; /* the report's */
    const char *folder;     /* of the skill, as it can be opened */
    struct sl_view folder_name; /* which the skill's name must equal */
    struct sl_view main;        /* SKILL.md, or empty */
    struct sl_skill_file *files; /* by path */
    size_t file_count, file_cap;
    struct sl_map paths;   /* path -> index of files */
    struct sl_map anchors; /* "PATH#SLUG" */
    bool is_large;         /* over a limit: only SKILL.md is read */
    struct sl_skill_mention *mentions;
    size_t mention_count, mention_cap;
    bool is_full; /* there were more mentions or anchors, which was said */
};

#define SL_SKILL_REFERENCES "references/"

/* Lists the skill and checks what can be told without reading a file. */
SL_CHECKED enum sl_status sl_skill_list(struct sl_skill_checker *checker,
                                        struct sl_error *error);

/* Whether a symbolic link leaves the skill, or leads nowhere. */
SL_CHECKED enum sl_status sl_skill_leaves(struct sl_skill_checker *checker,
                                          struct sl_view path,
                                          bool *leaves_out,
                                          struct sl_error *error);

/* One of the files, or NULL. */
struct sl_skill_file *sl_skill_find(const struct sl_skill_checker *checker,
                                    struct sl_view path);

/*
 * Checks the front matter of SKILL.md. *body_out is where the rest begins in text,
 * which is UTF-8.
 */
SL_CHECKED enum sl_status sl_skill_front(struct sl_skill_checker *checker,
                                         struct sl_view text, size_t *body_out,
                                         struct sl_error *error);

/* The fields of a front matter that is YAML; its line numbers are the file's. */
SL_CHECKED enum sl_status sl_skill_fields(struct sl_skill_checker *checker,
                                          const struct sl_yaml *root,
                                          struct sl_error *error);

/* Checks a Markdown file, and collects its anchors and mentions. */
SL_CHECKED enum sl_status sl_skill_page(struct sl_skill_checker *checker,
                                        struct sl_view path,
                                        struct sl_view text,
                                        struct sl_error *error);

/*
 * Collects what one block mentions, which begins at line: links and file names
 * in code spans, or, of a block of code (prose false), whatever is a file name.
 */
SL_CHECKED enum sl_status sl_skill_scan(struct sl_skill_checker *checker,
                                        struct sl_arena *scratch,
                                        struct sl_view path,
                                        struct sl_view block, unsigned line,
                                        bool prose, struct sl_error *error);

/* Whether every mention leads somewhere, and SKILL.md to every file. */
SL_CHECKED enum sl_status sl_skill_mentions(struct sl_skill_checker *checker,
                                            struct sl_error *error);

#endif
