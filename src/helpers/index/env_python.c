/* os.environ.get("NAME"), os.environ["NAME"] and os.getenv("NAME") in nvshmem4py. */
#include "base/limits.h"
#include "helpers/index/env.h"
#include "os/file.h"
#include "syntax/walk.h"

#define PACKAGE "nvshmem4py/nvshmem/"

/* The inside of a plain string node; empty otherwise. */
static struct sl_view inside(const struct sl_tree *tree, struct sl_node node)
{
    if (!sl_node_is(node, "string"))
        return SL_LIT("");
    struct sl_view text = sl_node_text(tree, node);
    if (text.len < 2 || (text.ptr[0] != '"' && text.ptr[0] != '\''))
        return SL_LIT("");
    return sl_view_sub(text, 1, text.len - 1);
}

/* The name that this node asks for; empty when it asks for none. */
static struct sl_view asked(const struct sl_tree *tree, struct sl_node node)
{
    if (sl_node_is(node, "call")) {
        struct sl_view function = sl_node_text(tree,
                                               sl_node_field(node, "function"));
        if (!sl_view_is(function, "os.getenv") &&
            !sl_view_is(function, "os.environ.get"))
            return SL_LIT("");
        struct sl_node arguments = sl_node_field(node, "arguments");
        return sl_node_count(arguments)
                   ? inside(tree, sl_node_child(arguments, 0))
                   : SL_LIT("");
    }
    if (sl_node_is(node, "subscript") &&
        sl_view_is(sl_node_text(tree, sl_node_field(node, "value")),
                   "os.environ"))
        return inside(tree, sl_node_field(node, "subscript"));
    return SL_LIT("");
}

static unsigned line_of(struct sl_view text, size_t at)
{
    unsigned line = 1;
    for (size_t i = 0; i < at && i < text.len; i++)
        line += text.ptr[i] == '\n';
    return line;
}

static enum sl_status add(struct sl_env_work *work, struct sl_view name,
                          struct sl_view path, unsigned line,
                          struct sl_error *error)
{
    bool ours = sl_view_starts(name, "NVSHMEM_");
    struct sl_env_draft *draft = sl_env_draft(
        work, ours ? SL_ENV_RUN : SL_ENV_FOREIGN, name);
    sl_env_set reader = sl_env_reader(work, SL_LIT("nvshmem4py"));
    if (!draft || !reader)
        return sl_error_nomem(error);
    if (!draft->row.type.len)
        draft->row.type = SL_LIT("string");
    draft->readers |= reader;
    draft->used |= reader;
    draft->whens |= sl_view_ends(path, "/__init__.py") ? SL_WHEN_IMPORT
                                                       : SL_WHEN_INIT;
    return sl_env_place(work, draft, path, line, error);
}

static enum sl_status search(struct sl_env_work *work,
                             const struct sl_tree *tree, struct sl_view path,
                             struct sl_view text, struct sl_error *error)
{
    struct sl_walk walk;
    enum sl_status status = sl_walk_open(tree, &walk, error);
    if (status)
        return status;
    bool more = true;
    while (!status && more) {
        const struct sl_step *step = sl_walk_up(&walk, 0);
        struct sl_view name = asked(tree, step->node);
        if (name.len)
            status = add(work, name, path, line_of(text, step->begin), error);
        if (!status)
            status = sl_walk_next(&walk, true, &more, error);
    }
    sl_walk_close(&walk);
    return status;
}

static enum sl_status read_file(struct sl_env_work *work,
                                struct sl_parser *parser, struct sl_view path,
                                struct sl_error *error)
{
    struct sl_arena arena;
    sl_arena_init(&arena, SL_MAX_FILE_ARENA);
    struct sl_view text;
    struct sl_tree *tree = NULL;
    enum sl_status status = sl_file_read_beneath(
        &arena, work->tree, path, SL_MAX_SOURCE_FILE, &text, error);
    if (!status && sl_view_find(text, SL_LIT("env"), 0) != SIZE_MAX)
        status = sl_parse(parser, SL_LANGUAGE_PYTHON, text, text,
                          SL_MAX_PARSE_MS, &tree, error);
    if (!status && tree)
        status = search(work, tree, path, text, error);
    if (tree)
        sl_tree_free(tree);
    work->files++;
    sl_arena_release(&arena);
    return status;
}

enum sl_status sl_env_read_python(struct sl_env_work *work,
                                  struct sl_error *error)
{
    struct sl_view *paths;
    size_t count;
    struct sl_parser *parser = NULL;
    enum sl_status status = sl_folder_list(work->arena, work->tree, ".py",
                                           SL_MAX_TREE_FILES, &paths, &count,
                                           error);
    if (!status)
        status = sl_parser_new(&parser, error);
    for (size_t i = 0; i < count && !status; i++)
        if (sl_view_starts(paths[i], PACKAGE))
            status = read_file(work, parser, paths[i], error);
    if (parser)
        sl_parser_free(parser);
    return status;
}
