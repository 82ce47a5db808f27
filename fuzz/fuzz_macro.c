/*
 * sl_clang_macro_trace: lines of words are macro definitions (`=` after the
 * name: without parameters), the last line is what is expanded.
 */
#include "clang/macro.h"
#include "fuzz.h"

static struct sl_clang_token *split(struct sl_arena *arena, struct sl_view line,
                                    uint32_t number, size_t *count_out)
{
    struct sl_clang_token *tokens =
        sl_arena_alloc(arena, (line.len + 1) * sizeof *tokens);
    struct sl_view word;
    size_t n = 0;
    while (tokens && sl_view_cut(&line, ' ', &word))
        if (word.len)
            tokens[n++] = (struct sl_clang_token){word, {1, number}, 0};
    *count_out = n;
    return tokens;
}

static void check(const struct sl_made_names *names, uint32_t lines)
{
    for (size_t i = 0; i < names->count; i++) {
        const struct sl_made_name *made = &names->items[i];
        FUZZ_CHECK(made->name.len > 0);
        FUZZ_CHECK(made->written.line <= lines);
        FUZZ_CHECK(made->piece_count <= SL_NAME_PIECES);
        for (size_t k = 0; k < made->piece_count; k++)
            FUZZ_CHECK(made->pieces[k].place.line <= lines);
        FUZZ_CHECK(sl_clang_made_find(names, made->name) == made);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sl_view rest = {(const char *)data, size}, line;
    struct sl_arena arena;
    struct sl_clang_macros macros;
    struct sl_made_names names;
    sl_arena_init(&arena, FUZZ_ARENA);
    sl_clang_macros_init(&macros, &arena);
    uint32_t number = 0;
    if (size > 4096)
        return 0;
    while (sl_view_line(&rest, &line)) {
        size_t count;
        struct sl_clang_token *tokens = split(&arena, line, ++number, &count);
        if (!tokens)
            break;
        if (!rest.len) {
            if (!sl_clang_macro_trace(&macros, SIZE_MAX, tokens, count, &arena,
                                      &names, NULL))
                check(&names, number);
        } else if (count && !sl_clang_macros_add(&macros, tokens[0].text, NULL,
                                                 NULL)) {
            bool is_function = count > 1 && sl_view_is(tokens[1].text, "(");
            if (sl_clang_macro_split(&macros, macros.count - 1, tokens, count,
                                     is_function, NULL))
                break;
        }
    }
    sl_arena_release(&arena);
    return 0;
}
