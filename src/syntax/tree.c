#include "syntax/tree.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tree_sitter/api.h>

#include "base/limits.h"
#include "syntax/walk.h"

const TSLanguage *tree_sitter_cuda(void);
const TSLanguage *tree_sitter_python(void);

static const TSLanguage *(*const grammars[SL_LANGUAGE_COUNT])(void) = {
    [SL_LANGUAGE_CUDA] = tree_sitter_cuda,
    [SL_LANGUAGE_PYTHON] = tree_sitter_python,
};

struct sl_parser {
    TSParser *parser;
    enum sl_language language;
};

struct sl_tree {
    TSTree *tree;
    struct sl_view text;
};

/* sl_node is TSNode under a name that others may include. */
static_assert(sizeof(struct sl_node) == sizeof(TSNode), "nodes differ");

static TSNode to_ts(struct sl_node node)
{
    TSNode ts;
    memcpy(&ts, &node, sizeof ts);
    return ts;
}

static struct sl_node from_ts(TSNode ts)
{
    struct sl_node node;
    memcpy(&node, &ts, sizeof node);
    return node;
}

enum sl_status sl_parser_new(struct sl_parser **parser_out,
                             struct sl_error *error)
{
    struct sl_parser *parser = calloc(1, sizeof *parser);
    if (!parser)
        return sl_error_nomem(error);
    parser->parser = ts_parser_new();
    if (!parser->parser) {
        free(parser);
        return sl_error_nomem(error);
    }
    *parser_out = parser;
    return SL_OK;
}

void sl_parser_free(struct sl_parser *parser)
{
    if (parser)
        ts_parser_delete(parser->parser);
    free(parser);
}

struct deadline {
    struct timespec end;
    struct sl_view text;
};

/* true ends the parse */
static bool is_late(TSParseState *state)
{
    const struct deadline *deadline = state->payload;
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0)
        return true;
    return now.tv_sec != deadline->end.tv_sec
               ? now.tv_sec > deadline->end.tv_sec
               : now.tv_nsec >= deadline->end.tv_nsec;
}

static const char *read_text(void *payload, uint32_t offset, TSPoint point,
                             uint32_t *length_out)
{
    const struct deadline *deadline = payload;
    (void)point;
    if (offset >= deadline->text.len) {
        *length_out = 0;
        return "";
    }
    *length_out = (uint32_t)deadline->text.len - offset;
    return deadline->text.ptr + offset;
}

static enum sl_status choose(struct sl_parser *parser,
                             enum sl_language language, struct sl_error *error)
{
    if (language <= SL_LANGUAGE_NONE || language >= SL_LANGUAGE_COUNT)
        return sl_error_set(error, SL_ERR_USAGE, "no grammar for this file");
    if (parser->language == language)
        return SL_OK;
    if (!ts_parser_set_language(parser->parser, grammars[language]()))
        return sl_error_set(error, SL_ERR_INTERNAL,
                            "the parser does not load the grammar");
    parser->language = language;
    return SL_OK;
}

static enum sl_status parse(struct sl_parser *parser, struct sl_view clean,
                            struct sl_view text, unsigned milliseconds,
                            struct sl_tree **tree_out, struct sl_error *error)
{
    struct deadline deadline = {.text = clean};
    if (clock_gettime(CLOCK_MONOTONIC, &deadline.end) != 0)
        return sl_error_set(error, SL_ERR_IO, "the clock does not work");
    deadline.end.tv_sec += milliseconds / 1000;
    deadline.end.tv_nsec += (long)(milliseconds % 1000) * 1000000;
    if (deadline.end.tv_nsec >= 1000000000) {
        deadline.end.tv_nsec -= 1000000000;
        deadline.end.tv_sec++;
    }
    struct sl_tree *tree = calloc(1, sizeof *tree);
    if (!tree)
        return sl_error_nomem(error);
    TSInput input = {.payload = &deadline,
                     .read = read_text,
                     .encoding = TSInputEncodingUTF8};
    TSParseOptions options = {.payload = &deadline,
                              .progress_callback = is_late};
    tree->text = text;
    tree->tree =
        ts_parser_parse_with_options(parser->parser, NULL, input, options);
    if (!tree->tree) {
        free(tree);
        ts_parser_reset(parser->parser);
        return sl_error_set(error, SL_ERR_LIMIT,
                            "not parsed within %u milliseconds", milliseconds);
    }
    *tree_out = tree;
    return SL_OK;
}

static enum sl_status check_sizes(struct sl_view clean, struct sl_view text,
                                  struct sl_error *error)
{
    if (clean.len != text.len)
        return sl_error_set(error, SL_ERR_USAGE,
                            "the neutralised text has another length");
    if (clean.len > SL_MAX_PARSE_BYTES)
        return sl_error_set(error, SL_ERR_LIMIT,
                            "%zu bytes; the parser takes at most %u",
                            clean.len, SL_MAX_PARSE_BYTES);
    return SL_OK;
}

enum sl_status sl_parse(struct sl_parser *parser, enum sl_language language,
                        struct sl_view clean, struct sl_view text,
                        unsigned milliseconds, struct sl_tree **tree_out,
                        struct sl_error *error)
{
    enum sl_status status = check_sizes(clean, text, error);
    if (!status && language == SL_LANGUAGE_CUDA)
        status = sl_parse_guard(clean, error);
    if (!status)
        status = choose(parser, language, error);
    if (status)
        return status;
    ts_parser_set_included_ranges(parser->parser, NULL, 0);
    return parse(parser, clean, text, milliseconds, tree_out, error);
}

enum sl_status sl_parse_range(struct sl_parser *parser,
                              enum sl_language language, struct sl_view clean,
                              struct sl_view text, size_t begin, size_t end,
                              unsigned milliseconds, struct sl_tree **tree_out,
                              struct sl_error *error)
{
    enum sl_status status = check_sizes(clean, text, error);
    if (!status)
        status = choose(parser, language, error);
    if (status)
        return status;
    if (begin > end || end > clean.len)
        return sl_error_set(error, SL_ERR_USAGE, "a range outside the text");
    /* rows and columns are nobody's here: counting them would cost the file's length */
    if (language == SL_LANGUAGE_CUDA) {
        status = sl_parse_guard(sl_view_sub(clean, begin, end), error);
        if (status)
            return status;
    }
    TSRange range = {{0, 0}, {UINT32_MAX, UINT32_MAX}, (uint32_t)begin,
                     (uint32_t)end};
    ts_parser_set_included_ranges(parser->parser, &range, 1);
    status = parse(parser, clean, text, milliseconds, tree_out, error);
    ts_parser_set_included_ranges(parser->parser, NULL, 0);
    return status;
}

void sl_tree_free(struct sl_tree *tree)
{
    if (tree)
        ts_tree_delete(tree->tree);
    free(tree);
}

struct sl_view sl_tree_source(const struct sl_tree *tree)
{
    return tree->text;
}

struct sl_node sl_tree_root(const struct sl_tree *tree)
{
    return from_ts(ts_tree_root_node(tree->tree));
}

const char *sl_node_type(struct sl_node node)
{
    return node.id ? ts_node_type(to_ts(node)) : "";
}

bool sl_node_is(struct sl_node node, const char *type)
{
    return node.id && strcmp(ts_node_type(to_ts(node)), type) == 0;
}

size_t sl_node_begin(struct sl_node node)
{
    return node.id ? ts_node_start_byte(to_ts(node)) : 0;
}

size_t sl_node_end(struct sl_node node)
{
    return node.id ? ts_node_end_byte(to_ts(node)) : 0;
}

size_t sl_node_count(struct sl_node node)
{
    return node.id ? ts_node_named_child_count(to_ts(node)) : 0;
}

struct sl_node sl_node_child(struct sl_node node, size_t index)
{
    if (!node.id)
        return node;
    return from_ts(ts_node_named_child(to_ts(node), (uint32_t)index));
}

struct sl_node sl_node_field(struct sl_node node, const char *field)
{
    if (!node.id)
        return node;
    return from_ts(ts_node_child_by_field_name(to_ts(node), field,
                                               (uint32_t)strlen(field)));
}

struct sl_view sl_node_text(const struct sl_tree *tree, struct sl_node node)
{
    if (!node.id)
        return (struct sl_view){"", 0};
    return sl_view_sub(tree->text, sl_node_begin(node), sl_node_end(node));
}
