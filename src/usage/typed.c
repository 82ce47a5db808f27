#include "usage/typed.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/limits.h"
#include "syntax/walk.h"
#include "usage/use.h"

struct typing {
    struct sl_uses *uses;
    const struct sl_tree *tree;
    const struct sl_map *fields;
    struct sl_walk walk;
    size_t *lines; /* where each line begins; made when the first is asked for */
    size_t line_count;
    struct sl_error *error;
};

static enum sl_status find_lines(struct typing *t)
{
    struct sl_view text = sl_tree_source(t->tree);
    size_t count = 1;
    for (size_t i = 0; i < text.len; i++)
        count += text.ptr[i] == '\n';
    t->lines = malloc(count * sizeof *t->lines);
    if (!t->lines)
        return sl_error_nomem(t->error);
    t->lines[t->line_count++] = 0;
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] == '\n')
            t->lines[t->line_count++] = i + 1;
    return SL_OK;
}

static enum sl_status put_place(struct typing *t, size_t offset,
                                struct sl_typed *typed)
{
    enum sl_status status = t->lines ? SL_OK : find_lines(t);
    size_t low = 0, high = t->line_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (t->lines[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    if (status)
        return status;
    typed->line = (uint32_t)(low + 1);
    typed->column = (uint32_t)(offset - t->lines[low] + 1);
    return SL_OK;
}

/* The last part of a::b::c, without template arguments. */
static struct sl_view last_name(const struct typing *t, struct sl_node node)
{
    for (size_t i = 0; i < SL_MAX_CHAIN && node.id; i++) {
        if (!sl_node_is(node, "qualified_identifier") &&
            !sl_node_is(node, "template_function") &&
            !sl_node_is(node, "template_method") &&
            !sl_node_is(node, "template_type") &&
            !sl_node_is(node, "dependent_name"))
            break;
        struct sl_node name = sl_node_field(node, "name");
        node = name.id ? name : sl_node_child(node, 0);
    }
    return sl_node_text(t->tree, node);
}

/* What a `type` field names; "auto" for a placeholder, empty for anything built in. */
static struct sl_view type_name(const struct typing *t, struct sl_node type)
{
    if (sl_node_is(type, "type_descriptor"))
        type = sl_node_field(type, "type");
    if (sl_node_is(type, "placeholder_type_specifier") ||
        sl_node_is(type, "auto"))
        return SL_LIT("auto");
    if (sl_node_is(type, "struct_specifier") ||
        sl_node_is(type, "union_specifier") ||
        sl_node_is(type, "class_specifier"))
        return sl_node_text(t->tree, sl_node_field(type, "name"));
    if (sl_node_is(type, "type_identifier") ||
        sl_node_is(type, "qualified_identifier"))
        return last_name(t, type);
    return SL_LIT("");
}

/* The names that lead to a value, the innermost last. */
struct chain {
    struct sl_view parts[SL_MAX_CHAIN];
    bool called[SL_MAX_CHAIN]; /* name() */
    bool cast[SL_MAX_CHAIN];   /* <type> */
    size_t count;
};

static bool is_cast(struct sl_view name)
{
    return sl_view_is(name, "static_cast") ||
           sl_view_is(name, "reinterpret_cast") ||
           sl_view_is(name, "const_cast") || sl_view_is(name, "__ldg");
}

static bool add_part(struct chain *chain, struct sl_view name, bool called,
                     bool cast)
{
    if (!name.len || chain->count == SL_MAX_CHAIN)
        return false;
    chain->called[chain->count] = called;
    chain->cast[chain->count] = cast;
    chain->parts[chain->count++] = name;
    return true;
}

/* A call: of a function (the root), of a method, or a cast. */
static bool take_call(const struct typing *t, struct sl_node *node,
                      struct chain *chain, bool *done_out)
{
    struct sl_node function = sl_node_field(*node, "function");
    *done_out = false;
    if (sl_node_is(function, "field_expression")) {
        *node = sl_node_field(function, "argument");
        return add_part(chain, last_name(t, sl_node_field(function, "field")),
                        true, false);
    }
    struct sl_view name = last_name(t, function);
    *done_out = true;
    if (!is_cast(name))
        return add_part(chain, name, true, false);
    struct sl_node list = sl_node_field(function, "arguments");
    return add_part(chain, type_name(t, sl_node_child(list, 0)), false, true);
}

/* One step down; *done_out: it was the root. False: no chain of names. */
static bool take_step(const struct typing *t, struct sl_node *node,
                      struct chain *chain, bool *done_out)
{
    *done_out = false;
    if (sl_node_is(*node, "field_expression")) {
        struct sl_view field = last_name(t, sl_node_field(*node, "field"));
        *node = sl_node_field(*node, "argument");
        *done_out = sl_node_is(*node, "this");
        return add_part(chain, field, false, false);
    }
    if (sl_node_is(*node, "subscript_expression") ||
        sl_node_is(*node, "pointer_expression")) {
        *node = sl_node_field(*node, "argument");
        return true;
    }
    if (sl_node_is(*node, "parenthesized_expression")) {
        *node = sl_node_child(*node, 0);
        return true;
    }
    if (sl_node_is(*node, "call_expression"))
        return take_call(t, node, chain, done_out);
    *done_out = true;
    if (sl_node_is(*node, "cast_expression"))
        return add_part(chain, type_name(t, sl_node_field(*node, "type")),
                        false, true);
    if (sl_node_is(*node, "identifier") ||
        sl_node_is(*node, "qualified_identifier"))
        return add_part(chain, last_name(t, *node), false, false);
    return false;
}

/* "=root.name.name" of an expression; false: it is none. */
static bool put_chain(const struct typing *t, struct sl_node node,
                      struct sl_buf *out)
{
    struct chain chain = {.count = 0};
    bool done = false;
    for (size_t i = 0; i < SL_MAX_CHAIN * 4u && !done; i++)
        if (!node.id || !take_step(t, &node, &chain, &done))
            return false;
    if (!done)
        return false;
    for (size_t i = chain.count; i-- > 0;) {
        sl_buf_puts(out, i + 1 == chain.count ? "=" : ".");
        sl_buf_printf(out, chain.cast[i] ? "<%.*s>" : "%.*s%s",
                      SL_ARG(chain.parts[i]), chain.called[i] ? "()" : "");
    }
    return !out->failed && out->len <= SL_MAX_USAGE_NAME;
}

/* Where the function around the walk's node begins, plus 1; 0: there is none. */
static size_t function_of(const struct typing *t)
{
    for (size_t up = 0; up < t->walk.depth && up < SL_MAX_SCOPE_STEPS; up++) {
        const struct sl_step *step = sl_walk_up(&t->walk, up);
        if (strcmp(step->type, "function_definition") == 0)
            return step->begin + 1;
    }
    return 0;
}

static enum sl_status add(struct typing *t, enum sl_typed_kind kind,
                          struct sl_view name, struct sl_view from,
                          size_t function)
{
    struct sl_typed typed = {
        .kind = kind, .name = name, .from = from, .function = function};
    return name.len && from.len ? sl_uses_add_typed(t->uses, &typed, t->error)
                                : SL_OK;
}

/* What a declarator declares, and with which value. */
struct declared {
    struct sl_node name, value;
    bool is_function;
};

static struct declared find_declared(struct sl_node node)
{
    struct declared found = {.name = node};
    for (size_t i = 0; i < SL_MAX_CHAIN && found.name.id; i++) {
        struct sl_node inner = sl_node_field(found.name, "declarator");
        if (sl_node_is(found.name, "init_declarator"))
            found.value = sl_node_field(found.name, "value");
        if (sl_node_is(found.name, "function_declarator"))
            found.is_function = true;
        if (!inner.id && (sl_node_is(found.name, "reference_declarator") ||
                          sl_node_is(found.name, "parenthesized_declarator")))
            inner = sl_node_child(found.name, 0);
        if (!inner.id)
            break;
        found.name = inner;
    }
    return found;
}

/* The step is a `declarator`: what its parent's type makes of it. */
static enum sl_status take_declarator(struct typing *t,
                                      const struct sl_step *step,
                                      const struct sl_step *parent)
{
    struct sl_view type = type_name(t, sl_node_field(parent->node, "type"));
    struct declared declared = find_declared(step->node);
    struct sl_view above = sl_view_of(parent->type);
    enum sl_typed_kind kind = SL_TYPED_VARIABLE;
    if (!type.len)
        return SL_OK;
    if (sl_view_is(above, "type_definition"))
        kind = SL_TYPED_ALIAS;
    else if (declared.is_function)
        kind = SL_TYPED_FUNCTION;
    else if (sl_view_is(above, "field_declaration"))
        kind = SL_TYPED_MEMBER;
    struct sl_view name = last_name(t, declared.name);
    size_t function = kind == SL_TYPED_VARIABLE ? function_of(t) : 0;
    if (!sl_view_is(type, "auto"))
        return add(t, kind, name, type, function);
    struct sl_buf chain;
    enum sl_status status = SL_OK;
    sl_buf_init(&chain, SL_MAX_USAGE_NAME * 2);
    if (declared.value.id && put_chain(t, declared.value, &chain))
        status = add(t, kind, name, sl_buf_view(&chain), function);
    sl_buf_release(&chain);
    return status;
}

static enum sl_status add_access(struct typing *t, struct sl_node field,
                                 struct sl_view name, struct sl_view from)
{
    struct sl_typed typed = {.kind = SL_TYPED_ACCESS,
                             .name = name,
                             .from = from,
                             .function = function_of(t)};
    enum sl_status status = put_place(t, sl_node_begin(field), &typed);
    return status ? status : sl_uses_add_typed(t->uses, &typed, t->error);
}

/* state->globalmem.rcs, offsetof(type, member) */
static enum sl_status take_access(struct typing *t, const struct sl_step *step)
{
    bool is_offset = strcmp(step->type, "offsetof_expression") == 0;
    struct sl_node field =
        sl_node_field(step->node, is_offset ? "member" : "field");
    struct sl_view name = last_name(t, field);
    struct sl_buf chain;
    enum sl_status status = SL_OK;
    if (!sl_map_get(t->fields, name))
        return SL_OK;
    sl_buf_init(&chain, SL_MAX_USAGE_NAME * 2);
    bool found = is_offset;
    if (is_offset)
        sl_buf_printf(&chain, "=<%.*s>",
                      SL_ARG(type_name(t, sl_node_field(step->node, "type"))));
    else
        found = put_chain(t, sl_node_field(step->node, "argument"), &chain);
    if (found && !chain.failed)
        status = add_access(t, field, name, sl_buf_view(&chain));
    sl_buf_release(&chain);
    return status;
}

static bool declares(const char *type)
{
    static const char *const types[] = {
        "declaration",         "parameter_declaration",
        "function_definition", "optional_parameter_declaration",
        "field_declaration",   "type_definition"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(type, types[i]) == 0)
            return true;
    return false;
}

static enum sl_status take_node(struct typing *t)
{
    const struct sl_step *step = sl_walk_up(&t->walk, 0);
    const struct sl_step *parent = sl_walk_up(&t->walk, 1);
    if (parent && step->field && strcmp(step->field, "declarator") == 0 &&
        declares(parent->type))
        return take_declarator(t, step, parent);
    if (strcmp(step->type, "field_expression") == 0 ||
        strcmp(step->type, "offsetof_expression") == 0)
        return take_access(t, step);
    if (strcmp(step->type, "alias_declaration") == 0)
        return add(t, SL_TYPED_ALIAS,
                   sl_node_text(t->tree, sl_node_field(step->node, "name")),
                   type_name(t, sl_node_field(step->node, "type")), 0);
    return SL_OK;
}

enum sl_status sl_typed_read(struct sl_uses *uses, const struct sl_tree *tree,
                             const struct sl_map *fields,
                             struct sl_error *error)
{
    struct typing t = {
        .uses = uses, .tree = tree, .fields = fields, .error = error};
    enum sl_status status = sl_walk_open(tree, &t.walk, error);
    bool more = true;
    if (status)
        return status;
    while (!status && more) {
        status = take_node(&t);
        if (!status)
            status = sl_walk_next(&t.walk, true, &more, error);
    }
    sl_walk_close(&t.walk);
    free(t.lines);
    return status;
}

/* "x" or <x> after #include; or what `using namespace` and `using` name. */
static struct sl_view operand(struct sl_view line, enum sl_typed_kind *kind)
{
    line = sl_view_trim(line);
    *kind = SL_TYPED_USING;
    if (sl_view_starts(line, "using ")) {
        line = sl_view_trim(sl_view_sub(line, 6, line.len));
        if (sl_view_starts(line, "namespace "))
            line = sl_view_trim(sl_view_sub(line, 10, line.len));
        size_t end = 0;
        while (end < line.len &&
               (sl_is_word(line.ptr[end]) || line.ptr[end] == ':'))
            end++;
        return end < line.len && line.ptr[end] == ';'
                   ? sl_view_sub(line, 0, end)
                   : SL_LIT("");
    }
    *kind = SL_TYPED_INCLUDE;
    if (!sl_view_starts(line, "#"))
        return SL_LIT("");
    line = sl_view_trim(sl_view_sub(line, 1, line.len));
    if (!sl_view_starts(line, "include"))
        return SL_LIT("");
    line = sl_view_trim(sl_view_sub(line, 7, line.len));
    if (line.len < 2 || (line.ptr[0] != '"' && line.ptr[0] != '<'))
        return SL_LIT("");
    size_t close = sl_view_find(line, line.ptr[0] == '"' ? SL_LIT("\"")
                                                         : SL_LIT(">"), 1);
    return close == SIZE_MAX ? SL_LIT("") : sl_view_sub(line, 1, close);
}

enum sl_status sl_typed_includes(struct sl_uses *uses, struct sl_view text,
                                 struct sl_error *error)
{
    enum sl_status status = SL_OK;
    struct sl_view line;
    while (!status && sl_view_line(&text, &line)) {
        struct sl_typed typed = {.from = SL_LIT("")};
        typed.name = operand(line, &typed.kind);
        if (typed.name.len)
            status = sl_uses_add_typed(uses, &typed, error);
    }
    return status;
}
