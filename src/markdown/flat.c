#include "markdown/flat.h"

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>
#include <string.h>

#include "base/limits.h"
#include "markdown/mask.h"

static bool kind_of(cmark_node *node, enum sl_flat_kind *kind_out)
{
    const struct {
        cmark_node_type type;
        enum sl_flat_kind kind;
    } kinds[] = {
        {CMARK_NODE_PARAGRAPH, SL_FLAT_PARAGRAPH},
        {CMARK_NODE_TEXT, SL_FLAT_TEXT},
        {CMARK_NODE_CODE, SL_FLAT_CODE},
        {CMARK_NODE_LINK, SL_FLAT_LINK},
        {CMARK_NODE_HTML_INLINE, SL_FLAT_HTML},
        {CMARK_NODE_EMPH, SL_FLAT_EMPHASIS},
        {CMARK_NODE_STRONG, SL_FLAT_STRONG},
        {CMARK_NODE_SOFTBREAK, SL_FLAT_BREAK},
        {CMARK_NODE_LINEBREAK, SL_FLAT_LINE},
        {CMARK_NODE_IMAGE, SL_FLAT_IMAGE},
        {CMARK_NODE_HEADING, SL_FLAT_HEADING},
        {CMARK_NODE_CODE_BLOCK, SL_FLAT_FENCE},
        {CMARK_NODE_ITEM, SL_FLAT_ITEM},
        {CMARK_NODE_LIST, SL_FLAT_LIST},
        {CMARK_NODE_BLOCK_QUOTE, SL_FLAT_QUOTE},
        {CMARK_NODE_HTML_BLOCK, SL_FLAT_HTML},
        {CMARK_NODE_THEMATIC_BREAK, SL_FLAT_RULE},
    };
    /* an extension's types have no constants */
    static const struct {
        const char *name;
        enum sl_flat_kind kind;
    } extended[] = {
        {"table", SL_FLAT_TABLE},
        {"table_header", SL_FLAT_ROW},
        {"table_row", SL_FLAT_ROW},
        {"table_cell", SL_FLAT_CELL},
    };
    cmark_node_type type = cmark_node_get_type(node);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].type == type) {
            *kind_out = kinds[i].kind;
            return true;
        }
    const char *name = cmark_node_get_type_string(node);
    for (size_t i = 0; i < sizeof extended / sizeof *extended; i++)
        if (strcmp(extended[i].name, name) == 0) {
            *kind_out = extended[i].kind;
            return true;
        }
    return false;
}

struct flattener {
    struct sl_arena *arena;
    struct sl_error *error;
    struct sl_flat_item *items;
    size_t count, cap;
    unsigned line; /* of the block: what stands in it has none of its own */
};

static bool copy(struct flattener *f, const char *text, struct sl_view *out)
{
    *out = (struct sl_view){"", 0};
    if (text && *text)
        *out = sl_arena_copy(f->arena, sl_view_of(text));
    return out->ptr != NULL;
}

static enum sl_status add(struct flattener *f, cmark_node *node,
                          enum sl_flat_kind kind, bool end)
{
    f->items = sl_arena_grow(f->arena, f->items, sizeof *f->items, f->count,
                             &f->cap);
    if (!f->items)
        return sl_error_nomem(f->error);
    if (f->count >= SL_MAX_MD_NODES)
        return sl_error_set(f->error, SL_ERR_LIMIT,
                            "more than %u Markdown nodes", SL_MAX_MD_NODES);
    int line = cmark_node_get_start_line(node);
    if (line > 0 && kind != SL_FLAT_TEXT)
        f->line = (unsigned)line;
    struct sl_flat_item *item = &f->items[f->count++];
    *item = (struct sl_flat_item){.kind = kind, .end = end, .line = f->line};
    if (end)
        return SL_OK;
    const char *target = NULL;
    if (kind == SL_FLAT_HEADING)
        item->number = (unsigned)cmark_node_get_heading_level(node);
    if (kind == SL_FLAT_ROW)
        item->head = strcmp(cmark_node_get_type_string(node),
                            "table_header") == 0;
    if (kind == SL_FLAT_LIST &&
        cmark_node_get_list_type(node) == CMARK_ORDERED_LIST) {
        item->number = (unsigned)cmark_node_get_list_start(node);
        target = ".";
    }
    if (kind == SL_FLAT_LINK || kind == SL_FLAT_IMAGE)
        target = cmark_node_get_url(node);
    else if (kind == SL_FLAT_FENCE)
        target = cmark_node_get_fence_info(node);
    if (!copy(f, cmark_node_get_literal(node), &item->text) ||
        !copy(f, target, &item->target))
        return sl_error_nomem(f->error);
    return SL_OK;
}

static enum sl_status walk(struct flattener *f, cmark_node *root)
{
    enum sl_status status = SL_OK;
    cmark_iter *iter = cmark_iter_new(root);
    for (cmark_event_type event;
         !status && (event = cmark_iter_next(iter)) != CMARK_EVENT_DONE;) {
        cmark_node *node = cmark_iter_get_node(iter);
        enum sl_flat_kind kind;
        if (!kind_of(node, &kind))
            continue;
        bool end = event == CMARK_EVENT_EXIT;
        if (!end || kind < SL_FLAT_FENCE)
            status = add(f, node, kind, end);
    }
    cmark_iter_free(iter);
    return status;
}

enum sl_status sl_md_flatten(struct sl_arena *arena, struct sl_view text,
                             struct sl_flat *flat_out, struct sl_error *error)
{
    struct flattener f = {.arena = arena, .error = error, .line = 1};
    enum sl_status status = sl_md_guard(text, SL_MAX_DOCS_COLUMNS,
                                        SL_MAX_FLAT_CELLS, error);
    if (status)
        return status;
    cmark_gfm_core_extensions_ensure_registered();
    cmark_parser *parser = cmark_parser_new(CMARK_OPT_UNSAFE);
    cmark_syntax_extension *table = cmark_find_syntax_extension("table");
    if (table)
        cmark_parser_attach_syntax_extension(parser, table);
    cmark_parser_feed(parser, text.ptr ? text.ptr : "", text.len);
    cmark_node *root = cmark_parser_finish(parser);
    status = walk(&f, root);
    cmark_node_free(root);
    cmark_parser_free(parser);
    if (!status)
        *flat_out = (struct sl_flat){f.items, f.count};
    return status;
}
