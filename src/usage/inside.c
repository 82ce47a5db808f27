#include "usage/inside.h"

#include "base/buf.h"
#include "base/limits.h"

struct sl_view sl_word_text(const struct sl_reading *reading,
                            const struct sl_word *word)
{
    return sl_view_sub(reading->text, word->begin, word->end);
}

uint32_t sl_line_of(struct sl_reading *reading, size_t offset)
{
    if (offset < reading->line_at || reading->line == 0) {
        reading->line = 1;
        reading->line_at = 0;
        reading->line_begin = 0;
    }
    for (size_t i = reading->line_at; i < offset; i++)
        if (reading->text.ptr[i] == '\n') {
            reading->line++;
            reading->line_begin = i + 1;
        }
    reading->line_at = offset;
    return (uint32_t)reading->line;
}

/* The declared name inside a declarator, without template arguments. */
static struct sl_view declared_name(const struct sl_tree *tree,
                                    struct sl_node declarator)
{
    for (size_t i = 0; i < 16; i++) {
        struct sl_node inner = sl_node_field(declarator, "declarator");
        if (!inner.id && sl_node_is(declarator, "reference_declarator"))
            inner = sl_node_child(declarator, 0);
        if (!inner.id)
            break;
        declarator = inner;
    }
    struct sl_view name = sl_node_text(tree, declarator);
    size_t cut = sl_view_find(name, SL_LIT("<"), 0);
    if (cut != SIZE_MAX)
        name = sl_view_sub(name, 0, cut);
    return name.len > 80 || sl_view_find(name, SL_LIT("\n"), 0) != SIZE_MAX ||
                   sl_view_find(name, SL_LIT("("), 0) != SIZE_MAX
               ? SL_LIT("")
               : name;
}

struct sl_view sl_scope_of(const struct sl_reading *reading)
{
    for (size_t up = 0;
         up < reading->walk.depth && up < SL_MAX_SCOPE_STEPS; up++) {
        const struct sl_step *step = sl_walk_up(&reading->walk, up);
        const char *field = NULL;
        if (!sl_view_starts(sl_view_of(step->type), "function_def") &&
            !sl_view_starts(sl_view_of(step->type), "preproc_"))
            continue;
        if (sl_node_is(step->node, "preproc_function_def") ||
            sl_node_is(step->node, "preproc_def"))
            field = "name";
        else if (sl_node_is(step->node, "function_definition"))
            field = reading->language == SL_LANGUAGE_PYTHON ? "name"
                                                            : "declarator";
        if (!field)
            continue;
        struct sl_node name = sl_node_field(step->node, field);
        return declared_name(reading->tree, name);
    }
    return SL_LIT("");
}

/* What a step adds to the names around; empty: nothing. */
static struct sl_view around_by(const struct sl_reading *reading, size_t i)
{
    static const char *const holders[] = {
        "namespace_definition", "class_specifier", "struct_specifier",
        "union_specifier"};
    const struct sl_step *step = &reading->walk.path[i];
    const struct sl_step *next = &reading->walk.path[i + 1];
    struct sl_view type = sl_view_of(step->type);
    if (sl_view_is(type, "function_definition")) {
        struct sl_view name = declared_name(
            reading->tree, sl_node_field(step->node, "declarator"));
        size_t cut = name.len;
        while (cut && name.ptr[cut - 1] != ':')
            cut--;
        return sl_view_sub(name, 0, cut > 2 ? cut - 2 : 0);
    }
    if (!next->field || !sl_view_is(sl_view_of(next->field), "body"))
        return SL_LIT("");
    for (size_t k = 0; k < sizeof holders / sizeof *holders; k++)
        if (sl_view_is(type, holders[k]))
            return declared_name(reading->tree,
                                 sl_node_field(step->node, "name"));
    return SL_LIT("");
}

static bool has_bases(struct sl_node node)
{
    for (size_t i = 0; i < 4 && i < sl_node_count(node); i++)
        if (sl_node_is(sl_node_child(node, i), "base_class_clause"))
            return true;
    return false;
}

struct sl_view sl_around(const struct sl_reading *reading, bool *inherits_out)
{
    struct sl_buf buf;
    *inherits_out = false;
    if (sl_up_is(reading, 1, "preproc_def") ||
        sl_up_is(reading, 1, "preproc_function_def"))
        return SL_LIT(""); /* macros know no scopes */
    sl_buf_init(&buf, SL_MAX_USAGE_NAME);
    for (size_t i = 0;
         i + 1 < reading->walk.depth && i < SL_MAX_SCOPE_STEPS; i++) {
        struct sl_view name = around_by(reading, i);
        if (!name.len)
            continue;
        sl_buf_printf(&buf, "%s%.*s", buf.len ? "::" : "", SL_ARG(name));
        *inherits_out = has_bases(reading->walk.path[i].node);
    }
    struct sl_view all = SL_LIT("");
    if (buf.len && !buf.failed)
        all = sl_arena_copy(reading->arena, sl_buf_view(&buf));
    sl_buf_release(&buf);
    return all.ptr ? all : SL_LIT("");
}

void sl_macro_body_close(struct sl_macro_body *macro)
{
    if (!macro->tree)
        return;
    sl_walk_close(&macro->walk);
    sl_tree_free(macro->tree);
    *macro = (struct sl_macro_body){.tree = NULL};
}

enum sl_status sl_tell(struct sl_reading *reading, enum sl_use_kind kind,
                       struct sl_view name, size_t offset, struct sl_view how,
                       struct sl_view value, struct sl_error *error)
{
    if (reading->uses->len - reading->first_use >= SL_MAX_FILE_USES)
        return sl_error_set(error, SL_ERR_LIMIT,
                            "more than %u uses in one file", SL_MAX_FILE_USES);
    struct sl_use use = {
        .name = name,
        .scope = reading->tree ? sl_scope_of(reading) : SL_LIT(""),
        .how = how,
        .value = value,
        .line = sl_line_of(reading, offset),
        .kind = (unsigned char)kind,
        .language = (unsigned char)reading->language,
        .global = reading->global,
        .is_internal = reading->is_internal,
    };
    if (reading->tree && reading->language == SL_LANGUAGE_CUDA)
        use.around = sl_around(reading, &use.inherits);
    else
        use.around = SL_LIT("");
    use.column = (uint32_t)(offset - reading->line_begin + 1);
    reading->global = false;
    reading->is_internal = false;
    return sl_uses_add(reading->uses, &use, error);
}

static size_t skip_blank(struct sl_view text, size_t at, size_t limit)
{
    while (at < limit && (text.ptr[at] == ' ' || text.ptr[at] == '\t'))
        at++;
    return at;
}

static size_t skip_word(struct sl_view text, size_t at, size_t limit)
{
    while (at < limit && sl_is_word(text.ptr[at]))
        at++;
    return at;
}

/* After ` ## ` that begins at or after `at`; `at` when there is none. */
static size_t skip_paste(struct sl_view text, size_t at, size_t limit)
{
    size_t sharp = skip_blank(text, at, limit);
    if (sharp + 1 >= limit || text.ptr[sharp] != '#' ||
        text.ptr[sharp + 1] != '#')
        return at;
    return skip_blank(text, sharp + 2, limit);
}

/* One joint after `at`: what is pasted or filled in there; or `at`. */
static size_t skip_joint(const struct sl_reading *reading, size_t at,
                         size_t limit)
{
    struct sl_view text = reading->text;
    if (reading->in_macro) {
        size_t operand = skip_paste(text, at, limit);
        return operand > at ? skip_word(text, operand, limit) : at;
    }
    if (at < limit && text.ptr[at] == '{') {
        size_t close = sl_view_find(text, SL_LIT("}"), at);
        return close < limit ? close + 1 : at;
    }
    if (at + 1 < limit && text.ptr[at] == '%' && text.ptr[at + 1] == 's')
        return at + 2;
    return at;
}

struct sl_view sl_joined(struct sl_reading *reading,
                         const struct sl_word *word, size_t limit,
                         size_t *end_out)
{
    struct sl_view plain = sl_word_text(reading, word);
    struct sl_buf buf;
    size_t at = word->end;
    *end_out = at;
    if (limit > reading->text.len)
        limit = reading->text.len;
    sl_buf_init(&buf, SL_MAX_USAGE_NAME * 2);
    for (size_t joint = skip_joint(reading, at, limit); joint > at;
         joint = skip_joint(reading, at, limit)) {
        if (buf.len == 0)
            sl_buf_add(&buf, plain);
        if (buf.ptr && buf.ptr[buf.len - 1] != '*')
            sl_buf_putc(&buf, '*');
        if (reading->in_macro) {
            size_t tail = skip_paste(reading->text, joint, limit);
            joint = tail;
        }
        at = skip_word(reading->text, joint, limit);
        sl_buf_add(&buf, sl_view_sub(reading->text, joint, at));
    }
    *end_out = at;
    struct sl_view joined = plain;
    if (buf.len && !buf.failed)
        joined = sl_arena_copy(reading->arena, sl_buf_view(&buf));
    sl_buf_release(&buf);
    return joined.ptr ? joined : plain;
}
