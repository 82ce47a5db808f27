#include "markdown/doc.h"

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>

#include "base/limits.h"
#include "markdown/mask.h"

#define BYTE_ORDER_MARK "\xef\xbb\xbf"

size_t sl_md_front_end(struct sl_view text, struct sl_view *front_out)
{
    *front_out = (struct sl_view){NULL, 0};
    size_t mark = sl_view_starts(text, BYTE_ORDER_MARK)
                      ? sizeof BYTE_ORDER_MARK - 1
                      : 0;
    struct sl_view rest = sl_view_sub(text, mark, text.len);
    struct sl_view line;
    if (!sl_view_line(&rest, &line) || !sl_view_is(line, "---"))
        return mark;
    const char *begin = rest.ptr;
    while (sl_view_line(&rest, &line)) {
        if (!sl_view_is(line, "---"))
            continue;
        *front_out = (struct sl_view){begin, (size_t)(line.ptr - begin)};
        return (size_t)(rest.ptr - text.ptr);
    }
    return mark;
}

struct builder {
    struct sl_arena *arena;
    struct sl_view text;
    uint32_t *line_begin; /* offset of each line; one more at the end */
    size_t lines;
    struct sl_md_block *blocks;
    size_t count, cap;
};

static enum sl_status index_lines(struct builder *b, struct sl_error *error)
{
    size_t lines = 1;
    for (size_t i = 0; i < b->text.len; i++)
        lines += b->text.ptr[i] == '\n';
    b->line_begin =
        sl_arena_alloc(b->arena, (lines + 1) * sizeof *b->line_begin);
    if (!b->line_begin)
        return sl_error_nomem(error);
    for (size_t i = 0; i < b->text.len; i++)
        if (b->text.ptr[i] == '\n')
            b->line_begin[++b->lines] = (uint32_t)i + 1;
    if (b->lines == 0 || b->line_begin[b->lines] < b->text.len)
        b->lines++;
    b->line_begin[b->lines] = (uint32_t)b->text.len;
    return SL_OK;
}

static bool kind_of(cmark_node *node, enum sl_md_kind *kind_out)
{
    cmark_node_type type = cmark_node_get_type(node);
    static const struct {
        uint16_t type;
        enum sl_md_kind kind;
    } kinds[] = {
        {CMARK_NODE_HEADING, SL_MD_HEADING},
        {CMARK_NODE_PARAGRAPH, SL_MD_PARAGRAPH},
        {CMARK_NODE_CODE_BLOCK, SL_MD_CODE},
        {CMARK_NODE_HTML_BLOCK, SL_MD_HTML},
        {CMARK_NODE_THEMATIC_BREAK, SL_MD_RULE},
        {CMARK_NODE_BLOCK_QUOTE, SL_MD_QUOTE},
        {CMARK_NODE_LIST, SL_MD_LIST},
        {CMARK_NODE_ITEM, SL_MD_ITEM},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].type == type) {
            *kind_out = kinds[i].kind;
            return true;
        }
    /* the table extension's node types have no public constants */
    struct sl_view name = sl_view_of(cmark_node_get_type_string(node));
    bool row =
        sl_view_is(name, "table_row") || sl_view_is(name, "table_header");
    *kind_out = row ? SL_MD_ROW : SL_MD_TABLE;
    return row || sl_view_is(name, "table");
}

/* Whether a line is `===` or `---` behind marks of quotes. */
static bool is_underline(struct sl_view line)
{
    while (line.len && (line.ptr[0] == '>' || sl_is_space(line.ptr[0])))
        line = sl_view_sub(line, 1, line.len);
    line = sl_view_trim(line);
    char mark = line.len ? line.ptr[0] : '\0';
    for (size_t i = 0; i < line.len; i++)
        if (line.ptr[i] != mark)
            return false;
    return mark == '=' || mark == '-';
}

/* cmark ends a setext heading one line late: it ends with its underline. */
static size_t heading_last(const struct builder *b, size_t line, size_t last)
{
    for (size_t i = line + 1; i <= last; i++)
        if (is_underline(sl_view_sub(b->text, b->line_begin[i - 1],
                                     b->line_begin[i])))
            return i;
    return line;
}

/* cmark ends an HTML block that its own mark ends (`-->`) one line early. */
static size_t html_last(cmark_node *node, size_t line, size_t last)
{
    struct sl_view rest = sl_view_of(cmark_node_get_literal(node));
    struct sl_view ignored;
    size_t lines = 0;
    while (sl_view_line(&rest, &ignored))
        lines++;
    return lines ? line + lines - 1 : last;
}

/* Whether a line is a table's delimiter row behind marks of quotes. */
static bool is_delimiter(struct sl_view line)
{
    bool dash = false;
    for (size_t i = 0; i < line.len; i++) {
        char c = line.ptr[i];
        dash = dash || c == '-';
        if (c != '|' && c != '-' && c != ':' && c != '>' && !sl_is_space(c))
            return false;
    }
    return dash;
}

/*
 * cmark gives a table that follows a paragraph without a blank line the first
 * line of the paragraph, and the paragraph none: the header row is the line
 * before the delimiter row, and the paragraph what stands above it.
 */
static size_t table_line(struct builder *b, cmark_node *node, size_t line,
                         size_t last)
{
    cmark_node *body = cmark_node_next(cmark_node_first_child(node));
    size_t i = body ? (size_t)cmark_node_get_start_line(body) - 1 : last;
    i = i > b->lines ? b->lines : i;
    while (i > line && !is_delimiter(sl_view_sub(b->text, b->line_begin[i - 1],
                                                 b->line_begin[i])))
        i--;
    if (i <= line + 1) /* it begins where it should */
        return line;
    cmark_node *before = cmark_node_previous(node);
    struct sl_md_block *paragraph = b->count ? &b->blocks[b->count - 1] : NULL;
    if (before && cmark_node_get_start_line(before) == 0 && paragraph &&
        paragraph->kind == SL_MD_PARAGRAPH) {
        paragraph->line = (unsigned)line;
        paragraph->last_line = (unsigned)i - 2;
        paragraph->begin = b->line_begin[line - 1];
        paragraph->end = b->line_begin[i - 2];
    }
    return i - 1;
}

/* First and last line of a block, where cmark has them right and where not. */
static void find_lines(struct builder *b, cmark_node *node,
                       enum sl_md_kind kind, uint32_t parent, size_t *line_out,
                       size_t *last_out)
{
    size_t line = (size_t)cmark_node_get_start_line(node);
    size_t last = (size_t)cmark_node_get_end_line(node);
    line = line < 1 ? 1 : line > b->lines ? b->lines : line;
    last = last < line ? line : last > b->lines ? b->lines : last;
    if (kind == SL_MD_HEADING)
        last = heading_last(b, line, last);
    else if (kind == SL_MD_HTML)
        last = html_last(node, line, last);
    else if (kind == SL_MD_TABLE)
        line = table_line(b, node, line, last);
    else if (kind == SL_MD_ROW && !cmark_node_previous(node)) /* header */
        line = parent != SL_MD_NONE ? b->blocks[parent].line : line;
    *line_out = line;
    *last_out = kind == SL_MD_ROW ? line : last > b->lines ? b->lines : last;
}

static enum sl_status enter(struct builder *b, cmark_node *node,
                            enum sl_md_kind kind, uint32_t parent,
                            struct sl_error *error)
{
    size_t line, last;
    find_lines(b, node, kind, parent, &line, &last);
    b->blocks = sl_arena_grow(b->arena, b->blocks, sizeof *b->blocks, b->count,
                              &b->cap);
    if (!b->blocks)
        return sl_error_nomem(error);
    b->blocks[b->count++] = (struct sl_md_block){
        .kind = kind,
        .level = kind == SL_MD_HEADING
                     ? (unsigned)cmark_node_get_heading_level(node)
                     : 0,
        .header = kind == SL_MD_ROW &&
                  cmark_gfm_extensions_get_table_row_is_header(node),
        .line = (unsigned)line,
        .last_line = (unsigned)last,
        .begin = b->line_begin[line - 1],
        .end = b->line_begin[last],
        .parent = parent,
    };
    return SL_OK;
}

static enum sl_status walk(struct builder *b, cmark_iter *iter,
                           struct sl_error *error)
{
    uint32_t parent = SL_MD_NONE;
    size_t nodes = 0;
    for (cmark_event_type event; (event = cmark_iter_next(iter)) !=
                                 CMARK_EVENT_DONE;) {
        cmark_node *node = cmark_iter_get_node(iter);
        enum sl_md_kind kind;
        if (++nodes > SL_MAX_MD_NODES)
            return sl_error_set(error, SL_ERR_LIMIT,
                                "more than %u Markdown nodes", SL_MAX_MD_NODES);
        if (!kind_of(node, &kind))
            continue;
        /* cmark gives leaf blocks without inlines one event only */
        bool leaf = kind == SL_MD_CODE || kind == SL_MD_HTML ||
                    kind == SL_MD_RULE;
        if (event == CMARK_EVENT_ENTER) {
            enum sl_status status = enter(b, node, kind, parent, error);
            if (status)
                return status;
            parent = (uint32_t)b->count - 1;
        }
        if (event == CMARK_EVENT_EXIT || leaf) {
            struct sl_md_block *block = &b->blocks[parent];
            block->after = (uint32_t)b->count;
            parent = block->parent;
        }
    }
    return SL_OK;
}

/* cmark's end lines of containers run over blank lines: take the last leaf's. */
static void close_containers(struct builder *b)
{
    for (size_t i = b->count; i-- > 0;) {
        struct sl_md_block *block = &b->blocks[i];
        if (block->after == i + 1)
            continue;
        const struct sl_md_block *last = &b->blocks[block->after - 1];
        block->last_line = last->last_line;
        if (last->header && block->last_line < b->lines)
            block->last_line++; /* the delimiter row is no block */
        block->end = b->line_begin[block->last_line];
    }
}

enum sl_status sl_md_parse(struct sl_arena *arena, struct sl_view text,
                           struct sl_md_doc *doc_out, struct sl_error *error)
{
    if (text.len > SL_MAX_MARKDOWN_FILE)
        return sl_error_set(error, SL_ERR_LIMIT,
                            "Markdown of %zu bytes; the limit is %u", text.len,
                            SL_MAX_MARKDOWN_FILE);
    struct builder b = {.arena = arena, .text = text};
    struct sl_view masked;
    enum sl_status status = index_lines(&b, error);
    if (!status)
        status = sl_md_mask(arena, text, &masked, error);
    if (status)
        return status;

    cmark_gfm_core_extensions_ensure_registered();
    cmark_parser *parser = cmark_parser_new(CMARK_OPT_DEFAULT);
    cmark_syntax_extension *table = cmark_find_syntax_extension("table");
    if (table)
        cmark_parser_attach_syntax_extension(parser, table);
    cmark_parser_feed(parser, masked.ptr, masked.len);
    cmark_node *root = cmark_parser_finish(parser);
    cmark_iter *iter = cmark_iter_new(root);
    status = walk(&b, iter, error);
    cmark_iter_free(iter);
    cmark_node_free(root);
    cmark_parser_free(parser);
    if (status)
        return status;
    close_containers(&b);
    *doc_out = (struct sl_md_doc){b.blocks, b.count};
    return SL_OK;
}

struct sl_view sl_md_heading_text(struct sl_view lines)
{
    struct sl_view rest = lines;
    struct sl_view first;
    if (!sl_view_line(&rest, &first))
        return (struct sl_view){lines.ptr, 0};
    struct sl_view text = sl_view_trim(first);
    if (!text.len || text.ptr[0] != '#')
        return text; /* setext: the underline is the next line */
    while (text.len && text.ptr[0] == '#') {
        text.ptr++;
        text.len--;
    }
    text = sl_view_trim(text);
    size_t end = text.len;
    while (end && text.ptr[end - 1] == '#')
        end--;
    if (end < text.len && (end == 0 || sl_is_space(text.ptr[end - 1])))
        text = sl_view_trim(sl_view_sub(text, 0, end));
    return text;
}
