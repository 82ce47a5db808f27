#include <string.h>

#include "html/dom.h"
#include "sphinx/stream.h"

/* Bytes of white space in the widest sense, or 0. */
static size_t blank(struct sl_view text, size_t at)
{
    const unsigned char *p = (const unsigned char *)text.ptr + at;
    size_t left = text.len - at;
    if (p[0] <= 0x20 || p[0] == 0x7f)
        return 1;
    if (left >= 2 && p[0] == 0xc2 && p[1] == 0xa0)
        return 2;
    if (left >= 3 && p[0] == 0xe2 && p[1] == 0x80 &&
        ((p[2] >= 0x80 && p[2] <= 0x8b) || p[2] == 0xaf))
        return 3;
    if (left >= 3 && p[0] == 0xe3 && p[1] == 0x80 && p[2] == 0x80)
        return 3;
    return 0;
}

static bool is_word(char c)
{
    return sl_is_word(c) || (c & 0x80);
}

static struct sl_token *add(struct sl_stream *s, enum sl_token_kind kind,
                            struct sl_view text, unsigned line)
{
    if (s->status)
        return NULL;
    void *grown = sl_arena_grow(s->arena, s->tokens, sizeof *s->tokens,
                                s->count, &s->cap);
    if (!grown) {
        s->status = sl_error_nomem(s->error);
        return NULL;
    }
    s->tokens = grown;
    s->tokens[s->count] = (struct sl_token){kind, line, text};
    return &s->tokens[s->count++];
}

/* The last word and this piece as one. */
static void join(struct sl_stream *s, struct sl_view piece)
{
    struct sl_token *last = &s->tokens[s->count - 1];
    char *text = sl_arena_alloc(s->arena, last->text.len + piece.len);
    if (!text) {
        s->status = sl_error_nomem(s->error);
        return;
    }
    memcpy(text, last->text.ptr, last->text.len);
    memcpy(text + last->text.len, piece.ptr, piece.len);
    last->text = (struct sl_view){text, last->text.len + piece.len};
}

void sl_stream_text(struct sl_stream *s, struct sl_view text, unsigned line)
{
    for (size_t i = 0; i < text.len && !s->status;) {
        size_t space = blank(text, i);
        if (space) {
            s->glue = false;
            i += space;
            continue;
        }
        size_t end = i + 1;
        if (is_word(text.ptr[i]))
            while (end < text.len && is_word(text.ptr[end]) &&
                   !blank(text, end))
                end++;
        struct sl_view piece = sl_view_sub(text, i, end);
        s->escaped += piece.ptr[0] == '\\' && end < text.len &&
                      text.ptr[end] == '_';
        if (s->glue && is_word(text.ptr[i]))
            join(s, piece);
        else
            add(s, SL_TOKEN_WORD, piece, line);
        s->glue = is_word(text.ptr[i]);
        i = end;
    }
}

void sl_stream_break(struct sl_stream *s)
{
    s->glue = false;
}

void sl_stream_mark(struct sl_stream *s, enum sl_token_kind kind,
                    struct sl_view text, unsigned line)
{
    s->glue = false;
    add(s, kind, text, line);
}

static int hex_digit(char c)
{
    if (sl_is_digit(c))
        return c - '0';
    c = sl_lower(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

void sl_stream_target(struct sl_stream *s, enum sl_token_kind kind,
                      struct sl_view target, unsigned line)
{
    struct sl_view copy = sl_arena_copy(s->arena, sl_view_trim(target));
    if (!copy.ptr) {
        s->status = sl_error_nomem(s->error);
        return;
    }
    char *text = (char *)(uintptr_t)copy.ptr;
    size_t n = 0;
    for (size_t i = 0; i < copy.len; i++) {
        if (text[i] == '%' && i + 2 < copy.len && hex_digit(text[i + 1]) >= 0 &&
            hex_digit(text[i + 2]) >= 0) {
            text[n++] = (char)(hex_digit(text[i + 1]) << 4 |
                               hex_digit(text[i + 2]));
            i += 2;
        } else {
            text[n++] = text[i];
        }
    }
    sl_stream_mark(s, kind, (struct sl_view){text, n}, line);
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
    s->anchors[s->anchor_count++] = id;
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
    s->glue = false;
    return (struct sl_view){text, n};
}

/* --- parameters ------------------------------------------------------------- */

/* The next word of a signature's text, which blanks part. */
static bool next_word(struct sl_view *rest, struct sl_view *word_out)
{
    return sl_view_cut(rest, ' ', word_out);
}

struct parameters {
    const struct sl_view *names;
    size_t name_count;
    size_t count;
    size_t matched;
    struct sl_view last; /* word that may be the name */
    bool named;          /* nothing behind it counts: a default, an array */
    bool any;            /* a word at all */
};

static void end_parameter(struct parameters *p)
{
    if (!p->any)
        return;
    if (p->count < p->name_count &&
        sl_view_eq(p->names[p->count], p->last))
        p->matched++;
    p->count++;
    p->any = p->named = false;
    p->last = (struct sl_view){"", 0};
}

/* Whether the group that begins behind this word is that of the parameters. */
static bool begins_group(struct sl_view before)
{
    static const char *const no[] = {"__launch_bounds__", "__attribute__",
                                     "alignas", "decltype", "__align__"};
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        if (sl_view_is(before, no[i]))
            return false;
    return before.len && (is_word(before.ptr[0]) ||
                          sl_view_is(before, ")") || before.ptr[0] != '(');
}

static void read_parameters(struct sl_view text, struct parameters *p)
{
    struct sl_view word, before = {"", 0};
    long depth = 0, start = -1, angles = 0;
    while (next_word(&text, &word)) {
        bool open = strchr("([{", word.ptr[0]) != NULL;
        bool close = strchr(")]}", word.ptr[0]) != NULL;
        if (start < 0 && word.ptr[0] == '(' && !angles &&
            begins_group(before))
            start = ++depth;
        else if (open)
            depth++;
        else if (close && start >= 0 && depth == start)
            break;
        else if (close)
            depth--;
        else if (word.ptr[0] == '<')
            angles++;
        else if (word.ptr[0] == '>' && angles && !sl_view_is(before, "-"))
            angles--;
        else if (start >= 0 && depth == start && !angles &&
                 word.ptr[0] == ',')
            end_parameter(p);
        if (start >= 0 && !(word.ptr[0] == '(' && depth == start)) {
            if (word.ptr[0] != ',' || depth > start)
                p->any = true;
            p->named = p->named || word.ptr[0] == '=' || word.ptr[0] == '[';
            if (!p->named && is_word(word.ptr[0]))
                p->last = word;
            else if (!p->named && word.ptr[0] == '.')
                p->last = SL_LIT("...");
        }
        before = word;
    }
    if (p->count || !sl_view_is(p->last, "void"))
        end_parameter(p);
}

size_t sl_count_parameters(struct sl_view signature)
{
    struct parameters p = {.names = NULL};
    read_parameters(signature, &p);
    return p.count;
}

bool sl_are_parameters(struct sl_view signature, const struct sl_view *names,
                       size_t count)
{
    struct parameters p = {.names = names, .name_count = count};
    read_parameters(signature, &p);
    return p.count == count && p.matched == count;
}
