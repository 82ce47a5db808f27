#include "text/unicode.h"

#include <stdlib.h>

#include <utf8proc.h>

#include "base/utf8.h"

enum sl_status sl_unicode_nfkc(struct sl_arena *arena, struct sl_view text,
                               struct sl_view *normal_out,
                               struct sl_error *error)
{
    utf8proc_uint8_t *made = NULL;
    utf8proc_ssize_t n = utf8proc_map(
        (const utf8proc_uint8_t *)text.ptr, (utf8proc_ssize_t)text.len, &made,
        UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT);
    if (n == UTF8PROC_ERROR_NOMEM)
        return sl_error_nomem(error);
    if (n < 0)
        return sl_error_set(error, SL_ERR_SYNTAX, "not UTF-8");
    struct sl_view normal = sl_arena_copy(
        arena, (struct sl_view){(const char *)made, (size_t)n});
    free(made);
    if (!normal.ptr)
        return sl_error_nomem(error);
    *normal_out = normal;
    return SL_OK;
}

/* The character at *at, which moves behind it; false at the end. */
static bool next(struct sl_view text, size_t *at, utf8proc_int32_t *c_out)
{
    size_t length = *at < text.len ? sl_utf8_length(text, *at) : 0;
    if (!length || utf8proc_iterate((const utf8proc_uint8_t *)text.ptr + *at,
                                    (utf8proc_ssize_t)length, c_out) < 0)
        return false;
    *at += length;
    return true;
}

size_t sl_unicode_count(struct sl_view text)
{
    size_t count = 0;
    utf8proc_int32_t c;
    for (size_t at = 0; next(text, &at, &c);)
        count++;
    return count;
}

static bool is_space(utf8proc_int32_t c)
{
    if (c < 0x80)
        return sl_is_space((char)c) || (c >= 0x1c && c <= 0x1f);
    utf8proc_category_t category = utf8proc_category(c);
    return c == 0x85 || category == UTF8PROC_CATEGORY_ZS ||
           category == UTF8PROC_CATEGORY_ZL || category == UTF8PROC_CATEGORY_ZP;
}

struct sl_view sl_unicode_trim(struct sl_view text)
{
    size_t begin = SIZE_MAX, end = 0;
    utf8proc_int32_t c;
    for (size_t at = 0, from = 0; next(text, &at, &c); from = at) {
        if (is_space(c))
            continue;
        begin = begin == SIZE_MAX ? from : begin;
        end = at;
    }
    return begin == SIZE_MAX ? sl_view_sub(text, 0, 0)
                             : sl_view_sub(text, begin, end);
}

bool sl_unicode_is_lower(struct sl_view text)
{
    utf8proc_int32_t c;
    for (size_t at = 0; next(text, &at, &c);)
        if (utf8proc_tolower(c) != c)
            return false;
    return true;
}

bool sl_unicode_is_kebab(struct sl_view text)
{
    size_t at = 0;
    for (utf8proc_int32_t c; next(text, &at, &c);) {
        switch (utf8proc_category(c)) {
        case UTF8PROC_CATEGORY_LU:
        case UTF8PROC_CATEGORY_LL:
        case UTF8PROC_CATEGORY_LT:
        case UTF8PROC_CATEGORY_LM:
        case UTF8PROC_CATEGORY_LO:
        case UTF8PROC_CATEGORY_ND:
        case UTF8PROC_CATEGORY_NL:
        case UTF8PROC_CATEGORY_NO:
            continue;
        default:
            if (c != '-')
                return false;
        }
    }
    return at == text.len;
}
