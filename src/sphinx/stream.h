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
    SL_TOKEN_TITLE, /* of an abbreviation: what it stands for */
};

/* How a token looks to a reader; what of it a page and its Markdown must share. */
enum {
    SL_LOOK_BEGINS = 1, /* a paragraph, a heading, a cell, a line */
    SL_LOOK_ITEM = 2,   /* it begins an item, too */
    SL_LOOK_CODE = 4,
    SL_LOOK_EM = 8,
    SL_LOOK_STRONG = 16,
    SL_LOOK_SUB = 32,
    SL_LOOK_SUP = 64,
    SL_LOOK_LOOSE = 128, /* Markdown may be unable to say its emphasis or code */
};

struct sl_look {
    unsigned char marks;
    unsigned char heading;      /* its level, or 0 */
    unsigned short quotes, items; /* that it stands in */
    uint32_t number;            /* of the item that it begins; 0: no number */
    uint32_t row, column;       /* in a block of code */
};

struct sl_token {
    enum sl_token_kind kind;
    unsigned line;
    struct sl_view text;
    struct sl_look look;
};

struct sl_anchor {
    struct sl_view id;
    size_t at; /* the token before which it stands */
};

struct sl_stream {
    struct sl_arena *arena;
    struct sl_error *error;
    struct sl_token *tokens;
    size_t count, cap;
    struct sl_anchor *anchors;
    size_t anchor_count, anchor_cap;
    enum sl_status status;
    struct sl_look look; /* of the next token */
    bool glue;    /* the next text goes on in the last word */
    bool touches; /* it stands right behind the last token */
    bool joins;   /* the next block goes on in the open line */
    char *joined; /* the last word that was made of several pieces */
    size_t joined_cap;
    size_t escaped; /* underscores with a backslash that are code */
};

void sl_stream_text(struct sl_stream *s, struct sl_view text, unsigned line);
/* Underscores that a backslash escapes. */
size_t sl_stream_count_escaped(struct sl_view text);
/* Words with a letter or digit: arrows and bars between links are none. */
size_t sl_stream_count_words(struct sl_view text);
/* Whether no word is in it. */
bool sl_stream_is_blank(struct sl_view text);
/* The same in a block of code, whose lines and columns are counted in look. */
void sl_stream_code(struct sl_stream *s, struct sl_view text, unsigned line);
void sl_stream_break(struct sl_stream *s);
/* A block or a line ends here. */
void sl_stream_begin(struct sl_stream *s);
/* The same, of an item. */
void sl_stream_item(struct sl_stream *s, uint32_t number);
/* Takes back what came from token `first` on; anchors stay, before what follows. */
void sl_stream_back(struct sl_stream *s, size_t first);
/* Adds a token as it was. */
void sl_stream_again(struct sl_stream *s, struct sl_token token);
void sl_stream_mark(struct sl_stream *s, enum sl_token_kind kind,
                    struct sl_view text, unsigned line);
void sl_stream_target(struct sl_stream *s, enum sl_token_kind kind,
                      struct sl_view target, unsigned line);
/* What an abbreviation stands for, with its blanks as one each. */
void sl_stream_title(struct sl_stream *s, struct sl_view title, unsigned line);
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
