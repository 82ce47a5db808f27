/* Names in C, C++ and CUDA. */
#include <string.h>

#include "base/buf.h"
#include "base/limits.h"
#include "usage/inside.h"

/* The step after the qualifications and template arguments of the leaf. */
struct target {
    size_t up;           /* the whole name */
    struct sl_view name; /* from the leaf to the end of the last part */
    bool foreign;        /* qualified by what is not NVSHMEM's */
    bool global;         /* ::name */
};

static bool is_name_part(const char *type)
{
    static const char *const parts[] = {
        "qualified_identifier", "template_function", "template_type",
        "dependent_name", "dependent_type", "template_method",
        "nested_namespace_specifier"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strcmp(type, parts[i]) == 0)
            return true;
    return false;
}

static struct target find_target(const struct sl_reading *reading)
{
    const struct sl_step *leaf = sl_walk_up(&reading->walk, 0);
    struct target target = {
        0, sl_view_sub(reading->text, leaf->begin, leaf->end), false,
        false};
    const struct sl_step *step;
    while ((step = sl_walk_up(&reading->walk, target.up + 1)) &&
           is_name_part(step->type) &&
           !sl_up_field(reading, target.up, "arguments")) {
        target.up++;
        if (strcmp(step->type, "qualified_identifier") != 0)
            continue;
        struct sl_node scope = sl_node_field(step->node, "scope");
        struct sl_node name = sl_node_field(step->node, "name");
        while (sl_node_is(name, "qualified_identifier"))
            name = sl_node_field(name, "name");
        struct sl_node plain = sl_node_field(name, "name");
        if (plain.id && !sl_node_is(name, "qualified_identifier"))
            name = plain; /* without template arguments */
        if (sl_node_end(name) > leaf->end)
            target.name =
                sl_view_sub(reading->text, leaf->begin, sl_node_end(name));
        else if (scope.id && sl_node_begin(scope) < leaf->begin)
            target.foreign = true;
        target.global |= !scope.id;
    }
    return target;
}

/* a<b>::c as a::c */
static struct sl_view without_arguments(struct sl_reading *reading,
                                        struct sl_view name)
{
    if (sl_view_find(name, SL_LIT("<"), 0) == SIZE_MAX)
        return name;
    char *out = sl_arena_alloc(reading->arena, name.len + 1);
    size_t n = 0, depth = 0;
    for (size_t i = 0; out && i < name.len; i++) {
        char c = name.ptr[i];
        depth += c == '<';
        if (depth == 0)
            out[n++] = c;
        depth -= c == '>' && depth;
    }
    return out ? (struct sl_view){out, n} : name;
}

/* The declaration that a declarator belongs to. */
struct declarator {
    size_t up; /* the outermost declarator */
    bool function;
};

static struct declarator find_declarator(const struct sl_reading *reading,
                                         size_t up)
{
    struct declarator found = {up, false};
    const struct sl_step *parent;
    while ((parent = sl_walk_up(&reading->walk, found.up + 1)) &&
           sl_view_ends(sl_view_of(parent->type), "_declarator") &&
           !sl_up_field(reading, found.up, "value") &&
           !sl_up_field(reading, found.up, "parameters") &&
           !sl_up_field(reading, found.up, "size")) {
        if (strcmp(parent->type, "function_declarator") == 0)
            found.function = true;
        found.up++;
    }
    return found;
}

static bool is_below(const struct sl_reading *reading, size_t up,
                     const char *type, const char *stop)
{
    size_t last = up + SL_MAX_SCOPE_STEPS;
    for (const struct sl_step *step;
         up < last && (step = sl_walk_up(&reading->walk, up)); up++) {
        if (strcmp(step->type, type) == 0)
            return true;
        if (strcmp(step->type, stop) == 0)
            return false;
    }
    return false;
}

static bool is_member(const struct sl_reading *reading, size_t up)
{
    return is_below(reading, up + 1, "field_declaration_list",
                    "compound_statement");
}

static bool has_storage(const struct sl_reading *reading, struct sl_node node,
                        const char *storage)
{
    for (size_t i = 0; i < sl_node_count(node); i++) {
        struct sl_node child = sl_node_child(node, i);
        if (sl_node_is(child, "storage_class_specifier") &&
            sl_view_is(sl_node_text(reading->tree, child), storage))
            return true;
    }
    return false;
}

/*
 * A macro without a semicolon and the call on the next line look like a
 * declaration: POP_RANGE \n nvshmem_barrier_all();
 */
static bool is_split(const struct sl_reading *reading, struct sl_node node)
{
    struct sl_view between = sl_view_sub(
        reading->text, sl_node_end(sl_node_field(node, "type")),
        sl_node_begin(sl_node_field(node, "declarator")));
    return sl_view_find(between, SL_LIT("\n"), 0) != SIZE_MAX;
}

/* A `declaration`: of a function or variable, in a class, file or function. */
static enum sl_use_kind in_declaration(const struct sl_reading *reading,
                                       struct declarator declarator,
                                       struct sl_node node)
{
    if (is_member(reading, declarator.up))
        return SL_USE_MEMBER;
    if (has_storage(reading, node, "extern"))
        return SL_USE_DECLARATION;
    bool local = is_below(reading, declarator.up + 1, "compound_statement",
                          "translation_unit");
    if (declarator.function && local)
        return is_split(reading, node) ? SL_USE_CALL : SL_USE_LOCAL;
    if (declarator.function)
        return SL_USE_DECLARATION;
    return local ? SL_USE_LOCAL : SL_USE_DEFINITION;
}

static enum sl_use_kind declared(const struct sl_reading *reading,
                                 struct declarator declarator)
{
    const struct sl_step *step =
        sl_walk_up(&reading->walk, declarator.up + 1);
    if (!step || !sl_up_field(reading, declarator.up, "declarator"))
        return SL_USE_REFERENCE;
    struct sl_view type = sl_view_of(step->type);
    if (sl_view_is(type, "function_definition"))
        return is_member(reading, declarator.up) ? SL_USE_MEMBER
                                                 : SL_USE_DEFINITION;
    if (sl_view_is(type, "type_definition"))
        return SL_USE_DEFINITION;
    if (sl_view_is(type, "field_declaration"))
        return SL_USE_MEMBER;
    if (sl_view_ends(type, "parameter_declaration") ||
        sl_view_is(type, "for_range_loop"))
        return SL_USE_LOCAL;
    return sl_view_is(type, "declaration")
               ? in_declaration(reading, declarator, step->node)
               : SL_USE_REFERENCE;
}

/* Nodes whose field `name` defines it. */
static enum sl_use_kind named(const struct sl_step *parent,
                              const struct sl_step *above)
{
    static const char *const always[] = {
        "preproc_def", "preproc_function_def", "enumerator",
        "alias_declaration", "namespace_alias_definition",
        "namespace_definition"};
    static const char *const with_body[] = {
        "struct_specifier", "class_specifier", "union_specifier",
        "enum_specifier"};
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        if (strcmp(parent->type, always[i]) == 0)
            return SL_USE_DEFINITION;
    for (size_t i = 0; i < sizeof with_body / sizeof *with_body; i++) {
        if (strcmp(parent->type, with_body[i]) != 0)
            continue;
        if (sl_node_field(parent->node, "body").id)
            return SL_USE_DEFINITION;
        if (above && (strcmp(above->type, "translation_unit") == 0 ||
                      strcmp(above->type, "declaration_list") == 0))
            return SL_USE_DECLARATION; /* struct x; */
    }
    return SL_USE_REFERENCE;
}

static enum sl_use_kind kind_of(const struct sl_reading *reading,
                                const struct target *target)
{
    const struct sl_step *parent =
        sl_walk_up(&reading->walk, target->up + 1);
    if (!parent)
        return SL_USE_UNPARSED;
    if (sl_up_field(reading, target->up, "function") &&
        strcmp(parent->type, "call_expression") == 0)
        return target->foreign ? SL_USE_MEMBER : SL_USE_CALL;
    if (sl_up_field(reading, target->up, "name")) {
        enum sl_use_kind kind =
            named(parent, sl_walk_up(&reading->walk, target->up + 2));
        if (kind != SL_USE_REFERENCE)
            return kind;
    }
    if (strcmp(parent->type, "preproc_params") == 0 ||
        strcmp(parent->type, "lambda_capture_specifier") == 0)
        return SL_USE_LOCAL;
    if (sl_up_is(reading, 0, "field_identifier") ||
        sl_up_field(reading, target->up, "field"))
        return SL_USE_MEMBER;
    struct declarator declarator = find_declarator(reading, target->up);
    enum sl_use_kind kind = declared(reading, declarator);
    return target->foreign ? SL_USE_MEMBER : kind;
}

/* namespace a::b { namespace nvshmem { … as a::b::nvshmem */
static struct sl_view full_namespace(struct sl_reading *reading, size_t up)
{
    struct sl_buf buf;
    sl_buf_init(&buf, SL_MAX_USAGE_NAME * 4);
    for (size_t i = 0; i + up < reading->walk.depth; i++) {
        const struct sl_step *step = &reading->walk.path[i];
        if (strcmp(step->type, "namespace_definition") != 0)
            continue;
        struct sl_view name = sl_node_text(
            reading->tree, sl_node_field(step->node, "name"));
        if (name.len)
            sl_buf_printf(&buf, "%s%.*s", buf.len ? "::" : "", SL_ARG(name));
    }
    struct sl_view joined = sl_arena_copy(reading->arena, sl_buf_view(&buf));
    sl_buf_release(&buf);
    return joined.ptr ? joined : SL_LIT("");
}

/* Whether the definition at `up` is one that linking does not show to others. */
static bool is_internal(const struct sl_reading *reading, size_t up)
{
    static const char *const forms[] = {
        "preproc_def",      "preproc_function_def", "enumerator",
        "alias_declaration", "type_definition",     "struct_specifier",
        "class_specifier",  "union_specifier",      "enum_specifier"};
    const struct sl_step *step = sl_walk_up(&reading->walk, up + 1);
    for (size_t i = 0; step && i < sizeof forms / sizeof *forms; i++)
        if (strcmp(step->type, forms[i]) == 0)
            return true;
    bool inner = true; /* the nearest declaration says the storage */
    for (up++; (step = sl_walk_up(&reading->walk, up)); up++) {
        bool declares = strcmp(step->type, "function_definition") == 0 ||
                        strcmp(step->type, "declaration") == 0;
        if (strcmp(step->type, "type_definition") == 0)
            return true;
        if (declares && inner &&
            has_storage(reading, step->node, "static"))
            return true;
        inner &= !declares;
        if (strcmp(step->type, "namespace_definition") == 0 &&
            !sl_node_field(step->node, "name").id)
            return true;
    }
    return false;
}

static struct sl_node function_name(struct sl_node node)
{
    if (sl_node_is(node, "template_declaration"))
        for (size_t i = sl_node_count(node); i-- > 0;) {
            struct sl_node last = sl_node_child(node, i);
            if (sl_node_is(last, "function_definition") ||
                sl_node_is(last, "declaration")) {
                node = last;
                break;
            }
        }
    if (!sl_node_is(node, "function_definition") &&
        !sl_node_is(node, "declaration"))
        return (struct sl_node){.id = NULL};
    struct sl_node name = sl_node_field(node, "declarator");
    for (size_t i = 0; i < 16 && name.id; i++) {
        struct sl_node inner = sl_node_field(name, "declarator");
        if (!inner.id && sl_node_is(name, "reference_declarator"))
            inner = sl_node_child(name, 0);
        if (!inner.id)
            break;
        name = inner;
    }
    return name;
}

/* A declaration of a function; one of a variable defines it. */
static bool is_prototype(struct sl_node node)
{
    struct sl_node declarator = sl_node_field(node, "declarator");
    while (sl_node_is(declarator, "pointer_declarator"))
        declarator = sl_node_field(declarator, "declarator");
    return sl_node_is(node, "declaration") &&
           sl_node_is(declarator, "function_declarator");
}

/* What an own namespace's functions may stand in, at any depth. */
static bool holds_functions(const char *type)
{
    static const char *const holders[] = {
        "declaration_list", "preproc_if",      "preproc_ifdef",
        "preproc_else",     "preproc_elif",    "preproc_elifdef",
        "linkage_specification"};
    for (size_t i = 0; i < sizeof holders / sizeof *holders; i++)
        if (strcmp(type, holders[i]) == 0)
            return true;
    return false;
}

/* One declaration of an own namespace; anything but a function tells nothing. */
static enum sl_status tell_inside(struct sl_reading *reading,
                                  struct sl_view full, struct sl_node node,
                                  struct sl_error *error)
{
    struct sl_node name = function_name(node);
    struct sl_view text = sl_node_text(reading->tree, name);
    if (!text.len || text.len > 80 || sl_is_dead(reading, sl_node_begin(name)))
        return SL_OK;
    struct sl_buf buf;
    sl_buf_init(&buf, SL_MAX_USAGE_NAME * 4);
    sl_buf_printf(&buf, "%.*s::%.*s", SL_ARG(full), SL_ARG(text));
    enum sl_status status = sl_tell(
        reading, is_prototype(node) ? SL_USE_DECLARATION : SL_USE_DEFINITION,
        sl_buf_view(&buf), sl_node_begin(name), SL_LIT(""), SL_LIT(""), error);
    sl_buf_release(&buf);
    return status;
}

/* The functions of an own namespace, also in the branches of each #if. */
static enum sl_status tell_namespace(struct sl_reading *reading,
                                     struct sl_view full, struct sl_node body,
                                     struct sl_error *error)
{
    struct sl_walk walk;
    bool more = true;
    if (!body.id)
        return SL_OK;
    size_t line = reading->line, at = reading->line_at,
           begin = reading->line_begin;
    enum sl_status status = sl_walk_open_at(reading->tree, body, &walk, error);
    if (status)
        return status;
    while (!status && more) {
        const struct sl_step *step = sl_walk_up(&walk, 0);
        bool descend = holds_functions(step->type);
        if (!descend)
            status = tell_inside(reading, full, step->node, error);
        if (!status)
            status = sl_walk_next(&walk, descend, &more, error);
    }
    sl_walk_close(&walk);
    reading->line = line; /* the words after the name come next */
    reading->line_at = at;
    reading->line_begin = begin;
    return status;
}

static enum sl_status tell_identifier(struct sl_reading *reading,
                                      const struct sl_word *word,
                                      struct sl_error *error)
{
    struct target target = find_target(reading);
    enum sl_use_kind kind = kind_of(reading, &target);
    const struct sl_step *parent = sl_walk_up(&reading->walk, target.up + 1);
    if (kind == SL_USE_DEFINITION && parent &&
        strcmp(parent->type, "namespace_definition") == 0) {
        struct sl_view full = full_namespace(reading, target.up);
        enum sl_status status = sl_tell(reading, kind, full, word->begin,
                                        SL_LIT("namespace"), SL_LIT(""), error);
        return status ? status
                      : tell_namespace(reading, full,
                                       sl_node_field(parent->node, "body"),
                                       error);
    }
    bool loose = parent && parent->is_error && target.up == 0;
    bool own_declaration =
        kind == SL_USE_MEMBER &&
        !sl_up_is(reading, 1, "field_expression") && !target.foreign;
    reading->done = word->begin + target.name.len;
    reading->global = target.global;
    reading->is_internal =
        kind == SL_USE_DEFINITION && is_internal(reading, target.up);
    return sl_tell(reading, loose ? SL_USE_UNPARSED : kind,
                   without_arguments(reading, target.name), word->begin,
                   own_declaration ? SL_LIT("declared") : SL_LIT(""),
                   SL_LIT(""), error);
}

static enum sl_status tell_include(struct sl_reading *reading,
                                   const struct sl_word *word,
                                   struct sl_error *error)
{
    struct sl_view path = SL_LIT("");
    for (size_t up = 0; up < reading->walk.depth; up++)
        if (sl_up_is(reading, up, "preproc_include")) {
            const struct sl_step *step = sl_walk_up(&reading->walk, up);
            path = sl_node_text(reading->tree,
                                sl_node_field(step->node, "path"));
            reading->done = step->end;
            break;
        }
    if (path.len > 2)
        path = sl_view_sub(path, 1, path.len - 1);
    return sl_tell(reading, SL_USE_INCLUDE, path, word->begin, SL_LIT(""),
                   SL_LIT(""), error);
}

/* Parses the body that begins at `begin`, unless it is open already. */
static enum sl_status open_macro_body(struct sl_reading *reading, size_t begin,
                                      size_t end, struct sl_error *error)
{
    struct sl_macro_body *macro = &reading->macro;
    if (macro->tree && macro->begin == begin)
        return SL_OK;
    sl_macro_body_close(macro);
    struct sl_tree *tree;
    enum sl_status status = sl_parse_range(
        reading->parser, reading->language, reading->clean, reading->text,
        begin, end, SL_MAX_PARSE_MS, &tree, error);
    if (status)
        return status;
    status = sl_walk_open(tree, &macro->walk, error);
    if (status) {
        sl_tree_free(tree);
        return status;
    }
    macro->begin = begin;
    macro->end = end;
    macro->tree = tree;
    macro->more = true;
    return SL_OK;
}

/* A node of a macro's body whose text is looked at whole. */
static bool is_body_leaf(const struct sl_step *step)
{
    return step->leaf || sl_view_ends(sl_view_of(step->type), "_content");
}

/*
 * The kind of a word in an open body. Words come in the order of the text, so that the
 * walk only goes forward: each body is walked once.
 */
static enum sl_status kind_in_body(struct sl_macro_body *macro,
                                   const struct sl_word *word,
                                   enum sl_use_kind *kind_out,
                                   struct sl_error *error)
{
    enum sl_status status = SL_OK;
    *kind_out = SL_USE_MACRO_BODY;
    while (!status && macro->more) {
        const struct sl_step *step = sl_walk_up(&macro->walk, 0);
        if (step->begin >= word->end)
            break;
        bool before = step->end <= word->begin;
        if (!before && is_body_leaf(step)) {
            if (strcmp(step->type, "comment") == 0)
                *kind_out = SL_USE_COMMENT;
            else if (sl_view_ends(sl_view_of(step->type), "_content"))
                *kind_out = SL_USE_STRING;
            break;
        }
        status = sl_walk_next(&macro->walk, !before, &macro->more, error);
    }
    return status;
}

/* A macro's body is text to the grammar: parse it by itself. */
static enum sl_status tell_macro_body(struct sl_reading *reading,
                                      const struct sl_word *word,
                                      struct sl_error *error)
{
    const struct sl_step *step = sl_walk_up(&reading->walk, 0);
    struct sl_view name = sl_word_text(reading, word);
    enum sl_use_kind kind;
    size_t end;
    if (sl_up_is(reading, 1, "preproc_call"))
        return sl_tell(reading, SL_USE_REFERENCE, name, word->begin,
                       SL_LIT("directive"), SL_LIT(""), error);
    enum sl_status status =
        open_macro_body(reading, step->begin, step->end, error);
    if (!status)
        status = kind_in_body(&reading->macro, word, &kind, error);
    if (status)
        return status;
    reading->in_macro = true;
    struct sl_view joined = sl_joined(reading, word, step->end, &end);
    reading->in_macro = false;
    reading->done = end;
    return sl_tell(reading, kind, kind == SL_USE_STRING ? name : joined,
                   word->begin, SL_LIT(""), SL_LIT(""), error);
}

enum sl_status sl_tell_c(struct sl_reading *reading,
                         const struct sl_word *word, struct sl_error *error)
{
    const struct sl_step *leaf = sl_walk_up(&reading->walk, 0);
    struct sl_view type = sl_view_of(leaf->type);
    enum sl_use_kind apart = SL_USE_KINDS;
    if (sl_view_is(type, "comment"))
        apart = SL_USE_COMMENT;
    else if (sl_is_dead(reading, word->begin))
        apart = SL_USE_DISABLED;
    else if (is_below(reading, 0, "preproc_include", "translation_unit"))
        return tell_include(reading, word, error);
    else if (sl_view_is(type, "preproc_arg"))
        return tell_macro_body(reading, word, error);
    else if (sl_view_ends(type, "string_content") ||
             sl_view_ends(type, "string_literal"))
        return sl_tell_string(reading, word, error);
    else if (!sl_view_ends(type, "identifier"))
        apart = SL_USE_UNPARSED;
    if (apart != SL_USE_KINDS)
        return sl_tell(reading, apart, sl_word_text(reading, word),
                       word->begin, SL_LIT(""), SL_LIT(""), error);
    return tell_identifier(reading, word, error);
}
