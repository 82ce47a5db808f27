/*
 * The stream of tokens that a page and its Markdown are compared by: words,
 * each other character, and marks for what has a place but no text.
 */
#ifndef SL_SPHINX_STREAM_H
#define SL_SPHINX_STREAM_H

#include "base/buf.h"
#include "base/status.h"
#include "html/dom.h"

enum sl_token_kind {
    SL_TOKEN_WORD,
    SL_TOKEN_SIGNATURE, /* text: its language, and its words parted by blanks */
    SL_TOKEN_CODE,      /* text: the language */
    SL_TOKEN_TABLE,
    SL_TOKEN_ROW,
    SL_TOKEN_CELL,
    SL_TOKEN_LINK,  /* text: the target, decoded */
    SL_TOKEN_IMAGE, /* text: the target, decoded */
};

struct sl_token {
    enum sl_token_kind kind;
    unsigned line;
    struct sl_view text;
};

struct sl_stream {
    struct sl_arena *arena;
    struct sl_error *error;
    struct sl_token *tokens;
    size_t count, cap;
    struct sl_view *anchors;
    size_t anchor_count, anchor_cap;
    enum sl_status status;
    bool glue;    /* the next text goes on in the last word */
    bool slash;   /* it would stand right behind a backslash */
    char *joined; /* the last word that was made of several pieces */
    size_t joined_cap;
    size_t escaped; /* underscores with a backslash that are code */
};

void sl_stream_text(struct sl_stream *s, struct sl_view text, unsigned line);
/* Underscores that a backslash escapes. */
size_t sl_stream_count_escaped(struct sl_view text);
/* Whether no word is in it. */
bool sl_stream_is_blank(struct sl_view text);
void sl_stream_break(struct sl_stream *s);
void sl_stream_mark(struct sl_stream *s, enum sl_token_kind kind,
                    struct sl_view text, unsigned line);
void sl_stream_target(struct sl_stream *s, enum sl_token_kind kind,
                      struct sl_view target, unsigned line);
void sl_stream_anchor(struct sl_stream *s, struct sl_view id);

/* The words from token `first` on become one text, parted by blanks. */
struct sl_view sl_stream_take(struct sl_stream *s, size_t first);

/* --- both sides ------------------------------------------------------------- */

void sl_stream_html(struct sl_stream *s, const struct sl_html *html);

struct sl_recovered {
    size_t count;  /* names in all */
    size_t faults; /* runs that are not the prototype's names */
};

/* `page` is the other side: which signatures to expect. */
void sl_stream_markdown(struct sl_stream *s, struct sl_view markdown,
                        const struct sl_stream *page,
                        struct sl_recovered *recovered_out);

/*
 * Parameters of a signature (its token's text), or, with names, how many of them
 * are these names in this order.
 */
size_t sl_sphinx_count_parameters(struct sl_view signature);
bool sl_sphinx_are_parameters(struct sl_view signature,
                              const struct sl_view *names, size_t count);

#endif
