#include "usage/use.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"

static const char *const names[SL_USE_KINDS] = {
    [SL_USE_CALL] = "call",
    [SL_USE_REFERENCE] = "reference",
    [SL_USE_DEFINITION] = "definition",
    [SL_USE_DECLARATION] = "declaration",
    [SL_USE_MACRO_BODY] = "macro-body",
    [SL_USE_MEMBER] = "member",
    [SL_USE_LOCAL] = "local",
    [SL_USE_IMPORT] = "import",
    [SL_USE_INCLUDE] = "include",
    [SL_USE_UNPARSED] = "unparsed",
    [SL_USE_BY_NAME] = "by-name",
    [SL_USE_GENERATED] = "generated",
    [SL_USE_ENV_SET] = "env-set",
    [SL_USE_ENV_UNSET] = "env-unset",
    [SL_USE_ENV_READ] = "env-read",
    [SL_USE_ENV_DOC] = "env-doc",
    [SL_USE_BUILD] = "build",
    [SL_USE_DISABLED] = "disabled-only",
    [SL_USE_STRING] = "string-only",
    [SL_USE_COMMENT] = "comment-only",
    [SL_USE_DOC] = "doc-only",
};

const char *sl_use_kind_name(enum sl_use_kind kind)
{
    return names[kind];
}

bool sl_use_kind_is_use(enum sl_use_kind kind)
{
    return kind < SL_USE_DISABLED;
}

void sl_uses_init(struct sl_uses *uses, size_t max)
{
    *uses = (struct sl_uses){.items = NULL};
    sl_arena_init(&uses->arena, max);
    sl_map_init(&uses->strings, &uses->arena);
}

void sl_uses_release(struct sl_uses *uses)
{
    sl_arena_release(&uses->arena);
    free(uses->items);
    free(uses->typed);
    *uses = (struct sl_uses){.items = NULL};
}

/*
 * text on one line: runs of white space and control bytes become one space,
 * what is over max bytes becomes "..", no sequence of UTF-8 is split.
 */
static struct sl_view tidy(struct sl_view text, size_t max, char *out)
{
    size_t n = 0;
    text = sl_view_trim(text);
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        bool blank = c <= ' ' || c == 0x7f;
        if (blank && n && out[n - 1] == ' ')
            continue;
        if (n == max) {
            n -= 2;
            while (n && ((unsigned char)out[n] & 0xc0) == 0x80)
                n--;
            out[n++] = '.';
            out[n++] = '.';
            break;
        }
        out[n++] = blank ? ' ' : (char)c;
    }
    return (struct sl_view){out, n};
}

static bool keep(struct sl_uses *uses, struct sl_view text, size_t max,
                 struct sl_view *kept_out)
{
    char room[SL_MAX_USAGE_NAME + 2];
    struct sl_view tidied = tidy(text, max, room);
    if (tidied.len == 0) {
        *kept_out = SL_LIT("");
        return true;
    }
    const size_t *known = sl_map_get(&uses->strings, tidied);
    if (known) {
        *kept_out = (struct sl_view){(const char *)*known, tidied.len};
        return true;
    }
    struct sl_view copy = sl_arena_copy(&uses->arena, tidied);
    if (!copy.ptr || !sl_map_put(&uses->strings, copy, (size_t)copy.ptr, NULL))
        return false;
    *kept_out = copy;
    return true;
}

enum sl_status sl_uses_add(struct sl_uses *uses, const struct sl_use *use,
                           struct sl_error *error)
{
    struct sl_use kept = *use;
    if (uses->len == uses->cap) {
        size_t cap = uses->cap ? uses->cap * 2 : 256;
        struct sl_use *items = realloc(uses->items, cap * sizeof *items);
        if (!items)
            return sl_error_nomem(error);
        uses->items = items;
        uses->cap = cap;
    }
    if (!keep(uses, use->name, SL_MAX_USAGE_NAME, &kept.name) ||
        !keep(uses, use->scope, SL_MAX_USAGE_NAME, &kept.scope) ||
        !keep(uses, use->around, SL_MAX_USAGE_NAME, &kept.around) ||
        !keep(uses, use->how, SL_MAX_USAGE_VALUE, &kept.how) ||
        !keep(uses, use->value, SL_MAX_USAGE_VALUE, &kept.value))
        return sl_error_set(error, SL_ERR_LIMIT,
                            "the uses take more than %zu bytes",
                            uses->arena.max);
    uses->items[uses->len++] = kept;
    return SL_OK;
}

enum sl_status sl_uses_add_typed(struct sl_uses *uses,
                                 const struct sl_typed *typed,
                                 struct sl_error *error)
{
    struct sl_typed kept = *typed;
    if (uses->typed_len == uses->typed_cap) {
        size_t cap = uses->typed_cap ? uses->typed_cap * 2 : 256;
        struct sl_typed *items = realloc(uses->typed, cap * sizeof *items);
        if (!items)
            return sl_error_nomem(error);
        uses->typed = items;
        uses->typed_cap = cap;
    }
    if (!keep(uses, typed->name, SL_MAX_USAGE_NAME, &kept.name) ||
        !keep(uses, typed->from, SL_MAX_USAGE_NAME, &kept.from))
        return sl_error_set(error, SL_ERR_LIMIT,
                            "the uses take more than %zu bytes",
                            uses->arena.max);
    uses->typed[uses->typed_len++] = kept;
    return SL_OK;
}
