/*
 * The symbol of an anchor: the first identifier, in the order of the text, that
 * stands in a code span of a citing block and in the cited lines. Each block's
 * identifiers are numbered once; then every word of the cited lines is looked up,
 * so that a block of many citations and many names costs their sum.
 */
#include <string.h>

#include "base/limits.h"
#include "verify/checks.h"

#define MIN_SYMBOL 3u /* shorter identifiers say nothing */

/* The next run of word characters at or after *at; empty at the end. */
static struct sl_view next_word(struct sl_view text, size_t *at)
{
    size_t begin = *at;
    while (begin < text.len && !sl_is_word(text.ptr[begin]))
        begin++;
    size_t end = begin;
    while (end < text.len && sl_is_word(text.ptr[end]))
        end++;
    *at = end;
    return sl_view_sub(text, begin, end);
}

static bool is_symbol(struct sl_view word)
{
    return word.len >= MIN_SYMBOL && word.len <= SL_MAX_TOKEN &&
           !sl_is_digit(word.ptr[0]) && !sl_view_ends(word, "_");
}

/*
 * Of a span that is no plain name only identifiers with an inner `_` count: others
 * are mostly words of messages and types.
 */
static enum sl_status number_names(const struct sl_kb *kb,
                                   const struct sl_kb_block *block,
                                   struct sl_map *names, struct sl_error *error)
{
    for (size_t r = 0; r < block->ref_count; r++) {
        const struct sl_ref *ref = &kb->refs.items[block->first_ref + r];
        bool code = ref->kind == SL_REF_CODE;
        if (ref->kind != SL_REF_NAME && ref->kind != SL_REF_VARIABLE && !code)
            continue;
        struct sl_view word;
        for (size_t at = 0; (word = next_word(ref->text, &at)).len;)
            if (is_symbol(word) && (!code || memchr(word.ptr, '_', word.len)) &&
                !sl_map_put(names, word, names->len, NULL))
                return sl_error_nomem(error);
    }
    return SL_OK;
}

static enum sl_status names_of(struct sl_block_names *symbols, size_t block,
                               struct sl_map **names_out,
                               struct sl_error *error)
{
    const struct sl_kb *kb = symbols->kb;
    struct sl_arena *arena = symbols->arena;
    if (!symbols->names)
        symbols->names = sl_arena_alloc(
            arena, (kb->block_count + 1) * sizeof *symbols->names);
    if (!symbols->names)
        return sl_error_nomem(error);
    struct sl_map **names = &symbols->names[block];
    enum sl_status status = SL_OK;
    if (!*names) {
        *names = sl_arena_alloc(arena, sizeof **names);
        if (!*names)
            return sl_error_nomem(error);
        sl_map_init(*names, arena);
        status = number_names(kb, &kb->blocks[block], *names, error);
    }
    *names_out = *names;
    return status;
}

/* The first of names that stands in the lines; empty where none does. */
static struct sl_view first_of(const struct sl_map *names,
                               const struct sl_view *lines, size_t count)
{
    struct sl_view best = SL_LIT("");
    size_t least = SIZE_MAX;
    for (size_t i = 0; names->len && i < count; i++) {
        struct sl_view word;
        for (size_t at = 0; (word = next_word(lines[i], &at)).len;) {
            const size_t *number = sl_map_get(names, word);
            if (number && *number < least) {
                least = *number;
                best = word;
            }
        }
    }
    return best;
}

enum sl_status sl_symbol_find(struct sl_block_names *symbols,
                              const struct sl_cite *cite,
                              const struct sl_use *uses,
                              const struct sl_view *lines, size_t count,
                              struct sl_view *symbol_out,
                              struct sl_error *error)
{
    struct sl_view symbol = SL_LIT("");
    for (size_t i = cite->first_use; i != SIZE_MAX && !symbol.len;
         i = uses[i].next) {
        struct sl_map *names = NULL;
        if (uses[i].table)
            continue;
        enum sl_status status =
            names_of(symbols, uses[i].block, &names, error);
        if (status)
            return status;
        symbol = first_of(names, lines, count);
    }
    /* the lines are read into memory that is used again */
    if (symbol.len)
        symbol = sl_arena_copy(symbols->arena, symbol);
    if (!symbol.ptr)
        return sl_error_nomem(error);
    *symbol_out = symbol;
    return SL_OK;
}
