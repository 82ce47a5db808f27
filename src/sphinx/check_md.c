/* The Markdown's side of the check: its stream, as cmark-gfm reads it. */
#include <string.h>

#include "base/limits.h"
#include "markdown/flat.h"
#include "sphinx/stream.h"

#define LOOK_AHEAD 16u /* signatures that may be missing in a row */

struct reader {
    struct sl_stream *s;
    const struct sl_flat *flat;
    const struct sl_stream *page;
    size_t expected; /* token of the page from which on signatures are sought */
    size_t heading;  /* first token of the last heading, or SIZE_MAX */
    bool after_heading;
    size_t row;       /* first token of the open row */
    size_t row_words; /* tokens in its cells */
    size_t emphases, strongs, raised[2]; /* that are open */
    size_t lists;
    uint32_t numbers[SL_MAX_HTML_DEPTH]; /* of the next item; 0: no number */
    struct sl_view signature; /* the last */
    struct sl_view *names;    /* that were recovered for it */
    size_t name_count, name_cap;
    struct sl_recovered *recovered;
};

static void end_names(struct reader *r)
{
    if (!r->name_count)
        return;
    r->recovered->count += r->name_count;
    if (!sl_sphinx_are_parameters(r->signature, r->names, r->name_count))
        r->recovered->faults++;
    r->name_count = 0;
}

/* The page's next signature with this text; SIZE_MAX: there is none near. */
static size_t find_signature(const struct reader *r, struct sl_view text)
{
    size_t seen = 0;
    for (size_t i = r->expected; i < r->page->count && seen < LOOK_AHEAD; i++) {
        if (r->page->tokens[i].kind != SL_TOKEN_SIGNATURE)
            continue;
        if (sl_view_eq(r->page->tokens[i].text, text))
            return i;
        seen++;
    }
    return SIZE_MAX;
}

static struct sl_view signature_of(struct reader *r, struct sl_view language,
                                   struct sl_view line, unsigned number)
{
    size_t first = r->s->count;
    struct sl_look look = r->s->look;
    sl_stream_break(r->s);
    sl_stream_text(r->s, language, number);
    sl_stream_break(r->s);
    sl_stream_text(r->s, line, number);
    r->s->look = look;
    return sl_stream_take(r->s, first);
}

static struct sl_view first_line(struct sl_view text)
{
    struct sl_view line = {"", 0};
    (void)sl_view_cut(&text, '\n', &line);
    return line;
}

/* Where the heading's words, without blanks, end in the signature; 0: not here. */
static size_t match_at(struct sl_view heading, struct sl_view signature,
                       size_t from)
{
    size_t h = 0, s = from;
    while (h < heading.len) {
        if (heading.ptr[h] == ' ')
            h++;
        else if (s < signature.len && signature.ptr[s] == ' ')
            s++;
        else if (s < signature.len && heading.ptr[h] == signature.ptr[s])
            h++, s++;
        else
            return 0;
    }
    return s;
}

/*
 * Whether the heading is what the signature declares: its words stand there, and
 * behind them what can follow a declared name.
 */
static bool names_it(struct sl_view heading, struct sl_view signature)
{
    bool text = sl_view_starts(signature, "text ") ||
                sl_view_starts(signature, "rst ");
    for (size_t from = 0; heading.len && from < signature.len; from++) {
        size_t end = match_at(heading, signature, from);
        if (!end || (from && signature.ptr[from - 1] != ' '))
            continue;
        while (end < signature.len && signature.ptr[end] == ' ')
            end++;
        struct sl_view rest = sl_view_sub(signature, end, signature.len);
        if (text || !rest.len || strchr("([=:{;<", rest.ptr[0]) ||
            sl_view_starts(rest, ") (")) /* (*name)(...) */
            return true;
    }
    return false;
}

/* A block of signatures below a heading; false: it is other code. */
static bool read_signatures(struct reader *r, const struct sl_flat_item *item)
{
    if (!r->after_heading || r->heading == SIZE_MAX)
        return false;
    size_t before = r->s->count;
    struct sl_view text = signature_of(r, item->target, first_line(item->text),
                                       item->line);
    size_t found = find_signature(r, text);
    if (found == SIZE_MAX)
        return false;
    struct sl_view title = {"", 0};
    unsigned char level = 0;
    if (before > r->heading) { /* what begins with it, begins with the block */
        struct sl_look look = r->s->tokens[r->heading].look;
        level = look.heading;
        title = sl_stream_take(r->s, r->heading);
        r->s->look.marks |= look.marks & (SL_LOOK_BEGINS | SL_LOOK_ITEM);
        r->s->look.number = look.number;
    }
    if (!names_it(title, text)) /* the heading stays, and so differs */
        sl_stream_text(r->s, title, item->line);
    end_names(r);
    r->s->look.heading = level;
    struct sl_view rest = item->text, line;
    while (sl_view_cut(&rest, '\n', &line)) {
        text = signature_of(r, item->target, line, item->line);
        sl_stream_mark(r->s, SL_TOKEN_SIGNATURE, text, item->line);
        found = find_signature(r, text);
        r->expected = found == SIZE_MAX ? r->expected : found + 1;
        r->signature = text;
    }
    r->s->look.heading = 0;
    return true;
}

static void read_fence(struct reader *r, const struct sl_flat_item *item)
{
    r->s->escaped += sl_stream_count_escaped(item->text);
    if (!read_signatures(r, item)) {
        sl_stream_mark(r->s, SL_TOKEN_CODE, item->target, item->line);
        r->s->look.marks |= SL_LOOK_CODE;
        sl_stream_code(r->s, item->text, item->line);
        r->s->look.marks &= (unsigned char)~SL_LOOK_CODE;
        r->s->look.row = r->s->look.column = 0;
    }
    sl_stream_begin(r->s);
}

/* <abbr title="...">, in which marks are written as numbers (&#38;). */
static void read_title(struct reader *r, const struct sl_flat_item *item)
{
    struct sl_view rest = item->text, mark = SL_LIT("<abbr title=\"");
    if (!sl_view_starts(rest, mark.ptr))
        return;
    struct sl_buf title;
    sl_buf_init(&title, SL_MAX_HTML_FILE);
    for (size_t i = mark.len; i < rest.len && rest.ptr[i] != '"'; i++) {
        size_t end = sl_view_find(rest, SL_LIT(";"), i);
        uint64_t number;
        if (rest.ptr[i] == '&' && end != SIZE_MAX && rest.ptr[i + 1] == '#' &&
            sl_view_number(sl_view_sub(rest, i + 2, end), 0x7f, &number)) {
            sl_buf_putc(&title, (char)number);
            i = end;
        } else {
            sl_buf_putc(&title, rest.ptr[i]);
        }
    }
    sl_stream_title(r->s, sl_buf_view(&title), item->line);
    sl_buf_release(&title);
}

/* <br> ends a line; anchors are noted; other tags are a look, or none. */
static void read_tag(struct reader *r, const struct sl_flat_item *item)
{
    static const struct {
        const char *name;
        unsigned char mark;
    } looks[] = {{"sub>", SL_LOOK_SUB}, {"sup>", SL_LOOK_SUP}};
    struct sl_view text = item->text;
    if (sl_view_starts(text, "<br"))
        sl_stream_begin(r->s);
    read_title(r, item);
    bool closes = sl_view_starts(text, "</");
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
        if (!sl_view_is(sl_view_sub(text, closes ? 2 : 1, text.len),
                        looks[i].name))
            continue;
        r->s->glue = false; /* H<sub>2</sub>O is three words */
        r->raised[i] += closes ? (r->raised[i] ? (size_t)-1 : 0) : 1;
        r->s->look.marks &= (unsigned char)~looks[i].mark;
        r->s->look.marks |= r->raised[i] ? looks[i].mark : 0;
    }
    struct sl_view mark = SL_LIT("<a id=\"");
    for (size_t at = 0; (at = sl_view_find(text, mark, at)) != SIZE_MAX;) {
        at += mark.len;
        size_t end = sl_view_find(text, SL_LIT("\""), at);
        end = end == SIZE_MAX ? text.len : end;
        sl_stream_anchor(r->s, sl_view_sub(text, at, end));
        at = end;
    }
}

/*
 * `name` *(from the prototype)*: at a text's beginning is ours, not the page's.
 * Gives how many items it takes, or 0.
 */
static size_t read_name(struct reader *r, size_t at)
{
    const struct sl_flat_item *item = &r->flat->items[at];
    if (at + 5 >= r->flat->count || item[0].kind != SL_FLAT_CODE ||
        !sl_view_is(item[1].text, " ") || item[2].kind != SL_FLAT_EMPHASIS ||
        !sl_view_is(item[3].text, "(from the prototype)") ||
        !sl_view_starts(item[5].text, ":"))
        return 0;
    sl_stream_begin(r->s);
    void *grown = sl_arena_grow(r->s->arena, r->names, sizeof *r->names,
                                r->name_count, &r->name_cap);
    if (!grown) {
        r->s->status = sl_error_nomem(r->s->error);
        return 0;
    }
    r->names = grown;
    r->names[r->name_count++] = item->text;
    sl_stream_text(r->s, sl_view_sub(item[5].text, 1, SIZE_MAX), item[5].line);
    return 6;
}

static void read_row(struct reader *r, const struct sl_flat_item *item)
{
    if (!item->end) {
        r->row = r->s->count;
        r->row_words = 0;
        sl_stream_mark(r->s, SL_TOKEN_ROW,
                       item->head ? SL_LIT(" head") : SL_LIT(""), item->line);
    } else if (!r->row_words) {
        sl_stream_back(r->s, r->row); /* without any text: not compared */
    }
}

static void read_cell(struct reader *r, const struct sl_flat_item *item)
{
    if (!item->end) {
        sl_stream_mark(r->s, SL_TOKEN_CELL, SL_LIT(""), item->line);
        r->heading = r->s->count; /* where the cell's own tokens begin */
    } else {
        r->row_words += r->s->count - r->heading;
        r->heading = SIZE_MAX;
    }
    sl_stream_begin(r->s);
}

static void read_heading(struct reader *r, const struct sl_flat_item *item)
{
    sl_stream_begin(r->s);
    if (!item->end)
        r->heading = r->s->count;
    r->after_heading = item->end;
    r->s->look.heading = item->end ? 0 : (unsigned char)item->number;
}

static void read_list(struct reader *r, const struct sl_flat_item *item)
{
    sl_stream_begin(r->s);
    if (item->end) {
        r->lists--;
        return;
    }
    if (r->lists < SL_MAX_HTML_DEPTH)
        r->numbers[r->lists] = sl_view_is(item->target, ".") ? item->number + 1
                                                             : 0;
    r->lists++;
}

static void read_item(struct reader *r, const struct sl_flat_item *item)
{
    sl_stream_begin(r->s);
    if (item->end)
        r->s->look.items--;
    else
        r->s->look.items++;
    if (item->end || !r->lists || r->lists > SL_MAX_HTML_DEPTH)
        return;
    uint32_t *number = &r->numbers[r->lists - 1];
    sl_stream_item(r->s, *number);
    *number += *number > 0;
}

static void read_block(struct reader *r, const struct sl_flat_item *item)
{
    switch (item->kind) {
    case SL_FLAT_HEADING:
        read_heading(r, item);
        return;
    case SL_FLAT_FENCE:
        read_fence(r, item);
        break;
    case SL_FLAT_TABLE:
        sl_stream_begin(r->s);
        if (!item->end)
            sl_stream_mark(r->s, SL_TOKEN_TABLE, SL_LIT(""), item->line);
        r->s->look.marks &= (unsigned char)~SL_LOOK_ITEM;
        r->s->look.number = 0;
        break;
    case SL_FLAT_LIST:
        read_list(r, item);
        break;
    case SL_FLAT_ITEM:
        read_item(r, item);
        break;
    case SL_FLAT_QUOTE:
        sl_stream_begin(r->s);
        if (item->end)
            r->s->look.quotes--;
        else
            r->s->look.quotes++;
        break;
    case SL_FLAT_ROW:
        read_row(r, item);
        break;
    case SL_FLAT_CELL:
        read_cell(r, item);
        break;
    default:
        sl_stream_begin(r->s);
    }
    r->after_heading = false;
}

/*
 * A word that ends with an underscore is code in the Markdown, whatever it is in
 * the page, and so is what goes on behind it as code.
 */
static void read_span(struct reader *r, const struct sl_flat_item *item)
{
    unsigned char before = r->s->look.marks, looks = SL_LOOK_CODE;
    if (memchr(item->text.ptr, '_', item->text.len))
        looks |= SL_LOOK_LOOSE;
    r->s->look.marks = before | looks;
    sl_stream_text(r->s, item->text, item->line);
    r->s->look.marks &= (unsigned char)~looks;
}

static void read_emphasis(struct reader *r, const struct sl_flat_item *item,
                          size_t *open, unsigned char look)
{
    *open += item->end ? (size_t)-1 : 1;
    r->s->look.marks &= (unsigned char)~look;
    r->s->look.marks |= *open ? look : 0;
}

/* What stands in a line; false: a block. */
static bool read_inline(struct reader *r, const struct sl_flat_item *item)
{
    switch (item->kind) {
    case SL_FLAT_CODE:
        r->s->escaped += sl_stream_count_escaped(item->text);
        read_span(r, item);
        return true;
    case SL_FLAT_TEXT:
        sl_stream_text(r->s, item->text, item->line);
        return true;
    case SL_FLAT_HTML:
        read_tag(r, item);
        return true;
    case SL_FLAT_LINK:
        if (!item->end)
            sl_stream_target(r->s, SL_TOKEN_LINK, item->target, item->line);
        return true;
    case SL_FLAT_IMAGE:
        if (!item->end)
            sl_stream_target(r->s, SL_TOKEN_IMAGE, item->target, item->line);
        sl_stream_break(r->s);
        return true;
    case SL_FLAT_BREAK:
        sl_stream_break(r->s);
        return true;
    case SL_FLAT_LINE:
        sl_stream_begin(r->s);
        return true;
    case SL_FLAT_EMPHASIS:
        read_emphasis(r, item, &r->emphases, SL_LOOK_EM);
        return true;
    case SL_FLAT_STRONG:
        read_emphasis(r, item, &r->strongs, SL_LOOK_STRONG);
        return true;
    default:
        return false;
    }
}

void sl_stream_markdown(struct sl_stream *s, struct sl_view markdown,
                        const struct sl_stream *page,
                        struct sl_recovered *recovered_out)
{
    struct sl_flat flat;
    struct reader r = {.s = s,
                       .flat = &flat,
                       .page = page,
                       .heading = SIZE_MAX,
                       .recovered = recovered_out};
    *recovered_out = (struct sl_recovered){0, 0};
    s->status = sl_md_flatten(s->arena, markdown, &flat, s->error);
    for (size_t i = 0; !s->status && i < flat.count;) {
        size_t taken = read_name(&r, i);
        if (taken) {
            i += taken;
            continue;
        }
        if (!read_inline(&r, &flat.items[i]))
            read_block(&r, &flat.items[i]);
        i++;
    }
    end_names(&r);
}
