/*
 * A view is a pointer and a length into bytes that somebody else owns. It may
 * hold any bytes, NUL too, and is not terminated. Nothing here allocates.
 */
#ifndef SL_BASE_VIEW_H
#define SL_BASE_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sl_view {
    const char *ptr;
    size_t len;
};

/* for printf's %.*s */
#define SL_ARG(v) (int)(v).len, (v).ptr
#define SL_LIT(s) ((struct sl_view){(s), sizeof(s) - 1})

struct sl_view sl_view_of(const char *cstr); /* NULL gives an empty view */
struct sl_view sl_view_sub(struct sl_view v, size_t begin, size_t end);
bool sl_view_eq(struct sl_view a, struct sl_view b);
bool sl_view_is(struct sl_view v, const char *cstr);
int sl_view_cmp(struct sl_view a, struct sl_view b); /* bytewise, for sorting */
bool sl_view_starts(struct sl_view v, const char *prefix);
bool sl_view_ends(struct sl_view v, const char *suffix);
struct sl_view sl_view_trim(struct sl_view v); /* ASCII white space, both ends */

/* Offset of the first needle at or after from, or SIZE_MAX. */
size_t sl_view_find(struct sl_view v, struct sl_view needle, size_t from);

/*
 * Takes the bytes up to the next `sep` off *rest into *piece_out; false when
 * *rest is used up. A trailing separator gives no empty last piece.
 */
bool sl_view_cut(struct sl_view *rest, char sep, struct sl_view *piece_out);

/* The next line without its newline (and without a CR before it). */
bool sl_view_line(struct sl_view *rest, struct sl_view *line_out);

/* Decimal digits only, at most max; false otherwise. */
bool sl_view_number(struct sl_view v, uint64_t max, uint64_t *value_out);
/* Exactly 16 lower-case hexadecimal digits. */
bool sl_view_hex64(struct sl_view v, uint64_t *value_out);

static inline bool sl_is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}
static inline bool sl_is_digit(char c)
{
    return c >= '0' && c <= '9';
}
static inline bool sl_is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}
static inline bool sl_is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}
static inline bool sl_is_alpha(char c)
{
    return sl_is_upper(c) || sl_is_lower(c);
}
static inline bool sl_is_alnum(char c)
{
    return sl_is_alpha(c) || sl_is_digit(c);
}
static inline bool sl_is_word(char c) /* of an identifier */
{
    return sl_is_alnum(c) || c == '_';
}
static inline char sl_lower(char c)
{
    return sl_is_upper(c) ? (char)(c + ('a' - 'A')) : c;
}

#endif
