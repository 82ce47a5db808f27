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

static enum sl_status on_open(struct builder *b, const yaml_event_t *event,
                              unsigned line, struct sl_error *error)
{
    bool list = event->type == YAML_SEQUENCE_START_EVENT;
    bool decorated = list ? event->data.sequence_start.anchor ||
                                event->data.sequence_start.tag
                          : event->data.mapping_start.anchor ||
                                event->data.mapping_start.tag;
    struct sl_yaml node = {
        .kind = list ? SL_YAML_LIST : SL_YAML_MAP,
        .line = line,
        .column = (unsigned)event->start_mark.column,
        .is_flow =
            list ? event->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE
                 : event->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE,
    };
    if (decorated)
        return syntax(error, line, "anchors and tags are not allowed");
    if (wants_key(b))
        return syntax(error, line, "a key must be plain text");
    if (b->depth == SL_MAX_YAML_DEPTH)
        return sl_error_set(error, SL_ERR_LIMIT,
                            "line %u: nested more than %u deep", line,
                            SL_MAX_YAML_DEPTH);
    struct sl_yaml *added = NULL;
    enum sl_status status = add(b, node, &added, error);
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
    case YAML_MAPPING_START_EVENT:
        return on_open(b, event, line, error);
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

/* A walk over the text, by characters as libyaml counts them. */
struct tabs {
    struct sl_view text;
    size_t at;    /* byte */
    size_t index; /* character */
    unsigned line;
    bool comment, blank; /* inside of one; after white space */
};

/* On to a character; the line of the first tab outside of comments, or 0. */
static unsigned walk_to(struct tabs *t, size_t index, bool look)
{
    unsigned found = 0;
    for (; t->at < t->text.len; t->at++) {
        char c = t->text.ptr[t->at];
        if (((unsigned char)c & 0xc0) != 0x80 && t->index++ == index) {
            t->index--;
            break;
        }
        t->comment = (t->comment || (t->blank && c == '#')) && c != '\n';
        t->blank = sl_is_space(c);
        if (look && !found && c == '\t' && !t->comment)
            found = t->line;
        t->line += c == '\n';
    }
    t->comment = t->comment && look;
    return found;
}

/* From the end of the last quoted or block text to its own; 0: no tab between. */
static unsigned over_scalar(struct tabs *t, const yaml_token_t *token)
{
    yaml_scalar_style_t style = token->data.scalar.style;
    size_t begin = token->start_mark.index;
    if (style == YAML_PLAIN_SCALAR_STYLE)
        return 0;
    unsigned found = walk_to(t, begin, true);
    if (!found && (style == YAML_LITERAL_SCALAR_STYLE ||
                   style == YAML_FOLDED_SCALAR_STYLE)) {
        /* its first line may have a comment, and no tab before that */
        size_t end = sl_view_find(t->text, SL_LIT("\n"), t->at);
        end = end == SIZE_MAX ? t->text.len : end;
        found = walk_to(t, t->index + (end - t->at), true);
    }
    (void)walk_to(t, token->end_mark.index, false);
    return found;
}

unsigned sl_yaml_tab(struct sl_view text)
{
    yaml_parser_t parser;
    if (!text.len || !memchr(text.ptr, '\t', text.len) ||
        !yaml_parser_initialize(&parser))
        return 0;
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text.ptr,
                                 text.len);
    struct tabs tabs = {.text = text, .line = 1, .blank = true};
    unsigned found = 0;
    for (bool end = false; !end && !found;) {
        yaml_token_t token;
        if (!yaml_parser_scan(&parser, &token))
            break;
        end = token.type == YAML_STREAM_END_TOKEN;
        if (token.type == YAML_SCALAR_TOKEN)
            found = over_scalar(&tabs, &token);
        yaml_token_delete(&token);
    }
    yaml_parser_delete(&parser);
    return found ? found : walk_to(&tabs, SIZE_MAX, true);
}
