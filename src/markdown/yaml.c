#include "markdown/yaml.h"

#include <string.h>
#include <yaml.h>

#include "base/limits.h"

struct builder {
    struct sl_arena *arena;
    struct sl_yaml *root;
    struct level {
        struct sl_yaml *node;
        struct sl_yaml *last; /* last child, to append after */
        struct sl_view key;   /* read, its value still to come */
        unsigned key_line;
        bool has_key;
    } stack[SL_MAX_YAML_DEPTH];
    size_t depth;
    size_t nodes;
};

static enum sl_status syntax(struct sl_error *error, unsigned line,
                             const char *what)
{
    return sl_error_set(error, SL_ERR_SYNTAX, "line %u: %s", line, what);
}

static enum sl_status add(struct builder *b, struct sl_yaml node,
                          struct sl_yaml **added_out, struct sl_error *error)
{
    if (++b->nodes > SL_MAX_YAML_NODES)
        return sl_error_set(error, SL_ERR_LIMIT,
                            "line %u: more than %u YAML nodes", node.line,
                            SL_MAX_YAML_NODES);
    struct sl_yaml *added = sl_arena_alloc(b->arena, sizeof *added);
    if (!added)
        return sl_error_nomem(error);
    *added = node;
    *added_out = added;
    if (b->depth == 0) {
        b->root = added;
        return SL_OK;
    }
    struct level *level = &b->stack[b->depth - 1];
    if (level->node->kind == SL_YAML_MAP) {
        added->key = level->key;
        added->line = level->key_line; /* the value may begin below */
        level->has_key = false;
    }
    if (level->last)
        level->last->next = added;
    else
        level->node->child = added;
    level->last = added;
    return SL_OK;
}

/* A scalar where a map expects a key. */
static enum sl_status take_key(struct builder *b, struct sl_view text,
                               unsigned line, struct sl_error *error)
{
    struct level *level = &b->stack[b->depth - 1];
    for (const struct sl_yaml *c = level->node->child; c; c = c->next)
        if (sl_view_eq(c->key, text))
            return sl_error_set(error, SL_ERR_SYNTAX,
                                "line %u: the key '%.*s' stands here twice",
                                line, SL_ARG(sl_view_sub(text, 0, 80)));
    level->key = text;
    level->key_line = line;
    level->has_key = true;
    return SL_OK;
}

static bool wants_key(const struct builder *b)
{
    return b->depth && b->stack[b->depth - 1].node->kind == SL_YAML_MAP &&
           !b->stack[b->depth - 1].has_key;
}

static enum sl_status on_scalar(struct builder *b, const yaml_event_t *event,
                                unsigned line, struct sl_error *error)
{
    if (event->data.scalar.anchor || event->data.scalar.tag)
        return syntax(error, line, "anchors and tags are not allowed");
    struct sl_view text = sl_arena_copy(
        b->arena, (struct sl_view){(const char *)event->data.scalar.value,
                                   event->data.scalar.length});
    if (!text.ptr)
        return sl_error_nomem(error);
    if (wants_key(b))
        return take_key(b, text, line, error);
    struct sl_yaml *added = NULL;
    return add(b,
               (struct sl_yaml){
                   .kind = SL_YAML_TEXT,
                   .line = line,
                   .text = text,
                   .is_plain = event->data.scalar.style ==
                               YAML_PLAIN_SCALAR_STYLE},
               &added, error);
}

static enum sl_status on_open(struct builder *b, enum sl_yaml_kind kind,
                              bool decorated, unsigned line,
                              struct sl_error *error)
{
    if (decorated)
        return syntax(error, line, "anchors and tags are not allowed");
    if (wants_key(b))
        return syntax(error, line, "a key must be plain text");
    if (b->depth == SL_MAX_YAML_DEPTH)
        return sl_error_set(error, SL_ERR_LIMIT,
                            "line %u: nested more than %u deep", line,
                            SL_MAX_YAML_DEPTH);
    struct sl_yaml *added = NULL;
    enum sl_status status =
        add(b, (struct sl_yaml){.kind = kind, .line = line}, &added, error);
    if (!status)
        b->stack[b->depth++] = (struct level){.node = added};
    return status;
}

static enum sl_status on_event(struct builder *b, const yaml_event_t *event,
                               struct sl_error *error)
{
    unsigned line = (unsigned)event->start_mark.line + 1;
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (b->root)
            return syntax(error, line, "a second document begins here");
        return SL_OK;
    case YAML_ALIAS_EVENT:
        return syntax(error, line, "aliases are not allowed");
    case YAML_SCALAR_EVENT:
        return on_scalar(b, event, line, error);
    case YAML_SEQUENCE_START_EVENT:
        return on_open(b, SL_YAML_LIST,
                       event->data.sequence_start.anchor ||
                           event->data.sequence_start.tag,
                       line, error);
    case YAML_MAPPING_START_EVENT:
        return on_open(b, SL_YAML_MAP,
                       event->data.mapping_start.anchor ||
                           event->data.mapping_start.tag,
                       line, error);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        b->depth--;
        return SL_OK;
    default:
        return SL_OK;
    }
}

static enum sl_status run(yaml_parser_t *parser, struct builder *b,
                          struct sl_error *error)
{
    for (;;) {
        yaml_event_t event;
        if (!yaml_parser_parse(parser, &event))
            return sl_error_set(
                error, SL_ERR_SYNTAX, "line %zu: not YAML: %s",
                parser->problem_mark.line + 1,
                parser->problem ? parser->problem : "unreadable");
        bool end = event.type == YAML_STREAM_END_EVENT;
        enum sl_status status = on_event(b, &event, error);
        yaml_event_delete(&event);
        if (status || end)
            return status;
    }
}

enum sl_status sl_yaml_parse(struct sl_arena *arena, struct sl_view text,
                             const struct sl_yaml **root_out,
                             struct sl_error *error)
{
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser))
        return sl_error_nomem(error);
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text.ptr,
                                 text.len);
    struct builder b = {.arena = arena};
    enum sl_status status = run(&parser, &b, error);
    yaml_parser_delete(&parser);
    if (status)
        return status;
    if (!b.root) {
        b.root = sl_arena_alloc(arena, sizeof *b.root);
        if (!b.root)
            return sl_error_nomem(error);
        *b.root = (struct sl_yaml){.kind = SL_YAML_MAP, .line = 1};
    }
    *root_out = b.root;
    return SL_OK;
}

const struct sl_yaml *sl_yaml_get(const struct sl_yaml *map, const char *key)
{
    if (!map || map->kind != SL_YAML_MAP)
        return NULL;
    for (const struct sl_yaml *c = map->child; c; c = c->next)
        if (sl_view_is(c->key, key))
            return c;
    return NULL;
}

struct sl_view sl_yaml_text(const struct sl_yaml *map, const char *key)
{
    const struct sl_yaml *node = sl_yaml_get(map, key);
    return node && node->kind == SL_YAML_TEXT ? node->text
                                              : (struct sl_view){NULL, 0};
}
