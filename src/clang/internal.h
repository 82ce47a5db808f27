/* Inside this folder: what reading a unit keeps. The only user of libclang. */
#ifndef SL_CLANG_INTERNAL_H
#define SL_CLANG_INTERNAL_H

#include <clang-c/Index.h>

#include "base/buf.h"
#include "clang/read.h"

/* One macro call outside any other, and what was found out about it. */
struct sl_expansion {
    CXCursor cursor;
    size_t before; /* macro definitions known by then */
    bool traced;
    struct sl_made_names names;
};

struct sl_reader {
    struct sl_arena *arena;
    const struct sl_unit *unit;
    CXTranslationUnit tu;
    struct sl_unit_decls *decls;
    struct sl_clang_macros macros;
    struct sl_map files; /* the path as the front end says it, to number */
    struct sl_expansion *expansions;
    size_t expansion_count, expansion_cap;
    struct sl_map expansion_index; /* file number and offset, to index */
    struct sl_map word_index; /* the spelling of a token, to its index in words */
    struct sl_view *words;
    size_t word_count, word_cap;
    CXFile last_file;
    uint32_t last_number;
    enum sl_status status; /* the first failure ends the visits */
    struct sl_error *error;
};

/* Copies the string into the arena and gives it back to libclang. */
struct sl_view sl_clang_take(struct sl_reader *reader, CXString string);

/* Copies what buf holds into the arena; buf stays the caller's. */
SL_CHECKED enum sl_status sl_clang_keep(struct sl_reader *reader,
                                        const struct sl_buf *buf,
                                        struct sl_view *view_out);

/*
 * The number of a file below the root, or 0 for any other; *offset_out (may be
 * NULL) is the byte offset. For macros: of the outermost call.
 */
struct sl_place sl_clang_place(struct sl_reader *reader,
                               CXSourceLocation location, unsigned *offset_out);

/*
 * The tokens of a range without its comments, in `arena`; their texts are the
 * reader's, each spelling once.
 */
SL_CHECKED enum sl_status sl_clang_tokens(struct sl_reader *reader,
                                          struct sl_arena *arena,
                                          CXSourceRange range,
                                          struct sl_clang_token **tokens_out,
                                          size_t *count_out);

/* Fills kind, name, signature and marks; kind -1: not one that we list. */
SL_CHECKED enum sl_status sl_clang_describe(struct sl_reader *reader,
                                            CXCursor cursor,
                                            struct sl_decl *decl,
                                            bool *listed_out);
/*
 * The struct or union that a declaration makes: itself, or what a typedef of its own
 * name or of none stands for. False for any other.
 */
bool sl_clang_record_of(CXCursor cursor, CXCursor *record_out);

/* Fills members and size of such a type. */
SL_CHECKED enum sl_status sl_clang_describe_members(struct sl_reader *reader,
                                                    CXCursor cursor,
                                                    struct sl_decl *decl);
SL_CHECKED enum sl_status sl_clang_describe_macro(struct sl_reader *reader,
                                                  size_t macro,
                                                  struct sl_decl *decl);

#endif
