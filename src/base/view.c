#include "base/view.h"

#include <string.h>

struct sl_view sl_view_of(const char *cstr)
{
    return (struct sl_view){cstr, cstr ? strlen(cstr) : 0};
}

struct sl_view sl_view_sub(struct sl_view v, size_t begin, size_t end)
{
    if (end > v.len)
        end = v.len;
    if (begin > end)
        begin = end;
    if (!v.ptr)
        return v;
    return (struct sl_view){v.ptr + begin, end - begin};
}

bool sl_view_eq(struct sl_view a, struct sl_view b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

bool sl_view_is(struct sl_view v, const char *cstr)
{
    return sl_view_eq(v, sl_view_of(cstr));
}

int sl_view_cmp(struct sl_view a, struct sl_view b)
{
    size_t n = a.len < b.len ? a.len : b.len;
    int order = n ? memcmp(a.ptr, b.ptr, n) : 0;
    if (order)
        return order;
    return (a.len > b.len) - (a.len < b.len);
}

bool sl_view_starts(struct sl_view v, const char *prefix)
{
    size_t n = strlen(prefix);
    return v.len >= n && memcmp(v.ptr, prefix, n) == 0;
}

bool sl_view_ends(struct sl_view v, const char *suffix)
{
    size_t n = strlen(suffix);
    return v.len >= n && memcmp(v.ptr + v.len - n, suffix, n) == 0;
}

struct sl_view sl_view_trim(struct sl_view v)
{
    while (v.len && sl_is_space(v.ptr[0])) {
        v.ptr++;
        v.len--;
    }
    while (v.len && sl_is_space(v.ptr[v.len - 1]))
        v.len--;
    return v;
}

size_t sl_view_find(struct sl_view v, struct sl_view needle, size_t from)
{
    if (from > v.len || needle.len > v.len - from)
        return SIZE_MAX;
    if (needle.len == 0)
        return from;
    const char *hit =
        memmem(v.ptr + from, v.len - from, needle.ptr, needle.len);
    return hit ? (size_t)(hit - v.ptr) : SIZE_MAX;
}

bool sl_view_cut(struct sl_view *rest, char sep, struct sl_view *piece_out)
{
    if (rest->len == 0)
        return false;
    const char *hit = memchr(rest->ptr, sep, rest->len);
    size_t n = hit ? (size_t)(hit - rest->ptr) : rest->len;
    *piece_out = (struct sl_view){rest->ptr, n};
    size_t used = hit ? n + 1 : n;
    rest->ptr += used;
    rest->len -= used;
    return true;
}

bool sl_view_line(struct sl_view *rest, struct sl_view *line_out)
{
    if (!sl_view_cut(rest, '\n', line_out))
        return false;
    if (line_out->len && line_out->ptr[line_out->len - 1] == '\r')
        line_out->len--;
    return true;
}

bool sl_view_number(struct sl_view v, uint64_t max, uint64_t *value_out)
{
    if (v.len == 0 || v.len > 20)
        return false;
    uint64_t value = 0;
    for (size_t i = 0; i < v.len; i++) {
        if (!sl_is_digit(v.ptr[i]))
            return false;
        uint64_t digit = (uint64_t)(v.ptr[i] - '0');
        if (value > (UINT64_MAX - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    if (value > max)
        return false;
    *value_out = value;
    return true;
}

bool sl_view_hex64(struct sl_view v, uint64_t *value_out)
{
    if (v.len != 16)
        return false;
    uint64_t value = 0;
    for (size_t i = 0; i < 16; i++) {
        char c = v.ptr[i];
        unsigned digit;
        if (sl_is_digit(c))
            digit = (unsigned)(c - '0');
        else if (c >= 'a' && c <= 'f')
            digit = (unsigned)(c - 'a') + 10;
        else
            return false;
        value = value << 4 | digit;
    }
    *value_out = value;
    return true;
}
