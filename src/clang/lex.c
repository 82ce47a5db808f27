#include "clang/lex.h"

#include <stdlib.h>

#include <clang-c/Index.h>

#include "base/limits.h"

struct sl_clang_lexer {
    CXIndex index;
};

/* No such file needs to be: the bytes are handed over. */
static const char file_name[] = "shmemlore-lex.cpp";

enum sl_status sl_clang_lexer_new(struct sl_clang_lexer **lexer_out,
                                  struct sl_error *error)
{
    struct sl_clang_lexer *lexer = malloc(sizeof *lexer);
    if (!lexer)
        return sl_error_nomem(error);
    lexer->index = clang_createIndex(0, 0);
    if (!lexer->index) {
        free(lexer);
        return sl_error_nomem(error);
    }
    *lexer_out = lexer;
    return SL_OK;
}

void sl_clang_lexer_free(struct sl_clang_lexer *lexer)
{
    if (!lexer)
        return;
    clang_disposeIndex(lexer->index);
    free(lexer);
}

static enum sl_clang_token_kind kind_of(CXTokenKind kind)
{
    switch (kind) {
    case CXToken_Identifier:
    case CXToken_Keyword:
        return SL_TOKEN_WORD;
    case CXToken_Literal:
        return SL_TOKEN_LITERAL;
    default:
        return SL_TOKEN_MARK;
    }
}

static bool fill(CXTranslationUnit tu, struct sl_view text, CXToken raw,
                 struct sl_clang_token *token)
{
    if (clang_getTokenKind(raw) == CXToken_Comment)
        return false;
    unsigned begin, end;
    CXSourceRange range = clang_getTokenExtent(tu, raw);
    clang_getSpellingLocation(clang_getRangeStart(range), NULL, &token->line,
                              NULL, &begin);
    clang_getSpellingLocation(clang_getRangeEnd(range), NULL, NULL, NULL, &end);
    token->kind = kind_of(clang_getTokenKind(raw));
    token->text = sl_view_sub(text, begin, end);
    return true;
}

static enum sl_status take_tokens(CXTranslationUnit tu, struct sl_arena *arena,
                                  struct sl_view text,
                                  struct sl_clang_token **tokens_out,
                                  size_t *count_out, struct sl_error *error)
{
    CXFile file = clang_getFile(tu, file_name);
    CXSourceRange whole = clang_getRange(
        clang_getLocationForOffset(tu, file, 0),
        clang_getLocationForOffset(tu, file, (unsigned)text.len));
    CXToken *raw = NULL;
    unsigned n = 0;
    clang_tokenize(tu, whole, &raw, &n);
    struct sl_clang_token *tokens = sl_arena_alloc(arena, (n + (size_t)1) *
                                                              sizeof *tokens);
    size_t count = 0;
    for (unsigned i = 0; i < n && tokens; i++)
        if (fill(tu, text, raw[i], &tokens[count]))
            count++;
    if (raw)
        clang_disposeTokens(tu, raw, n);
    if (!tokens)
        return sl_error_nomem(error);
    *tokens_out = tokens;
    *count_out = count;
    return SL_OK;
}

enum sl_status sl_clang_lex(struct sl_clang_lexer *lexer,
                            struct sl_arena *arena, struct sl_view text,
                            struct sl_clang_token **tokens_out,
                            size_t *count_out, struct sl_error *error)
{
    if (text.len > SL_MAX_SOURCE_FILE)
        return sl_error_set(error, SL_ERR_LIMIT,
                            "a file of %zu bytes; the limit is %u", text.len,
                            SL_MAX_SOURCE_FILE);
    static const char *const flags[] = {"-xc++", "-std=c++17", "-nostdinc",
                                        "-w", "-ferror-limit=1"};
    struct CXUnsavedFile file = {file_name, text.ptr, text.len};
    CXTranslationUnit tu;
    enum CXErrorCode code = clang_parseTranslationUnit2(
        lexer->index, file_name, flags, sizeof flags / sizeof *flags, &file, 1,
        CXTranslationUnit_SingleFileParse |
            CXTranslationUnit_SkipFunctionBodies | CXTranslationUnit_KeepGoing,
        &tu);
    if (code != CXError_Success)
        return sl_error_set(error, SL_ERR_INTERNAL,
                            "libclang cannot read a file (code %d)", (int)code);
    enum sl_status status = take_tokens(tu, arena, text, tokens_out, count_out,
                                        error);
    clang_disposeTranslationUnit(tu);
    return status;
}
