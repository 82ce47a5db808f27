/*
 * Every declaration and macro of a folder of C++ headers, as the front end sees
 * them, with the place of each and, for a name that macros made, the places of
 * the template and of the pasted pieces. The only folder that uses libclang.
 *
 * Function bodies are not read: the headers are wanted for what they declare.
 */
#ifndef SL_CLANG_READ_H
#define SL_CLANG_READ_H

#include "clang/macro.h"

enum sl_decl_kind {
    SL_DECL_FUNCTION,
    SL_DECL_TYPE,
    SL_DECL_CONSTANT,
    SL_DECL_MACRO,
    SL_DECL_VARIABLE,
};

/* annotations that the stub CUDA headers leave */
enum { SL_MARK_DEVICE = 1, SL_MARK_HOST = 2, SL_MARK_GLOBAL = 4 };

/* A member of a struct or union; bits from its beginning. */
struct sl_clang_member {
    struct sl_view path; /* "globalmem.rcs" where a member's type has no name */
    struct sl_view type; /* "{}": without a name, its members follow */
    struct sl_place at;
    unsigned long long offset, size;
    bool is_bits; /* a bit-field */
};

struct sl_decl {
    enum sl_decl_kind kind;
    struct sl_view name; /* with its namespaces */
    struct sl_view signature;
    struct sl_view types; /* the same without the parameters' names */
    struct sl_view bare;  /* types without the parameters' defaults */
    unsigned marks;
    bool is_definition; /* of a type */
    bool is_inline;     /* a function whose body the header has */
    bool
        is_template; /* a macro that makes declarations, or is gone at the end */
    bool is_empty;   /* a macro without a body */
    bool has_members; /* of a type whose layout is known */
    unsigned long long size; /* bits, of such a type */
    struct sl_clang_member *members;
    size_t member_count;
    struct sl_place at; /* of the outermost macro call, if there is one */
    const struct sl_made_name *made; /* NULL: not made by a macro */
};

struct sl_unit {
    const char *root; /* the folder of the headers; added to the search path */
    const char *const *flags;
    int flag_count;
    struct sl_view text; /* of the main file: what to include */
};

struct sl_unit_decls {
    struct sl_decl *items; /* in the unit's order */
    size_t count, cap;
    struct sl_view *files; /* relative to root; [0] is no file */
    size_t file_count, file_cap;
    size_t errors; /* what the front end complained of */
    struct sl_view first_error;
    size_t lost; /* macro-made names whose making was not found */
    struct sl_view first_lost;
};

/* Everything in *decls_out lives in arena. */
SL_CHECKED enum sl_status sl_clang_read(struct sl_arena *arena,
                                        const struct sl_unit *unit,
                                        struct sl_unit_decls *decls_out,
                                        struct sl_error *error);

/* The front end's own version, for reports. */
struct sl_view sl_clang_version(struct sl_arena *arena);

#endif
