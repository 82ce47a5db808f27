#include "syntax/walk.h"

#include <stdlib.h>
#include <string.h>

#include <tree_sitter/api.h>

#include "base/limits.h"

static enum sl_status push(struct sl_walk *walk, struct sl_error *error)
{
    if (walk->depth == walk->cap) {
        size_t cap = walk->cap ? walk->cap * 2 : 64;
        if (cap > SL_MAX_TREE_NESTING)
            return sl_error_set(error, SL_ERR_LIMIT,
                                "nested more than %u deep",
                                SL_MAX_TREE_NESTING);
        struct sl_step *path = realloc(walk->path, cap * sizeof *path);
        if (!path)
            return sl_error_nomem(error);
        walk->path = path;
        walk->cap = cap;
    }
    walk->depth++;
    return SL_OK;
}

/* Writes the cursor's node into the top of the path. */
static void fill(struct sl_walk *walk)
{
    const TSTreeCursor *cursor = walk->cursor;
    TSNode node = ts_tree_cursor_current_node(cursor);
    struct sl_step *step = &walk->path[walk->depth - 1];
    memcpy(&step->node, &node, sizeof node);
    step->type = ts_node_type(node);
    step->field = ts_tree_cursor_current_field_name(cursor);
    step->begin = ts_node_start_byte(node);
    step->end = ts_node_end_byte(node);
    step->leaf = ts_node_child_count(node) == 0;
    step->named = ts_node_is_named(node);
    step->is_error = ts_node_is_error(node);
    step->is_missing = ts_node_is_missing(node);
    step->has_error = ts_node_has_error(node);
}

enum sl_status sl_walk_open(const struct sl_tree *tree,
                            struct sl_walk *walk_out, struct sl_error *error)
{
    return sl_walk_open_at(tree, sl_tree_root(tree), walk_out, error);
}

enum sl_status sl_walk_open_at(const struct sl_tree *tree, struct sl_node start,
                               struct sl_walk *walk_out,
                               struct sl_error *error)
{
    struct sl_walk walk = {.tree = tree};
    TSTreeCursor *cursor = malloc(sizeof *cursor);
    if (!cursor)
        return sl_error_nomem(error);
    enum sl_status status = push(&walk, error);
    if (status) {
        free(cursor);
        return status;
    }
    TSNode node;
    memcpy(&node, &start, sizeof node);
    *cursor = ts_tree_cursor_new(node);
    walk.cursor = cursor;
    fill(&walk);
    *walk_out = walk;
    return SL_OK;
}

void sl_walk_close(struct sl_walk *walk)
{
    if (walk->cursor)
        ts_tree_cursor_delete(walk->cursor);
    free(walk->cursor);
    free(walk->path);
    *walk = (struct sl_walk){.tree = NULL};
}

enum sl_status sl_walk_next(struct sl_walk *walk, bool descend, bool *more_out,
                            struct sl_error *error)
{
    *more_out = true;
    if (descend && ts_tree_cursor_goto_first_child(walk->cursor)) {
        enum sl_status status = push(walk, error);
        if (!status)
            fill(walk);
        return status;
    }
    while (!ts_tree_cursor_goto_next_sibling(walk->cursor)) {
        if (walk->depth == 1 || !ts_tree_cursor_goto_parent(walk->cursor)) {
            *more_out = false;
            return SL_OK;
        }
        walk->depth--;
    }
    fill(walk);
    return SL_OK;
}

const struct sl_step *sl_walk_up(const struct sl_walk *walk, size_t up)
{
    return up < walk->depth ? &walk->path[walk->depth - 1 - up] : NULL;
}

static size_t count_ink(struct sl_view text, size_t begin, size_t end)
{
    size_t n = 0;
    for (size_t i = begin; i < end && i < text.len; i++)
        n += !sl_is_space(text.ptr[i]);
    return n;
}

/* A child of an ERROR that is more than a loose token. */
static bool is_whole(const struct sl_step *step)
{
    return step->is_error || (step->named && !step->leaf) ||
           strcmp(step->type, "comment") == 0;
}

enum sl_status sl_tree_coverage(const struct sl_tree *tree,
                                struct sl_coverage *coverage_out,
                                struct sl_error *error)
{
    struct sl_view text = sl_tree_source(tree);
    struct sl_coverage coverage = {.bytes = text.len};
    struct sl_walk walk;
    enum sl_status status = sl_walk_open(tree, &walk, error);
    if (status)
        return status;
    bool more = true;
    while (!status && more) {
        const struct sl_step *step = sl_walk_up(&walk, 0);
        const struct sl_step *parent = sl_walk_up(&walk, 1);
        coverage.nodes++;
        coverage.missing += step->is_missing;
        if (step->is_error) {
            coverage.errors++;
            coverage.unparsed += count_ink(text, step->begin, step->end);
        }
        if (parent && parent->is_error && is_whole(step))
            coverage.unparsed -= count_ink(text, step->begin, step->end);
        bool descend = step->has_error || step->is_error;
        status = sl_walk_next(&walk, descend, &more, error);
    }
    sl_walk_close(&walk);
    if (!status)
        *coverage_out = coverage;
    return status;
}
