#include <errno.h>
#include <iconv.h>
#include <string.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "html/internal.h"

#define LOOK 4096u /* where a page may declare its encoding; HTML says 1024 */
#define MAX_NAME 40u

static bool same_lower(struct sl_view text, size_t at, const char *word)
{
    size_t n = strlen(word);
    if (n > text.len - at)
        return false;
    for (size_t i = 0; i < n; i++)
        if (sl_lower(text.ptr[at + i]) != word[i])
            return false;
    return true;
}

static bool is_name(char c)
{
    return sl_is_alnum(c) || c == '-' || c == '_' || c == '.' || c == ':';
}

/* The name after `charset=` or `encoding=` at text[i]; empty: none there. */
static struct sl_view named(struct sl_view text, size_t i)
{
    struct sl_view none = {text.ptr, 0};
    size_t at = same_lower(text, i, "charset")    ? i + 7
                : same_lower(text, i, "encoding") ? i + 8
                                                  : SIZE_MAX;
    if (at == SIZE_MAX)
        return none;
    while (at < text.len && sl_is_space(text.ptr[at]))
        at++;
    if (at == text.len || text.ptr[at++] != '=')
        return none;
    while (at < text.len && (sl_is_space(text.ptr[at]) || text.ptr[at] == '"' ||
                             text.ptr[at] == '\''))
        at++;
    size_t end = at;
    while (end < text.len && is_name(text.ptr[end]))
        end++;
    return sl_view_sub(text, at, end);
}

/* What a tag that begins as <meta or <?xml declares; empty: nothing. */
static struct sl_view declared(struct sl_view bytes)
{
    struct sl_view head = sl_view_sub(bytes, 0, LOOK);
    bool inside = false;
    for (size_t i = 0; i < head.len; i++) {
        if (head.ptr[i] == '<')
            inside = same_lower(head, i, "<meta") ||
                     same_lower(head, i, "<?xml");
        else if (head.ptr[i] == '>')
            inside = false;
        struct sl_view name = named(head, i);
        if (inside && name.len)
            return name;
    }
    return (struct sl_view){head.ptr, 0};
}

static bool is_utf8(struct sl_view name)
{
    return (name.len == 5 && same_lower(name, 0, "utf-8")) ||
           (name.len == 4 && same_lower(name, 0, "utf8"));
}

/* Browsers read the narrower sets as what Windows made of them; so do we. */
static const char *canonical(struct sl_view name)
{
    static const char *const western[] = {"iso-8859-1", "latin1",    "us-ascii",
                                          "ascii",      "iso8859-1", "l1"};
    for (size_t i = 0; i < sizeof western / sizeof *western; i++)
        if (name.len == strlen(western[i]) && same_lower(name, 0, western[i]))
            return "WINDOWS-1252";
    return NULL;
}

static enum sl_status convert(struct sl_arena *arena, const char *charset,
                              struct sl_view bytes, struct sl_view *text_out,
                              struct sl_error *error)
{
    iconv_t cd = iconv_open("UTF-8", charset);
    if (cd == (iconv_t)-1)
        return sl_error_set(error, SL_ERR_SYNTAX,
                            "the page is not UTF-8 and declares the encoding "
                            "'%s', which is not known here; convert it to "
                            "UTF-8 first",
                            charset);
    size_t room = bytes.len * 3 + 16; /* no set's byte is more in UTF-8 */
    char *text = sl_arena_alloc(arena, room);
    if (!text) {
        iconv_close(cd);
        return sl_error_nomem(error);
    }
    char *in = (char *)(uintptr_t)bytes.ptr; /* iconv does not write there */
    char *out = text;
    size_t left = bytes.len;
    size_t done = iconv(cd, &in, &left, &out, &room);
    int why = errno;
    if (done != (size_t)-1)
        done = iconv(cd, NULL, NULL, &out, &room);
    iconv_close(cd);
    if (done == (size_t)-1)
        return sl_error_set(error, SL_ERR_SYNTAX,
                            "byte %zu of the page is not of its encoding "
                            "%s%s",
                            bytes.len - left + 1, charset,
                            why == E2BIG ? " (it grows too much)" : "");
    *text_out = (struct sl_view){text, (size_t)(out - text)};
    return SL_OK;
}

static enum sl_status to_utf8(struct sl_arena *arena, struct sl_view bytes,
                              struct sl_view *text_out, struct sl_error *error)
{
    if (sl_view_starts(bytes, "\xef\xbb\xbf"))
        bytes = sl_view_sub(bytes, 3, bytes.len);
    else if (sl_view_starts(bytes, "\xff\xfe"))
        return convert(arena, "UTF-16LE", sl_view_sub(bytes, 2, bytes.len),
                       text_out, error);
    else if (sl_view_starts(bytes, "\xfe\xff"))
        return convert(arena, "UTF-16BE", sl_view_sub(bytes, 2, bytes.len),
                       text_out, error);
    struct sl_view name = declared(bytes);
    size_t bad = sl_utf8_invalid(bytes);
    /* UTF-8 is nothing else by accident, but for sets that write in ASCII */
    bool escapes = name.len &&
                   (same_lower(name, 0, "iso-2022") ||
                    same_lower(name, 0, "utf-7") || same_lower(name, 0, "hz"));
    if (bad == SIZE_MAX && !escapes) {
        *text_out = bytes;
        return SL_OK;
    }
    if (!name.len || is_utf8(name))
        return sl_error_set(error, SL_ERR_SYNTAX,
                            "byte %zu of the page is not UTF-8, and the page "
                            "declares no other encoding; convert it to UTF-8 "
                            "first (iconv -f)",
                            bad + 1);
    char charset[MAX_NAME];
    snprintf(charset, sizeof charset, "%.*s", SL_ARG(name));
    const char *known = canonical(name);
    struct sl_view text;
    enum sl_status status = convert(arena, known ? known : charset, bytes,
                                    &text, error);
    if (status)
        return status;
    /* UTF-16, EBCDIC, ...: what was read as ASCII above is then something else */
    struct sl_view again = declared(text);
    if (!sl_view_eq(name, again))
        return sl_error_set(error, SL_ERR_SYNTAX,
                            "the page declares the encoding '%s', in which "
                            "that declaration would not be what it is; convert "
                            "it to UTF-8 first (iconv -f)",
                            charset);
    *text_out = text;
    return SL_OK;
}

/* Controls that HTML does not allow, NUL apart, and line ends of old. */
static bool is_stray(char c)
{
    unsigned char u = (unsigned char)c;
    return (u < 0x20 && u != '\t' && u != '\n') || u == 0x7f;
}

/*
 * Line ends as newlines, as HTML has it; other controls as blanks: libxml2 would
 * leave them out, and join what they part.
 */
static enum sl_status clean(struct sl_arena *arena, struct sl_view *text,
                            struct sl_error *error)
{
    size_t stray = 0;
    for (size_t i = 0; i < text->len; i++)
        stray += is_stray(text->ptr[i]);
    if (!stray)
        return SL_OK;
    char *copy = sl_arena_alloc(arena, text->len);
    if (!copy)
        return sl_error_nomem(error);
    size_t n = 0;
    for (size_t i = 0; i < text->len; i++) {
        char c = text->ptr[i];
        if (c == '\r' && i + 1 < text->len && text->ptr[i + 1] == '\n')
            continue;
        copy[n++] = c == '\r' ? '\n' : is_stray(c) ? ' ' : c;
    }
    *text = (struct sl_view){copy, n};
    return SL_OK;
}

enum sl_status sl_html_decode(struct sl_arena *arena, struct sl_view bytes,
                              struct sl_view *text_out, struct sl_error *error)
{
    struct sl_view text;
    enum sl_status status = to_utf8(arena, bytes, &text, error);
    if (status)
        return status;
    const char *nul = text.len ? memchr(text.ptr, '\0', text.len) : NULL;
    if (nul)
        return sl_error_set(error, SL_ERR_SYNTAX,
                            "byte %zu of the page is NUL: this is no HTML text",
                            (size_t)(nul - text.ptr) + 1);
    status = clean(arena, &text, error);
    if (!status)
        *text_out = text;
    return status;
}
