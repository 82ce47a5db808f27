/*
 * Checks a value against the part of JSON Schema that tools' definitions use: type,
 * properties, required, additionalProperties: false, items, enum, minimum, maximum,
 * minLength, maxLength, minItems, maxItems. So what a client reads is what is checked.
 */
#ifndef SL_MCP_SCHEMA_H
#define SL_MCP_SCHEMA_H

#include "base/status.h"
#include "json/json.h"

/*
 * SL_ERR_USAGE with what is wrong where, in words that help to mend it. Lengths of
 * strings are bytes here. The depth that is looked at is the schema's, which is ours.
 */
SL_CHECKED enum sl_status sl_schema_check(const struct sl_json *schema,
                                          const struct sl_json *value,
                                          struct sl_error *error);

#endif
