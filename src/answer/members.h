/* Members of JSON objects that several answers share. */
#ifndef SL_ANSWER_MEMBERS_H
#define SL_ANSWER_MEMBERS_H

#include "api/users.h"
#include "base/buf.h"
#include "search/index.h"

/* "key":"value", or null where value.ptr is NULL; next: with a comma before it. */
void sl_put_member(struct sl_buf *out, const char *key, struct sl_view value);
void sl_put_next(struct sl_buf *out, const char *key, struct sl_view value);

/* A field of a table: ptr NULL where it is empty or "-". */
struct sl_view sl_or_null(struct sl_view value);

/* ,"uses":[...] and ,"sections":[...] */
void sl_put_uses(struct sl_buf *out, const struct sl_users *rows);
void sl_put_sections(struct sl_buf *out, const struct sl_mentions *sections);

#endif
