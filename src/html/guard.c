#include <string.h>

#include "base/limits.h"
#include "html/internal.h"

#define LONG_NAME 100u /* libxml2 cuts a longer one into several */

struct scan {
    struct sl_view text;
    size_t at;
    struct sl_error *error;
    struct sl_buf written; /* the page up to `copied`, if anything is replaced */
    size_t copied;
};

static bool at_end(const struct scan *s)
{
    return s->at >= s->text.len;
}

static enum sl_status unended(const struct scan *s, const char *what,
                              size_t begin)
{
    size_t line = 1;
    for (size_t i = 0; i < begin; i++)
        line += s->text.ptr[i] == '\n';
    return sl_error_set(s->error, SL_ERR_SYNTAX,
                        "line %zu: the %s that begins here never ends; the "
                        "page is cut off or damaged",
                        line, what);
}

/* The page goes on behind `end`; what replaces it comes next. */
static void replace(struct scan *s, size_t begin, size_t end)
{
    sl_buf_add(&s->written, sl_view_sub(s->text, s->copied, begin));
    s->copied = end;
}

/* Past the next `end`; false when there is none. */
static bool skip_past(struct scan *s, const char *end)
{
    size_t at = sl_view_find(s->text, sl_view_of(end), s->at);
    if (at == SIZE_MAX)
        return false;
    s->at = at + strlen(end);
    return true;
}

static bool is_name(char c)
{
    return sl_is_alnum(c) || c == ':' || c == '-' || c == '_' || c == '.' ||
           (c & 0x80);
}

static void skip_space(struct scan *s)
{
    while (!at_end(s) && sl_is_space(s->text.ptr[s->at]))
        s->at++;
}

static void skip_word(struct scan *s)
{
    while (!at_end(s) && !sl_is_space(s->text.ptr[s->at]) &&
           s->text.ptr[s->at] != '>')
        s->at++;
}

/* The value after `=`; false when its quotation mark has no partner. */
static bool skip_value(struct scan *s)
{
    skip_space(s);
    if (at_end(s) || s->text.ptr[s->at] != '=')
        return true;
    s->at++;
    skip_space(s);
    if (at_end(s))
        return true;
    char quote = s->text.ptr[s->at];
    if (quote != '"' && quote != '\'') {
        skip_word(s);
        return true;
    }
    const char *end = memchr(s->text.ptr + s->at + 1, quote,
                             s->text.len - s->at - 1);
    if (!end)
        return false;
    s->at = (size_t)(end - s->text.ptr) + 1;
    return true;
}

/* From behind the tag's name to behind its '>'. */
static enum sl_status skip_attributes(struct scan *s, size_t begin)
{
    for (size_t count = 0;; count++) {
        skip_space(s);
        if (at_end(s))
            return unended(s, "tag", begin);
        if (s->text.ptr[s->at] == '>') {
            s->at++;
            return SL_OK;
        }
        if (count >= SL_MAX_HTML_ATTRIBUTES)
            return sl_error_set(s->error, SL_ERR_LIMIT,
                                "a tag has more than %u attributes",
                                SL_MAX_HTML_ATTRIBUTES);
        size_t name = s->at;
        while (!at_end(s) && is_name(s->text.ptr[s->at]))
            s->at++;
        if (s->at == name) {
            skip_word(s);
            continue;
        }
        count += (s->at - name) / LONG_NAME;
        if (!skip_value(s))
            return unended(s, "attribute value", begin);
    }
}

static bool is_word(struct sl_view text, size_t at, const char *word)
{
    size_t n = strlen(word);
    if (n > text.len - at)
        return false;
    for (size_t i = 0; i < n; i++)
        if (sl_lower(text.ptr[at + i]) != word[i])
            return false;
    return at + n == text.len || !is_name(text.ptr[at + n]);
}

/* The inside of an element that holds no markup, up to its end tag. */
static enum sl_status skip_raw(struct scan *s, const char *name, size_t begin)
{
    while (skip_past(s, "</"))
        if (is_word(s->text, s->at, name))
            return SL_OK;
    return unended(s, name, begin);
}

/* Text that HTML 5 does not look into, as any reader knows it. */
static void put_escaped(struct sl_buf *out, struct sl_view text)
{
    for (size_t i = 0; i < text.len; i++)
        switch (text.ptr[i]) {
        case '&':
            sl_buf_puts(out, "&amp;");
            break;
        case '<':
            sl_buf_puts(out, "&lt;");
            break;
        default:
            sl_buf_putc(out, text.ptr[i]);
        }
}

/*
 * <xmp>, and <plaintext>, which goes to the page's end: libxml2 takes their text
 * for markup. name: in the page, behind '<'; s->at: behind the tag.
 */
static enum sl_status skip_literal(struct scan *s, const char *word,
                                   size_t name)
{
    size_t tag_end = s->at, end = s->text.len;
    if (strcmp(word, "xmp") == 0) {
        enum sl_status status = skip_raw(s, word, name - 1);
        if (status)
            return status;
        end = s->at - 2;
        if (!skip_past(s, ">"))
            return unended(s, "tag", end);
    }
    replace(s, name, name + strlen(word));
    sl_buf_puts(&s->written, "pre");
    replace(s, tag_end, end);
    put_escaped(&s->written, sl_view_sub(s->text, tag_end, end));
    sl_buf_puts(&s->written, "</pre>");
    s->at = end == s->text.len ? end : s->at;
    s->copied = s->at;
    return SL_OK;
}

/*
 * Behind the comment that begins there, as HTML 5 has it, or SIZE_MAX. *odd_out:
 * libxml2 would go on, and lose what follows: <!-->, <!--->, and with --!>.
 */
static size_t comment_end(struct sl_view text, size_t begin, bool *odd_out)
{
    struct sl_view rest = sl_view_sub(text, begin + 4, text.len);
    *odd_out = true;
    if (sl_view_starts(rest, ">"))
        return begin + 5;
    if (sl_view_starts(rest, "->"))
        return begin + 6;
    size_t at = begin + 4;
    for (; (at = sl_view_find(text, SL_LIT("--"), at)) != SIZE_MAX; at++) {
        rest = sl_view_sub(text, at + 2, text.len);
        *odd_out = sl_view_starts(rest, "!>");
        if (*odd_out || sl_view_starts(rest, ">"))
            return at + (*odd_out ? 4 : 3);
    }
    return SIZE_MAX;
}

static enum sl_status skip_comment(struct scan *s)
{
    size_t begin = s->at;
    bool odd;
    size_t end = comment_end(s->text, begin, &odd);
    if (end == SIZE_MAX)
        return unended(s, "comment", begin);
    s->at = end;
    if (!odd)
        return SL_OK;
    replace(s, begin, end);
    sl_buf_puts(&s->written, "<!--"); /* of which the lines stay */
    for (size_t i = begin; i < end; i++)
        if (s->text.ptr[i] == '\n')
            sl_buf_putc(&s->written, '\n');
    sl_buf_puts(&s->written, "-->");
    return SL_OK;
}

/* What begins with the '<' at s->at. */
static enum sl_status skip_markup(struct scan *s)
{
    size_t begin = s->at;
    struct sl_view rest = sl_view_sub(s->text, begin, s->text.len);
    if (sl_view_starts(rest, "<!--"))
        return skip_comment(s);
    if (sl_view_starts(rest, "<!") || sl_view_starts(rest, "<?")) {
        s->at += 2;
        return skip_past(s, ">") ? SL_OK : unended(s, "declaration", begin);
    }
    s->at++;
    if (at_end(s) || !sl_is_alpha(s->text.ptr[s->at]))
        return SL_OK; /* an end tag, or a '<' of the text */
    static const char *const raw[] = {"script", "style"};
    static const char *const literal[] = {"xmp", "plaintext"};
    size_t name = s->at;
    while (!at_end(s) && is_name(s->text.ptr[s->at]))
        s->at++;
    enum sl_status status = skip_attributes(s, begin);
    for (size_t i = 0; i < sizeof raw / sizeof *raw && !status; i++)
        if (is_word(s->text, name, raw[i]))
            return skip_raw(s, raw[i], begin);
    for (size_t i = 0; i < sizeof literal / sizeof *literal && !status; i++)
        if (is_word(s->text, name, literal[i]))
            return skip_literal(s, literal[i], name);
    return status;
}

/* The page with what was replaced, in the arena. */
static enum sl_status finish(struct scan *s, struct sl_arena *arena,
                             struct sl_view *text)
{
    sl_buf_add(&s->written, sl_view_sub(s->text, s->copied, s->text.len));
    enum sl_status status = sl_buf_check(&s->written, s->error);
    if (status)
        return status;
    struct sl_view copy = sl_arena_copy(arena, sl_buf_view(&s->written));
    if (!copy.ptr)
        return sl_error_nomem(s->error);
    *text = copy;
    return SL_OK;
}

enum sl_status sl_html_guard(struct sl_arena *arena, struct sl_view *text,
                             struct sl_error *error)
{
    enum { GROWTH = 6 }; /* of a byte that is escaped, at most */
    struct scan s = {.text = *text, .error = error};
    enum sl_status status = SL_OK;
    sl_buf_init(&s.written, (size_t)GROWTH * SL_MAX_HTML_FILE);
    while (!status && !at_end(&s)) {
        const char *mark = memchr(s.text.ptr + s.at, '<', s.text.len - s.at);
        if (!mark)
            break;
        s.at = (size_t)(mark - s.text.ptr);
        status = skip_markup(&s);
    }
    if (!status && s.copied)
        status = finish(&s, arena, text);
    sl_buf_release(&s.written);
    return status;
}
