/*
 * What looks like evidence in a code span and misses its grammar. It would pass as
 * code: printed, and never checked.
 */
#include <string.h>

#include "base/limits.h"
#include "verify/checks.h"

#define FORM "the form is `SOURCE:PATH:LINE` or `SOURCE:PATH:FIRST-LAST`"

/* SOURCE: at the start of text, in any case; what stands behind the colon. */
static bool split(struct sl_view text, struct sl_view *word_out,
                  struct sl_view *rest_out)
{
    size_t n = 0;
    while (n < text.len && (sl_is_word(text.ptr[n]) || text.ptr[n] == '-'))
        n++;
    if (n == 0 || n == text.len || text.ptr[n] != ':' ||
        (n + 1 < text.len && text.ptr[n + 1] == ':')) /* a::b */
        return false;
    *word_out = sl_view_sub(text, 0, n);
    *rest_out = sl_view_sub(text, n + 1, text.len);
    return true;
}

static bool same_letters(struct sl_view a, struct sl_view b)
{
    if (a.len != b.len)
        return false;
    for (size_t i = 0; i < a.len; i++)
        if (sl_lower(a.ptr[i]) != sl_lower(b.ptr[i]))
            return false;
    return true;
}

static bool is_known(const struct sl_checks *checks, struct sl_view word)
{
    for (size_t i = 0; i < checks->sources.count; i++)
        if (same_letters(checks->sources.items[i].id, word))
            return true;
    return false;
}

static bool is_number(struct sl_view v)
{
    for (size_t i = 0; i < v.len; i++)
        if (!sl_is_digit(v.ptr[i]))
            return false;
    return v.len > 0;
}

/* A relative path with a folder and a suffix, then `:` or `#` and a line. */
static bool is_path_and_line(struct sl_view rest)
{
    rest = sl_view_trim(rest);
    size_t end = 0;
    while (end < rest.len && rest.ptr[end] != ':' && rest.ptr[end] != '#')
        end++;
    struct sl_view path = sl_view_sub(rest, 0, end);
    size_t slash = path.len;
    while (slash && path.ptr[slash - 1] != '/')
        slash--;
    struct sl_view folder;
    struct sl_view whole = path;
    if (slash < 2 || !sl_view_cut(&whole, '/', &folder) || !folder.len ||
        is_number(folder) || /* host:port/… */
        !memchr(path.ptr + slash, '.', path.len - slash))
        return false;
    for (end++; end < rest.len && (sl_is_space(rest.ptr[end]) ||
                                   sl_lower(rest.ptr[end]) == 'l');)
        end++;
    return end < rest.len && sl_is_digit(rest.ptr[end]);
}

/* A dash of several bytes that stands for '-'; its length, or 0. */
static size_t long_dash(struct sl_view text, size_t i)
{
    static const char *const dashes[] = {"\xe2\x80\x90", "\xe2\x80\x91",
                                         "\xe2\x80\x92", "\xe2\x80\x93",
                                         "\xe2\x80\x94", "\xe2\x88\x92"};
    struct sl_view rest = sl_view_sub(text, i, text.len);
    for (size_t k = 0; k < sizeof dashes / sizeof *dashes; k++)
        if (sl_view_starts(rest, dashes[k]))
            return strlen(dashes[k]);
    return 0;
}

/* What was probably meant, of the first of several ranges; may be none. */
static void guess(struct sl_view word, struct sl_view rest, struct sl_buf *out)
{
    size_t cut = rest.len; /* behind the path */
    while (cut && rest.ptr[cut - 1] != ':' && rest.ptr[cut - 1] != '#')
        cut--;
    struct sl_view path = sl_view_trim(sl_view_sub(rest, 0, cut ? cut - 1 : 0));
    for (size_t i = 0; i < word.len; i++)
        sl_buf_putc(out, sl_lower(word.ptr[i]));
    sl_buf_putc(out, ':');
    sl_buf_add(out, path);
    sl_buf_putc(out, ':');
    for (size_t i = cut; i < rest.len && rest.ptr[i] != ',';) {
        size_t dash = long_dash(rest, i);
        char c = rest.ptr[i];
        if (dash)
            sl_buf_putc(out, '-');
        else if (!sl_is_space(c) && sl_lower(c) != 'l')
            sl_buf_putc(out, c);
        i += dash ? dash : 1;
    }
}

struct near {
    struct sl_checks *checks;
    struct sl_view name;
    unsigned line;
};

static void tell_citation(const struct near *n, struct sl_view text,
                          struct sl_view word, struct sl_view rest)
{
    struct sl_buf form;
    struct sl_citation ignored;
    sl_buf_init(&form, SL_MAX_PATH * 2);
    guess(word, rest, &form);
    bool good = !form.failed && sl_text_is_citation(sl_buf_view(&form)) &&
                sl_citation_parse(sl_buf_view(&form), &ignored, NULL) == SL_OK;
    text = sl_view_sub(text, 0, 160);
    if (good)
        sl_report_fault(n->checks->report, n->name, n->line, "citation-form",
                        memchr(rest.ptr, ',', rest.len)
                            ? "one citation for each range"
                            : "",
                        "`%.*s` is no citation; write `%.*s`", SL_ARG(text),
                        SL_ARG(sl_view_sub(sl_buf_view(&form), 0, 200)));
    else
        sl_report_fault(n->checks->report, n->name, n->line, "citation-form",
                        "", "`%.*s` is no citation; " FORM, SL_ARG(text));
    sl_buf_release(&form);
}

/* OWNER/REPO#N, whole. */
static bool is_thread(struct sl_view text)
{
    size_t hash = sl_view_find(text, SL_LIT("#"), 0);
    size_t slash = sl_view_find(text, SL_LIT("/"), 0);
    if (hash == SIZE_MAX || slash == 0 || slash + 1 >= hash ||
        !is_number(sl_view_sub(text, hash + 1, text.len)))
        return false;
    for (size_t i = 0; i < hash; i++)
        if (i != slash && !sl_is_word(text.ptr[i]) &&
            !memchr("-.", text.ptr[i], 2))
            return false;
    return true;
}

static void check_code(const struct near *n, struct sl_view text)
{
    struct sl_report *report = n->checks->report;
    struct sl_view word, rest;
    if (is_thread(text) || sl_view_starts(text, "OpenSHMEM 1.")) {
        sl_report_fault(report, n->name, n->line, "citation-form", "",
                        "`%.*s` in backticks is no evidence: OWNER/REPO#NUMBER "
                        "and OpenSHMEM 1.N stand without them",
                        SL_ARG(sl_view_sub(text, 0, 160)));
        return;
    }
    if (!split(text, &word, &rest))
        return;
    bool blank = !rest.len || sl_is_space(rest.ptr[0]); /* a message, a label */
    if (same_letters(word, SL_LIT("run")))
        sl_report_fault(report, n->name, n->line, "citation-form", "",
                        "`%.*s` names no run; the form is `run:NAME`, of "
                        "lower-case letters, digits and single hyphens",
                        SL_ARG(sl_view_sub(text, 0, 160)));
    else if ((!blank && is_known(n->checks, word)) ||
             (word.len > 1 && is_path_and_line(rest))) /* no drive letter */
        tell_citation(n, text, word, rest);
}

static void check_block(struct near *n, const struct sl_kb_file *file,
                        const struct sl_kb_block *block)
{
    for (size_t i = 0; i < block->ref_count; i++) {
        const struct sl_ref *ref =
            &n->checks->kb.refs.items[block->first_ref + i];
        if (ref->kind != SL_REF_CODE)
            continue;
        n->line = sl_ref_line(file, block, ref);
        check_code(n, ref->text);
    }
}

void sl_checks_near(struct sl_checks *checks)
{
    const struct sl_kb *kb = &checks->kb;
    struct near n = {.checks = checks};
    for (size_t i = 0; i < kb->section_count; i++) {
        const struct sl_section *section = &kb->sections[i];
        n.name = sl_checks_name(checks, section->file);
        for (size_t b = 0; b < section->block_count; b++)
            check_block(&n, &kb->files[section->file],
                        &kb->blocks[section->first_block + b]);
    }
}
