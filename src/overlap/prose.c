#include "overlap/prose.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "syntax/tree.h"

static const struct ending {
    const char *ending;
    enum sl_prose_kind kind;
} endings[] = {
    {".md", SL_PROSE_MARKDOWN}, {".markdown", SL_PROSE_MARKDOWN},
    {".html", SL_PROSE_HTML},   {".htm", SL_PROSE_HTML},
    {".xhtml", SL_PROSE_HTML},  {".tex", SL_PROSE_LATEX},
    {".ltx", SL_PROSE_LATEX},   {".sty", SL_PROSE_LATEX},
    {".txt", SL_PROSE_PLAIN},   {".text", SL_PROSE_PLAIN},
    {".rst", SL_PROSE_PLAIN},   {".c", SL_PROSE_C},
    {".h", SL_PROSE_C},         {".cc", SL_PROSE_C},
    {".cpp", SL_PROSE_C},       {".cxx", SL_PROSE_C},
    {".c++", SL_PROSE_C},       {".hh", SL_PROSE_C},
    {".hpp", SL_PROSE_C},       {".hxx", SL_PROSE_C},
    {".h++", SL_PROSE_C},       {".inl", SL_PROSE_C},
    {".ipp", SL_PROSE_C},       {".tpp", SL_PROSE_C},
    {".cu", SL_PROSE_C},        {".cuh", SL_PROSE_C},
    {".py", SL_PROSE_PYTHON},   {".pyi", SL_PROSE_PYTHON},
    {".pyx", SL_PROSE_PYTHON},  {".pxd", SL_PROSE_PYTHON},
};

static bool same_letters(struct sl_view text, const char *lower)
{
    for (size_t i = 0; i < text.len; i++)
        if (sl_lower(text.ptr[i]) != lower[i])
            return false;
    return true;
}

static bool begins(struct sl_view text, const char *lower)
{
    size_t len = strlen(lower);
    return text.len >= len &&
           same_letters((struct sl_view){text.ptr, len}, lower);
}

static bool ends(struct sl_view text, const char *lower)
{
    size_t len = strlen(lower);
    return text.len >= len &&
           same_letters(sl_view_sub(text, text.len - len, text.len), lower);
}

static bool has(struct sl_view text, const char *what)
{
    return sl_view_find(text, sl_view_of(what), 0) != SIZE_MAX;
}

/* A file whose name says nothing, by what it begins with. */
static enum sl_prose_kind by_content(struct sl_view head)
{
    struct sl_view line, rest = head;
    struct sl_view trimmed = sl_view_trim(head);
    if (begins(trimmed, "<!doctype html") || begins(trimmed, "<html"))
        return SL_PROSE_HTML;
    if (has(head, "\\documentclass") || has(head, "\\begin{document}"))
        return SL_PROSE_LATEX;
    if (sl_view_line(&rest, &line) && sl_view_starts(line, "#!") &&
        has(line, "python"))
        return SL_PROSE_PYTHON;
    return SL_PROSE_NONE;
}

/* The name without folders. */
static struct sl_view last_part(struct sl_view path)
{
    for (size_t i = path.len; i; i--)
        if (path.ptr[i - 1] == '/')
            return sl_view_sub(path, i, path.len);
    return path;
}

enum sl_prose_kind sl_prose_kind_of(struct sl_view path, struct sl_view head,
                                    bool named)
{
    struct sl_view name = last_part(path);
    if (head.len && memchr(head.ptr, '\0', head.len))
        return SL_PROSE_NONE;
    enum sl_prose_kind kind = SL_PROSE_NONE;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (ends(name, endings[i].ending))
            kind = endings[i].kind;
    if (kind == SL_PROSE_NONE)
        kind = by_content(head);
    else if (kind == SL_PROSE_PLAIN && by_content(head) == SL_PROSE_HTML)
        kind = SL_PROSE_HTML;
    /* README, LICENSE, NOTICE */
    if (kind == SL_PROSE_NONE && (named || !memchr(name.ptr, '.', name.len)) &&
        !sl_view_starts(head, "#!"))
        kind = SL_PROSE_PLAIN;
    return kind;
}

void sl_prose_init(struct sl_prose *prose)
{
    *prose = (struct sl_prose){.marks = NULL};
    sl_buf_init(&prose->text, 4ul * SL_MAX_OVERLAP_FILE);
}

void sl_prose_release(struct sl_prose *prose)
{
    sl_buf_release(&prose->text);
    free(prose->marks);
    *prose = (struct sl_prose){.marks = NULL};
}

void sl_prose_clear(struct sl_prose *prose)
{
    sl_buf_truncate(&prose->text, 0);
    prose->mark_count = 0;
    prose->failed = false;
}

void sl_prose_mark(struct sl_prose *prose, uint32_t line, bool fresh)
{
    if (prose->mark_count == prose->mark_cap) {
        size_t cap = prose->mark_cap ? prose->mark_cap * 2 : 256;
        struct sl_word_mark *marks = NULL;
        if (cap <= 2 * SL_MAX_OVERLAP_MARKS)
            marks = realloc(prose->marks, cap * sizeof *marks);
        if (!marks) {
            prose->failed = true;
            return;
        }
        prose->marks = marks;
        prose->mark_cap = cap;
    }
    sl_buf_putc(&prose->text, ' ');
    prose->marks[prose->mark_count++] =
        (struct sl_word_mark){prose->text.len, line, fresh};
}

void sl_prose_reader_init(struct sl_prose_reader *reader,
                          struct sl_arena *arena)
{
    reader->parser = NULL;
    sl_latex_init(&reader->latex, arena);
}

void sl_prose_reader_release(struct sl_prose_reader *reader)
{
    if (reader->parser)
        sl_parser_free(reader->parser);
    reader->parser = NULL;
}

static enum sl_status read_python(struct sl_prose_reader *reader,
                                  struct sl_view text,
                                  struct sl_prose *prose,
                                  struct sl_error *error)
{
    enum sl_status status = SL_OK;
    if (!reader->parser)
        status = sl_parser_new(&reader->parser, error);
    return status ? status
                  : sl_prose_python(prose, reader->parser, text, error);
}

enum sl_status sl_prose_read(struct sl_prose_reader *reader,
                             enum sl_prose_kind kind, struct sl_view text,
                             struct sl_prose *prose, struct sl_error *error)
{
    enum sl_status status = SL_OK;
    switch (kind) {
    case SL_PROSE_NONE:
        break;
    case SL_PROSE_PLAIN:
        sl_buf_add(&prose->text, text);
        break;
    case SL_PROSE_MARKDOWN:
        status = sl_prose_markdown(prose, text, error);
        break;
    case SL_PROSE_HTML:
        status = sl_prose_html(prose, text, error);
        break;
    case SL_PROSE_LATEX:
        status = sl_prose_latex(prose, &reader->latex, text, error);
        break;
    case SL_PROSE_C:
        sl_prose_c(prose, text);
        break;
    case SL_PROSE_PYTHON:
        status = read_python(reader, text, prose, error);
        break;
    }
    if (!status && prose->failed)
        status = sl_error_set(error, SL_ERR_LIMIT,
                              "more than %u places where prose begins",
                              SL_MAX_OVERLAP_MARKS);
    return status ? status : sl_buf_check(&prose->text, error);
}
