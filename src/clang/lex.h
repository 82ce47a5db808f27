/*
 * The tokens of one file of C, C++ or CUDA, as the front end's lexer gives them:
 * comments left out, nothing expanded, both sides of every #if.
 */
#ifndef SL_CLANG_LEX_H
#define SL_CLANG_LEX_H

#include "base/arena.h"
#include "base/status.h"

enum sl_clang_token_kind {
    SL_TOKEN_WORD, /* an identifier or a keyword */
    SL_TOKEN_LITERAL,
    SL_TOKEN_MARK, /* punctuation */
};

struct sl_clang_token {
    enum sl_clang_token_kind kind;
    struct sl_view text;
    unsigned line;
};

struct sl_clang_lexer; /* keeps what libclang needs, from file to file */

SL_CHECKED enum sl_status sl_clang_lexer_new(struct sl_clang_lexer **lexer_out,
                                             struct sl_error *error);
void sl_clang_lexer_free(struct sl_clang_lexer *lexer);

/* Tokens have views into text. */
SL_CHECKED enum sl_status sl_clang_lex(struct sl_clang_lexer *lexer,
                                       struct sl_arena *arena,
                                       struct sl_view text,
                                       struct sl_clang_token **tokens_out,
                                       size_t *count_out,
                                       struct sl_error *error);

#endif
