/*
 * Prose of Markdown. Blocks come from cmark-gfm (`markdown`); what is left out
 * inside of a block is found here: addresses of links, citations, tags.
 */
#include <string.h>

#include "base/limits.h"
#include "markdown/doc.h"
#include "overlap/prose.h"

#define PIECE SL_MAX_MARKDOWN_FILE

enum { MAX_TICKS = 32 }; /* of a code span; more of them are none */

struct inline_text {
    struct sl_buf *out;
    struct sl_view text; /* of one block */
    size_t at;
    /* what closes nowhere in the rest is not looked for again */
    bool open_ticks[MAX_TICKS + 1];
    bool open_comment;
};

/* Newlines of what is left out stay, so that lines stay. */
static void leave_out(struct inline_text *t, size_t end)
{
    sl_buf_putc(t->out, ' ');
    for (; t->at < end && t->at < t->text.len; t->at++)
        if (t->text.ptr[t->at] == '\n')
            sl_buf_putc(t->out, '\n');
}

/*
 * A citation, a path or an address, not a name: it has no blank, and a slash, a
 * colon alone or a number sign.
 */
static bool is_reference(struct sl_view code)
{
    code = sl_view_trim(code);
    bool found = false;
    for (size_t i = 0; i < code.len; i++) {
        char c = code.ptr[i];
        if (sl_is_space(c))
            return false;
        if (c == ':' && i + 1 < code.len && code.ptr[i + 1] == ':')
            i++;
        else if (c == '/' || c == ':' || c == '#')
            found = true;
    }
    return found;
}

/* A code span at `at`: what it names is kept, a reference is not. */
static void code_span(struct inline_text *t)
{
    size_t ticks = 0;
    while (t->at + ticks < t->text.len && t->text.ptr[t->at + ticks] == '`')
        ticks++;
    size_t begin = t->at + ticks, i = begin;
    if (ticks > MAX_TICKS || t->open_ticks[ticks])
        i = t->text.len;
    while (i < t->text.len) {
        size_t run = 0;
        while (i + run < t->text.len && t->text.ptr[i + run] == '`')
            run++;
        if (run == ticks)
            break;
        i += run ? run : 1;
    }
    if (i >= t->text.len) { /* never closed: no span */
        if (ticks <= MAX_TICKS)
            t->open_ticks[ticks] = true;
        leave_out(t, begin);
        return;
    }
    struct sl_view code = sl_view_sub(t->text, begin, i);
    if (is_reference(code)) {
        leave_out(t, i + ticks);
        return;
    }
    sl_buf_putc(t->out, ' ');
    sl_buf_add(t->out, code);
    sl_buf_putc(t->out, ' ');
    t->at = i + ticks;
}

/* Past the bracket that closes the one at `at`, or `at`. */
static size_t closing(struct sl_view text, size_t at, char open, char close)
{
    size_t depth = 0;
    for (size_t i = at; i < text.len && i - at < SL_MAX_LINK_TARGET; i++) {
        char c = text.ptr[i];
        if (c == '\\')
            i++;
        else if (c == open)
            depth++;
        else if (c == close && --depth == 0)
            return i + 1;
    }
    return at;
}

/* Past a tag, a comment or an address in angle brackets at `at`, or `at`. */
static size_t tag_end(struct inline_text *t)
{
    struct sl_view text = t->text;
    size_t at = t->at;
    if (sl_view_starts(sl_view_sub(text, at, text.len), "<!--")) {
        size_t end = t->open_comment
                         ? SIZE_MAX
                         : sl_view_find(text, SL_LIT("-->"), at);
        t->open_comment = end == SIZE_MAX;
        return end == SIZE_MAX ? at : end + 3;
    }
    size_t i = at + 1;
    if (i < text.len && text.ptr[i] == '/')
        i++;
    if (i >= text.len || !sl_is_alpha(text.ptr[i]))
        return at;
    while (i < text.len && text.ptr[i] != '<' && text.ptr[i] != '>')
        i++;
    return i < text.len && text.ptr[i] == '>' ? i + 1 : at;
}

/* Past an entity (&nbsp; &#160;) at `at`, or `at`. */
static size_t entity_end(struct sl_view text, size_t at)
{
    enum { LONGEST = 32 };
    size_t i = at + 1;
    if (i < text.len && text.ptr[i] == '#')
        i++;
    size_t begin = i;
    while (i < text.len && i - at < LONGEST && sl_is_alnum(text.ptr[i]))
        i++;
    return i > begin && i < text.len && text.ptr[i] == ';' ? i + 1 : at;
}

static bool is_mark(char c)
{
    return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') ||
           (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

/* Where what begins at `at` and is no prose ends, or `at`. */
static size_t markup_end(struct inline_text *t)
{
    struct sl_view text = t->text;
    size_t at = t->at;
    char next = at + 1 < text.len ? text.ptr[at + 1] : '\0';
    switch (text.ptr[at]) {
    case ']': {
        size_t end = at + 1;
        if (next == '(')
            end = closing(text, at + 1, '(', ')');
        else if (next == '[')
            end = closing(text, at + 1, '[', ']');
        return end > at + 1 ? end : at;
    }
    case '<':
        return tag_end(t);
    case '&':
        return entity_end(text, at);
    default:
        return at;
    }
}

static void put_inline(struct sl_buf *out, struct sl_view block)
{
    struct inline_text t = {.out = out, .text = block};
    size_t kept = 0;
    while (t.at < block.len) {
        char c = block.ptr[t.at];
        if (!memchr("`\\]<&", c, 5)) {
            t.at++;
            continue;
        }
        sl_buf_add(out, sl_view_sub(block, kept, t.at));
        size_t end = markup_end(&t);
        if (c == '`')
            code_span(&t);
        else if (end > t.at)
            leave_out(&t, end);
        else if (c == '\\' && t.at + 1 < block.len &&
                 is_mark(block.ptr[t.at + 1]))
            sl_buf_putc(out, block.ptr[t.at + 1]), t.at += 2;
        else
            sl_buf_putc(out, c), t.at++;
        kept = t.at;
    }
    sl_buf_add(out, sl_view_sub(block, kept, block.len));
}

/* Whether a block is left out for being of no prose; *inside: generated. */
static bool is_left_out(const struct sl_md_block *block, struct sl_view text,
                        bool *inside)
{
    if (block->kind == SL_MD_HTML) {
        struct sl_view html = sl_view_trim(text);
        if (sl_view_starts(html, "<!-- generated:"))
            *inside = true;
        else if (sl_view_is(html, "<!-- end -->"))
            *inside = false;
        return true;
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
               block->kind == SL_MD_PARAGRAPH || block->kind == SL_MD_ROW) {
        sl_prose_mark(pages->prose, line, pages->fresh);
        put_inline(&pages->prose->text, text);
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
