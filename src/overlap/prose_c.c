/*
 * Comments of C, C++ and CUDA, found as the translation phases 2 and 3 define
 * them: spliced lines, literals, raw strings, then comments. A grammar would be
 * no help: it takes what follows a #define for one token, a // comment included
 * (docs/decisions/0005-overlap.md).
 */
#include <string.h>

#include "overlap/prose.h"

struct scan {
    struct sl_prose *prose;
    struct sl_view text;
    size_t at;
    uint32_t line;
    bool code;   /* something else than white space since the last comment */
    bool number; /* in a number, whose ' separates digits */
};

static char peek(const struct scan *s, size_t ahead)
{
    return s->at + ahead < s->text.len ? s->text.ptr[s->at + ahead] : '\0';
}

static bool starts(const struct scan *s, const char *what)
{
    return sl_view_starts(sl_view_sub(s->text, s->at, s->text.len), what);
}

/* Bytes of a spliced line's end at `at`, or 0. */
static size_t splice(const struct scan *s, size_t at)
{
    const char *p = s->text.ptr + at;
    size_t left = s->text.len - at;
    if (left >= 2 && p[0] == '\\' && p[1] == '\n')
        return 2;
    return left >= 3 && memcmp(p, "\\\r\n", 3) == 0 ? 3 : 0;
}

static void step(struct scan *s)
{
    s->line += s->text.ptr[s->at] == '\n';
    s->at++;
}

/*
 * Comment text without documentation commands (@param[in], \brief) and without
 * the backslashes of spliced lines; newlines stay.
 */
static void put_comment(struct scan *s, size_t begin, size_t end)
{
    const char *text = s->text.ptr;
    struct sl_buf *out = &s->prose->text;
    size_t kept = begin;
    for (size_t i = begin; i < end; i++) {
        if ((text[i] != '@' && text[i] != '\\') ||
            (i > begin && sl_is_word(text[i - 1])))
            continue;
        size_t after = i + 1;
        while (after < end && sl_is_alpha(text[after]))
            after++;
        if (after > i + 1 && after < end && text[after] == '[')
            while (after < end && text[after] != ']' && text[after] != '\n')
                after++;
        sl_buf_add(out, sl_view_sub(s->text, kept, i));
        sl_buf_putc(out, ' ');
        kept = after;
        i = after - 1;
    }
    sl_buf_add(out, sl_view_sub(s->text, kept, end));
}

static void comment(struct scan *s)
{
    bool block = peek(s, 1) == '*';
    size_t begin = s->at + 2, end = begin;
    size_t after;
    if (block) {
        end = sl_view_find(s->text, SL_LIT("*/"), begin);
        if (end == SIZE_MAX)
            end = s->text.len;
        after = end + 2 < s->text.len ? end + 2 : s->text.len;
    } else {
        while (end < s->text.len && s->text.ptr[end] != '\n') {
            size_t joined = splice(s, end);
            end += joined ? joined : 1;
        }
        after = end;
    }
    sl_prose_mark(s->prose, s->line, s->code);
    put_comment(s, begin < s->text.len ? begin : s->text.len, end);
    while (s->at < after)
        step(s);
    s->code = false;
}

/* A string or character literal; an unclosed one ends with its line. */
static void literal(struct scan *s, char quote)
{
    step(s);
    while (s->at < s->text.len && peek(s, 0) != '\n') {
        char c = peek(s, 0);
        size_t joined = splice(s, s->at);
        if (c == '\\' && !joined && s->at + 1 < s->text.len)
            joined = 2;
        for (size_t i = joined ? joined : 1; i; i--)
            step(s);
        if (c == quote)
            return;
    }
}

/* R"delimiter( … )delimiter", at its quote. False: it is none. */
static bool raw_string(struct scan *s)
{
    enum { LONGEST = 16 };
    char close[LONGEST + 2] = ")";
    size_t len = 1, i = 1;
    for (; len <= LONGEST && peek(s, i) != '('; i++) {
        char c = peek(s, i);
        if (c == '\0' || sl_is_space(c) || c == ')' || c == '\\' || c == '"')
            return false;
        close[len++] = c;
    }
    if (peek(s, i) != '(')
        return false;
    close[len++] = '"';
    size_t end = sl_view_find(s->text, (struct sl_view){close, len}, s->at);
    end = end == SIZE_MAX ? s->text.len : end + len;
    while (s->at < end)
        step(s);
    return true;
}

/* A word of code; a literal's prefix may be its end. */
static void word(struct scan *s)
{
    size_t begin = s->at;
    s->number = sl_is_digit(peek(s, 0));
    while (sl_is_word(peek(s, 0)) ||
           (s->number && peek(s, 0) == '\'' && sl_is_alnum(peek(s, 1))))
        step(s);
    struct sl_view name = sl_view_sub(s->text, begin, s->at);
    if (peek(s, 0) == '"' && name.len <= 3 && sl_view_ends(name, "R"))
        (void)raw_string(s);
}

void sl_prose_c(struct sl_prose *prose, struct sl_view text)
{
    struct scan s = {.prose = prose, .text = text, .line = 1, .code = true};
    while (s.at < text.len) {
        char c = peek(&s, 0);
        if (starts(&s, "//") || starts(&s, "/*")) {
            comment(&s);
            continue;
        }
        s.code = s.code || !sl_is_space(c);
        if (c == '"' || c == '\'')
            literal(&s, c);
        else if (sl_is_word(c))
            word(&s);
        else
            step(&s);
    }
}
