/* Small questions about a piece of prose. */
#include <string.h>

#include "verify/checks.h"

struct sl_view sl_item_text(struct sl_view block)
{
    size_t i = 0;
    while (i < block.len &&
           (sl_is_space(block.ptr[i]) || block.ptr[i] == '>'))
        i++;
    size_t marker = i;
    if (i < block.len && strchr("-*+", block.ptr[i])) {
        i++;
    } else {
        while (i < block.len && sl_is_digit(block.ptr[i]))
            i++;
        if (i > marker && i < block.len &&
            (block.ptr[i] == '.' || block.ptr[i] == ')'))
            i++;
        else
            i = marker;
    }
    return sl_view_trim(sl_view_sub(block, i, block.len));
}

bool sl_text_has_word(struct sl_view text, const char *word)
{
    size_t n = strlen(word);
    for (size_t i = 0; i + n <= text.len; i++) {
        if (sl_lower(text.ptr[i]) != word[0] ||
            (i && sl_is_word(text.ptr[i - 1])) ||
            (i + n < text.len && sl_is_word(text.ptr[i + n])))
            continue;
        size_t j = 1;
        while (j < n && sl_lower(text.ptr[i + j]) == word[j])
            j++;
        if (j == n)
            return true;
    }
    return false;
}
