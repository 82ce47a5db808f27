/*
 * What Python files ask for and set, wherever they stand in the tree: os.environ,
 * os.getenv and os.putenv with a literal name. The walk is tree-sitter's.
 */
#include "base/limits.h"
#include "helpers/index/env.h"
#include "os/file.h"
#include "syntax/walk.h"

/* Whose the file is, by the beginning of its path; the first that fits. */
static const struct place {
    const char *begin;
    const char *reader;
    enum sl_env_kind kind; /* of names that begin with NVSHMEM_ */
    unsigned when;
} places[] = {
    {"nvshmem4py/nvshmem/", "nvshmem4py", SL_ENV_RUN, SL_WHEN_INIT},
    {"nvshmem4py/examples/", "examples", SL_ENV_TOOL, SL_WHEN_START},
    {"nvshmem4py/perftest/", "perftest", SL_ENV_TOOL, SL_WHEN_START},
    {"nvshmem4py/", "nvshmem4py-build", SL_ENV_BUILD, SL_WHEN_CONFIGURE},
    {"perftest/", "perftest", SL_ENV_TOOL, SL_WHEN_START},
    {"examples/", "examples", SL_ENV_TOOL, SL_WHEN_START},
    {"", "scripts", SL_ENV_BUILD, SL_WHEN_CONFIGURE},
};

struct reading {
    struct sl_env_work *work;
    const struct place *place;
    const struct sl_tree *tree;
    struct sl_view path, text;
};

/* One variable at one place. */
struct access {
    struct sl_view name;
    struct sl_view fallback; /* what a call gives where it is not set */
    bool sets;
};

static const struct place *place_of(struct sl_view path)
{
    size_t i = 0;
    while (!sl_view_starts(path, places[i].begin))
        i++; /* the last begins every path */
    return &places[i];
}

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

static bool is_environ(const struct sl_tree *tree, struct sl_node node)
{
    struct sl_view text = sl_node_text(tree, node);
    return sl_view_is(text, "os.environ") || sl_view_is(text, "environ");
}

static struct access of_call(const struct sl_tree *tree, struct sl_node node)
{
    static const struct {
        const char *function;
        bool sets;
    } calls[] = {
        {"getenv", false},         {"environ.get", false},
        {"environ.pop", false},    {"environ.setdefault", true},
        {"putenv", true},          {"unsetenv", true},
    };
    struct access none = {.name = SL_LIT("")};
    struct sl_view function = sl_node_text(tree,
                                           sl_node_field(node, "function"));
    struct sl_node arguments = sl_node_field(node, "arguments");
    if (sl_view_starts(function, "os."))
        function = sl_view_sub(function, 3, function.len);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        if (!sl_view_is(function, calls[i].function) ||
            !sl_node_count(arguments))
            continue;
        struct access one = {inside(tree, sl_node_child(arguments, 0)),
                             SL_LIT(""), calls[i].sets};
        if (!one.sets && sl_node_count(arguments) > 1)
            one.fallback = inside(tree, sl_node_child(arguments, 1));
        return one;
    }
    return none;
}

/* {"NAME": ...} of os.environ.update(). */
static struct access of_pair(const struct sl_tree *tree,
                             const struct sl_walk *walk)
{
    struct access none = {.name = SL_LIT("")};
    const struct sl_step *call = sl_walk_up(walk, 3);
    const struct sl_step *pair = sl_walk_up(walk, 0);
    if (!call || !sl_node_is(call->node, "call"))
        return none;
    struct sl_view function = sl_node_text(
        tree, sl_node_field(call->node, "function"));
    if (!sl_view_ends(function, "environ.update"))
        return none;
    return (struct access){inside(tree, sl_node_field(pair->node, "key")),
                           SL_LIT(""), true};
}

/* os.environ["NAME"], read or, left of `=` and after `del`, set. */
static struct access of_subscript(const struct sl_tree *tree,
                                  const struct sl_walk *walk)
{
    const struct sl_step *step = sl_walk_up(walk, 0);
    const struct sl_step *above = sl_walk_up(walk, 1);
    if (!is_environ(tree, sl_node_field(step->node, "value")))
        return (struct access){.name = SL_LIT("")};
    bool left = above && sl_node_is(above->node, "assignment") &&
                step->field && sl_view_is(sl_view_of(step->field), "left");
    bool gone = above && sl_node_is(above->node, "delete_statement");
    return (struct access){inside(tree, sl_node_field(step->node, "subscript")),
                           SL_LIT(""), left || gone};
}

/* What this node asks for or sets; an empty name when it does neither. */
static struct access look_at(const struct sl_tree *tree,
                             const struct sl_walk *walk)
{
    struct sl_node node = sl_walk_up(walk, 0)->node;
    if (sl_node_is(node, "call"))
        return of_call(tree, node);
    if (sl_node_is(node, "subscript"))
        return of_subscript(tree, walk);
    if (sl_node_is(node, "pair"))
        return of_pair(tree, walk);
    struct access in = {.name = SL_LIT("")}; /* "NAME" in os.environ */
    if (sl_node_is(node, "comparison_operator") && sl_node_count(node) == 2 &&
        is_environ(tree, sl_node_child(node, 1)))
        in.name = inside(tree, sl_node_child(node, 0));
    return in;
}

/* int(...) around it. */
static const char *type_of(const struct sl_tree *tree,
                           const struct sl_walk *walk)
{
    const struct sl_step *list = sl_walk_up(walk, 1);
    const struct sl_step *call = sl_walk_up(walk, 2);
    bool converts = list && call && sl_node_is(list->node, "argument_list") &&
                    sl_node_is(call->node, "call");
    struct sl_view name = SL_LIT("");
    if (converts)
        name = sl_node_text(tree, sl_node_field(call->node, "function"));
    return sl_view_is(name, "int") ? "int" : "string";
}

static unsigned line_of(struct sl_view text, size_t at)
{
    unsigned line = 1;
    for (size_t i = 0; i < at && i < text.len; i++)
        line += text.ptr[i] == '\n';
    return line;
}

static enum sl_status add(struct reading *r, const struct sl_walk *walk,
                          const struct access *access, struct sl_error *error)
{
    const struct place *place = r->place;
    bool ours = place->kind != SL_ENV_RUN ||
                sl_view_starts(access->name, "NVSHMEM_");
    struct sl_env_draft *draft = sl_env_draft(
        r->work, ours ? place->kind : SL_ENV_FOREIGN, access->name);
    sl_env_set reader = sl_env_reader(r->work, sl_view_of(place->reader));
    if (!draft || !reader)
        return sl_error_nomem(error);
    if (access->sets) {
        draft->is_set = true;
    } else {
        draft->readers |= reader;
        draft->used |= reader;
        sl_env_type(draft, type_of(r->tree, walk));
    }
    if (access->fallback.len && !draft->row.fallback.len) {
        draft->row.fallback = sl_arena_copy(r->work->arena, access->fallback);
        if (!draft->row.fallback.ptr)
            return sl_error_nomem(error);
    }
    bool imports = place->when == SL_WHEN_INIT &&
                   sl_view_ends(r->path, "/__init__.py");
    draft->whens |= imports ? SL_WHEN_IMPORT : place->when;
    return sl_env_place(r->work, draft, r->path,
                        line_of(r->text, sl_walk_up(walk, 0)->begin), error);
}

static enum sl_status search(struct reading *r, struct sl_error *error)
{
    struct sl_walk walk;
    enum sl_status status = sl_walk_open(r->tree, &walk, error);
    if (status)
        return status;
    bool more = true;
    while (!status && more) {
        struct access access = look_at(r->tree, &walk);
        if (access.name.len)
            status = add(r, &walk, &access, error);
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
    struct reading r = {.work = work, .place = place_of(path), .path = path};
    struct sl_tree *tree = NULL;
    enum sl_status status = sl_file_read_beneath(
        &arena, work->tree, path, SL_MAX_SOURCE_FILE, &r.text, error);
    if (!status && sl_view_find(r.text, SL_LIT("env"), 0) != SIZE_MAX)
        status = sl_parse(parser, SL_LANGUAGE_PYTHON, r.text, r.text,
                          SL_MAX_PARSE_MS, &tree, error);
    r.tree = tree;
    if (!status && tree)
        status = search(&r, error);
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
        status = read_file(work, parser, paths[i], error);
    if (parser)
        sl_parser_free(parser);
    return status;
}
