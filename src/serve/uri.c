#include "serve/uri.h"

#include "base/limits.h"

static bool is_plain(char c)
{
    return sl_is_alnum(c) || c == '-' || c == '.' || c == '_' || c == '~';
}

/* slashes: they stand for themselves. */
static void encode(struct sl_buf *out, struct sl_view text, bool slashes)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (is_plain(c) || (slashes && c == '/'))
            sl_buf_putc(out, c);
        else
            sl_buf_printf(out, "%%%02X", (unsigned char)c);
    }
}

void sl_uri_put_section(struct sl_buf *out, struct sl_view id)
{
    size_t hash = sl_view_find(id, SL_LIT("#"), 0);
    sl_buf_puts(out, SL_URI "section/");
    encode(out, sl_view_sub(id, 0, hash), false);
    if (hash == SIZE_MAX)
        return;
    sl_buf_putc(out, '/');
    encode(out, sl_view_sub(id, hash + 1, id.len), false);
}

void sl_uri_put_source(struct sl_buf *out, struct sl_view id)
{
    sl_buf_puts(out, SL_URI "source/");
    encode(out, id, false);
}

void sl_uri_put_lines(struct sl_buf *out, struct sl_view citation)
{
    size_t first = sl_view_find(citation, SL_LIT(":"), 0);
    size_t last = citation.len;
    while (last && citation.ptr[last - 1] != ':')
        last--;
    sl_uri_put_source(out, sl_view_sub(citation, 0, first));
    sl_buf_putc(out, '/');
    encode(out, sl_view_sub(citation, first + 1, last ? last - 1 : 0), true);
    sl_buf_puts(out, "?lines=");
    encode(out, sl_view_sub(citation, last, citation.len), false);
}

void sl_uri_put_skill(struct sl_buf *out, struct sl_view skill,
                      struct sl_view path)
{
    sl_buf_puts(out, "skill://");
    encode(out, skill, false);
    if (path.len)
        sl_buf_putc(out, '/');
    encode(out, path, true);
}

static int hex_digit(char c)
{
    if (sl_is_digit(c))
        return c - '0';
    c = sl_lower(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* False: a percent sign that encodes nothing. */
static bool decode(struct sl_buf *out, struct sl_view text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] != '%') {
            sl_buf_putc(out, text.ptr[i]);
            continue;
        }
        int high = i + 2 < text.len ? hex_digit(text.ptr[i + 1]) : -1;
        int low = high >= 0 ? hex_digit(text.ptr[i + 2]) : -1;
        if (low < 0)
            return false;
        sl_buf_putc(out, (char)(high * 16 + low));
        i += 2;
    }
    return true;
}

/* Takes a prefix off *rest. */
static bool takes(struct sl_view *rest, const char *prefix)
{
    if (!sl_view_starts(*rest, prefix))
        return false;
    *rest = sl_view_sub(*rest, sl_view_of(prefix).len, rest->len);
    return true;
}

/* ID/PATH?lines=A-B into ID:PATH:A-B; ID alone as it is. */
static bool read_source(struct sl_view rest, struct sl_buf *ref,
                        enum sl_uri_kind *kind)
{
    size_t slash = sl_view_find(rest, SL_LIT("/"), 0);
    size_t lines = sl_view_find(rest, SL_LIT("?lines="), 0);
    *kind = SL_URI_SOURCE;
    if (slash == SIZE_MAX)
        return rest.len && decode(ref, rest);
    *kind = SL_URI_LINES;
    if (lines == SIZE_MAX || lines < slash)
        return false;
    bool good = decode(ref, sl_view_sub(rest, 0, slash));
    sl_buf_putc(ref, ':');
    good = good && decode(ref, sl_view_sub(rest, slash + 1, lines));
    sl_buf_putc(ref, ':');
    return good && decode(ref, sl_view_sub(rest, lines + 7, rest.len));
}

static bool read_section(struct sl_view rest, struct sl_buf *ref)
{
    size_t slash = sl_view_find(rest, SL_LIT("/"), 0);
    if (!slash || !rest.len || !decode(ref, sl_view_sub(rest, 0, slash)))
        return false;
    if (slash == SIZE_MAX)
        return true;
    sl_buf_putc(ref, '#');
    return decode(ref, sl_view_sub(rest, slash + 1, rest.len));
}

static bool read_any(struct sl_view text, struct sl_buf *ref,
                     enum sl_uri_kind *kind)
{
    struct sl_view rest = text;
    if (takes(&rest, "skill://")) {
        *kind = SL_URI_SKILL;
        return rest.len && decode(ref, rest);
    }
    if (!takes(&rest, SL_URI))
        return false;
    if (takes(&rest, "section/")) {
        *kind = SL_URI_SECTION;
        return read_section(rest, ref);
    }
    if (takes(&rest, "source/"))
        return read_source(rest, ref, kind);
    *kind = SL_URI_SYMBOL;
    if (!takes(&rest, "symbol/")) {
        *kind = SL_URI_ENV;
        if (!takes(&rest, "env/"))
            return false;
    }
    return rest.len && decode(ref, rest);
}

enum sl_status sl_uri_read(struct sl_arena *arena, struct sl_view text,
                           struct sl_uri *uri_out, struct sl_error *error)
{
    struct sl_uri uri = {.kind = SL_URI_SECTION};
    struct sl_buf ref;
    enum sl_status status = SL_OK;
    sl_buf_init(&ref, SL_MAX_PATH * 2);
    if (!read_any(text, &ref, &uri.kind) || ref.failed)
        status = sl_error_set(error, SL_ERR_NOTFOUND,
                              "Resource not found: %.*s",
                              SL_ARG(sl_view_sub(text, 0, 200)));
    if (!status) {
        uri.ref = sl_arena_copy(arena, sl_buf_view(&ref));
        status = uri.ref.ptr ? SL_OK : sl_error_nomem(error);
    }
    sl_buf_release(&ref);
    if (!status)
        *uri_out = uri;
    return status;
}
