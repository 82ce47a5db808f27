#include "sphinx/escape.h"

#include <string.h>

#include "sphinx/inline.h"

size_t sl_sphinx_blank_length(struct sl_view text, size_t at)
{
    char c = text.ptr[at];
    if (sl_is_space(c) || (c >= 0 && c < 0x20))
        return 1;
    if (c == '\xc2' && at + 1 < text.len && text.ptr[at + 1] == '\xa0')
        return 2;
    return 0;
}

bool sl_sphinx_is_special(char c)
{
    return c && strchr("\\`*_[]<>&~!", c);
}

bool sl_sphinx_in_word(char c)
{
    return sl_is_word(c) || c == '.' || c == ':' || c == '~';
}

bool sl_sphinx_underscore_closes(struct sl_view text, size_t at)
{
    while (at + 1 < text.len && sl_is_word(text.ptr[at + 1]))
        at++;
    return text.ptr[at] == '_';
}

static bool is_punct(char c)
{
    return (c > 0x20 && c < 0x7f) && !sl_is_alnum(c);
}

static char last_byte(const struct sl_buf *out)
{
    return out->len ? out->ptr[out->len - 1] : '\n';
}

static void escape_if(struct sl_buf *out, char c, bool meant)
{
    if (meant)
        sl_buf_putc(out, '\\');
    sl_buf_putc(out, c);
}

/* A run of stars: it can end emphasis unless white space stands before it. */
static size_t put_stars(struct sl_buf *out, struct sl_view text, size_t at,
                        bool in_emphasis)
{
    size_t end = at;
    while (end < text.len && text.ptr[end] == '*')
        end++;
    bool closes = in_emphasis || !sl_is_space(last_byte(out));
    for (size_t i = at; i < end; i++) {
        if (closes)
            sl_buf_puts(out, "\\*");
        else
            sl_buf_putc(out, SL_STAR);
    }
    return end - at;
}

size_t sl_sphinx_put_escaped(struct sl_buf *out, struct sl_view text, size_t at,
                             bool in_emphasis)
{
    char c = text.ptr[at];
    bool last = at + 1 == text.len;
    char next = last ? '\0' : text.ptr[at + 1];
    switch (c) {
    case '*':
        return put_stars(out, text, at, in_emphasis);
    case '\\':
        escape_if(out, c, last || !sl_is_alnum(next));
        break;
    case '`':
        escape_if(out, c, true);
        break;
    case '<':
        escape_if(out, c,
                  last || sl_is_alpha(next) || strchr("/!?", next) != NULL);
        break;
    case '&':
        escape_if(out, c, last || sl_is_alpha(next) || next == '#');
        break;
    case '~':
        escape_if(out, c, next == '~' || !sl_is_space(last_byte(out)));
        break;
    case '[':
        sl_buf_putc(out, SL_LEFT);
        break;
    case ']':
        sl_buf_putc(out, SL_RIGHT);
        break;
    case '!':
        sl_buf_putc(out, SL_BANG);
        break;
    default:
        sl_buf_putc(out, c);
    }
    return 1;
}

static size_t longest_run(struct sl_view text, char c)
{
    size_t longest = 0, run = 0;
    for (size_t i = 0; i < text.len; i++) {
        run = text.ptr[i] == c ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest;
}

static bool is_pad(char c)
{
    return c == '`' || c == ' ';
}

static void put_ticks(struct sl_buf *out, size_t count)
{
    for (size_t i = 0; i < count; i++)
        sl_buf_putc(out, '`');
}

/* Whether a code span ends here; marks that stand between may come to nothing. */
static bool is_behind_tick(const struct sl_buf *out)
{
    size_t at = out->len;
    while (at && out->ptr[at - 1] > 0 && out->ptr[at - 1] < SL_LEFT)
        at--;
    return at && out->ptr[at - 1] == '`';
}

void sl_sphinx_put_code(struct sl_buf *out, struct sl_view code, bool in_cell)
{
    /* a bar would end the cell however it is escaped */
    if (in_cell && sl_view_find(code, SL_LIT("\\|"), 0) != SIZE_MAX) {
        for (size_t i = 0; i < code.len; i++)
            escape_if(out, code.ptr[i],
                      is_punct(code.ptr[i]) && code.ptr[i] != '|' &&
                          code.ptr[i] != '_');
        return;
    }
    size_t slashes = 0;
    while (slashes < out->len && out->ptr[out->len - 1 - slashes] == '\\')
        slashes++;
    if (slashes %
        2) /* a backslash of the text would take the tick for its own */
        sl_buf_putc(out, '\\');
    if (is_behind_tick(out)) /* two spans would be one */
        sl_buf_puts(out, "<!-- -->");
    size_t ticks = longest_run(code, '`') + 1;
    bool pad = code.len &&
               (is_pad(code.ptr[0]) || is_pad(code.ptr[code.len - 1]));
    put_ticks(out, ticks);
    if (pad)
        sl_buf_putc(out, ' ');
    sl_buf_add(out, code);
    if (pad)
        sl_buf_putc(out, ' ');
    put_ticks(out, ticks);
}

/* The next byte; marks of emphasis between may come to nothing. */
static char next_byte(struct sl_view text, size_t at)
{
    do
        at++;
    while (at < text.len && text.ptr[at] > 0 && text.ptr[at] < SL_LEFT);
    return at < text.len ? text.ptr[at] : '\0';
}

/* Whether each bracket has its partner, and none of them makes a link. */
static bool are_harmless(struct sl_view text)
{
    size_t depth = 0;
    for (size_t i = 0; i < text.len; i++) {
        bool link = next_byte(text, i) == '(';
        if (text.ptr[i] == SL_RIGHT && (depth == 0 || link))
            return false;
        depth += text.ptr[i] == SL_LEFT;
        depth -= text.ptr[i] == SL_RIGHT;
    }
    return depth == 0;
}

void sl_sphinx_settle_brackets(struct sl_buf *out, size_t begin)
{
    if (begin >= out->len || out->failed)
        return;
    struct sl_view text = sl_view_sub(sl_buf_view(out), begin, out->len);
    if (are_harmless(text)) {
        for (size_t i = begin; i < out->len; i++)
            out->ptr[i] = out->ptr[i] == SL_LEFT    ? '['
                          : out->ptr[i] == SL_RIGHT ? ']'
                                                    : out->ptr[i];
        return;
    }
    struct sl_buf copy;
    sl_buf_init(&copy, out->max);
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (c == SL_LEFT || c == SL_RIGHT)
            sl_buf_puts(&copy, c == SL_LEFT ? "\\[" : "\\]");
        else
            sl_buf_putc(&copy, c);
    }
    if (copy.failed)
        out->failed = copy.failed;
    sl_buf_truncate(out, begin);
    sl_buf_add(out, sl_buf_view(&copy));
    sl_buf_release(&copy);
}

/* --- what is decided when the block is whole ------------------------------ */

static bool is_end_mark(char c)
{
    return c == SL_EM_END || c == SL_STRONG_END;
}

/* As cmark sees a byte next to stars; beyond ASCII, whatever forbids them. */
static bool is_letter(char c)
{
    return sl_is_alnum(c);
}

static bool is_edge(char c)
{
    return sl_is_space(c) || is_punct(c) ||
           (c > 0 && c <= SL_STAR); /* what is settled here is none */
}

/* Whether stars at `begin` and `end` (their marks' offsets) would be emphasis. */
static bool will_work(struct sl_view out, size_t begin, size_t end, char before)
{
    char inner = out.ptr[begin + 1];
    char last = out.ptr[end - 1];
    char after = end + 1 < out.len ? out.ptr[end + 1] : '\n';
    if (begin + 1 == end || before == '*' || after == '*')
        return false;
    if (after > 0 && after < SL_LEFT) /* another mark's stars */
        return false;
    return (is_letter(inner) || is_edge(before)) &&
           (is_letter(last) || is_edge(after));
}

/* Whether a byte at a line's beginning would begin another block. */
static bool begins_block(char c, char next)
{
    if (c == '-' || c == '+' || c == '~')
        return next == c || (c != '~' && sl_is_space(next));
    return c && strchr("#>=:|", c) != NULL;
}

static void put_line_start(struct sl_buf *done, struct sl_view line,
                           size_t *skip_out)
{
    *skip_out = 0;
    size_t digits = 0;
    while (digits < line.len && sl_is_digit(line.ptr[digits]))
        digits++;
    char c = line.len ? line.ptr[0] : '\0';
    char behind = digits < line.len ? line.ptr[digits] : '\0';
    if (digits && (behind == '.' || behind == ')')) {
        sl_buf_add(done, sl_view_sub(line, 0, digits));
        sl_buf_putc(done, '\\');
        *skip_out = digits;
    } else if (begins_block(c, line.len > 1 ? line.ptr[1] : ' ')) {
        sl_buf_putc(done, '\\');
    }
    /* behind one that is escaped the next could end emphasis */
    while (*skip_out < line.len && line.ptr[*skip_out] == SL_STAR) {
        sl_buf_puts(done, "\\*");
        ++*skip_out;
    }
}

struct settling {
    struct sl_view out;
    struct sl_buf *done;
    size_t end; /* of the emphasis that is open, 0: none */
    bool marks; /* there is emphasis, which a star could spoil */
};

static void settle_emphasis(struct settling *s, size_t i)
{
    char c = s->out.ptr[i];
    const char *stars = c == SL_STRONG_BEGIN || c == SL_STRONG_END ? "**" : "*";
    if (is_end_mark(c)) {
        if (s->end == i)
            sl_buf_puts(s->done, stars);
        return;
    }
    size_t end = i + 1;
    while (end < s->out.len && !is_end_mark(s->out.ptr[end]))
        end++;
    char before = s->done->len ? s->done->ptr[s->done->len - 1] : '\n';
    if (end < s->out.len && will_work(s->out, i, end, before)) {
        s->end = end;
        sl_buf_puts(s->done, stars);
    }
}

static void settle_byte(struct settling *s, size_t i)
{
    char c = s->out.ptr[i];
    char next = next_byte(s->out, i);
    switch (c) {
    case SL_EM_BEGIN:
    case SL_EM_END:
    case SL_STRONG_BEGIN:
    case SL_STRONG_END:
        settle_emphasis(s, i);
        break;
    case SL_LEFT:
        sl_buf_putc(s->done, '[');
        break;
    case SL_RIGHT:
        escape_if(s->done, ']', /* a link, or what defines one */
                  next == '(' || (next == ':' && s->out.ptr[0] == SL_LEFT));
        break;
    case SL_BANG:
        escape_if(s->done, '!', next == '[' || next == SL_LEFT);
        break;
    case SL_STAR:
        escape_if(s->done, '*', s->marks);
        break;
    case '\n':
        sl_buf_puts(s->done, "\\\n");
        break;
    default:
        sl_buf_putc(s->done, c);
    }
}

static bool is_plain(char c)
{
    return c < 0 || c >= 0x20;
}

void sl_sphinx_part_from_definition(struct sl_buf *done)
{
    struct sl_view text = sl_buf_view(done), guard = SL_LIT("<a></a>");
    size_t at = text.len && *text.ptr == '[' ? 0 : SIZE_MAX;
    while (at != SIZE_MAX) {
        at = sl_view_find(text, SL_LIT("]:"), at + 1);
        if (at != SIZE_MAX && text.ptr[at - 1] != '\\')
            break;
    }
    if (at == SIZE_MAX)
        return;
    sl_buf_add(done, guard);
    if (done->failed)
        return;
    memmove(done->ptr + guard.len, done->ptr, done->len - guard.len);
    memcpy(done->ptr, guard.ptr, guard.len);
}

void sl_sphinx_settle(struct sl_buf *done, struct sl_view out, bool begins,
                      bool shares)
{
    struct settling s = {.out = out, .done = done, .marks = shares};
    for (size_t i = 0; i < out.len && !s.marks; i++)
        s.marks = is_end_mark(out.ptr[i]);
    bool start = begins;
    for (size_t i = 0; i < out.len;) {
        bool mark = out.ptr[i] > 0 && out.ptr[i] < SL_LEFT;
        if (start && !mark) {
            size_t skip;
            put_line_start(done, sl_view_sub(out, i, out.len), &skip);
            i += skip;
        }
        size_t plain = i;
        while (plain < out.len && is_plain(out.ptr[plain]))
            plain++;
        sl_buf_add(done, sl_view_sub(out, i, plain));
        start = start && mark;
        i = plain;
        if (i == out.len)
            break;
        size_t before = done->len;
        settle_byte(&s, i);
        bool nothing = done->len == before; /* of a mark that has no effect */
        start = begins && (out.ptr[i] == '\n' || (start && nothing));
        i++;
    }
}

/* --- attributes ----------------------------------------------------------- */

void sl_sphinx_put_attribute(struct sl_buf *out, struct sl_view value)
{
    for (size_t i = 0; i < value.len; i++) {
        char c = value.ptr[i];
        if (c == '"')
            sl_buf_puts(out, "&quot;");
        else if (c == '&')
            sl_buf_puts(out, "&amp;");
        else if (c == '<')
            sl_buf_puts(out, "&lt;");
        else if (c == '>')
            sl_buf_puts(out, "&gt;");
        else if (c >= 0 && c <= 0x20)
            sl_buf_putc(out, '-');
        else
            sl_buf_putc(out, c);
    }
}

void sl_sphinx_put_title(struct sl_buf *out, struct sl_view value)
{
    bool space = false;
    value = sl_view_trim(value);
    for (size_t i = 0; i < value.len; i++) {
        char c = value.ptr[i];
        bool blank = c >= 0 && c <= 0x20;
        if (!blank && space)
            sl_buf_putc(out, ' ');
        space = blank;
        if (blank)
            continue;
        if (strchr("\"&<>|\\", c)) /* a bar would end a cell */
            sl_buf_printf(out, "&#%d;", c);
        else
            sl_buf_putc(out, c);
    }
}

/* Where a relative path's .html ends; SIZE_MAX: it is none. */
static size_t page_end(struct sl_view target)
{
    size_t end = 0;
    while (end < target.len && target.ptr[end] != '#' &&
           target.ptr[end] != '?') {
        if (target.ptr[end] == ':') /* another site, or a mail */
            return SIZE_MAX;
        end++;
    }
    struct sl_view path = sl_view_sub(target, 0, end);
    bool relative = path.len && path.ptr[0] != '/';
    return relative && sl_view_ends(path, ".html") ? end : SIZE_MAX;
}

void sl_sphinx_put_target(struct sl_buf *out, struct sl_view target)
{
    static const char hex[] = "0123456789ABCDEF";
    target = sl_view_trim(target);
    size_t page = page_end(target);
    for (size_t i = 0; i < target.len; i++) {
        char c = target.ptr[i];
        if (page != SIZE_MAX && i + 5 == page) {
            sl_buf_puts(out, ".md");
            i += 4;
        } else if (c == '&') {
            sl_buf_puts(out, "&amp;");
        } else if ((c >= 0 && c <= 0x20) || c == 0x7f ||
                   strchr("()<>\\|`*[]", c)) {
            sl_buf_putc(out, '%');
            sl_buf_putc(out, hex[(unsigned char)c >> 4]);
            sl_buf_putc(out, hex[(unsigned char)c & 15]);
        } else {
            sl_buf_putc(out, c);
        }
    }
}
