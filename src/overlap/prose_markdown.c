/*
 * Prose of Markdown. Blocks come from cmark-gfm (`markdown`); what is left out
 * inside of a block is found by prose_inline.c.
 */
#include "base/limits.h"
#include "markdown/doc.h"
#include "overlap/prose.h"

#define PIECE SL_MAX_MARKDOWN_FILE

/*
 * Whether a block is left out for being of no prose; *inside: generated. Of a
 * block of HTML a comment, a script or the like is.
 */
static bool is_left_out(const struct sl_md_block *block, struct sl_view text,
                        bool *inside)
{
    if (block->kind == SL_MD_HTML) {
        struct sl_view html = sl_view_trim(text);
        if (sl_view_starts(html, "<!-- generated:"))
            *inside = true;
        else if (sl_view_is(html, "<!-- end -->"))
            *inside = false;
        return *inside || sl_view_starts(html, "<!") ||
               sl_view_starts(html, "<?");
    }
    return *inside || block->kind == SL_MD_CODE;
}

struct pages {
    struct sl_prose *prose;
    bool generated; /* inside of a generated table */
    bool fresh;
};

static void put_block(struct pages *pages, const struct sl_md_block *block,
                      struct sl_view text, uint32_t line)
{
    if (is_left_out(block, text, &pages->generated)) {
        pages->fresh = true;
    } else if (block->kind == SL_MD_HEADING ||
               block->kind == SL_MD_PARAGRAPH || block->kind == SL_MD_ROW ||
               block->kind == SL_MD_HTML) {
        sl_prose_mark(pages->prose, line, pages->fresh);
        sl_prose_inline(pages->prose, text, line, block->kind == SL_MD_HTML);
        pages->fresh = false;
    }
}

/* One piece, no longer than the parser takes, that begins on `line`. */
static enum sl_status put_piece(struct pages *pages, struct sl_view text,
                                uint32_t line, struct sl_error *error)
{
    struct sl_arena arena;
    struct sl_md_doc doc;
    sl_arena_init(&arena, SL_MAX_KB_ARENA);
    enum sl_status status = sl_md_parse(&arena, text, &doc, error);
    for (size_t i = 0; !status && i < doc.count; i++) {
        const struct sl_md_block *block = &doc.blocks[i];
        put_block(pages, block, sl_view_sub(text, block->begin, block->end),
                  line + block->line - 1);
    }
    status = sl_arena_explain(&arena, status, error);
    sl_arena_release(&arena);
    return status;
}

static bool is_fence(struct sl_view line)
{
    line = sl_view_trim(line);
    return sl_view_starts(line, "```") || sl_view_starts(line, "~~~");
}

/*
 * The length of the next piece: all, or up to the last empty line outside of
 * fences that leaves it short enough for the parser.
 */
static size_t piece_of(struct sl_view text)
{
    if (text.len <= PIECE)
        return text.len;
    struct sl_view rest = text, line;
    bool fenced = false;
    size_t cut = 0;
    while (sl_view_line(&rest, &line)) {
        size_t at = (size_t)(rest.ptr - text.ptr);
        if (at > PIECE)
            break;
        if (is_fence(line))
            fenced = !fenced;
        else if (!fenced && sl_view_trim(line).len == 0)
            cut = at;
    }
    return cut;
}

enum sl_status sl_prose_markdown(struct sl_prose *prose, struct sl_view text,
                                 struct sl_error *error)
{
    struct pages pages = {.prose = prose, .fresh = true};
    struct sl_view front;
    size_t at = sl_md_front_end(text, &front);
    uint32_t line = 1;
    for (size_t i = 0; i < at; i++)
        line += text.ptr[i] == '\n';
    enum sl_status status = SL_OK;
    while (!status && at < text.len) {
        size_t len = piece_of(sl_view_sub(text, at, text.len));
        if (!len)
            return sl_error_set(error, SL_ERR_LIMIT,
                                "line %u: more than %u bytes of Markdown "
                                "without an empty line outside of code",
                                line, PIECE);
        struct sl_view piece = sl_view_sub(text, at, at + len);
        status = put_piece(&pages, piece, line, error);
        for (size_t i = 0; i < piece.len; i++)
            line += piece.ptr[i] == '\n';
        at += len;
    }
    return status;
}
