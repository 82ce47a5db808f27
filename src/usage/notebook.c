#include "usage/notebook.h"

#include <string.h>

#include "base/buf.h"
#include "base/limits.h"
#include "json/json.h"

struct building {
    struct sl_arena *arena;
    struct sl_view raw;
    size_t at;              /* in raw, where the next string is looked for */
    size_t line, line_at;   /* line number of offset line_at */
    size_t line_begin;
    unsigned missed; /* strings that are not spelled as we would */
    struct sl_notebook *notebook;
    struct sl_buf parts[SL_NOTEBOOK_PARTS];
    struct sl_error *error;
};

#define MAX_MISSED 16u

/* Moves the place to where the string stands in the file, if that is found. */
static void find_place(struct building *b, struct sl_view text)
{
    struct sl_buf spelled;
    if (b->missed >= MAX_MISSED || !text.len)
        return;
    sl_buf_init(&spelled, b->raw.len + 1);
    sl_buf_putc(&spelled, '"');
    sl_buf_json(&spelled, text);
    sl_buf_putc(&spelled, '"');
    size_t hit = spelled.failed ? SIZE_MAX
                                : sl_view_find(b->raw, sl_buf_view(&spelled),
                                               b->at);
    if (hit == SIZE_MAX)
        b->missed++;
    for (size_t i = b->line_at; hit != SIZE_MAX && i < hit; i++)
        if (b->raw.ptr[i] == '\n') {
            b->line++;
            b->line_begin = i + 1;
        }
    if (hit != SIZE_MAX) {
        b->line_at = hit + 1;
        b->at = hit + spelled.len;
    }
    sl_buf_release(&spelled);
}

/* Whether a line of a Python cell is not Python: a magic, or a shell's. */
static bool is_magic(struct sl_view line)
{
    line = sl_view_trim(line);
    return sl_view_starts(line, "%") || sl_view_starts(line, "!");
}

/* The language of a cell whose text begins so; %%writefile: by the file's name. */
static unsigned part_of(struct sl_view text)
{
    static const char *const shells[] = {"%%bash", "%%sh", "%%script"};
    static const char *const compiled[] = {"%%cu", "%%cpp", "%%c++", "%%nvcc"};
    struct sl_view first = text;
    (void)sl_view_line(&text, &first);
    first = sl_view_trim(first);
    if (sl_view_starts(first, "%%writefile") ||
        sl_view_starts(first, "%%file")) {
        if (sl_language_of(first) == SL_LANGUAGE_CUDA)
            return SL_NOTEBOOK_CUDA;
        return sl_view_ends(first, ".sh") ? SL_NOTEBOOK_SHELL
                                          : SL_NOTEBOOK_PYTHON;
    }
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
        if (sl_view_starts(first, shells[i]))
            return SL_NOTEBOOK_SHELL;
    for (size_t i = 0; i < sizeof compiled / sizeof *compiled; i++)
        if (sl_view_starts(first, compiled[i]))
            return SL_NOTEBOOK_CUDA;
    return SL_NOTEBOOK_PYTHON;
}

/* One line of a cell into the text of its language, an empty one into the others. */
static enum sl_status add_line(struct building *b, struct sl_view line,
                               size_t column, unsigned part)
{
    struct sl_notebook *notebook = b->notebook;
    notebook->lines = sl_arena_grow(b->arena, notebook->lines,
                                    sizeof *notebook->lines, notebook->count,
                                    &notebook->cap);
    struct sl_view kept = sl_arena_copy(b->arena, line);
    if (!notebook->lines || !kept.ptr)
        return sl_error_nomem(b->error);
    notebook->lines[notebook->count++] = (struct sl_notebook_line){
        (uint32_t)b->line,
        (uint32_t)(b->line_at - b->line_begin + column + 1), kept};
    if (sl_view_starts(sl_view_trim(line), "%%") ||
        (part == SL_NOTEBOOK_PYTHON && is_magic(line)))
        part = SL_NOTEBOOK_SHELL;
    size_t mark = sl_view_starts(sl_view_trim(line), "!")
                      ? sl_view_find(line, SL_LIT("!"), 0)
                      : line.len;
    sl_buf_add(&b->parts[part], sl_view_sub(line, 0, mark));
    if (mark < line.len) {
        sl_buf_putc(&b->parts[part], ' ');
        sl_buf_add(&b->parts[part],
                   sl_view_sub(line, mark + 1, line.len));
    }
    for (size_t i = 0; i < SL_NOTEBOOK_PARTS; i++)
        sl_buf_putc(&b->parts[i], '\n');
    return SL_OK;
}

/* One string of a source, which may hold several lines. */
static enum sl_status add_string(struct building *b, struct sl_view text,
                                 unsigned part)
{
    enum sl_status status = SL_OK;
    struct sl_view line, rest = text;
    find_place(b, text);
    while (!status && sl_view_line(&rest, &line)) {
        struct sl_buf spelled; /* what stands before it in the same string */
        sl_buf_init(&spelled, b->raw.len + 1);
        sl_buf_json(&spelled, sl_view_sub(text, 0,
                                          (size_t)(line.ptr - text.ptr)));
        status = add_line(b, line, spelled.len, part);
        sl_buf_release(&spelled);
    }
    return status;
}

static enum sl_status add_cell(struct building *b, const struct sl_json *cell)
{
    const struct sl_json *source = sl_json_get(cell, "source");
    struct sl_view text;
    enum sl_status status = SL_OK;
    if (!sl_view_is(sl_json_member(cell, "cell_type"), "code"))
        return SL_OK;
    if (sl_json_text(source, &text))
        return add_string(b, text, part_of(text));
    unsigned part = sl_json_text(sl_json_at(source, 0), &text)
                        ? part_of(text)
                        : SL_NOTEBOOK_PYTHON;
    for (size_t i = 0; !status && i < sl_json_count(source); i++)
        if (sl_json_text(sl_json_at(source, i), &text))
            status = add_string(b, text, part);
    return status;
}

static enum sl_status add_cells(struct building *b, const struct sl_json *root)
{
    const struct sl_json *cells = sl_json_get(root, "cells");
    enum sl_status status = SL_OK;
    if (!sl_json_is_array(cells))
        return sl_error_set(b->error, SL_ERR_SYNTAX, "no notebook: no cells");
    for (size_t i = 0; !status && i < sl_json_count(cells); i++)
        status = add_cell(b, sl_json_at(cells, i));
    return status;
}

enum sl_status sl_notebook_read(struct sl_arena *arena, struct sl_view text,
                                struct sl_notebook *notebook_out,
                                struct sl_error *error)
{
    static const char *const paths[SL_NOTEBOOK_PARTS] = {"cell.py", "cell.sh",
                                                         "cell.cu"};
    struct sl_notebook notebook = {.count = 0};
    struct building b = {.arena = arena,
                         .raw = text,
                         .line = 1,
                         .notebook = &notebook,
                         .error = error};
    struct sl_json *root = NULL;
    for (size_t i = 0; i < SL_NOTEBOOK_PARTS; i++)
        sl_buf_init(&b.parts[i], SL_MAX_SOURCE_FILE);
    enum sl_status status = sl_json_parse(text, &root, error);
    if (!status)
        status = add_cells(&b, root);
    sl_json_release(root);
    for (size_t i = 0; i < SL_NOTEBOOK_PARTS; i++) {
        notebook.parts[i].path = paths[i];
        notebook.parts[i].text =
            sl_arena_copy(arena, sl_buf_view(&b.parts[i]));
        if (!status)
            status = sl_buf_check(&b.parts[i], error);
        if (!status && !notebook.parts[i].text.ptr)
            status = sl_error_nomem(error);
        sl_buf_release(&b.parts[i]);
    }
    if (!status)
        *notebook_out = notebook;
    return status;
}

void sl_notebook_place(const struct sl_notebook *notebook,
                       uint32_t *line_inout, uint32_t *column_inout)
{
    if (!*line_inout || *line_inout > notebook->count)
        return;
    const struct sl_notebook_line *line = &notebook->lines[*line_inout - 1];
    uint32_t column = *column_inout, escapes = 0;
    for (size_t k = 0; k + 1 < column && k < line->text.len; k++)
        escapes += line->text.ptr[k] == '"' || line->text.ptr[k] == '\\' ||
                   line->text.ptr[k] == '\t';
    *line_inout = line->line;
    *column_inout = line->column + column - 1 + escapes;
}
