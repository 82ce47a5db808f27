/*
 * Checked reading of JSON: every getter says whether the value is there and of
 * the wanted kind. Strict: UTF-8 only, no duplicate keys, no trailing text, no
 * NUL in strings, nesting capped by the library. Views and nodes live until
 * sl_json_release().
 */
#ifndef SL_JSON_JSON_H
#define SL_JSON_JSON_H

#include "base/buf.h"
#include "base/status.h"

/* A value inside a document; NULL where there is none. */
struct sl_json;

/* Messages begin "line N: ". The caller has capped the size. */
SL_CHECKED enum sl_status sl_json_parse(struct sl_view text,
                                        struct sl_json **root_out,
                                        struct sl_error *error);

/* The same, but texts may hold NUL (keys may not), as JSON itself has it. */
SL_CHECKED enum sl_status sl_json_parse_nul(struct sl_view text,
                                            struct sl_json **root_out,
                                            struct sl_error *error);

/* A value that outlives its document, until it is released too. */
struct sl_json *sl_json_keep(const struct sl_json *node);

/* root: what sl_json_parse() or sl_json_keep() gave; NULL is allowed. */
void sl_json_release(struct sl_json *root);

/* The member of an object, or NULL (also when node is NULL or no object). */
const struct sl_json *sl_json_get(const struct sl_json *node, const char *key);

/* Elements of an array or members of an object; 0 for anything else. */
size_t sl_json_count(const struct sl_json *node);

/* An element of an array, or NULL. */
const struct sl_json *sl_json_at(const struct sl_json *node, size_t index);

/*
 * The members of an object, one a call, in the order of the text; *cursor is NULL at
 * first. False at the end, and for anything but an object.
 */
bool sl_json_each(const struct sl_json *object, void **cursor,
                  struct sl_view *key_out, const struct sl_json **value_out);

bool sl_json_is_object(const struct sl_json *node);
bool sl_json_is_array(const struct sl_json *node);
bool sl_json_is_null(const struct sl_json *node);

/* False, and nothing written, when node is NULL or of another kind. */
bool sl_json_text(const struct sl_json *node, struct sl_view *text_out);
/* 4096.0 and 4e3 are integers too, up to 2^53. */
bool sl_json_integer(const struct sl_json *node, int64_t *number_out);
bool sl_json_real(const struct sl_json *node, double *number_out);
bool sl_json_bool(const struct sl_json *node, bool *value_out);

/* Appends the value as JSON on one line, members in their order. */
void sl_json_put(struct sl_buf *out, const struct sl_json *node);

/* The text of a member, or an empty view with NULL ptr. */
struct sl_view sl_json_member(const struct sl_json *node, const char *key);

#endif
