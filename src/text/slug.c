#include "text/slug.h"

#include <utf8proc.h>

static bool is_kept(utf8proc_int32_t c)
{
    switch (utf8proc_category(c)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
        return true;
    default:
        return c == '-' || c == '_';
    }
}

void sl_slug(struct sl_buf *out, struct sl_view heading)
{
    const utf8proc_uint8_t *text = (const utf8proc_uint8_t *)heading.ptr;
    for (size_t i = 0; i < heading.len;) {
        utf8proc_int32_t c;
        utf8proc_ssize_t n = utf8proc_iterate(
            text + i, (utf8proc_ssize_t)(heading.len - i), &c);
        if (n <= 0) {
            i++;
            continue;
        }
        i += (size_t)n;
        if (c == ' ') {
            sl_buf_putc(out, '-');
        } else if (is_kept(c)) {
            utf8proc_uint8_t lower[4];
            utf8proc_ssize_t m =
                utf8proc_encode_char(utf8proc_tolower(c), lower);
            sl_buf_add(out, (struct sl_view){(const char *)lower, (size_t)m});
        }
    }
}
