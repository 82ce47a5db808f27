#include "json/json.h"

#include <jansson.h>

/* No struct sl_json is ever made: the pointers are jansson's. */
static json_t *inner(const struct sl_json *node)
{
    return (json_t *)node;
}

static const struct sl_json *outer(json_t *node)
{
    return (const struct sl_json *)node;
}

static enum sl_status parse(struct sl_view text, size_t flags,
                            struct sl_json **root_out, struct sl_error *error)
{
    json_error_t why;
    json_t *root =
        json_loadb(text.len ? text.ptr : "", text.len, flags, &why);
    if (!root && json_error_code(&why) == json_error_out_of_memory)
        return sl_error_nomem(error);
    if (!root)
        return sl_error_set(error, SL_ERR_SYNTAX, "line %d: not JSON: %s",
                            why.line > 0 ? why.line : 1, why.text);
    *root_out = (struct sl_json *)root;
    return SL_OK;
}

enum sl_status sl_json_parse(struct sl_view text, struct sl_json **root_out,
                             struct sl_error *error)
{
    return parse(text, JSON_REJECT_DUPLICATES, root_out, error);
}

enum sl_status sl_json_parse_nul(struct sl_view text, struct sl_json **root_out,
                                 struct sl_error *error)
{
    return parse(text, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, root_out,
                 error);
}

struct sl_json *sl_json_keep(const struct sl_json *node)
{
    return (struct sl_json *)json_incref(inner(node));
}

void sl_json_release(struct sl_json *root)
{
    json_decref(inner(root));
}

const struct sl_json *sl_json_get(const struct sl_json *node, const char *key)
{
    return outer(json_object_get(inner(node), key));
}

size_t sl_json_count(const struct sl_json *node)
{
    return json_is_array(inner(node)) ? json_array_size(inner(node))
                                      : json_object_size(inner(node));
}

const struct sl_json *sl_json_at(const struct sl_json *node, size_t index)
{
    return outer(json_array_get(inner(node), index));
}

bool sl_json_is_object(const struct sl_json *node)
{
    return json_is_object(inner(node));
}

bool sl_json_is_array(const struct sl_json *node)
{
    return json_is_array(inner(node));
}

bool sl_json_is_null(const struct sl_json *node)
{
    return json_is_null(inner(node));
}

bool sl_json_text(const struct sl_json *node, struct sl_view *text_out)
{
    if (!json_is_string(inner(node)))
        return false;
    *text_out = (struct sl_view){json_string_value(inner(node)),
                                 json_string_length(inner(node))};
    return true;
}

bool sl_json_real(const struct sl_json *node, double *number_out)
{
    if (!json_is_number(inner(node)))
        return false;
    *number_out = json_number_value(inner(node));
    return true;
}

bool sl_json_integer(const struct sl_json *node, int64_t *number_out)
{
    if (json_is_integer(inner(node))) {
        *number_out = json_integer_value(inner(node));
        return true;
    }
    /* 1.0 is an integer too, as JSON Schema has it; above this no longer surely */
    double limit = 9007199254740992.0, value = 0.5;
    if (!sl_json_real(node, &value) || value < -limit || value > limit ||
        (double)(int64_t)value < value || (double)(int64_t)value > value)
        return false;
    *number_out = (int64_t)value;
    return true;
}

bool sl_json_bool(const struct sl_json *node, bool *value_out)
{
    if (!json_is_boolean(inner(node)))
        return false;
    *value_out = json_is_true(inner(node));
    return true;
}

static int put(const char *bytes, size_t len, void *out)
{
    sl_buf_add(out, (struct sl_view){bytes, len});
    return 0;
}

void sl_json_put(struct sl_buf *out, const struct sl_json *node)
{
    if (json_dump_callback(inner(node), put, out,
                           JSON_COMPACT | JSON_ENCODE_ANY) &&
        !out->failed)
        out->failed = SL_ERR_NOMEM;
}

struct sl_view sl_json_member(const struct sl_json *node, const char *key)
{
    struct sl_view text = {NULL, 0};
    (void)sl_json_text(sl_json_get(node, key), &text);
    return text;
}

bool sl_json_each(const struct sl_json *object, void **cursor,
                  struct sl_view *key_out, const struct sl_json **value_out)
{
    /* jansson's iterators take a json_t *, and change nothing in it */
    json_t *node = (json_t *)(uintptr_t)inner(object);
    if (!json_is_object(node))
        return false;
    *cursor = *cursor ? json_object_iter_next(node, *cursor)
                      : json_object_iter(node);
    if (!*cursor)
        return false;
    *key_out = sl_view_of(json_object_iter_key(*cursor));
    *value_out = (const struct sl_json *)json_object_iter_value(*cursor);
    return true;
}
