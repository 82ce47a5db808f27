/* Strings: an environment variable, a name to look up, source, or prose. */
#include "base/limits.h"
#include "usage/inside.h"

static bool has(struct sl_view text, const char *needle)
{
    return sl_view_find(text, sl_view_of(needle), 0) != SIZE_MAX;
}

/* Lower case of at most n bytes, for comparing. */
struct lowered {
    char text[96];
};

static struct sl_view lower(struct sl_view text, struct lowered *room)
{
    size_t n = text.len < sizeof room->text ? text.len : sizeof room->text;
    for (size_t i = 0; i < n; i++)
        room->text[i] = sl_lower(text.ptr[i]);
    return (struct sl_view){room->text, n};
}

/* What comes after the last `.`, `:` or `>` of a callee. */
static struct sl_view last_part(struct sl_view callee)
{
    size_t at = callee.len;
    while (at && sl_is_word(callee.ptr[at - 1]))
        at--;
    return sl_view_sub(callee, at, callee.len);
}

/* What a callee does to the environment; SL_USE_KINDS: nothing. */
static enum sl_use_kind env_kind(struct sl_view callee)
{
    struct lowered room, last_room;
    struct sl_view all = lower(callee, &room);
    size_t cut = sl_view_find(all, SL_LIT("<"), 0);
    if (cut != SIZE_MAX)
        all = sl_view_sub(all, 0, cut);
    struct sl_view last = lower(last_part(all), &last_room);
    if (!has(all, "env"))
        return SL_USE_KINDS;
    if (has(last, "unset") || has(last, "pop") || has(last, "del"))
        return SL_USE_ENV_UNSET;
    if ((has(last, "set") || has(last, "put")) && !has(last, "get"))
        return SL_USE_ENV_SET;
    return SL_USE_ENV_READ;
}

/* The named children of an argument list, comments left out. */
static struct sl_node argument(struct sl_node list, size_t wanted)
{
    size_t n = sl_node_count(list);
    for (size_t i = 0; i < n; i++) {
        struct sl_node child = sl_node_child(list, i);
        if (sl_node_is(child, "comment"))
            continue;
        if (wanted-- == 0)
            return child;
    }
    return (struct sl_node){.id = NULL};
}

static bool is_call(struct sl_node node)
{
    return sl_node_is(node, "call_expression") || sl_node_is(node, "call");
}

/* module.def("x", ...) of pybind11, m.impl("x", ...) of torch. */
static bool is_binding(struct sl_view callee)
{
    struct sl_view last = last_part(callee);
    return sl_view_is(last, "def") || sl_view_is(last, "impl") ||
           sl_view_starts(last, "def_");
}

/* A variable by its name in a call: getenv("X"), os.environ.get("X", "1"). */
static enum sl_status tell_env_call(struct sl_reading *reading,
                                    struct sl_node call, struct sl_view name,
                                    size_t offset, bool *told_out,
                                    struct sl_error *error)
{
    struct sl_view callee =
        sl_node_text(reading->tree, sl_node_field(call, "function"));
    enum sl_use_kind kind = env_kind(callee);
    *told_out = kind != SL_USE_KINDS;
    if (!*told_out && is_binding(callee)) {
        *told_out = true;
        return sl_tell(reading, SL_USE_MEMBER, name, offset, SL_LIT("bound"),
                       SL_LIT(""), error);
    }
    if (!*told_out)
        return SL_OK;
    struct sl_node value = argument(sl_node_field(call, "arguments"), 1);
    return sl_tell(reading, kind, name, offset, callee,
                   kind == SL_USE_ENV_UNSET
                       ? SL_LIT("")
                       : sl_node_text(reading->tree, value),
                   error);
}

/* os.environ["X"], on the left of `=` or not; `up` is the subscript's. */
static enum sl_status tell_env_index(struct sl_reading *reading, size_t up,
                                     struct sl_view name, size_t offset,
                                     bool *told_out, struct sl_error *error)
{
    const struct sl_step *step = sl_walk_up(&reading->walk, up);
    struct sl_node of = sl_node_field(step->node, "value");
    if (!of.id)
        of = sl_node_field(step->node, "argument"); /* C++ */
    struct sl_view what = sl_node_text(reading->tree, of);
    struct lowered room;
    *told_out = has(lower(what, &room), "env");
    if (!*told_out)
        return SL_OK;
    enum sl_use_kind kind = SL_USE_ENV_READ;
    struct sl_view value = SL_LIT("");
    const struct sl_step *parent = sl_walk_up(&reading->walk, up + 1);
    if (parent && sl_up_field(reading, up, "left")) {
        kind = SL_USE_ENV_SET;
        value = sl_node_text(reading->tree,
                             sl_node_field(parent->node, "right"));
    } else if (parent && sl_node_is(parent->node, "delete_statement")) {
        kind = SL_USE_ENV_UNSET;
    }
    return sl_tell(reading, kind, name, offset, what, value, error);
}

static bool names_env(const struct sl_reading *reading, struct sl_node node)
{
    struct lowered room;
    return has(lower(sl_node_text(reading->tree, node), &room), "env");
}

/* env=NAME or environ.update(NAME) anywhere in the file. */
static bool is_passed_as_env(const struct sl_reading *reading,
                             struct sl_view name)
{
    static const char *const before[] = {"env=", "env = ", "environ.update(",
                                         "env.update("};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        struct sl_view form = sl_view_of(before[i]);
        size_t at = sl_view_find(reading->text, form, 0);
        for (; at != SIZE_MAX;
             at = sl_view_find(reading->text, form, at + 1)) {
            struct sl_view rest = sl_view_sub(
                reading->text, at + form.len, reading->text.len);
            if (rest.len > name.len && !sl_is_word(rest.ptr[name.len]) &&
                sl_view_eq(sl_view_sub(rest, 0, name.len), name))
                return true;
        }
    }
    return false;
}

/* {**os.environ, ...}, os.environ | {...} */
static bool has_env_operand(const struct sl_reading *reading,
                            struct sl_node node)
{
    for (size_t i = 0; i < sl_node_count(node); i++) {
        struct sl_node child = sl_node_child(node, i);
        if (!sl_node_is(child, "pair") && !sl_node_is(child, "dictionary") &&
            names_env(reading, child))
            return true;
    }
    return false;
}

static bool is_any(struct sl_node node, const char *const *types, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (sl_node_is(node, types[i]))
            return true;
    return false;
}

/* The dictionary at `up` is an environment: by where it goes to. */
static bool is_environment(const struct sl_reading *reading, size_t up)
{
    static const char *const through[] = {
        "dictionary", "dictionary_splat", "binary_operator",
        "parenthesized_expression", "conditional_expression"};
    static const char *const sets[] = {"assignment", "augmented_assignment"};
    const struct sl_step *step;
    for (; (step = sl_walk_up(&reading->walk, up)); up++) {
        if (!is_any(step->node, through, sizeof through / sizeof *through))
            break;
        if ((sl_node_is(step->node, "dictionary") ||
             sl_node_is(step->node, "binary_operator")) &&
            has_env_operand(reading, step->node))
            return true;
    }
    if (!step)
        return false;
    if (sl_node_is(step->node, "keyword_argument"))
        return names_env(reading, sl_node_field(step->node, "name"));
    if (sl_node_is(step->node, "pair"))
        return names_env(reading, sl_node_field(step->node, "key"));
    if (is_any(step->node, sets, sizeof sets / sizeof *sets)) {
        struct sl_node left = sl_node_field(step->node, "left");
        return names_env(reading, left) ||
               is_passed_as_env(reading, sl_node_text(reading->tree, left));
    }
    if (sl_node_is(step->node, "return_statement"))
        return has(sl_scope_of(reading), "env");
    const struct sl_step *call = sl_walk_up(&reading->walk, up + 1);
    return call && is_call(call->node) &&
           names_env(reading, sl_node_field(call->node, "function"));
}

/* {"NVSHMEM_X": "1"}: sets it where the dictionary is an environment. */
static enum sl_status tell_key(struct sl_reading *reading, struct sl_view name,
                               size_t offset, size_t literal,
                               struct sl_error *error)
{
    const struct sl_step *pair = sl_walk_up(&reading->walk, literal + 1);
    if (!is_environment(reading, literal + 2))
        return sl_tell(reading, SL_USE_STRING, name, offset, SL_LIT(""),
                       SL_LIT(""), error);
    return sl_tell(
        reading, SL_USE_ENV_SET, name, offset, SL_LIT("dict"),
        sl_node_text(reading->tree, sl_node_field(pair->node, "value")), error);
}

/* Forms in which a whole string is a variable's name. */
static enum sl_status tell_env(struct sl_reading *reading, struct sl_view name,
                               size_t offset, size_t literal, bool *told_out,
                               struct sl_error *error)
{
    *told_out = false;
    const struct sl_step *string = sl_walk_up(&reading->walk, literal);
    const struct sl_step *parent = sl_walk_up(&reading->walk, literal + 1);
    const struct sl_step *above = sl_walk_up(&reading->walk, literal + 2);
    if (!parent)
        return SL_OK;
    if (sl_node_is(parent->node, "argument_list") && above &&
        is_call(above->node) &&
        argument(parent->node, 0).id == string->node.id)
        return tell_env_call(reading, above->node, name, offset, told_out,
                             error);
    if (sl_node_is(parent->node, "subscript"))
        return tell_env_index(reading, literal + 1, name, offset, told_out,
                              error);
    if (sl_node_is(parent->node, "subscript_argument_list") && above)
        return tell_env_index(reading, literal + 2, name, offset, told_out,
                              error);
    if (sl_node_is(parent->node, "comparison_operator")) {
        struct sl_view text = sl_node_text(reading->tree, parent->node);
        *told_out = has(text, "environ");
        return *told_out ? sl_tell(reading, SL_USE_ENV_READ, name, offset,
                                   SL_LIT("in os.environ"), SL_LIT(""), error)
                         : SL_OK;
    }
    if (sl_node_is(parent->node, "pair") && sl_up_field(reading, literal, "key")
        && sl_word_is_variable(name)) {
        *told_out = true;
        return tell_key(reading, name, offset, literal, error);
    }
    return SL_OK;
}

/* "NVSHMEM_X=1 ...", "export NVSHMEM_X=1", but not "-DNVSHMEM_X=1". */
static enum sl_status tell_assignment(struct sl_reading *reading,
                                      const struct sl_word *word,
                                      struct sl_view leaf, size_t leaf_at,
                                      bool *told_out, struct sl_error *error)
{
    size_t at = word->begin - leaf_at;
    size_t after = word->end - leaf_at;
    struct sl_view name = sl_word_text(reading, word);
    *told_out = false;
    if (!sl_word_is_variable(name) || after + 1 >= leaf.len ||
        leaf.ptr[after] != '=' || leaf.ptr[after + 1] == '=' ||
        (at && !sl_is_space(leaf.ptr[at - 1])))
        return SL_OK;
    size_t end = after + 1;
    while (end < leaf.len && !sl_is_space(leaf.ptr[end]))
        end++;
    *told_out = true;
    return sl_tell(reading, SL_USE_ENV_SET, name, word->begin,
                   SL_LIT("string"), sl_view_sub(leaf, after + 1, end), error);
}

/* Text that is no prose: source which calls the word at its end. */
static bool is_source(struct sl_view string, size_t before, size_t after)
{
    if (after >= string.len || string.ptr[after] != '(')
        return false;
    return has(string, ";") || has(string, "{\n") || has(string, "#include") ||
           (has(string, "{") && sl_view_ends(string, ")\"")) ||
           (before < 4 && after + 2 == string.len); /* "name(" + rest */
}

enum sl_status sl_tell_string(struct sl_reading *reading,
                              const struct sl_word *word,
                              struct sl_error *error)
{
    const struct sl_step *step = sl_walk_up(&reading->walk, 0);
    size_t literal = sl_view_ends(sl_view_of(step->type), "_content") ? 1 : 0;
    const struct sl_step *string = sl_walk_up(&reading->walk, literal);
    struct sl_view leaf = sl_view_sub(reading->text, step->begin, step->end);
    struct sl_view name = sl_word_text(reading, word);
    bool told;
    size_t end;
    enum sl_status status =
        tell_assignment(reading, word, leaf, step->begin, &told, error);
    if (status || told)
        return status;
    struct sl_view joined = sl_joined(reading, word, string->end, &end);
    bool whole = word->begin == step->begin && end + 1 >= string->end &&
                 word->begin <= string->begin + 4;
    struct sl_view all =
        sl_view_sub(reading->text, string->begin, string->end);
    enum sl_use_kind kind = SL_USE_STRING;
    if (is_source(all, word->begin - string->begin, end - string->begin))
        kind = SL_USE_GENERATED;
    else if (sl_view_ends(sl_view_sub(all, 0, word->begin - string->begin),
                          "-D"))
        kind = SL_USE_BUILD;
    if (!whole)
        return sl_tell(reading, kind, joined, word->begin, SL_LIT(""),
                       SL_LIT(""), error);
    status = tell_env(reading, name, word->begin, literal, &told, error);
    if (status || told)
        return status;
    bool bare = sl_view_is(joined, "nvshmem") || sl_view_is(joined, "NVSHMEM");
    return sl_tell(reading, bare ? SL_USE_STRING : SL_USE_BY_NAME, joined,
                   word->begin, SL_LIT(""), SL_LIT(""), error);
}

static bool is_capitals(struct sl_view name)
{
    for (size_t i = 0; i < name.len; i++)
        if (!sl_is_upper(name.ptr[i]) && !sl_is_digit(name.ptr[i]) &&
            name.ptr[i] != '_')
            return false;
    return name.len > 1 && sl_is_upper(name.ptr[0]);
}

/* The text of a plain string node, without its quotes and prefix. */
static struct sl_view string_body(struct sl_reading *reading,
                                  struct sl_node string)
{
    struct sl_view text = sl_node_text(reading->tree, string);
    if (text.len < 2 || (!sl_view_ends(text, "\"") && !sl_view_ends(text, "'")))
        return SL_LIT("");
    char quote[2] = {text.ptr[text.len - 1], '\0'};
    size_t open = sl_view_find(text, sl_view_of(quote), 0);
    return open + 1 < text.len ? sl_view_sub(text, open + 1, text.len - 1)
                               : SL_LIT("");
}

enum sl_status sl_tell_any_env(struct sl_reading *reading,
                               const struct sl_word *word,
                               struct sl_error *error)
{
    (void)word;
    for (size_t up = 1; up < 6; up++) {
        const struct sl_step *step = sl_walk_up(&reading->walk, up);
        if (!step || sl_node_is(step->node, "argument_list"))
            break;
        bool told;
        if (is_call(step->node) && sl_up_field(reading, up - 1, "function")) {
            struct sl_node string =
                argument(sl_node_field(step->node, "arguments"), 0);
            struct sl_view name = string_body(reading, string);
            if (!is_capitals(name) || sl_word_is_variable(name))
                return SL_OK;
            return tell_env_call(reading, step->node, name,
                                 sl_node_begin(string), &told, error);
        }
        if (sl_node_is(step->node, "subscript") &&
            sl_up_field(reading, up - 1, "value")) {
            struct sl_node string = sl_node_field(step->node, "subscript");
            struct sl_view name = string_body(reading, string);
            if (!is_capitals(name) || sl_word_is_variable(name))
                return SL_OK;
            return tell_env_index(reading, up, name, sl_node_begin(string),
                                  &told, error);
        }
        if (sl_node_is(step->node, "comparison_operator")) {
            struct sl_node string = sl_node_child(step->node, 0);
            struct sl_view name = string_body(reading, string);
            if (!is_capitals(name) || sl_word_is_variable(name))
                return SL_OK;
            return sl_tell(reading, SL_USE_ENV_READ, name,
                           sl_node_begin(string), SL_LIT("in os.environ"),
                           SL_LIT(""), error);
        }
    }
    return SL_OK;
}
