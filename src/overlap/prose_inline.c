/*
 * Prose of a block of Markdown: what is left out inside of it (addresses of
 * links, citations, tags) and what only decorates and parts no word (emphasis,
 * inline tags, footnote marks).
 */
#include <string.h>

#include "base/limits.h"
#include "html/dom.h"
#include "overlap/prose.h"

enum {
    MAX_TICKS = 32, /* of a code span; more of them are none */
    LONGEST_ENTITY = 32,
    LONGEST_MARK = 256, /* of a footnote, with its tags */
    LONGEST_TAG = 16,
    LONGEST_LABEL = 256, /* of a link that begins inside of a word */
};

struct inline_text {
    struct sl_prose *prose;
    struct sl_buf *out;
    struct sl_view text; /* of one block */
    size_t at;
    bool html;         /* a block of HTML: tags and entities alone */
    uint32_t line;     /* of text[counted] */
    size_t counted;
    bool stars, tildes; /* more than one run of them, so that they are markup */
    /* what closes nowhere in the rest is not looked for again */
    bool open_ticks[MAX_TICKS + 1];
    bool open_comment;
};

static struct sl_view rest_of(const struct inline_text *t)
{
    return sl_view_sub(t->text, t->at, t->text.len);
}

static char byte_at(const struct inline_text *t, size_t at)
{
    return at < t->text.len ? t->text.ptr[at] : '\0';
}

/* Past it, as if it were not there; newlines stay, so that lines stay. */
static void drop(struct inline_text *t, size_t end)
{
    for (; t->at < end && t->at < t->text.len; t->at++)
        if (t->text.ptr[t->at] == '\n')
            sl_buf_putc(t->out, '\n');
}

/* The same for what parts words. */
static void leave_out(struct inline_text *t, size_t end)
{
    sl_buf_putc(t->out, ' ');
    drop(t, end);
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
    while (byte_at(t, t->at + ticks) == '`')
        ticks++;
    size_t begin = t->at + ticks, i = begin;
    if (ticks > MAX_TICKS || t->open_ticks[ticks])
        i = t->text.len;
    while (i < t->text.len) {
        size_t run = 0;
        while (byte_at(t, i + run) == '`')
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
    sl_buf_add(t->out, code);
    t->at = i + ticks;
}

/* Past the bracket that closes the one at `at`, or `at`. */
static size_t closing(struct sl_view text, size_t at, char open, char close)
{
    size_t depth = 0;
    size_t longest = open == '[' ? LONGEST_LABEL : SL_MAX_LINK_TARGET;
    for (size_t i = at; i < text.len && i - at < longest; i++) {
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

/* The element of the name at `at`; *end_out: past the name. */
static enum sl_html_tag name_at(struct sl_view text, size_t at,
                                size_t *end_out)
{
    char name[LONGEST_TAG];
    size_t n = 0;
    while (at + n < text.len && sl_is_alnum(text.ptr[at + n])) {
        if (n < LONGEST_TAG)
            name[n] = sl_lower(text.ptr[at + n]);
        n++;
    }
    char next = at + n < text.len ? text.ptr[at + n] : '\0';
    *end_out = at + n;
    if (next != '>' && next != '/' && !sl_is_space(next))
        return SL_HTML_P; /* <https://...>, <a@b>: it parts words */
    return n > LONGEST_TAG ? SL_HTML_OTHER
                           : sl_html_tag_of((struct sl_view){name, n});
}

/* The element whose tag begins at `at`; *end_out: past the tag. */
static enum sl_html_tag tag_at(struct sl_view text, size_t at, size_t *end_out)
{
    size_t i = at + 1;
    *end_out = at;
    if (i < text.len && text.ptr[i] == '/')
        i++;
    if (i >= text.len || !sl_is_alpha(text.ptr[i]))
        return SL_HTML_TEXT;
    enum sl_html_tag tag = name_at(text, i, &i);
    while (i < text.len && text.ptr[i] != '<' && text.ptr[i] != '>')
        i++;
    if (i >= text.len || text.ptr[i] != '>')
        return SL_HTML_TEXT;
    *end_out = i + 1;
    return tag;
}

/* Past `</name>`, from behind the element's first tag; the text's end: none. */
static size_t past_element(struct sl_view text, size_t at,
                           enum sl_html_tag tag)
{
    while (at < text.len) {
        size_t end;
        at = sl_view_find(text, SL_LIT("</"), at);
        if (at == SIZE_MAX)
            break;
        if (tag_at(text, at, &end) == tag && end > at)
            return end;
        at += 2;
    }
    return text.len;
}

/* What a footnote's mark is made of: numbers, brackets, daggers. */
static size_t mark_length(struct sl_view text, size_t at)
{
    static const char *const signs[] = {"\u2020", "\u2021", "\u00a7", "\u00b6"};
    char c = text.ptr[at];
    if (sl_is_digit(c) || sl_is_space(c) || memchr("[]()*,#", c, 7))
        return 1;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (sl_view_starts(sl_view_sub(text, at, text.len), signs[i]))
            return strlen(signs[i]);
    return 0;
}

bool sl_prose_is_mark(struct sl_view text)
{
    for (size_t at = 0; at < text.len;) {
        size_t length = mark_length(text, at);
        if (!length)
            return false;
        at += length;
    }
    return true;
}

/* Past `</sup>` where all in it is the mark of a footnote, or 0. */
static size_t past_mark(struct sl_view text, size_t at)
{
    for (size_t i = at; i < text.len && i - at < LONGEST_MARK;) {
        size_t end = i;
        if (text.ptr[i] == '<' && tag_at(text, i, &end) == SL_HTML_SUP &&
            text.ptr[i + 1] == '/')
            return end;
        if (end == i)
            end += mark_length(text, i);
        if (end == i)
            return 0;
        i = end;
    }
    return 0;
}

/* What follows continues nothing. */
static void part(struct inline_text *t)
{
    for (; t->counted < t->at; t->counted++)
        t->line += t->text.ptr[t->counted] == '\n';
    sl_prose_mark(t->prose, t->line, true);
}

/* A tag, a comment or an address in angle brackets; false: it is none. */
static bool tag(struct inline_text *t)
{
    if (sl_view_starts(rest_of(t), "<!--")) {
        size_t end = t->open_comment
                         ? SIZE_MAX
                         : sl_view_find(t->text, SL_LIT("-->"), t->at);
        t->open_comment = end == SIZE_MAX;
        if (end != SIZE_MAX)
            drop(t, end + 3);
        return end != SIZE_MAX;
    }
    size_t end;
    enum sl_html_tag name = tag_at(t->text, t->at, &end);
    bool opens = byte_at(t, t->at + 1) != '/';
    if (end == t->at)
        return false;
    enum sl_prose_role role = sl_prose_role_of(name);
    size_t mark = name == SL_HTML_SUP && opens ? past_mark(t->text, end) : 0;
    if (mark) {
        drop(t, mark);
    } else if (role == SL_PROSE_APART && t->html && opens) {
        leave_out(t, past_element(t->text, end, name));
        part(t);
    } else if (role == SL_PROSE_INSIDE) {
        drop(t, end);
    } else {
        leave_out(t, end);
    }
    return true;
}

static void put_character(struct sl_buf *out, uint32_t c)
{
    if (c < 0x80) {
        sl_buf_putc(out, c < 0x20 ? ' ' : (char)c);
        return;
    }
    if (c > 0xffff)
        sl_buf_putc(out, (char)(0xf0 | c >> 18));
    if (c > 0x7ff)
        sl_buf_putc(out, (char)(c > 0xffff ? 0x80 | (c >> 12 & 0x3f)
                                           : 0xe0 | c >> 12));
    sl_buf_putc(out, (char)(c > 0x7ff ? 0x80 | (c >> 6 & 0x3f)
                                      : 0xc0 | c >> 6));
    sl_buf_putc(out, (char)(0x80 | (c & 0x3f)));
}

/* The character of `#38` or `#x26`, or 0. */
static uint32_t number_of(struct sl_view digits)
{
    bool hex = digits.len > 1 && sl_lower(digits.ptr[1]) == 'x';
    uint32_t c = 0;
    for (size_t i = hex ? 2 : 1; i < digits.len; i++) {
        char d = sl_lower(digits.ptr[i]);
        bool letter = hex && d >= 'a' && d <= 'f';
        if (c > 0x10ffff || (!letter && !sl_is_digit(d)))
            return 0;
        c = c * (hex ? 16 : 10) + (uint32_t)(letter ? d - 'a' + 10 : d - '0');
    }
    return c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff) ? 0 : c;
}

/* An entity (&nbsp; &#160;) as what it stands for; false: it is none. */
static bool entity(struct inline_text *t)
{
    struct sl_view text = t->text;
    size_t begin = t->at + 1, i = begin;
    if (byte_at(t, i) == '#')
        i++;
    size_t first = i;
    while (i < text.len && i - begin < LONGEST_ENTITY &&
           sl_is_alnum(text.ptr[i]))
        i++;
    if (i == first || byte_at(t, i) != ';')
        return false;
    struct sl_view name = sl_view_sub(text, begin, i);
    uint32_t c = first > begin ? number_of(name) : sl_html_entity(name);
    if (c)
        put_character(t->out, c), t->at = i + 1;
    else
        leave_out(t, i + 1);
    return true;
}

/*
 * `[` of a footnote's mark, or of a link that begins inside of a word; false: it
 * parts words in any case.
 */
static bool bracket(struct inline_text *t)
{
    struct sl_view text = t->text;
    char next = byte_at(t, t->at + 1);
    char before = t->out->len ? t->out->ptr[t->out->len - 1] : ' ';
    bool inside = sl_is_word(before) || (before & 0x80);
    size_t end = t->at;
    if (inside || next == '^' || next == '[')
        end = closing(text, t->at, '[', ']');
    if (end == t->at)
        return false;
    struct sl_view inner = sl_view_sub(text, t->at + 1, end - 1);
    if (next == '^' && inner.len > 1) { /* [^1] */
        drop(t, end);
        return true;
    }
    if (byte_at(t, end) != '(' && byte_at(t, end) != '[')
        return false;
    /* [[1]](#id), as docs convert writes them */
    if (next == '[' && sl_prose_is_mark(inner) && byte_at(t, end) == '(' &&
        byte_at(t, end + 1) == '#')
        drop(t, closing(text, end, '(', ')'));
    else
        drop(t, t->at + 1);
    return true;
}

/* What a link leads to; false: the bracket is no link's. */
static bool target(struct inline_text *t)
{
    char next = byte_at(t, t->at + 1);
    size_t begin = t->at + 1, end = begin;
    if (next == '(')
        end = closing(t->text, begin, '(', ')');
    else if (next == '[')
        end = closing(t->text, begin, '[', ']');
    if (end > begin)
        drop(t, end);
    return end > begin;
}

static bool is_mark(char c)
{
    return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') ||
           (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

/* A backslash, and the mark that it makes an ordinary one. */
static bool escaped(struct inline_text *t)
{
    char next = byte_at(t, t->at + 1);
    if (!is_mark(next))
        return false;
    sl_buf_putc(t->out, next);
    t->at += 2;
    return true;
}

static size_t run_at(struct sl_view text, size_t at)
{
    size_t n = 1;
    while (at + n < text.len && text.ptr[at + n] == text.ptr[at])
        n++;
    return n;
}

static bool emphasis(struct inline_text *t)
{
    bool star = t->text.ptr[t->at] == '*';
    size_t n = run_at(t->text, t->at);
    if (star ? !t->stars : !t->tildes || n != 2)
        return false;
    drop(t, t->at + n);
    return true;
}

/* One run of stars alone is no emphasis; neither is one with blanks around. */
static void look_for_emphasis(struct inline_text *t)
{
    size_t stars = 0, tildes = 0, n;
    struct sl_view text = t->text;
    for (size_t i = 0; i < text.len; i += n) {
        char c = text.ptr[i];
        n = c == '\\' ? 2 : c == '*' || c == '~' ? run_at(text, i) : 1;
        if (c != '*' && c != '~')
            continue;
        char next = byte_at(t, i + n);
        bool alone = (!i || sl_is_space(text.ptr[i - 1])) &&
                     (!next || sl_is_space(next));
        stars += c == '*' && !alone;
        tildes += c == '~' && n == 2 && !alone;
    }
    t->stars = stars > 1;
    t->tildes = tildes > 1;
}

/* What begins at `at`, if it is markup. */
static bool markup(struct inline_text *t)
{
    switch (t->text.ptr[t->at]) {
    case '<':
        return tag(t);
    case '&':
        return entity(t);
    case '`':
        code_span(t);
        return true;
    case '[':
        return bracket(t);
    case ']':
        return target(t);
    case '\\':
        return escaped(t);
    default:
        return emphasis(t);
    }
}

void sl_prose_inline(struct sl_prose *prose, struct sl_view block,
                     uint32_t line, bool html)
{
    struct inline_text t = {.prose = prose,
                            .out = &prose->text,
                            .text = block,
                            .html = html,
                            .line = line};
    const char *marks = html ? "<&" : "<&`[]\\*~";
    size_t kept = 0, mark_count = strlen(marks);
    if (!html)
        look_for_emphasis(&t);
    while (t.at < block.len) {
        char c = block.ptr[t.at];
        if (!memchr(marks, c, mark_count)) {
            t.at++;
            continue;
        }
        sl_buf_add(t.out, sl_view_sub(block, kept, t.at));
        if (!markup(&t)) {
            sl_buf_putc(t.out, c);
            t.at++;
        }
        kept = t.at;
    }
    sl_buf_add(t.out, sl_view_sub(block, kept, block.len));
}
