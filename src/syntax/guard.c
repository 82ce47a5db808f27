/* What a parser is not asked to read: the cost grows with it, and no one writes it. */
#include "base/limits.h"
#include "syntax/tree.h"

size_t sl_text_skip(struct sl_view text, size_t at)
{
    char c = text.ptr[at];
    size_t end = at + 1;
    if (c == '/' && end < text.len && text.ptr[end] == '/') {
        end = sl_view_find(text, SL_LIT("\n"), end);
        return end == SIZE_MAX ? text.len : end;
    }
    if (c == '/' && end < text.len && text.ptr[end] == '*') {
        end = sl_view_find(text, SL_LIT("*/"), end + 1);
        return end == SIZE_MAX ? text.len : end + 2;
    }
    bool quote = c == '"' || (c == '\'' && (!at || !sl_is_word(text.ptr[at - 1])));
    if (!quote)
        return at;
    for (; end < text.len && text.ptr[end] != c && text.ptr[end] != '\n'; end++)
        end += text.ptr[end] == '\\';
    return end < text.len ? end + 1 : text.len;
}

enum sl_status sl_parse_guard(struct sl_view text, struct sl_error *error)
{
    size_t open = 0;
    for (size_t i = 0; i < text.len; i++) {
        size_t after = sl_text_skip(text, i);
        if (after > i) {
            i = after - 1;
            continue;
        }
        char c = text.ptr[i];
        if (c == '<' && ++open > SL_MAX_ANGLES)
            return sl_error_set(error, SL_ERR_LIMIT,
                                "more than %u `<` are open at once",
                                SL_MAX_ANGLES);
        if (c == '>' && open)
            open--;
        if (c == ';' || c == '{' || c == '}')
            open = 0;
    }
    return SL_OK;
}
