/* What a parser is not asked to read: the cost grows with it, and no one writes it. */
#include "base/limits.h"
#include "syntax/tree.h"

/* From `at` to the end of what closes it; the whole text without that. */
static size_t skip_to(struct sl_view text, size_t at, struct sl_view close,
                      bool with)
{
    size_t end = sl_view_find(text, close, at);
    return end == SIZE_MAX ? text.len : end + (with ? close.len : 0);
}

static size_t skip_literal(struct sl_view text, size_t at)
{
    char quote = text.ptr[at];
    size_t end = at + 1;
    while (end < text.len && text.ptr[end] != quote && text.ptr[end] != '\n')
        end += text.ptr[end] == '\\' ? 2 : 1;
    return end < text.len ? end + 1 : text.len;
}

size_t sl_text_skip(struct sl_view text, size_t at)
{
    char c = text.ptr[at];
    char next = at + 1 < text.len ? text.ptr[at + 1] : '\0';
    if (c == '/' && next == '/')
        return skip_to(text, at, SL_LIT("\n"), false);
    if (c == '/' && next == '*')
        return skip_to(text, at + 2, SL_LIT("*/"), true);
    /* 1'000 holds no literal */
    bool quote = c == '"' ||
                 (c == '\'' && (!at || !sl_is_word(text.ptr[at - 1])));
    return quote ? skip_literal(text, at) : at;
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
