#include <string.h>

#include "html/internal.h"

#define TAG_NAME(id, name) name,
static const char *const tag_names[] = {SL_HTML_TAGS(TAG_NAME)};
#undef TAG_NAME

enum sl_html_tag sl_html_tag_of(struct sl_view name)
{
    size_t low = 0, high = sizeof tag_names / sizeof *tag_names;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = sl_view_cmp(sl_view_of(tag_names[middle]), name);
        if (order == 0)
            return (enum sl_html_tag)(middle + SL_HTML_OTHER + 1);
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return SL_HTML_OTHER;
}

#define CONVERT "give the .html page that Sphinx wrote"
#define UNPACK "unpack it first"

/* What foreign files begin with. */
static const struct magic {
    struct sl_view bytes;
    const char *what, *advice;
} magics[] = {
    {{"\x89PNG", 4}, "a PNG image", CONVERT},
    {{"\xff\xd8\xff", 3}, "a JPEG image", CONVERT},
    {{"GIF8", 4}, "a GIF image", CONVERT},
    {{"RIFF", 4}, "a RIFF file (WebP, sound)", CONVERT},
    {{"%PDF-", 5}, "a PDF document", CONVERT},
    {{"%!PS", 4}, "a PostScript document", CONVERT},
    {{"{\\rtf", 5}, "an RTF document", CONVERT},
    {{"\xd0\xcf\x11\xe0", 4}, "an old Office document", CONVERT},
    {{"\x7f" "ELF", 4}, "a program or library (ELF)", CONVERT},
    {{"!<arch>", 7}, "a static library", CONVERT},
    {{"wOFF", 4}, "a font", CONVERT},
    {{"wOF2", 4}, "a font", CONVERT},
    {{"SQLite format 3", 15}, "a SQLite database", CONVERT},
    {{"# Sphinx inventory", 18}, "a Sphinx inventory", CONVERT},
    {{"PK\x03\x04", 4}, "a ZIP archive", UNPACK},
    {{"\x1f\x8b", 2}, "packed with gzip", UNPACK},
    {{"BZh", 3}, "packed with bzip2", UNPACK},
    {{"\xfd" "7zXZ", 5}, "packed with xz", UNPACK},
    {{"\x28\xb5\x2f\xfd", 4}, "packed with zstd", UNPACK},
};

static bool begins(struct sl_view text, const char *lower)
{
    size_t n = strlen(lower);
    if (text.len < n)
        return false;
    for (size_t i = 0; i < n; i++)
        if (sl_lower(text.ptr[i]) != lower[i])
            return false;
    return true;
}

/* Whether an element that is known begins at the '<' of text. */
static bool is_element(struct sl_view text)
{
    enum { LONGEST = 16 };
    char name[LONGEST];
    size_t n = 0;
    while (n < LONGEST && n + 1 < text.len && sl_is_alnum(text.ptr[n + 1])) {
        name[n] = sl_lower(text.ptr[n + 1]);
        n++;
    }
    char next = n + 1 < text.len ? text.ptr[n + 1] : '>';
    return (next == '>' || next == '/' || sl_is_space(next)) &&
           sl_html_tag_of((struct sl_view){name, n}) != SL_HTML_OTHER;
}

/* Behind what may stand before a page: blanks, comments, `<?xml ?>`. */
static struct sl_view skip_prologue(struct sl_view text)
{
    for (;;) {
        text = sl_view_trim(text);
        const char *end = begins(text, "<!--")    ? "-->"
                          : begins(text, "<?xml") ? ">"
                                                  : NULL;
        size_t at = end ? sl_view_find(text, sl_view_of(end), 2) : SIZE_MAX;
        if (at == SIZE_MAX)
            return text;
        text = sl_view_sub(text, at + strlen(end), text.len);
    }
}

static bool has_element(struct sl_view text)
{
    for (size_t i = 0; i < text.len; i++) {
        const char *mark = memchr(text.ptr + i, '<', text.len - i);
        if (!mark)
            return false;
        i = (size_t)(mark - text.ptr);
        if (is_element(sl_view_sub(text, i, text.len)))
            return true;
    }
    return false;
}

static bool has_html_name(struct sl_view path)
{
    static const char *const endings[] = {".html", ".htm", ".xhtml"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t n = strlen(endings[i]);
        if (path.len >= n &&
            begins(sl_view_sub(path, path.len - n, path.len), endings[i]))
            return true;
    }
    return false;
}

static enum sl_status judge_text(struct sl_view text, struct sl_view path,
                                 struct sl_error *error)
{
    if (!sl_view_trim(text).len)
        return sl_error_set(error, SL_ERR_SYNTAX, "the file is empty");
    struct sl_view rest = skip_prologue(text);
    if (begins(rest, "<!doctype html") || is_element(rest))
        return begins(rest, "<svg")
                   ? sl_error_set(error, SL_ERR_SYNTAX,
                                  "this is an SVG image, no HTML: " CONVERT)
                   : SL_OK;
    if (begins(rest, "<!doctype") && !begins(rest, "<!doctype>"))
        return sl_error_set(error, SL_ERR_SYNTAX,
                            "this is XML of another kind, no HTML: " CONVERT);
    if (!has_html_name(path))
        return sl_error_set(error, SL_ERR_SYNTAX,
                            "this is text, but no HTML: it begins with "
                            "neither <!DOCTYPE html> nor an element; " CONVERT
                            ", or name a piece of a page .html");
    return has_element(text)
               ? SL_OK
               : sl_error_set(error, SL_ERR_SYNTAX,
                              "this is text, but no HTML: there is no "
                              "element in it; " CONVERT);
}

enum sl_status sl_html_recognise(struct sl_arena *arena, struct sl_view bytes,
                                 struct sl_view path, struct sl_error *error)
{
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++) {
        const struct magic *m = &magics[i];
        if (bytes.len >= m->bytes.len &&
            memcmp(bytes.ptr, m->bytes.ptr, m->bytes.len) == 0)
            return sl_error_set(error, SL_ERR_SYNTAX,
                                "this is %s, no HTML: %s", m->what, m->advice);
    }
    if (sl_view_starts(bytes, "\xff\xfe") ||
        sl_view_starts(bytes, "\xfe\xff")) {
        enum sl_status status = sl_html_decode(arena, bytes, &bytes, error);
        return status ? status : judge_text(bytes, path, error);
    }
    if (bytes.len && memchr(bytes.ptr, '\0', bytes.len))
        return sl_error_set(error, SL_ERR_SYNTAX,
                            "byte %zu is NUL: this is no text, so no HTML; "
                            CONVERT,
                            (size_t)((const char *)memchr(bytes.ptr, '\0',
                                                          bytes.len) -
                                     bytes.ptr) + 1);
    if (sl_view_starts(bytes, "\xef\xbb\xbf"))
        bytes = sl_view_sub(bytes, 3, bytes.len);
    return judge_text(bytes, path, error);
}
