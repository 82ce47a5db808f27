/*
 * Where a name that macros paste together comes from: the line of the template
 * that pastes it, and the lines of its pieces. Knows nothing of libclang, whose
 * C interface (before release 21) gives one location for a macro-made token,
 * that of the outermost expansion, and not where the token is written.
 *
 * It rewrites the tokens of one expansion as the preprocessor does (arguments,
 * pasting, rescanning, no macro inside itself). The names that count are the
 * front end's: a name that this does not find again is a fault of the reader
 * and is reported, so a wrong expansion cannot pass unseen.
 */
#ifndef SL_CLANG_MACRO_H
#define SL_CLANG_MACRO_H

#include "base/arena.h"
#include "base/map.h"
#include "base/status.h"

/* file: a number that the caller gives its files, from 1; 0: nowhere */
struct sl_place {
    uint32_t file;
    uint32_t line;
};

struct sl_clang_token {
    struct sl_view text;
    struct sl_place place;
    unsigned offset; /* in the file; used to read a definition */
};

struct sl_clang_macro {
    struct sl_view name;
    struct sl_place place;
    bool is_function;
    bool is_variadic; /* the last parameter takes the rest */
    const struct sl_view *parameters;
    size_t parameter_count;
    const struct sl_clang_token *body;
    size_t body_count;
    size_t older; /* the definition before this one, or SIZE_MAX */
    void *source; /* the caller's, for sl_clang_macros.load */
    bool loaded;
    bool is_used; /* by a traced expansion: it makes declarations */
};

/* Every definition of a unit, in the unit's order. */
struct sl_clang_macros {
    struct sl_arena *arena;
    struct sl_clang_macro *items;
    size_t count, cap;
    struct sl_map latest; /* name to index */
    /* fills parameters and body of items[i] when they are first needed */
    enum sl_status (*load)(struct sl_clang_macros *macros, size_t i,
                           void *context, struct sl_error *error);
    void *context;
};

#define SL_NAME_PIECES 6

struct sl_made_name {
    struct sl_view name;
    struct sl_place written; /* in the innermost macro's body */
    /* the arguments that were pasted into it, where each is spelled */
    struct sl_clang_token pieces[SL_NAME_PIECES];
    size_t piece_count;
};

struct sl_made_names {
    struct sl_made_name *items;
    size_t count, cap;
    struct sl_map index; /* name to index; the first of a name counts */
};

void sl_clang_macros_init(struct sl_clang_macros *macros,
                          struct sl_arena *arena);

SL_CHECKED enum sl_status sl_clang_macros_add(struct sl_clang_macros *macros,
                                              struct sl_view name, void *source,
                                              struct sl_error *error);

/* Splits `NAME(PARAMETERS) BODY`, as libclang tokenizes a definition. */
SL_CHECKED enum sl_status sl_clang_macro_split(
    struct sl_clang_macros *macros, size_t i,
    const struct sl_clang_token *tokens, size_t count, bool is_function,
    struct sl_error *error);

/*
 * All identifiers that an expansion leaves behind. Definitions from `before` on
 * are not known yet. names_out lives in arena.
 */
SL_CHECKED enum sl_status sl_clang_macro_trace(
    struct sl_clang_macros *macros, size_t before,
    const struct sl_clang_token *tokens, size_t count, struct sl_arena *arena,
    struct sl_made_names *names_out, struct sl_error *error);

const struct sl_made_name *sl_clang_made_find(const struct sl_made_names *names,
                                              struct sl_view name);

#endif
