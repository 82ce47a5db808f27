/* Names in Python. */
#include <string.h>

#include "base/buf.h"
#include "base/limits.h"
#include "usage/inside.h"

static const struct sl_alias *find_alias(const struct sl_reading *reading,
                                         struct sl_view name)
{
    for (size_t i = 0; i < reading->alias_count; i++)
        if (sl_view_eq(reading->aliases[i].name, name))
            return &reading->aliases[i];
    return NULL;
}

static enum sl_status add_alias(struct sl_reading *reading,
                                struct sl_view name, struct sl_view target,
                                struct sl_error *error)
{
    if (!name.len || find_alias(reading, name))
        return SL_OK;
    reading->aliases =
        sl_arena_grow(reading->arena, reading->aliases,
                      sizeof *reading->aliases, reading->alias_count,
                      &reading->alias_cap);
    if (!reading->aliases)
        return sl_error_nomem(error);
    reading->aliases[reading->alias_count++] =
        (struct sl_alias){name, target};
    return SL_OK;
}

/* nvshmem, nvshmem.core, nvidia.nvshmem: the package, not a project's own. */
static bool is_package(struct sl_view module)
{
    return sl_view_is(module, "nvshmem") || sl_view_starts(module, "nvshmem.")
           || sl_view_is(module, "nvidia.nvshmem") ||
           sl_view_starts(module, "nvidia.nvshmem.");
}

static struct sl_view join(struct sl_reading *reading, struct sl_view a,
                           struct sl_view b)
{
    struct sl_buf buf;
    sl_buf_init(&buf, SL_MAX_USAGE_NAME * 8);
    sl_buf_printf(&buf, "%.*s.%.*s", SL_ARG(a), SL_ARG(b));
    struct sl_view joined = sl_arena_copy(reading->arena, sl_buf_view(&buf));
    sl_buf_release(&buf);
    return joined.ptr ? joined : SL_LIT("");
}

/* The import statement around the leaf, or NULL. */
static const struct sl_step *find_import(const struct sl_reading *reading)
{
    for (size_t up = 1; up < 6; up++)
        if (sl_up_is(reading, up, "import_statement") ||
            sl_up_is(reading, up, "import_from_statement"))
            return sl_walk_up(&reading->walk, up);
    return NULL;
}

/* One imported thing: `name` or `name as alias`. */
struct imported {
    struct sl_view name, alias;
};

static struct imported imported_of(const struct sl_reading *reading,
                                   struct sl_node node)
{
    struct imported imported;
    struct sl_node name = sl_node_field(node, "name");
    imported.name = sl_node_text(reading->tree, name.id ? name : node);
    imported.alias =
        sl_node_text(reading->tree, sl_node_field(node, "alias"));
    return imported;
}

/* import nvshmem.core as nv: nv is nvshmem.core; without `as`: nvshmem. */
static enum sl_status note_plain(struct sl_reading *reading,
                                 struct sl_node statement,
                                 struct sl_error *error)
{
    enum sl_status status = SL_OK;
    for (size_t i = 0; !status && i < sl_node_count(statement); i++) {
        struct imported it =
            imported_of(reading, sl_node_child(statement, i));
        struct sl_view first = it.name;
        if (!is_package(it.name))
            continue;
        if (it.alias.len)
            status = add_alias(reading, it.alias, it.name, error);
        else if (sl_view_cut(&it.name, '.', &first))
            status = add_alias(reading, first, first, error);
    }
    return status;
}

/* from nvshmem import core as nv */
static enum sl_status note_from(struct sl_reading *reading,
                                struct sl_node statement,
                                struct sl_error *error)
{
    struct sl_node module = sl_node_field(statement, "module_name");
    struct sl_view from = sl_node_text(reading->tree, module);
    enum sl_status status = SL_OK;
    for (size_t i = 0; !status && i < sl_node_count(statement); i++) {
        struct sl_node child = sl_node_child(statement, i);
        if (child.id == module.id || sl_node_is(child, "wildcard_import"))
            continue;
        struct imported it = imported_of(reading, child);
        if (is_package(from) ||
            (sl_view_is(from, "nvidia") && sl_view_is(it.name, "nvshmem")))
            status = add_alias(reading, it.alias.len ? it.alias : it.name,
                               join(reading, from, it.name), error);
    }
    return status;
}

enum sl_status sl_note_aliases(struct sl_reading *reading,
                               const struct sl_word *word,
                               struct sl_error *error)
{
    if (word->kind == SL_WORD_DL) {
        for (size_t up = 1; up < 8; up++)
            if (sl_up_is(reading, up, "assignment") &&
                sl_up_field(reading, up - 1, "right")) {
                const struct sl_step *step = sl_walk_up(&reading->walk, up);
                return add_alias(reading,
                                 sl_node_text(reading->tree,
                                              sl_node_field(step->node,
                                                            "left")),
                                 SL_LIT(""), error);
            }
        return SL_OK;
    }
    const struct sl_step *import = find_import(reading);
    if (!import)
        return SL_OK;
    return strcmp(import->type, "import_statement") == 0
               ? note_plain(reading, import->node, error)
               : note_from(reading, import->node, error);
}

/* Tells each imported name of the package, or the word alone. */
static enum sl_status tell_import(struct sl_reading *reading,
                                  const struct sl_step *import,
                                  const struct sl_word *word,
                                  struct sl_error *error)
{
    struct sl_node module = sl_node_field(import->node, "module_name");
    struct sl_view from = sl_node_text(reading->tree, module);
    enum sl_status status = SL_OK;
    if (!is_package(from) && !sl_view_is(from, "nvidia") && module.id)
        return word->begin < sl_node_end(module)
                   ? SL_OK /* a module of the project's */
                   : sl_tell(reading, SL_USE_IMPORT,
                             sl_word_text(reading, word), word->begin,
                             SL_LIT(""), SL_LIT(""), error);
    reading->done = import->end;
    for (size_t i = 0; !status && i < sl_node_count(import->node); i++) {
        struct sl_node child = sl_node_child(import->node, i);
        if (child.id == module.id)
            continue;
        struct imported it = imported_of(reading, child);
        struct sl_view name =
            module.id ? join(reading, from, it.name) : it.name;
        if (is_package(name))
            status = sl_tell(reading, SL_USE_IMPORT, name,
                             sl_node_begin(child), SL_LIT(""), SL_LIT(""),
                             error);
    }
    return status;
}

/* The outermost attribute that the leaf is the first part of. */
static size_t chain_up(const struct sl_reading *reading)
{
    size_t up = 0;
    while (sl_up_is(reading, up + 1, "attribute") &&
           sl_up_field(reading, up, "object"))
        up++;
    return up;
}

static bool is_called(const struct sl_reading *reading, size_t up)
{
    return sl_up_is(reading, up + 1, "call") &&
           sl_up_field(reading, up, "function");
}

/* An imported name or the package itself, with the attributes after it. */
static enum sl_status tell_package(struct sl_reading *reading,
                                   const struct sl_word *word,
                                   const struct sl_alias *alias,
                                   struct sl_error *error)
{
    size_t up = chain_up(reading);
    const struct sl_step *whole = sl_walk_up(&reading->walk, up);
    struct sl_view rest =
        sl_view_sub(reading->text, word->end, whole->end);
    struct sl_view name = alias->target;
    if (rest.len > 1 && rest.ptr[0] == '.')
        name = join(reading, name, sl_view_sub(rest, 1, rest.len));
    reading->done = whole->end;
    return sl_tell(reading,
                   is_called(reading, up) ? SL_USE_CALL : SL_USE_REFERENCE,
                   name, word->begin, SL_LIT(""), SL_LIT(""), error);
}

/* object.nvshmem_x: of a ctypes library by name, else a member. */
static enum sl_status tell_attribute(struct sl_reading *reading,
                                     const struct sl_word *word,
                                     struct sl_error *error)
{
    const struct sl_step *parent = sl_walk_up(&reading->walk, 1);
    struct sl_view object = sl_node_text(
        reading->tree, sl_node_field(parent->node, "object"));
    const struct sl_alias *alias = find_alias(reading, object);
    bool library = alias && alias->target.len == 0;
    return sl_tell(reading, library ? SL_USE_BY_NAME : SL_USE_MEMBER,
                   sl_word_text(reading, word), word->begin,
                   library ? SL_LIT("ctypes") : SL_LIT(""), SL_LIT(""), error);
}

static bool in_block_of(const struct sl_reading *reading, const char *type,
                        const char *stop)
{
    for (size_t up = 2; up < reading->walk.depth; up++) {
        if (sl_up_is(reading, up, type))
            return true;
        if (sl_up_is(reading, up, stop))
            return false;
    }
    return false;
}

static bool is_parameter(const struct sl_step *parent)
{
    struct sl_view type = sl_view_of(parent->type);
    return sl_view_ends(type, "parameter") || sl_view_is(type, "parameters") ||
           sl_view_is(type, "lambda_parameters");
}

/* On the left of an assignment, alone or in a tuple. */
static bool is_assigned(const struct sl_reading *reading,
                        const struct sl_step *parent)
{
    struct sl_view type = sl_view_of(parent->type);
    if (sl_view_is(type, "pattern_list"))
        return true;
    return sl_up_field(reading, 0, "left") &&
           (sl_view_is(type, "assignment") ||
            sl_view_is(type, "for_statement"));
}

static enum sl_use_kind kind_of(const struct sl_reading *reading)
{
    const struct sl_step *parent = sl_walk_up(&reading->walk, 1);
    if (!parent)
        return SL_USE_UNPARSED;
    bool in_class =
        in_block_of(reading, "class_definition", "function_definition");
    bool in_function = in_block_of(reading, "function_definition", "module");
    enum sl_use_kind outside = in_class ? SL_USE_MEMBER : SL_USE_DEFINITION;
    if (strcmp(parent->type, "function_definition") == 0 ||
        strcmp(parent->type, "class_definition") == 0)
        return outside;
    if (is_parameter(parent))
        return SL_USE_LOCAL;
    if (strcmp(parent->type, "keyword_argument") == 0 &&
        sl_up_field(reading, 0, "name"))
        return SL_USE_MEMBER;
    if (is_assigned(reading, parent))
        return in_function ? SL_USE_LOCAL : outside;
    return is_called(reading, 0) ? SL_USE_CALL : SL_USE_REFERENCE;
}

static enum sl_status tell_identifier(struct sl_reading *reading,
                                      const struct sl_word *word,
                                      struct sl_error *error)
{
    struct sl_view name = sl_word_text(reading, word);
    const struct sl_step *parent = sl_walk_up(&reading->walk, 1);
    if (sl_up_is(reading, 1, "attribute") &&
        sl_up_field(reading, 0, "attribute"))
        return tell_attribute(reading, word, error);
    const struct sl_alias *alias = find_alias(reading, name);
    enum sl_use_kind kind = kind_of(reading);
    bool used = kind == SL_USE_CALL || kind == SL_USE_REFERENCE;
    if (alias && alias->target.len && used)
        return tell_package(reading, word, alias, error);
    if (word->kind == SL_WORD_ALIAS)
        return SL_OK;
    if (kind == SL_USE_MEMBER && sl_word_is_variable(name) &&
        sl_up_is(reading, 1, "keyword_argument"))
        return sl_tell(reading, SL_USE_ENV_SET, name, word->begin,
                       SL_LIT("keyword"),
                       sl_node_text(reading->tree,
                                    sl_node_field(parent->node, "value")),
                       error);
    if (parent && parent->is_error)
        kind = SL_USE_UNPARSED;
    return sl_tell(reading, kind, name, word->begin, SL_LIT(""), SL_LIT(""),
                   error);
}

enum sl_status sl_tell_python(struct sl_reading *reading,
                              const struct sl_word *word,
                              struct sl_error *error)
{
    const struct sl_step *leaf = sl_walk_up(&reading->walk, 0);
    struct sl_view type = sl_view_of(leaf->type);
    if (word->kind == SL_WORD_DL)
        return SL_OK;
    if (!sl_view_is(type, "identifier") && word->kind == SL_WORD_ALIAS)
        return SL_OK;
    if (sl_view_is(type, "string_content"))
        return sl_tell_string(reading, word, error);
    if (!sl_view_is(type, "identifier"))
        return sl_tell(reading,
                       sl_view_is(type, "comment") ? SL_USE_COMMENT
                                                   : SL_USE_UNPARSED,
                       sl_word_text(reading, word), word->begin, SL_LIT(""),
                       SL_LIT(""), error);
    const struct sl_step *import = find_import(reading);
    if (import)
        return word->kind == SL_WORD_ALIAS
                   ? SL_OK
                   : tell_import(reading, import, word, error);
    return tell_identifier(reading, word, error);
}
