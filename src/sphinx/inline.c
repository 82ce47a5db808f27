#include "sphinx/inline.h"

#include <string.h>

#include "sphinx/escape.h"

void sl_inline_init(struct sl_inline *in, size_t max)
{
    *in = (struct sl_inline){.space = false};
    sl_buf_init(&in->out, max);
    sl_buf_init(&in->code, max);
    sl_buf_init(&in->done, max);
}

void sl_inline_release(struct sl_inline *in)
{
    sl_buf_release(&in->out);
    sl_buf_release(&in->code);
    sl_buf_release(&in->done);
}

bool sl_inline_is_empty(const struct sl_inline *in)
{
    return in->out.len == 0 && in->code.len == 0;
}

static void open_pending(struct sl_inline *in)
{
    for (size_t i = 0; i < in->mark_count; i++) {
        if (in->marks[i].state != SL_MARK_PENDING)
            continue;
        in->marks[i].state = SL_MARK_OPEN;
        switch (in->marks[i].kind) {
        case SL_MARK_EM:
            sl_buf_putc(&in->out, SL_EM_BEGIN);
            break;
        case SL_MARK_STRONG:
            sl_buf_putc(&in->out, SL_STRONG_BEGIN);
            break;
        case SL_MARK_LINK:
            sl_buf_putc(&in->out, '[');
            break;
        case SL_MARK_HTML:
            sl_buf_printf(&in->out, "<%.*s>", SL_ARG(in->marks[i].value));
            break;
        case SL_MARK_ABBR:
            sl_buf_puts(&in->out, "<abbr title=\"");
            sl_sphinx_put_title(&in->out, in->marks[i].value);
            sl_buf_puts(&in->out, "\">");
            break;
        }
        in->marks[i].begin = in->out.len;
    }
}

/* The space or the new line that is due. */
static void put_space(struct sl_inline *in)
{
    if (in->line && in->out.len)
        sl_buf_putc(&in->out, '\n');
    else if (in->space && in->out.len)
        sl_buf_putc(&in->out, ' ');
    in->space = in->line = false;
}

static void begin_visible(struct sl_inline *in)
{
    put_space(in);
    open_pending(in); /* behind the space: marks hold on to their text */
}

/* Ends the code span, if one waits. */
static void flush_code(struct sl_inline *in)
{
    if (in->code.len) {
        sl_sphinx_put_code(&in->out, sl_buf_view(&in->code), in->in_cell);
        sl_buf_truncate(&in->code, 0);
    }
    in->space = in->space || in->code_space;
    in->code_space = false;
}

static void add_code(struct sl_inline *in, struct sl_view text)
{
    for (size_t i = 0; i < text.len;) {
        size_t space = sl_sphinx_blank_length(text, i);
        if (space) {
            if (in->code.len)
                in->code_space = true;
            else
                in->space = true;
            i += space;
            continue;
        }
        if (!in->code.len)
            begin_visible(in);
        else if (in->code_space)
            sl_buf_putc(&in->code, ' ');
        in->code_space = false;
        size_t end = i + 1;
        while (end < text.len && !sl_sphinx_blank_length(text, end))
            end++;
        sl_buf_add(&in->code, sl_view_sub(text, i, end));
        i = end;
    }
}

/*
 * A word with an underscore that could close emphasis becomes code. Its part in
 * out is taken back, as far as it is of this text (from `since`).
 */
static size_t code_word(struct sl_inline *in, struct sl_view text, size_t at,
                        size_t since)
{
    size_t begin = at;
    while (begin > since && sl_sphinx_in_word(text.ptr[begin - 1]))
        begin--;
    size_t end = at;
    while (end < text.len && sl_sphinx_in_word(text.ptr[end]))
        end++;
    while (end > at + 1 &&
           (text.ptr[end - 1] == '.' || text.ptr[end - 1] == ':'))
        end--;
    if (sl_view_starts(sl_view_sub(text, end, text.len), "()"))
        end += 2;
    sl_buf_truncate(&in->out, in->out.len - (at - begin));
    sl_buf_add(&in->code, sl_view_sub(text, begin, end));
    return end;
}

/* A run of text without white space. */
static void add_word(struct sl_inline *in, struct sl_view text, size_t begin,
                     size_t end)
{
    size_t since = begin; /* no code span or escape after it */
    for (size_t i = begin; i < end;) {
        size_t plain = i;
        while (plain < end && !sl_sphinx_is_special(text.ptr[plain]))
            plain++;
        if (plain > i) {
            flush_code(in);
            begin_visible(in);
            sl_buf_add(&in->out, sl_view_sub(text, i, plain));
            i = plain;
            continue;
        }
        if (text.ptr[i] == '_' && sl_sphinx_underscore_closes(text, i)) {
            if (in->code_space) /* the span before it has ended */
                flush_code(in);
            if (!in->code.len)
                begin_visible(in);
            i = since = code_word(in, sl_view_sub(text, 0, end), i, since);
            continue;
        }
        flush_code(in);
        begin_visible(in);
        if (text.ptr[i] == '_') {
            sl_buf_putc(&in->out, '_');
            i++;
            continue;
        }
        i += sl_sphinx_put_escaped(&in->out, text, i, in->emphases > 0);
        since = i;
    }
}

void sl_inline_text(struct sl_inline *in, struct sl_view text)
{
    if (in->code_depth) {
        add_code(in, text);
        return;
    }
    for (size_t i = 0; i < text.len;) {
        size_t space = sl_sphinx_blank_length(text, i);
        if (space) {
            flush_code(in);
            in->space = true;
            i += space;
            continue;
        }
        size_t end = i + 1;
        while (end < text.len && !sl_sphinx_blank_length(text, end))
            end++;
        add_word(in, text, i, end);
        i = end;
    }
}

void sl_inline_verbatim(struct sl_inline *in, const char *before,
                        struct sl_view code, const char *after)
{
    flush_code(in);
    begin_visible(in);
    sl_buf_puts(&in->out, before);
    sl_sphinx_put_code(&in->out, code, in->in_cell);
    sl_buf_puts(&in->out, after);
}

void sl_inline_raw(struct sl_inline *in, struct sl_view markdown)
{
    flush_code(in);
    begin_visible(in);
    sl_buf_add(&in->out, markdown);
}

void sl_inline_anchor(struct sl_inline *in, struct sl_view id)
{
    flush_code(in);
    put_space(in);
    sl_buf_puts(&in->out, "<a id=\"");
    sl_sphinx_put_attribute(&in->out, id);
    sl_buf_puts(&in->out, "\"></a>");
}

void sl_inline_image(struct sl_inline *in, struct sl_view alt,
                     struct sl_view to)
{
    flush_code(in);
    begin_visible(in);
    sl_buf_puts(&in->out, "![");
    size_t begin = in->out.len;
    unsigned code = in->code_depth;
    in->code_depth = 0; /* the description is text, also in a code span */
    sl_inline_text(in, sl_view_trim(alt));
    flush_code(in);
    in->code_depth = code;
    in->space = false;
    sl_sphinx_settle_brackets(&in->out, begin);
    sl_buf_puts(&in->out, "](");
    sl_sphinx_put_target(&in->out, to);
    sl_buf_putc(&in->out, ')');
}

void sl_inline_break(struct sl_inline *in)
{
    flush_code(in);
    in->line = true;
}

static bool is_emphasis(enum sl_mark kind)
{
    return kind == SL_MARK_EM || kind == SL_MARK_STRONG;
}

void sl_inline_open(struct sl_inline *in, enum sl_mark kind,
                    struct sl_view value)
{
    if (in->mark_count >= SL_MAX_OPEN_MARKS) {
        in->skipped++;
        return;
    }
    bool inner = (is_emphasis(kind) && (in->emphases || in->code_depth)) ||
                 (kind == SL_MARK_LINK && in->links > 0);
    if (!inner)
        flush_code(in);
    in->emphases += is_emphasis(kind);
    in->links += kind == SL_MARK_LINK;
    in->marks[in->mark_count].kind = kind;
    in->marks[in->mark_count].state = inner ? SL_MARK_DEAD : SL_MARK_PENDING;
    in->marks[in->mark_count].value = value;
    in->mark_count++;
}

/* The end of an open mark, written where the text ends. */
static void write_end(struct sl_inline *in, size_t index)
{
    switch (in->marks[index].kind) {
    case SL_MARK_EM:
        sl_buf_putc(&in->out, SL_EM_END);
        break;
    case SL_MARK_STRONG:
        sl_buf_putc(&in->out, SL_STRONG_END);
        break;
    case SL_MARK_LINK:
        sl_sphinx_settle_brackets(&in->out, in->marks[index].begin);
        sl_buf_puts(&in->out, "](");
        sl_sphinx_put_target(&in->out, in->marks[index].value);
        sl_buf_putc(&in->out, ')');
        in->link_count++;
        break;
    case SL_MARK_HTML:
        sl_buf_printf(&in->out, "</%.*s>", SL_ARG(in->marks[index].value));
        break;
    case SL_MARK_ABBR:
        sl_buf_puts(&in->out, "</abbr>");
        break;
    }
    in->marks[index].state = SL_MARK_DEAD;
}

void sl_inline_close(struct sl_inline *in)
{
    if (in->skipped) {
        in->skipped--;
        return;
    }
    if (!in->mark_count)
        return;
    size_t index = in->mark_count - 1;
    if (in->marks[index].state != SL_MARK_DEAD)
        flush_code(in);
    in->emphases -= is_emphasis(in->marks[index].kind);
    in->links -= in->marks[index].kind == SL_MARK_LINK;
    if (in->marks[index].state == SL_MARK_OPEN)
        write_end(in, index);
    in->mark_count--;
}

struct sl_view sl_inline_finish(struct sl_inline *in)
{
    flush_code(in);
    for (size_t i = in->mark_count; i-- > 0;)
        if (in->marks[i].state == SL_MARK_OPEN)
            write_end(in, i);
    in->space = in->line = false;
    sl_buf_truncate(&in->done, 0);
    sl_sphinx_settle(&in->done, sl_buf_view(&in->out), !in->in_heading,
                     in->in_cell);
    if (!in->in_heading && !in->in_cell)
        sl_sphinx_part_from_definition(&in->done);
    if (in->out.failed)
        in->done.failed = in->out.failed;
    if (in->code.failed)
        in->done.failed = in->code.failed;
    sl_buf_truncate(&in->out, 0);
    return sl_buf_view(&in->done);
}
