#include <libxml/HTMLparser.h>
#include <string.h>
#include <strings.h>

#include "base/limits.h"
#include "html/internal.h"

#define KNOWN 256u /* of the memory for names, a power of two */

/* libxml2 keeps each name once, so that its address stands for it. */
struct known {
    const xmlChar *name;
    struct sl_view view;
    enum sl_html_tag tag;
};

struct reader {
    struct sl_arena *arena;
    struct sl_error *error;
    enum sl_status status; /* the first failure */
    htmlParserCtxtPtr parser;
    struct sl_html_node *nodes;
    size_t count, cap;
    struct sl_html_attribute *attributes;
    size_t attribute_count, attribute_cap;
    char *text; /* of all nodes and attributes, one behind the other */
    size_t text_len, text_max;
    uint32_t open[SL_MAX_HTML_DEPTH];
    bool kept[SL_MAX_HTML_DEPTH]; /* libxml2 has closed it, too early */
    size_t depth;
    size_t faults;
    struct known known[KNOWN];
};

uint32_t sl_html_entity(struct sl_view name)
{
    enum { LONGEST = 16 }; /* thetasym */
    char text[LONGEST + 1];
    if (name.len > LONGEST)
        return 0;
    memcpy(text, name.ptr, name.len);
    text[name.len] = '\0';
    const htmlEntityDesc *found = htmlEntityLookup((const xmlChar *)text);
    return found ? (uint32_t)found->value : 0;
}

static void fail(struct reader *r, enum sl_status status)
{
    if (!r->status)
        r->status = status;
    xmlStopParser(r->parser);
}

/* A copy behind the other texts. */
static struct sl_view keep(struct reader *r, const char *bytes, size_t len)
{
    if (len > r->text_max - r->text_len) {
        fail(r, sl_error_set(r->error, SL_ERR_INTERNAL,
                             "the page's text is longer than the page"));
        return (struct sl_view){NULL, 0};
    }
    char *to = r->text + r->text_len;
    if (len)
        memcpy(to, bytes, len);
    for (size_t i = 0; i < len; i++) /* controls by their numbers: &#1; */
        if ((unsigned char)to[i] < 0x20 && to[i] != '\n' && to[i] != '\t')
            to[i] = ' ';
    r->text_len += len;
    return (struct sl_view){to, len};
}

static const struct known *known_name(struct reader *r, const xmlChar *name)
{
    struct known *slot =
        &r->known[((uintptr_t)name >> 3 ^ (uintptr_t)name >> 11) % KNOWN];
    if (slot->name == name)
        return slot;
    struct sl_view copy = sl_arena_copy(r->arena,
                                        sl_view_of((const char *)name));
    if (!copy.ptr) {
        fail(r, sl_error_nomem(r->error));
        return NULL;
    }
    *slot = (struct known){name, copy, sl_html_tag_of(copy)};
    return slot;
}

static struct sl_html_node *add_node(struct reader *r)
{
    if (r->count >= SL_MAX_HTML_NODES) {
        fail(r, sl_error_set(r->error, SL_ERR_LIMIT,
                             "the page has more than %u elements and texts",
                             SL_MAX_HTML_NODES));
        return NULL;
    }
    void *grown = sl_arena_grow(r->arena, r->nodes, sizeof *r->nodes, r->count,
                                &r->cap);
    if (!grown) {
        fail(r, sl_error_nomem(r->error));
        return NULL;
    }
    r->nodes = grown;
    int line = r->parser->input ? r->parser->input->line : 0;
    struct sl_html_node *node = &r->nodes[r->count++];
    *node = (struct sl_html_node){
        .parent = r->depth ? r->open[r->depth - 1] : SL_HTML_NONE,
        .after = (uint32_t)r->count,
        .line = line > 0 ? (uint32_t)line : 1,
        .attribute = (uint32_t)r->attribute_count,
    };
    return node;
}

static void add_attribute(struct reader *r, struct sl_html_node *node,
                          const xmlChar *name, const xmlChar *value)
{
    const struct known *known = known_name(r, name);
    if (!known)
        return;
    void *grown = sl_arena_grow(r->arena, r->attributes, sizeof *r->attributes,
                                r->attribute_count, &r->attribute_cap);
    if (!grown) {
        fail(r, sl_error_nomem(r->error));
        return;
    }
    r->attributes = grown;
    const char *bytes = value ? (const char *)value : "";
    r->attributes[r->attribute_count++] = (struct sl_html_attribute){
        known->view, keep(r, bytes, strlen(bytes))};
    node->attribute_count++;
}

static void close_one(struct reader *r)
{
    r->nodes[r->open[--r->depth]].after = (uint32_t)r->count;
}

static void close_kept(struct reader *r)
{
    if (r->depth && r->kept[r->depth - 1])
        close_one(r);
}

static void on_start(void *data, const xmlChar *name, const xmlChar **values)
{
    struct reader *r = data;
    if (r->status)
        return;
    if (r->depth >= SL_MAX_HTML_DEPTH) {
        fail(r, sl_error_set(r->error, SL_ERR_LIMIT,
                             "line %d: elements are nested deeper than %u",
                             r->parser->input ? r->parser->input->line : 0,
                             SL_MAX_HTML_DEPTH));
        return;
    }
    const struct known *known = known_name(r, name);
    if (known && (known->tag == SL_HTML_DT || known->tag == SL_HTML_DD))
        close_kept(r);
    struct sl_html_node *node = known ? add_node(r) : NULL;
    if (!node)
        return;
    node->tag = known->tag;
    node->text = known->view;
    r->kept[r->depth] = false;
    r->open[r->depth++] = (uint32_t)(node - r->nodes);
    for (; values && values[0] && !r->status; values += 2)
        add_attribute(r, node, values[0], values[1]);
}

/*
 * HTML 4 ends a dt where a dl begins; Sphinx writes lists of parameters there,
 * and what is behind them belongs to the dt.
 */
static bool is_too_early(const struct reader *r)
{
    if (r->nodes[r->open[r->depth - 1]].tag != SL_HTML_DT)
        return false;
    const struct _xmlParserInput *input = r->parser->input;
    if (!input || input->end - input->cur < 3)
        return false;
    const char *next = (const char *)input->cur;
    size_t before = (size_t)(input->cur - input->base);
    while (before && sl_is_space(next[-1])) {
        next--;
        before--;
    }
    bool ended = before >= 5 && strncasecmp(next - 5, "</dt>", 5) == 0;
    return !ended && strncasecmp((const char *)input->cur, "<dl", 3) == 0;
}

/* libxml2 closes what it opened, the last first. */
static void on_end(void *data, const xmlChar *name)
{
    struct reader *r = data;
    (void)name;
    if (r->status || !r->depth)
        return;
    if (is_too_early(r)) {
        r->kept[r->depth - 1] = true;
        return;
    }
    close_kept(r);
    if (r->depth)
        close_one(r);
}

static void on_text(void *data, const xmlChar *bytes, int len)
{
    struct reader *r = data;
    if (r->status || len <= 0)
        return;
    struct sl_view text = keep(r, (const char *)bytes, (size_t)len);
    if (!text.ptr)
        return;
    struct sl_html_node *last = r->count ? &r->nodes[r->count - 1] : NULL;
    uint32_t parent = r->depth ? r->open[r->depth - 1] : SL_HTML_NONE;
    if (last && last->tag == SL_HTML_TEXT && last->parent == parent &&
        last->text.ptr + last->text.len == text.ptr) {
        last->text.len += text.len;
        return;
    }
    struct sl_html_node *node = add_node(r);
    if (!node)
        return;
    node->tag = SL_HTML_TEXT;
    node->text = text;
    /* libxml2 is already behind the text */
    for (size_t i = 0; i < text.len && node->line > 1; i++)
        node->line -= text.ptr[i] == '\n';
}

/*
 * A page full of faults would spend its time on messages that nobody reads;
 * fatal are those after which libxml2 stops.
 */
static void on_error(void *data, xmlErrorPtr fault)
{
    struct reader *r = data;
    if (r->status || fault->code == XML_HTML_UNKNOWN_TAG)
        return;
    r->faults++;
    if (fault->level == XML_ERR_FATAL)
        fail(r, sl_error_set(r->error, SL_ERR_SYNTAX,
                             "line %d: libxml2 gives up: %.200s", fault->line,
                             fault->message ? fault->message : "no reason"));
    else if (r->faults > SL_MAX_HTML_FAULTS)
        fail(r, sl_error_set(r->error, SL_ERR_LIMIT,
                             "the page's markup has more than %u faults",
                             SL_MAX_HTML_FAULTS));
}

static const xmlSAXHandler handler = {
    .startElement = on_start,
    .endElement = on_end,
    .characters = on_text,
    .cdataBlock = on_text,
    .ignorableWhitespace = on_text,
    .serror = on_error,
    .initialized = XML_SAX2_MAGIC,
};

static enum sl_status read_page(struct reader *r, struct sl_view text)
{
    r->parser = htmlNewParserCtxt();
    if (!r->parser)
        return sl_error_nomem(r->error);
    *r->parser->sax = handler;
    r->parser->userData = r;
    /* the declaration in the page is about bytes that are UTF-8 by now */
    htmlDocPtr none = htmlCtxtReadMemory(
        r->parser, text.ptr, (int)text.len, NULL, "UTF-8",
        HTML_PARSE_IGNORE_ENC | HTML_PARSE_NONET | HTML_PARSE_NODEFDTD |
            HTML_PARSE_COMPACT);
    if (none)
        xmlFreeDoc(none);
    htmlFreeParserCtxt(r->parser);
    while (r->depth)
        close_one(r);
    return r->status;
}

enum sl_status sl_html_parse(struct sl_arena *arena, struct sl_view bytes,
                             struct sl_html *html_out, struct sl_error *error)
{
    if (bytes.len > SL_MAX_HTML_FILE)
        return sl_error_set(error, SL_ERR_LIMIT,
                            "a page of %zu bytes; the limit is %u", bytes.len,
                            SL_MAX_HTML_FILE);
    struct sl_view text;
    enum sl_status status = sl_html_decode(arena, bytes, &text, error);
    if (!status)
        status = sl_html_guard(arena, &text, error);
    if (status)
        return status;
    struct reader *r = sl_arena_alloc(arena, sizeof *r);
    if (!r)
        return sl_error_nomem(error);
    r->arena = arena;
    r->error = error;
    /* decoded text is never longer than its source */
    r->text_max = text.len + 1;
    r->text = sl_arena_alloc(arena, r->text_max);
    if (!r->text)
        return sl_error_nomem(error);
    if (text.len)
        status = read_page(r, text);
    if (status)
        return status;
    *html_out = (struct sl_html){
        .nodes = r->nodes,
        .count = (uint32_t)r->count,
        .attributes = r->attributes,
        .faults = r->faults,
    };
    return SL_OK;
}
