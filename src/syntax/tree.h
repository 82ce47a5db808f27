/*
 * Parsing and trees. The only folder that knows tree-sitter; everybody else
 * sees these types. A tree keeps views into the text that it was made from:
 * the text must outlive it.
 */
#ifndef SL_SYNTAX_TREE_H
#define SL_SYNTAX_TREE_H

#include "base/status.h"
#include "syntax/language.h"

struct sl_parser; /* one per thread; serves every language */
struct sl_tree;

/* A node by value; it needs its tree. id NULL: no such node. */
struct sl_node {
    uint32_t context[4];
    const void *id;
    const void *tree;
};

SL_CHECKED enum sl_status sl_parser_new(struct sl_parser **parser_out,
                                        struct sl_error *error);
void sl_parser_free(struct sl_parser *parser);

/* After the comment or literal of C that begins at `at`; `at` when none does. */
size_t sl_text_skip(struct sl_view text, size_t at);

/*
 * SL_ERR_LIMIT for a text whose parse would take memory without end: templates nested
 * more than SL_MAX_ANGLES deep. sl_parse() asks it of C, C++ and CUDA.
 */
SL_CHECKED enum sl_status sl_parse_guard(struct sl_view text,
                                         struct sl_error *error);

/*
 * Parses `clean` (what the neutraliser gave) and remembers `text`, of the same
 * length, for what nodes are called. At most SL_MAX_PARSE_BYTES, and
 * milliseconds long at most; past either: SL_ERR_LIMIT.
 */
SL_CHECKED enum sl_status sl_parse(struct sl_parser *parser,
                                   enum sl_language language,
                                   struct sl_view clean, struct sl_view text,
                                   unsigned milliseconds,
                                   struct sl_tree **tree_out,
                                   struct sl_error *error);

/* The same for the bytes from begin to end only; offsets stay the file's. */
SL_CHECKED enum sl_status sl_parse_range(struct sl_parser *parser,
                                         enum sl_language language,
                                         struct sl_view clean,
                                         struct sl_view text, size_t begin,
                                         size_t end, unsigned milliseconds,
                                         struct sl_tree **tree_out,
                                         struct sl_error *error);
void sl_tree_free(struct sl_tree *tree);

struct sl_view sl_tree_source(const struct sl_tree *tree);
struct sl_node sl_tree_root(const struct sl_tree *tree);

const char *sl_node_type(struct sl_node node);
bool sl_node_is(struct sl_node node, const char *type); /* false for none */
size_t sl_node_begin(struct sl_node node);
size_t sl_node_end(struct sl_node node);
size_t sl_node_count(struct sl_node node); /* named children */
struct sl_node sl_node_child(struct sl_node node, size_t index); /* named */
struct sl_node sl_node_field(struct sl_node node, const char *field);
struct sl_view sl_node_text(const struct sl_tree *tree, struct sl_node node);

/*
 * How much of a file was understood. `unparsed` counts the bytes other than
 * white space that stand directly in an ERROR node, under no well-formed
 * child: the span of ERROR nodes says little, since most of what is inside
 * them is parsed.
 */
struct sl_coverage {
    size_t bytes;
    size_t nodes;
    size_t errors;  /* ERROR nodes */
    size_t missing; /* tokens that the parser made up */
    size_t unparsed;
};

SL_CHECKED enum sl_status sl_tree_coverage(const struct sl_tree *tree,
                                           struct sl_coverage *coverage_out,
                                           struct sl_error *error);

#endif
