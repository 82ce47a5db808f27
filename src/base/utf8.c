#include "base/utf8.h"

/* How long a sequence is that begins with this byte; 0: none does. */
static size_t length_from(unsigned char first)
{
    if (first < 0x80)
        return 1;
    if (first < 0xc2 || first > 0xf4) /* continuation, overlong, too large */
        return 0;
    return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/* Whether the second byte makes an overlong form, a surrogate or too much. */
static bool is_outside(unsigned char first, unsigned char second)
{
    return (first == 0xe0 && second < 0xa0) ||
           (first == 0xed && second > 0x9f) ||
           (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f);
}

size_t sl_utf8_length(struct sl_view text, size_t at)
{
    const unsigned char *s = (const unsigned char *)text.ptr + at;
    size_t left = text.len - at;
    size_t n = left ? length_from(s[0]) : 0;
    if (n > left || (n > 1 && is_outside(s[0], s[1])))
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80)
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

bool sl_utf8_steers(struct sl_view text, size_t at, size_t n)
{
    const unsigned char *s = (const unsigned char *)text.ptr + at;
    if (n == 2)
        return s[0] == 0xc2 && s[1] < 0xa0; /* U+0080 to U+009F */
    if (n != 3 || s[0] != 0xe2)
        return false;
    if (s[1] == 0x80) /* U+200E, U+200F, U+2028 to U+202E */
        return s[2] == 0x8e || s[2] == 0x8f || (s[2] >= 0xa8 && s[2] <= 0xae);
    return s[1] == 0x81 && s[2] >= 0xa6 && s[2] <= 0xa9; /* U+2066 to 2069 */
}

void sl_plain(char *text, size_t len)
{
    struct sl_view all = {text, len};
    for (size_t i = 0; i < len;) {
        unsigned char c = (unsigned char)text[i];
        size_t n = sl_utf8_length(all, i);
        bool control = (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f;
        bool bad = n == 0 || control || sl_utf8_steers(all, i, n);
        for (size_t end = i + (n ? n : 1); i < end; i++)
            if (bad)
                text[i] = '?';
    }
}
