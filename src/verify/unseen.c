/*
 * Places whose references no other rule reads: headings and HTML. What stands there
 * would look like evidence to a reader and be checked by nothing.
 */
#include <string.h>

#include "base/limits.h"
#include "verify/checks.h"

struct unseen {
    struct sl_checks *checks;
    const struct sl_kb_file *file;
    struct sl_view name;
};

static void check_heading(const struct unseen *u,
                          const struct sl_kb_block *heading)
{
    for (size_t i = 0; i < heading->ref_count; i++) {
        const struct sl_ref *ref =
            &u->checks->kb.refs.items[heading->first_ref + i];
        if (sl_ref_is_evidence(ref->kind))
            sl_report_fault(u->checks->report, u->name,
                            sl_ref_line(u->file, heading, ref),
                            "evidence-in-heading",
                            "cite it in the text below",
                            "a heading holds no evidence, but '%.*s'",
                            SL_ARG(sl_view_sub(ref->text, 0, 160)));
    }
}

/* Blanks and the marks of quotes. */
static struct sl_view skip_marks(struct sl_view text)
{
    while (text.len && (sl_is_space(text.ptr[0]) || text.ptr[0] == '>'))
        text = sl_view_sub(text, 1, text.len);
    return text;
}

/* Nothing but comments, each closed. */
static bool is_comment(struct sl_view text)
{
    text = skip_marks(text);
    while (text.len) {
        size_t end = sl_view_find(text, SL_LIT("-->"), 4);
        if (!sl_view_starts(text, "<!--") || end == SIZE_MAX)
            return false;
        text = skip_marks(sl_view_sub(text, end + 3, text.len));
    }
    return true;
}

static enum sl_status check_html(const struct unseen *u,
                                 const struct sl_md_block *md,
                                 struct sl_error *error)
{
    struct sl_report *report = u->checks->report;
    unsigned line = u->file->body_line + md->line - 1;
    struct sl_view text = sl_view_sub(u->file->bytes, u->file->body + md->begin,
                                      u->file->body + md->end);
    if (!is_comment(text)) {
        sl_report_fault(report, u->name, line, "html-block",
                        "write it as Markdown",
                        "HTML, which no rule reads; only comments may stand "
                        "here");
        return SL_OK;
    }
    struct sl_refs refs = {0};
    enum sl_status status =
        sl_refs_scan(&u->checks->arena, text, &refs, error);
    for (size_t i = 0; !status && i < refs.count; i++) {
        enum sl_ref_kind kind = refs.items[i].kind;
        if (sl_ref_is_evidence(kind) || kind == SL_REF_LINK ||
            kind == SL_REF_URL)
            sl_report_fault(report, u->name, line + refs.items[i].line,
                            "html-block", "",
                            "a comment holds no references, but '%.*s'",
                            SL_ARG(sl_view_sub(refs.items[i].text, 0, 160)));
    }
    return status;
}

/* A tag or a comment at the '<' that stands at i; `<https://…>` is none. */
static bool is_tag(struct sl_view text, size_t i)
{
    struct sl_view rest = sl_view_sub(text, i + 1, text.len);
    return rest.len &&
           (sl_is_alpha(rest.ptr[0]) || memchr("/!?", rest.ptr[0], 3)) &&
           !sl_view_starts(rest, "https://") &&
           !sl_view_starts(rest, "http://") &&
           (i == 0 || text.ptr[i - 1] != '\\');
}

static void check_tags(const struct unseen *u, const struct sl_kb_block *block)
{
    const struct sl_ref *refs = u->checks->kb.refs.items;
    size_t ref = block->first_ref;
    size_t last = block->first_ref + block->ref_count;
    unsigned line = sl_block_line(u->file, block);
    for (size_t i = 0; i < block->text.len; i++) {
        char c = block->text.ptr[i];
        line += c == '\n';
        if (c != '<')
            continue;
        while (ref < last && refs[ref].end <= i)
            ref++;
        if ((ref < last && refs[ref].begin <= i) || !is_tag(block->text, i))
            continue;
        sl_report_fault(u->checks->report, u->name, line, "html-inline",
                        "write it as Markdown, or in backticks",
                        "HTML in the text, which no rule reads");
        return;
    }
}

static enum sl_status check_file(struct unseen *u, struct sl_error *error)
{
    const struct sl_kb *kb = &u->checks->kb;
    const struct sl_md_doc *doc = &u->file->doc;
    for (size_t i = 0; i < u->file->heading_count; i++) {
        check_heading(u, &kb->headings[u->file->first_heading + i]);
        check_tags(u, &kb->headings[u->file->first_heading + i]);
    }
    for (size_t i = 0; i < u->file->section_count; i++) {
        const struct sl_section *section =
            &kb->sections[u->file->first_section + i];
        for (size_t b = 0; b < section->block_count; b++) {
            const struct sl_kb_block *block =
                &kb->blocks[section->first_block + b];
            if (block->md->kind != SL_MD_CODE)
                check_tags(u, block);
        }
    }
    enum sl_status status = SL_OK;
    for (size_t i = 0; !status && i < doc->count; i++)
        if (doc->blocks[i].kind == SL_MD_HTML)
            status = check_html(u, &doc->blocks[i], error);
    return status;
}

enum sl_status sl_checks_unseen(struct sl_checks *checks,
                                struct sl_error *error)
{
    enum sl_status status = SL_OK;
    for (size_t i = 0; !status && i < checks->kb.file_count; i++) {
        struct unseen u = {checks, &checks->kb.files[i],
                           sl_checks_name(checks, i)};
        status = check_file(&u, error);
    }
    return status;
}
