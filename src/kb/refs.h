/*
 * References in a piece of Markdown prose, with byte spans: citations, runs,
 * names in code spans, links, OpenSHMEM sections, public threads.
 */
#ifndef SL_KB_REFS_H
#define SL_KB_REFS_H

#include "base/arena.h"
#include "base/status.h"

enum sl_ref_kind {
    SL_REF_CITATION, /* `SOURCE:PATH:FIRST[-LAST]`; text is its inside */
    SL_REF_RUN,      /* `run:NAME`; text is NAME */
    SL_REF_NAME,     /* `identifier` or `identifier()`; text is the identifier */
    SL_REF_VARIABLE, /* `UPPER_CASE` or `UPPER_CASE=value`; text is the name */
    SL_REF_CODE,     /* any other code span */
    SL_REF_LINK,     /* [text](target); text is the target */
    SL_REF_SPEC,     /* OpenSHMEM 1.N */
    SL_REF_THREAD,   /* OWNER/REPO#N */
    SL_REF_URL,      /* http://… or https://… in prose */
    SL_REF_NUMBER,   /* a digit in prose outside all of these */
};

struct sl_ref {
    enum sl_ref_kind kind;
    struct sl_view text;
    uint32_t begin, end; /* whole reference, marks included; bytes in the text */
    uint32_t line;       /* newlines of the text before it */
};

struct sl_refs {
    struct sl_ref *items;
    size_t count, cap;
};

/* Appends the references of text (one block) to *refs, in order. */
SL_CHECKED enum sl_status sl_refs_scan(struct sl_arena *arena,
                                       struct sl_view text,
                                       struct sl_refs *refs,
                                       struct sl_error *error);

/* Citation, run, OpenSHMEM section or thread. */
bool sl_ref_is_evidence(enum sl_ref_kind kind);

/* Whether text is a code span's inside with the outer form of a citation. */
bool sl_text_is_citation(struct sl_view text);

#endif
