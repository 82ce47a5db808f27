#include "api/signature.h"

/* Offset of the ", " or the end of text that ends the parameter at `at`. */
static size_t parameter_end(struct sl_view text, size_t at)
{
    size_t depth = 0;
    for (; at < text.len; at++) {
        char c = text.ptr[at];
        if (c == ',' && !depth)
            return at;
        depth += c == '(' || c == '[' || c == '{' || c == '<';
        depth -= depth && (c == ')' || c == ']' || c == '}' || c == '>');
    }
    return text.len;
}

bool sl_signature_adds_defaults(struct sl_view before, struct sl_view after)
{
    struct sl_view overload = SL_LIT(" | ");
    if (!sl_view_ends(before, ")") || !sl_view_ends(after, ")") ||
        sl_view_find(before, overload, 0) != SIZE_MAX ||
        sl_view_find(after, overload, 0) != SIZE_MAX)
        return false;
    struct sl_view head = sl_view_sub(before, 0, before.len - 1);
    struct sl_view rest = sl_view_sub(after, 0, after.len - 1);
    if (rest.len <= head.len || !sl_view_eq(sl_view_sub(rest, 0, head.len),
                                            head))
        return false;
    rest = sl_view_sub(rest, head.len, rest.len);
    if (sl_view_ends(head, "("))
        ; /* there were none */
    else if (sl_view_starts(rest, ", "))
        rest = sl_view_sub(rest, 2, rest.len);
    else
        return false;
    while (rest.len) {
        size_t end = parameter_end(rest, 0);
        if (sl_view_find(sl_view_sub(rest, 0, end), SL_LIT(" = "), 0) ==
            SIZE_MAX)
            return false;
        rest = sl_view_sub(rest, end, rest.len);
        if (rest.len)
            rest = sl_view_trim(sl_view_sub(rest, 1, rest.len));
    }
    return true;
}

/* The text before a digest, ptr NULL without one: `#define {... #1a2b3c4d}`. */
static struct sl_view before_digest(struct sl_view signature)
{
    struct sl_view none = {NULL, 0};
    if (sl_view_ends(signature, "}"))
        signature.len--;
    size_t at = sl_view_find(signature, SL_LIT("... #"), 0);
    if (!sl_view_starts(signature, "#define") || at == SIZE_MAX)
        return none;
    for (size_t i = at + 5; i < signature.len; i++)
        if (!sl_is_digit(signature.ptr[i]) &&
            (signature.ptr[i] < 'a' || signature.ptr[i] > 'f'))
            return none;
    return signature.len == at + 13 ? sl_view_sub(signature, 0, at) : none;
}

bool sl_signature_is_other_body(struct sl_view before, struct sl_view after)
{
    struct sl_view a = before_digest(before), b = before_digest(after);
    return a.ptr && b.ptr && sl_view_eq(a, b) && !sl_view_eq(before, after);
}
