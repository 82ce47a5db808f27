/*
 * A walk in the order of the text, without recursion. The path from the root
 * to the current node is there at every step.
 */
#ifndef SL_SYNTAX_WALK_H
#define SL_SYNTAX_WALK_H

#include "syntax/tree.h"

struct sl_step {
    struct sl_node node;
    const char *type;
    const char *field; /* of the parent; NULL: none */
    size_t begin, end;
    bool leaf;
    bool named;
    bool is_error;
    bool is_missing;
    bool has_error; /* somewhere below, or itself */
};

struct sl_walk {
    const struct sl_tree *tree;
    struct sl_step *path; /* path[0] is the root, path[depth - 1] current */
    size_t depth;
    void *cursor;
    size_t cap;
};

SL_CHECKED enum sl_status sl_walk_open(const struct sl_tree *tree,
                                       struct sl_walk *walk_out,
                                       struct sl_error *error);
/* The same for a node and what is below it. */
SL_CHECKED enum sl_status sl_walk_open_at(const struct sl_tree *tree,
                                          struct sl_node node,
                                          struct sl_walk *walk_out,
                                          struct sl_error *error);
void sl_walk_close(struct sl_walk *walk);

/*
 * Goes to the next node: the first child when `descend`, else the one after
 * this node. *more_out false: the walk is over. Deeper than SL_MAX_TREE_NESTING
 * gives SL_ERR_LIMIT.
 */
SL_CHECKED enum sl_status sl_walk_next(struct sl_walk *walk, bool descend,
                                       bool *more_out, struct sl_error *error);

/* The step `up` above the current one (0: itself), or NULL. */
const struct sl_step *sl_walk_up(const struct sl_walk *walk, size_t up);

#endif
