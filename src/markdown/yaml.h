/*
 * A small subset of YAML as a tree: maps, lists and text. Anchors, aliases and
 * tags are refused, keys are unique, every scalar is text (`3.10`, `no`).
 */
#ifndef SL_MARKDOWN_YAML_H
#define SL_MARKDOWN_YAML_H

#include "base/arena.h"
#include "base/status.h"

enum sl_yaml_kind { SL_YAML_TEXT, SL_YAML_LIST, SL_YAML_MAP };

struct sl_yaml {
    enum sl_yaml_kind kind;
    unsigned line;         /* 1-based, in the parsed text; of a map's child: of
                              its key */
    struct sl_view key;    /* of a map's child, otherwise empty */
    struct sl_view text;   /* of SL_YAML_TEXT */
    bool is_plain;         /* written without quotes or block marks */
    bool is_flow;          /* a list or a map written as [a] or {a: b} */
    unsigned column;       /* of a list or a map: where it begins, 0-based */
    struct sl_yaml *child; /* first child of a list or a map */
    struct sl_yaml *next;  /* next sibling */
};

/*
 * Parses one document. An empty one gives an empty map. Everything lives in the
 * arena. SL_ERR_SYNTAX messages begin with "line N: ".
 */
SL_CHECKED enum sl_status sl_yaml_parse(struct sl_arena *arena,
                                        struct sl_view text,
                                        const struct sl_yaml **root_out,
                                        struct sl_error *error);

/*
 * The line of the first tab outside of quotes, block text and comments, 0 where there
 * is none: libyaml takes such a tab for white space, other readers refuse it. The
 * text is one that could be parsed.
 */
unsigned sl_yaml_tab(struct sl_view text);

/* The child of a map with that key, or NULL (also when map is NULL). */
const struct sl_yaml *sl_yaml_get(const struct sl_yaml *map, const char *key);

/* The text under that key, or an empty view with NULL ptr. */
struct sl_view sl_yaml_text(const struct sl_yaml *map, const char *key);

#endif
