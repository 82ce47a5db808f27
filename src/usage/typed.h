/*
 * What has which type in one file, as written: enough to say of `state->globalmem.rcs`
 * whose member it is, when `state`, or the function that gives it, was declared with a
 * type of NVSHMEM's. No scopes inside of functions, no overloads, no templates.
 */
#ifndef SL_USAGE_TYPED_H
#define SL_USAGE_TYPED_H

#include "base/map.h"
#include "base/status.h"
#include "syntax/tree.h"

enum sl_typed_kind {
    SL_TYPED_VARIABLE, /* a parameter too */
    SL_TYPED_FUNCTION, /* from: what it gives */
    SL_TYPED_MEMBER,   /* of a type of the user's own */
    SL_TYPED_ALIAS,
    SL_TYPED_ACCESS,  /* name: the member; from: the chain that leads to it */
    SL_TYPED_INCLUDE, /* name: the operand */
    SL_TYPED_USING,   /* name: a namespace, or a name in one */
};

struct sl_typed {
    enum sl_typed_kind kind;
    struct sl_view name;
    /*
     * A type's name ("nvshmemi_team_t"), or a chain of names that begins with `=`:
     * "=state.globalmem.rcs", "=get_state().rcs". "<type>" begins one that casts.
     */
    struct sl_view from;
    size_t function; /* where the function around it begins, plus 1; 0: none */
    uint32_t line, column;
};

struct sl_uses;

/*
 * Appends what the tree says to the uses' typed items, in its order. Accesses count only
 * for members whose name is in `fields`.
 */
SL_CHECKED enum sl_status sl_typed_read(struct sl_uses *uses,
                                        const struct sl_tree *tree,
                                        const struct sl_map *fields,
                                        struct sl_error *error);

/* The same for #include and using, by lines: of a file that need not be parsed. */
SL_CHECKED enum sl_status sl_typed_includes(struct sl_uses *uses,
                                            struct sl_view text,
                                            struct sl_error *error);

#endif
