/* Comments and doc strings of Python: strings that are a whole statement. */
#include <string.h>

#include "base/limits.h"
#include "overlap/prose.h"
#include "syntax/tree.h"
#include "syntax/walk.h"

struct read {
    struct sl_prose *prose;
    struct sl_view text;
    size_t at; /* up to here lines are counted */
    uint32_t line;
    size_t end; /* of the last comment */
};

static void put(struct read *r, size_t begin, size_t end)
{
    for (; r->at < begin; r->at++)
        r->line += r->text.ptr[r->at] == '\n';
    struct sl_view between =
        sl_view_trim(sl_view_sub(r->text, r->end, begin));
    /* comments line by line are one text, a doc string is one alone */
    bool follows = r->end && between.len == 0 && r->text.ptr[begin] == '#';
    sl_prose_mark(r->prose, r->line, !follows);
    sl_buf_add(&r->prose->text, sl_view_sub(r->text, begin, end));
    r->end = end;
}

static bool is_doc_string(const struct sl_walk *walk)
{
    const struct sl_step *step = sl_walk_up(walk, 0);
    const struct sl_step *parent = sl_walk_up(walk, 1);
    return strcmp(step->type, "string_content") == 0 && parent &&
           strcmp(parent->type, "string") == 0 && sl_walk_up(walk, 2) &&
           strcmp(sl_walk_up(walk, 2)->type, "expression_statement") == 0;
}

static enum sl_status walk_tree(struct read *r, const struct sl_tree *tree,
                                struct sl_error *error)
{
    struct sl_walk walk;
    enum sl_status status = sl_walk_open(tree, &walk, error);
    if (status)
        return status;
    bool more = true;
    while (!status && more) {
        const struct sl_step *step = sl_walk_up(&walk, 0);
        bool descend = true;
        if (strcmp(step->type, "comment") == 0 || is_doc_string(&walk)) {
            put(r, step->begin, step->end);
            descend = false;
        }
        status = sl_walk_next(&walk, descend, &more, error);
    }
    sl_walk_close(&walk);
    return status;
}

enum sl_status sl_prose_python(struct sl_prose *prose,
                               struct sl_parser *parser, struct sl_view text,
                               struct sl_error *error)
{
    struct sl_tree *tree;
    struct read read = {.prose = prose, .text = text, .line = 1};
    enum sl_status status = sl_parse(parser, SL_LANGUAGE_PYTHON, text, text,
                                     SL_MAX_PARSE_MS, &tree, error);
    if (status)
        return status;
    status = walk_tree(&read, tree, error);
    sl_tree_free(tree);
    return status;
}
