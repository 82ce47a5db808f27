#include <string.h>

#include "html/dom.h"
#include "sphinx/stream.h"

/* Bytes of white space in the widest sense, or 0. */
static size_t blank(struct sl_view text, size_t at)
{
    static const char *const wide[] = {
        "\xc2\xa0",     "\xe2\x80\x80", "\xe2\x80\x81", "\xe2\x80\x82",
        "\xe2\x80\x83", "\xe2\x80\x84", "\xe2\x80\x85", "\xe2\x80\x86",
        "\xe2\x80\x87", "\xe2\x80\x88", "\xe2\x80\x89", "\xe2\x80\x8a",
        "\xe2\x80\x8b", "\xe2\x80\xaf", "\xe3\x80\x80"};
    unsigned char c = (unsigned char)text.ptr[at];
    if (c <= 0x20 || c == 0x7f)
        return 1;
    if (c < 0xc2 || c > 0xe3)
        return 0;
    struct sl_view rest = sl_view_sub(text, at, text.len);
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
        if (sl_view_starts(rest, wide[i]))
            return strlen(wide[i]);
    return 0;
}

static bool is_word(char c)
{
    return sl_is_word(c) || (c & 0x80);
}

bool sl_stream_is_blank(struct sl_view text)
{
    for (size_t i = 0, n; i < text.len; i += n)
        if (!(n = blank(text, i)))
            return false;
    return true;
}

size_t sl_stream_count_words(struct sl_view text)
{
    size_t count = 0;
    bool counted = false;
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        if (sl_is_space(text.ptr[i]))
            counted = false;
        else if (!counted &&
                 (sl_is_alnum(text.ptr[i]) || (c >= 0xc3 && c != 0xe2))) {
            counted = true;
            count++;
        }
    }
    return count;
}

void sl_stream_again(struct sl_stream *s, struct sl_token token)
{
    if (s->status)
        return;
    void *grown = sl_arena_grow(s->arena, s->tokens, sizeof *s->tokens,
                                s->count, &s->cap);
    if (!grown) {
        s->status = sl_error_nomem(s->error);
        return;
    }
    s->tokens = grown;
    s->tokens[s->count++] = token;
}

/* What begins, begins with a word, a signature or code. */
static void add(struct sl_stream *s, enum sl_token_kind kind,
                struct sl_view text, unsigned line)
{
    sl_stream_again(s, (struct sl_token){kind, line, text, s->look});
    s->touches = true;
    s->joins = s->joins && kind != SL_TOKEN_IMAGE && kind != SL_TOKEN_WORD;
    if (kind != SL_TOKEN_WORD && kind != SL_TOKEN_SIGNATURE &&
        kind != SL_TOKEN_CODE)
        return;
    s->look.marks &= (unsigned char)~(SL_LOOK_BEGINS | SL_LOOK_ITEM);
    s->look.number = 0;
    s->joins = false;
}

/* The last word and this piece as one; it may have been joined before. */
static void join(struct sl_stream *s, struct sl_view piece)
{
    struct sl_token *last = &s->tokens[s->count - 1];
    size_t len = last->text.len + piece.len;
    if (last->text.ptr != s->joined || len > s->joined_cap) {
        char *text = sl_arena_alloc(s->arena, 2 * len);
        if (!text) {
            s->status = sl_error_nomem(s->error);
            return;
        }
        memcpy(text, last->text.ptr, last->text.len);
        s->joined = text;
        s->joined_cap = 2 * len;
    }
    memcpy(s->joined + last->text.len, piece.ptr, piece.len);
    last->text = (struct sl_view){s->joined, len};
}

void sl_stream_text(struct sl_stream *s, struct sl_view text, unsigned line)
{
    for (size_t i = 0; i < text.len && !s->status;) {
        size_t space = blank(text, i);
        if (space) {
            sl_stream_break(s);
            i += space;
            continue;
        }
        size_t end = i + 1;
        if (is_word(text.ptr[i]))
            while (end < text.len && is_word(text.ptr[end]) &&
                   !blank(text, end))
                end++;
        struct sl_view piece = sl_view_sub(text, i, end);
        if (s->glue && is_word(text.ptr[i]))
            join(s, piece);
        else
            add(s, SL_TOKEN_WORD, piece, line);
        s->glue = is_word(text.ptr[i]);
        i = end;
    }
}

void sl_stream_code(struct sl_stream *s, struct sl_view text, unsigned line)
{
    for (size_t i = 0; i < text.len && !s->status;) {
        char c = text.ptr[i];
        if (c == '\n' || c == '\r') {
            i += c == '\r' && i + 1 < text.len && text.ptr[i + 1] == '\n' ? 2
                                                                         : 1;
            s->look.row++;
            s->look.column = 0;
            sl_stream_break(s);
            continue;
        }
        size_t space = blank(text, i), end = i + (space ? space : 1);
        while (!space && is_word(c) && end < text.len &&
               is_word(text.ptr[end]) && !blank(text, end))
            end++;
        sl_stream_text(s, sl_view_sub(text, i, end), line);
        s->look.column += (uint32_t)(end - i);
        i = end;
    }
}

void sl_stream_break(struct sl_stream *s)
{
    s->glue = s->touches = false;
}

void sl_stream_begin(struct sl_stream *s)
{
    sl_stream_break(s);
    if (!s->joins)
        s->look.marks |= SL_LOOK_BEGINS;
}

void sl_stream_item(struct sl_stream *s, uint32_t number)
{
    s->joins = false;
    sl_stream_begin(s);
    s->look.marks |= SL_LOOK_ITEM;
    s->look.number = number;
}

void sl_stream_mark(struct sl_stream *s, enum sl_token_kind kind,
                    struct sl_view text, unsigned line)
{
    sl_stream_break(s);
    add(s, kind, text, line);
}

void sl_stream_back(struct sl_stream *s, size_t first)
{
    s->count = first;
    for (size_t i = s->anchor_count; i-- > 0 && s->anchors[i].at > first;)
        s->anchors[i].at = first;
}

static int hex_digit(char c)
{
    if (sl_is_digit(c))
        return c - '0';
    c = sl_lower(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Without blanks at the ends, to be changed in place; NULL: s->status is set. */
static char *trimmed_copy(struct sl_stream *s, struct sl_view text,
                          size_t *len_out)
{
    struct sl_view copy = sl_arena_copy(s->arena, sl_view_trim(text));
    if (!copy.ptr)
        s->status = sl_error_nomem(s->error);
    *len_out = copy.len;
    return (char *)(uintptr_t)copy.ptr;
}

void sl_stream_target(struct sl_stream *s, enum sl_token_kind kind,
                      struct sl_view target, unsigned line)
{
    size_t len, n = 0;
    char *text = trimmed_copy(s, target, &len);
    for (size_t i = 0; text && i < len; i++) {
        if (text[i] == '%' && i + 2 < len && hex_digit(text[i + 1]) >= 0 &&
            hex_digit(text[i + 2]) >= 0) {
            text[n++] = (char)(hex_digit(text[i + 1]) << 4 |
                               hex_digit(text[i + 2]));
            i += 2;
        } else {
            text[n++] = text[i];
        }
    }
    if (text)
        sl_stream_mark(s, kind, (struct sl_view){text, n}, line);
}

void sl_stream_title(struct sl_stream *s, struct sl_view title, unsigned line)
{
    size_t len, n = 0;
    char *text = trimmed_copy(s, title, &len);
    for (size_t i = 0; text && i < len; i++) {
        bool blank = text[i] >= 0 && text[i] <= 0x20;
        if (!blank)
            text[n++] = text[i];
        else if (n && text[n - 1] != ' ')
            text[n++] = ' ';
    }
    if (text)
        sl_stream_mark(s, SL_TOKEN_TITLE, (struct sl_view){text, n}, line);
}

void sl_stream_anchor(struct sl_stream *s, struct sl_view id)
{
    void *grown = sl_arena_grow(s->arena, s->anchors, sizeof *s->anchors,
                                s->anchor_count, &s->anchor_cap);
    if (!grown) {
        s->status = sl_error_nomem(s->error);
        return;
    }
    s->anchors = grown;
    s->anchors[s->anchor_count++] = (struct sl_anchor){id, s->count};
}

struct sl_view sl_stream_take(struct sl_stream *s, size_t first)
{
    size_t len = 0, n = 0;
    for (size_t i = first; i < s->count; i++)
        len += s->tokens[i].text.len + 1;
    char *text = sl_arena_alloc(s->arena, len + 1);
    if (!text) {
        s->status = sl_error_nomem(s->error);
        return (struct sl_view){"", 0};
    }
    for (size_t i = first; i < s->count; i++) {
        if (n)
            text[n++] = ' ';
        memcpy(text + n, s->tokens[i].text.ptr, s->tokens[i].text.len);
        n += s->tokens[i].text.len;
    }
    s->count = first;
    sl_stream_break(s);
    return (struct sl_view){text, n};
}

size_t sl_stream_count_escaped(struct sl_view text)
{
    size_t count = 0, slashes = 0;
    for (size_t i = 0; i < text.len; i++) {
        count += text.ptr[i] == '_' && slashes % 2;
        slashes = text.ptr[i] == '\\' ? slashes + 1 : 0;
    }
    return count;
}
