#include "mcp/schema.h"

#include <inttypes.h>

#include "base/limits.h"
#include "base/utf8.h"

/* A value to be checked, and what to call it. */
struct task {
    const struct sl_json *schema, *value;
    struct sl_view name;
    struct sl_error *error;
};

static enum sl_status wrong_limit(const struct task *task, const char *what,
                                  int64_t number)
{
    return sl_error_set(task->error, SL_ERR_USAGE, "%.*s must %s %" PRId64,
                        SL_ARG(sl_view_sub(task->name, 0, 100)), what, number);
}

static bool has_type(const struct sl_json *value, struct sl_view type)
{
    struct sl_view text;
    int64_t number;
    bool yes;
    return (sl_view_is(type, "object") && sl_json_is_object(value)) ||
           (sl_view_is(type, "array") && sl_json_is_array(value)) ||
           (sl_view_is(type, "string") && sl_json_text(value, &text)) ||
           (sl_view_is(type, "integer") && sl_json_integer(value, &number)) ||
           (sl_view_is(type, "boolean") && sl_json_bool(value, &yes));
}

/* Lengths are counted in characters, as clients do that check them too. */
static int64_t characters(struct sl_view text)
{
    int64_t count = 0;
    for (size_t at = 0; at < text.len; count++) {
        size_t n = sl_utf8_length(text, at);
        at += n ? n : 1;
    }
    return count;
}

/* `measure` of the value against two limits of the schema. */
static enum sl_status check_range(const struct task *task, int64_t measure,
                                  const char *const keys[2],
                                  const char *const words[2])
{
    int64_t limit;
    if (sl_json_integer(sl_json_get(task->schema, keys[0]), &limit) &&
        measure < limit)
        return wrong_limit(task, words[0], limit);
    if (sl_json_integer(sl_json_get(task->schema, keys[1]), &limit) &&
        measure > limit)
        return wrong_limit(task, words[1], limit);
    return SL_OK;
}

static enum sl_status check_enum(const struct task *task, struct sl_view text)
{
    const struct sl_json *values = sl_json_get(task->schema, "enum");
    struct sl_buf known;
    struct sl_view other;
    sl_buf_init(&known, 500);
    for (size_t i = 0; i < sl_json_count(values); i++) {
        if (!sl_json_text(sl_json_at(values, i), &other))
            continue;
        if (sl_view_eq(text, other)) {
            sl_buf_release(&known);
            return SL_OK;
        }
        sl_buf_printf(&known, "%s%.*s", known.len ? ", " : "", SL_ARG(other));
    }
    enum sl_status status =
        known.len ? sl_error_set(task->error, SL_ERR_USAGE,
                                 "%.*s must be one of: %s", SL_ARG(task->name),
                                 known.ptr)
                  : SL_OK;
    sl_buf_release(&known);
    return status;
}

static enum sl_status check_limits(const struct task *task)
{
    static const char *const lengths[2] = {"minLength", "maxLength"};
    static const char *const counts[2] = {"minItems", "maxItems"};
    static const char *const bounds[2] = {"minimum", "maximum"};
    static const char *const long_words[2] = {
        "have a length of at least", "have a length of at most"};
    static const char *const many_words[2] = {
        "have this many elements at least:",
        "have this many elements at most:"};
    static const char *const large_words[2] = {"be at least", "be at most"};
    struct sl_view text;
    int64_t number;
    if (sl_json_text(task->value, &text)) {
        enum sl_status status =
            check_range(task, characters(text), lengths, long_words);
        return status ? status : check_enum(task, text);
    }
    if (sl_json_integer(task->value, &number))
        return check_range(task, number, bounds, large_words);
    if (sl_json_is_array(task->value))
        return check_range(task, (int64_t)sl_json_count(task->value), counts,
                           many_words);
    return SL_OK;
}

static enum sl_status check_required(const struct task *task)
{
    const struct sl_json *names = sl_json_get(task->schema, "required");
    struct sl_view name;
    for (size_t i = 0; i < sl_json_count(names); i++)
        if (sl_json_text(sl_json_at(names, i), &name) &&
            !sl_json_get(task->value, name.ptr))
            return sl_error_set(task->error, SL_ERR_USAGE,
                                "the argument '%.*s' is missing",
                                SL_ARG(name));
    return SL_OK;
}

/* The names that a caller may use, for whoever used another one. */
static enum sl_status unknown(const struct task *task, struct sl_view key,
                              const struct sl_json *properties)
{
    struct sl_buf known;
    struct sl_view name;
    const struct sl_json *value;
    sl_buf_init(&known, 500);
    for (void *at = NULL; sl_json_each(properties, &at, &name, &value);)
        sl_buf_printf(&known, "%s%.*s", known.len ? ", " : "", SL_ARG(name));
    enum sl_status status =
        sl_error_set(task->error, SL_ERR_USAGE,
                     "there is no argument '%.*s'; there are: %s",
                     SL_ARG(sl_view_sub(key, 0, 100)),
                     known.ptr ? known.ptr : "none");
    sl_buf_release(&known);
    return status;
}

static enum sl_status check_value(const struct task *task, unsigned depth);

static enum sl_status check_members(const struct task *task, unsigned depth)
{
    const struct sl_json *properties = sl_json_get(task->schema, "properties");
    struct sl_view key;
    const struct sl_json *value;
    enum sl_status status = check_required(task);
    for (void *at = NULL;
         !status && sl_json_each(task->value, &at, &key, &value);) {
        /* keys and texts of jansson end with a NUL */
        const struct sl_json *schema = sl_json_get(properties, key.ptr);
        struct task member = {schema, value, key, task->error};
        status = schema ? check_value(&member, depth + 1)
                        : unknown(task, key, properties);
    }
    return status;
}

/* Goes as deep as the schema does, which this program brings along. */
static enum sl_status check_value(const struct task *task, unsigned depth)
{
    struct sl_view type = sl_json_member(task->schema, "type");
    const struct sl_json *items = sl_json_get(task->schema, "items");
    if (depth >= SL_MAX_MCP_SCHEMA_DEPTH)
        return sl_error_set(task->error, SL_ERR_INTERNAL,
                            "a schema is too deep");
    if (!has_type(task->value, type))
        return sl_error_set(task->error, SL_ERR_USAGE,
                            "%.*s must be of type %.*s",
                            SL_ARG(sl_view_sub(task->name, 0, 100)),
                            SL_ARG(type));
    enum sl_status status = check_limits(task);
    if (!status && sl_json_is_object(task->value))
        status = check_members(task, depth);
    if (sl_json_is_array(task->value) && items) {
        for (size_t i = 0; !status && i < sl_json_count(task->value); i++) {
            struct task item = {items, sl_json_at(task->value, i), task->name,
                                task->error};
            status = check_value(&item, depth + 1);
        }
    }
    return status;
}

enum sl_status sl_schema_check(const struct sl_json *schema,
                               const struct sl_json *value,
                               struct sl_error *error)
{
    return check_value(
        &(struct task){schema, value, SL_LIT("arguments"), error}, 0);
}
