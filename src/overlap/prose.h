/*
 * What of a file is prose, with everything else left out: code, tables of
 * symbols, citations, markup. The rules by kind: docs/internals/overlap.md.
 */
#ifndef SL_OVERLAP_PROSE_H
#define SL_OVERLAP_PROSE_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/status.h"
#include "html/tags.h"
#include "text/words.h"

enum sl_prose_kind {
    SL_PROSE_NONE,  /* not prose: other text, or bytes */
    SL_PROSE_PLAIN, /* all of it is; may be read in blocks */
    SL_PROSE_MARKDOWN,
    SL_PROSE_HTML,
    SL_PROSE_LATEX,
    SL_PROSE_C,      /* comments of C, C++ and CUDA */
    SL_PROSE_PYTHON, /* comments and doc strings */
};

/*
 * By the name's ending; where that says nothing, by the first bytes (`head`).
 * A file with NUL bytes in its head is no text, whatever its name. `named`: the
 * user gave this very file, so that text of no known kind counts as plain.
 */
enum sl_prose_kind sl_prose_kind_of(struct sl_view path, struct sl_view head,
                                    bool named);

/* Prose, each word on the line on which it stands in the file. */
struct sl_prose {
    struct sl_buf text;
    struct sl_word_mark *marks;
    size_t mark_count, mark_cap;
    bool failed; /* no memory for a mark, or too many of them */
};

void sl_prose_init(struct sl_prose *prose);
void sl_prose_release(struct sl_prose *prose);
void sl_prose_clear(struct sl_prose *prose); /* keeps the memory */

/* What is added from here on stands on this line; see struct sl_word_mark. */
void sl_prose_mark(struct sl_prose *prose, uint32_t line, bool fresh);

/* LaTeX: what a corpus's files define. Lives in one arena. */
struct sl_latex {
    struct sl_arena *arena;
    struct sl_map names;         /* of macros, and of environments with code */
    struct sl_latex_macro *macros;
    size_t count, cap;
};

void sl_latex_init(struct sl_latex *latex, struct sl_arena *arena);

/* Adds the definitions of one file; they stay views into it. */
SL_CHECKED enum sl_status sl_latex_define(struct sl_latex *latex,
                                          struct sl_view text,
                                          struct sl_error *error);

struct sl_parser; /* syntax/tree.h */

/* What the kinds need beside the text; one per corpus. */
struct sl_prose_reader {
    struct sl_latex latex;
    struct sl_parser *parser; /* Python; made when first needed */
};

void sl_prose_reader_init(struct sl_prose_reader *reader,
                          struct sl_arena *arena);
void sl_prose_reader_release(struct sl_prose_reader *reader);

/*
 * Appends the prose of a whole file. SL_ERR_LIMIT and SL_ERR_SYNTAX are about
 * this file alone: the reader can go on with the next.
 */
SL_CHECKED enum sl_status sl_prose_read(struct sl_prose_reader *reader,
                                        enum sl_prose_kind kind,
                                        struct sl_view text,
                                        struct sl_prose *prose,
                                        struct sl_error *error);

/* What an element of HTML is to the text around it. */
enum sl_prose_role {
    SL_PROSE_INSIDE, /* of a line: words go on through it (em, code, a) */
    SL_PROSE_BLOCK,  /* separates words, not sentences (p, li, td) */
    SL_PROSE_LEFT,   /* as if it were not there (headerlink) */
    SL_PROSE_APART,  /* left out, and what follows continues nothing (pre) */
};

/* By its name alone. */
enum sl_prose_role sl_prose_role_of(enum sl_html_tag tag);

/* Whether a raised text is the mark of a footnote: numbers, brackets, daggers. */
bool sl_prose_is_mark(struct sl_view text);

/* A block of Markdown that begins on `line`; html: one of HTML, its tags alone. */
void sl_prose_inline(struct sl_prose *prose, struct sl_view block,
                     uint32_t line, bool html);

/* The kinds, for sl_prose_read() and the fuzz target. */
SL_CHECKED enum sl_status sl_prose_markdown(struct sl_prose *prose,
                                            struct sl_view text,
                                            struct sl_error *error);
SL_CHECKED enum sl_status sl_prose_html(struct sl_prose *prose,
                                        struct sl_view text,
                                        struct sl_error *error);
SL_CHECKED enum sl_status sl_prose_latex(struct sl_prose *prose,
                                         const struct sl_latex *latex,
                                         struct sl_view text,
                                         struct sl_error *error);
SL_CHECKED enum sl_status sl_prose_python(struct sl_prose *prose,
                                          struct sl_parser *parser,
                                          struct sl_view text,
                                          struct sl_error *error);
void sl_prose_c(struct sl_prose *prose, struct sl_view text);

#endif
