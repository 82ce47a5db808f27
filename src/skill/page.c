/* One Markdown file: its form, its anchors, what it mentions. */
#include <string.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "markdown/doc.h"
#include "skill/internal.h"
#include "text/slug.h"

/* of the format, for the body of SKILL.md */
#define MAX_LINES 500u
#define MAX_TOKENS 5000u
/* our advice */
#define MANY_LINES 300u
/* bytes of ASCII that one token is taken to have; of other scripts, a character */
#define TOKEN_BYTES 4u

struct page {
    struct sl_skill_checker *c;
    struct sl_arena arena; /* for this file alone */
    struct sl_view path;
    struct sl_view body;
    unsigned lines_before; /* the body */
    bool is_main;
    size_t topics; /* headings of level 1 */
    unsigned topic_line; /* of the second */
};

static unsigned lines_in(struct sl_view text)
{
    unsigned lines = 0;
    for (size_t i = 0; i < text.len; i++)
        lines += text.ptr[i] == '\n';
    return lines;
}

static unsigned line_at(struct sl_view text, size_t at)
{
    return lines_in(sl_view_sub(text, 0, at)) + 1;
}

/* False when it is no text that could be read on. */
static bool check_bytes(struct sl_skill_checker *c, struct sl_view path,
                        struct sl_view text, bool is_main)
{
    size_t bad = sl_utf8_invalid(text);
    const char *nul = text.len ? memchr(text.ptr, '\0', text.len) : NULL;
    const char *cr = text.len ? memchr(text.ptr, '\r', text.len) : NULL;
    if (bad != SIZE_MAX)
        sl_skill_add(c->report, SL_SKILL_ERROR, path, line_at(text, bad),
                     "utf8", "not UTF-8");
    else if (nul)
        sl_skill_add(c->report, SL_SKILL_ERROR, path,
                     line_at(text, (size_t)(nul - text.ptr)), "nul",
                     "a NUL byte: this is no text");
    if (bad != SIZE_MAX || nul)
        return false;
    if (sl_view_starts(text, "\xef\xbb\xbf") && !is_main)
        sl_skill_add(c->report, SL_SKILL_WARNING, path, 1, "bom",
                     "begins with a byte order mark");
    if (cr)
        sl_skill_add(c->report, SL_SKILL_WARNING, path,
                     line_at(text, (size_t)(cr - text.ptr)), "line-end",
                     "a line ends with CR LF, or has a CR: write LF alone");
    return true;
}

static size_t estimate_tokens(struct sl_view text)
{
    size_t ascii = 0, other = 0;
    for (size_t i = 0; i < text.len; i++) {
        unsigned char byte = (unsigned char)text.ptr[i];
        ascii += byte < 0x80;
        other += byte >= 0xc0; /* the first byte of a character */
    }
    return (ascii + TOKEN_BYTES - 1) / TOKEN_BYTES + other;
}

static void check_body(const struct page *page)
{
    struct sl_skill_report *report = page->c->report;
    struct sl_view body = sl_view_trim(page->body);
    unsigned last = page->lines_before + lines_in(page->body);
    report->body_lines = body.len ? lines_in(body) + 1 : 0;
    report->body_tokens = estimate_tokens(body);
    if (!body.len)
        sl_skill_add(report, SL_SKILL_WARNING, page->path, 0, "body-empty",
                     "nothing follows the front matter");
    if (report->body_lines >= MAX_LINES)
        sl_skill_add(report, SL_SKILL_ERROR, page->path, last, "body-size",
                     "the body has %zu lines: fewer than %u are allowed; move "
                     "details to " SL_SKILL_REFERENCES,
                     report->body_lines, MAX_LINES);
    else if (report->body_lines > MANY_LINES)
        sl_skill_add(report, SL_SKILL_WARNING, page->path, last, "body-long",
                     "the body has %zu lines, all of which are read each "
                     "time; %u are enough",
                     report->body_lines, MANY_LINES);
    if (report->body_tokens >= MAX_TOKENS)
        sl_skill_add(report, SL_SKILL_ERROR, page->path, last, "body-size",
                     "the body has about %zu tokens: fewer than %u are "
                     "allowed; move details to " SL_SKILL_REFERENCES,
                     report->body_tokens, MAX_TOKENS);
}

static enum sl_status add_anchor(const struct page *page, struct sl_view slug,
                                 struct sl_error *error)
{
    struct sl_skill_checker *c = page->c;
    const struct sl_skill_file *file = sl_skill_find(c, page->path);
    struct sl_buf key;
    enum sl_status status = SL_OK;
    if (!file)
        return SL_OK; /* over a limit: nobody will ask */
    if (c->anchors.len >= SL_MAX_SKILL_ANCHORS) {
        if (!c->is_full)
            sl_skill_add(c->report, SL_SKILL_ERROR, SL_LIT(""), 0,
                         "too-many-links",
                         "more than %u headings and anchors; no anchor was "
                         "looked at",
                         SL_MAX_SKILL_ANCHORS);
        c->is_full = true;
        return SL_OK;
    }
    sl_buf_init(&key, SL_MAX_MARKDOWN_FILE * 2u);
    sl_buf_printf(&key, "%zu#", (size_t)(file - c->files));
    sl_buf_add(&key, slug);
    size_t *seen = NULL;
    /* a second one of the same text has -1 behind it, as GitHub has it */
    for (bool again = false, fresh = false; !fresh; again = true) {
        if (again)
            sl_buf_printf(&key, "-%zu", ++*seen);
        status = sl_buf_check(&key, error);
        struct sl_view copy = {NULL, 0};
        if (!status)
            copy = sl_arena_copy(c->arena, sl_buf_view(&key));
        seen = copy.ptr ? sl_map_put(&c->anchors, copy, 0, &fresh) : NULL;
        if (!status && !seen)
            status = sl_error_nomem(error);
        if (status || again)
            break;
    }
    sl_buf_release(&key);
    return status;
}

/* The heading without the targets of its links, and without marks of quotes. */
static enum sl_status add_heading(const struct page *page,
                                  struct sl_view lines, struct sl_error *error)
{
    struct sl_buf text, slug;
    while (lines.len && (lines.ptr[0] == '>' || sl_is_space(lines.ptr[0])))
        lines = sl_view_sub(lines, 1, lines.len);
    struct sl_view heading = sl_md_heading_text(lines);
    sl_buf_init(&text, SL_MAX_MARKDOWN_FILE);
    sl_buf_init(&slug, SL_MAX_MARKDOWN_FILE);
    for (size_t i = 0; i < heading.len; i++) {
        sl_buf_putc(&text, heading.ptr[i]);
        if (!sl_view_starts(sl_view_sub(heading, i, heading.len), "]("))
            continue;
        size_t close = sl_view_find(heading, SL_LIT(")"), i);
        i = close == SIZE_MAX ? i : close;
    }
    sl_slug(&slug, sl_buf_view(&text));
    enum sl_status status = sl_buf_check(&text, error);
    if (!status)
        status = sl_buf_check(&slug, error);
    if (!status)
        status = add_anchor(page, sl_buf_view(&slug), error);
    sl_buf_release(&text);
    sl_buf_release(&slug);
    return status;
}

/* Anchors by hand: id="x" and name="x" of HTML, {#x} behind a heading. */
static enum sl_status add_ids(const struct page *page, const char *attribute,
                              struct sl_error *error)
{
    struct sl_view mark = sl_view_of(attribute), body = page->body;
    enum sl_status status = SL_OK;
    size_t at = sl_view_find(body, mark, 0);
    for (; at != SIZE_MAX && !status; at = sl_view_find(body, mark, at)) {
        size_t end = at += mark.len;
        while (end < body.len && !strchr("\"' >}\n", body.ptr[end]))
            end++;
        status = add_anchor(page, sl_view_sub(body, at, end), error);
    }
    return status;
}

static enum sl_status read_block(struct page *page,
                                 const struct sl_md_block *block,
                                 struct sl_error *error)
{
    struct sl_view text = sl_view_sub(page->body, block->begin, block->end);
    unsigned line = page->lines_before + block->line;
    enum sl_status status = SL_OK;
    if (block->kind == SL_MD_HEADING) {
        if (block->level == 1 && ++page->topics == 2)
            page->topic_line = line;
        status = add_heading(page, text, error);
    }
    bool prose = block->kind == SL_MD_HEADING || block->kind == SL_MD_ROW ||
                 block->kind == SL_MD_PARAGRAPH;
    if (!status && (prose || block->kind == SL_MD_CODE))
        status = sl_skill_scan(page->c, &page->arena, page->path, text, line,
                               prose, error);
    return status;
}

/* Of a file to be read whole: one topic, which its first heading names. */
static void check_topics(const struct page *page)
{
    struct sl_skill_report *report = page->c->report;
    if (page->is_main || !sl_view_starts(page->path, SL_SKILL_REFERENCES))
        return;
    if (page->topics == 0)
        sl_skill_add(report, SL_SKILL_WARNING, page->path, 0, "one-topic",
                     "no heading of level 1 says what the file is about");
    else if (page->topics > 1)
        sl_skill_add(report, SL_SKILL_WARNING, page->path, page->topic_line,
                     "one-topic",
                     "a second heading of level 1: one file, one topic");
}

static enum sl_status read_blocks(struct page *page, struct sl_error *error)
{
    struct sl_md_doc doc;
    struct sl_error why = {SL_OK, ""};
    enum sl_status status = sl_md_parse(&page->arena, page->body, &doc, &why);
    if (status == SL_ERR_LIMIT || status == SL_ERR_SYNTAX) {
        sl_skill_add(page->c->report, SL_SKILL_ERROR, page->path, 0,
                     "markdown", "%s", why.message);
        return SL_OK;
    }
    if (status)
        return sl_error_set(error, status, "%s", why.message);
    for (size_t i = 0; i < doc.count && !status; i++)
        status = read_block(page, &doc.blocks[i], error);
    if (!status)
        status = add_ids(page, " id=\"", error);
    if (!status)
        status = add_ids(page, " name=\"", error);
    if (!status)
        status = add_ids(page, " {#", error);
    if (status)
        return status;
    check_topics(page);
    struct sl_skill_file *file = sl_skill_find(page->c, page->path);
    if (file)
        file->is_read = true;
    return SL_OK;
}

enum sl_status sl_skill_page(struct sl_skill_checker *c, struct sl_view path,
                             struct sl_view text, struct sl_error *error)
{
    struct page page = {.c = c, .path = path};
    struct sl_view front;
    size_t body;
    page.is_main = sl_view_eq(path, c->main);
    if (!check_bytes(c, path, text, page.is_main))
        return SL_OK;
    if (page.is_main) {
        enum sl_status status = sl_skill_front(c, text, &body, error);
        if (status)
            return status;
    } else {
        body = sl_md_front_end(text, &front);
    }
    page.body = sl_view_sub(text, body, text.len);
    page.lines_before = lines_in(sl_view_sub(text, 0, body));
    if (page.is_main)
        check_body(&page);
    c->report->markdown++;
    sl_arena_init(&page.arena, SL_MAX_SKILL_ARENA);
    enum sl_status status = read_blocks(&page, error);
    if (status)
        status = sl_arena_explain(&page.arena, status, error);
    sl_arena_release(&page.arena);
    return status;
}
