/* Whether what came is a page, and what is doubtful about it. */
#include <string.h>

#include "base/utf8.h"
#include "helpers/docs/fetch.h"

#define LOOK_AT 1024u /* where HTML says its charset; where it ends */

/* Offset of the lower-case ASCII word, in any case; SIZE_MAX: not there. */
static size_t find_word(struct sl_view text, const char *word)
{
    size_t n = strlen(word);
    for (size_t at = 0; at + n <= text.len; at++) {
        size_t i = 0;
        while (i < n && sl_lower(text.ptr[at + i]) == word[i])
            i++;
        if (i == n)
            return at;
    }
    return SIZE_MAX;
}

const char *sl_page_fault(const struct sl_http_answer *answer,
                          struct sl_view body)
{
    struct sl_view type = answer->type;
    size_t end = sl_view_find(type, SL_LIT(";"), 0);
    type = sl_view_trim(sl_view_sub(type, 0, end == SIZE_MAX ? type.len : end));
    static const char *const types[] = {"text/html", "application/xhtml+xml"};
    bool html = false;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        html |= type.len == strlen(types[i]) && find_word(type, types[i]) == 0;
    if (!html)
        return type.len ? "is not HTML" : "does not say that it is HTML";
    return body.len ? NULL : "is empty";
}

/* The word behind charset=, quoted or not; empty: there is none. */
static struct sl_view charset_in(struct sl_view text)
{
    size_t at = find_word(text, "charset=");
    if (at == SIZE_MAX)
        return SL_LIT("");
    at += sizeof "charset=" - 1;
    if (at < text.len && (text.ptr[at] == '"' || text.ptr[at] == '\''))
        at++;
    size_t end = at;
    while (end < text.len && (sl_is_word(text.ptr[end]) ||
                              strchr("-.:+", text.ptr[end])))
        end++;
    return sl_view_sub(text, at, end);
}

static bool same_charset(struct sl_view a, struct sl_view b)
{
    if (a.len != b.len)
        return false;
    for (size_t i = 0; i < a.len; i++)
        if (sl_lower(a.ptr[i]) != sl_lower(b.ptr[i]))
            return false;
    return true;
}

const char *sl_page_note(struct sl_view type, struct sl_view body)
{
    size_t end = body.len > LOOK_AT ? body.len - LOOK_AT : 0;
    struct sl_view tail = sl_view_sub(body, end, body.len);
    if (find_word(tail, "</html") == SIZE_MAX)
        return "does not end in </html>: it may be cut off";
    struct sl_view sent = charset_in(type);
    struct sl_view said = charset_in(sl_view_sub(body, 0, LOOK_AT));
    if (sent.len && said.len && !same_charset(sent, said))
        return "has two charsets, one in its header and one in its text";
    struct sl_view charset = sent.len ? sent : said;
    if ((!charset.len || same_charset(charset, SL_LIT("utf-8"))) &&
        sl_utf8_invalid(body) != SIZE_MAX)
        return "is said to be UTF-8 and is not";
    return NULL;
}
