#include <string.h>

#include "base/limits.h"
#include "html/internal.h"

#define LONG_NAME 100u /* libxml2 cuts a longer one into several */

struct scan {
    struct sl_view text;
    size_t at;
    struct sl_error *error;
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

/* What begins with the '<' at s->at. */
static enum sl_status skip_markup(struct scan *s)
{
    size_t begin = s->at;
    struct sl_view rest = sl_view_sub(s->text, begin, s->text.len);
    if (sl_view_starts(rest, "<!--")) {
        s->at += 4;
        return skip_past(s, "-->") ? SL_OK : unended(s, "comment", begin);
    }
    if (sl_view_starts(rest, "<!") || sl_view_starts(rest, "<?")) {
        s->at += 2;
        return skip_past(s, ">") ? SL_OK : unended(s, "declaration", begin);
    }
    s->at++;
    if (at_end(s) || !sl_is_alpha(s->text.ptr[s->at]))
        return SL_OK; /* an end tag, or a '<' of the text */
    static const char *const raw[] = {"script", "style"};
    size_t name = s->at;
    while (!at_end(s) && is_name(s->text.ptr[s->at]))
        s->at++;
    enum sl_status status = skip_attributes(s, begin);
    for (size_t i = 0; i < sizeof raw / sizeof *raw && !status; i++)
        if (is_word(s->text, name, raw[i]))
            return skip_raw(s, raw[i], begin);
    return status;
}

enum sl_status sl_html_guard(struct sl_view text, struct sl_error *error)
{
    struct scan s = {.text = text, .error = error};
    while (!at_end(&s)) {
        const char *mark = memchr(text.ptr + s.at, '<', text.len - s.at);
        if (!mark)
            break;
        s.at = (size_t)(mark - text.ptr);
        enum sl_status status = skip_markup(&s);
        if (status)
            return status;
    }
    return SL_OK;
}
