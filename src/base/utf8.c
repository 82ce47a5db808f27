#include "base/utf8.h"

size_t sl_utf8_length(struct sl_view text, size_t at)
{
    const unsigned char *s = (const unsigned char *)text.ptr + at;
    size_t left = text.len - at;
    if (left == 0)
        return 0;
    if (s[0] < 0x80)
        return 1;
    size_t n = s[0] >= 0xc2 && s[0] <= 0xdf   ? 2
               : s[0] >= 0xe0 && s[0] <= 0xef ? 3
               : s[0] >= 0xf0 && s[0] <= 0xf4 ? 4
                                              : 0;
    if (n == 0 || n > left)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
        (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
        return 0;
    return n;
}

size_t sl_utf8_invalid(struct sl_view text)
{
    for (size_t i = 0; i < text.len;) {
        size_t n = sl_utf8_length(text, i);
        if (n == 0)
            return i;
        i += n;
    }
    return SIZE_MAX;
}
