/*
 * sl_symbols_parse: evidence/symbols.tsv and signatures.tsv; what is read can
 * be written again. The two texts are parted by a NUL.
 */
#include <string.h>

#include "api/diff.h"
#include "api/symbols.h"
#include "fuzz.h"

static void check_written(const struct sl_symbols *symbols,
                          struct sl_view table)
{
    struct sl_buf out;
    sl_buf_init(&out, FUZZ_ARENA);
    sl_symbols_write(&out, symbols);
    FUZZ_CHECK(!out.failed);
    /* but for CRs before line ends and a last line that does not end */
    if (!memchr(table.ptr, '\r', table.len) && table.ptr[table.len - 1] == '\n')
        FUZZ_CHECK(sl_view_eq(sl_buf_view(&out), table));
    sl_buf_release(&out);
}

static void check_found(struct sl_arena *arena,
                        const struct sl_symbols *symbols, struct sl_view table)
{
    for (size_t i = 0; i < symbols->count; i++) {
        const struct sl_symbol *symbol = &symbols->items[i];
        struct sl_view signature = SL_LIT("");
        FUZZ_CHECK(sl_symbols_find(symbols, symbol->name) == symbol);
        FUZZ_CHECK(fuzz_inside(symbol->name, table));
        FUZZ_CHECK(fuzz_inside(symbol->signature, table));
        (void)sl_symbol_in(symbols, symbol, symbol->last, &signature);
        const struct sl_symbol **found;
        size_t count;
        if (i < 8) {
            FUZZ_CHECK(!sl_symbols_family(arena, symbols, symbol->family,
                                          &found, &count, NULL));
            FUZZ_CHECK(count > 0);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sl_view rest = {(const char *)data, size}, parts[3];
    for (size_t i = 0; i < 3; i++)
        if (!sl_view_cut(&rest, '\0', &parts[i]))
            parts[i] = SL_LIT("");
    struct sl_arena arena;
    struct sl_symbols symbols;
    sl_arena_init(&arena, FUZZ_ARENA);
    if (parts[0].len && sl_symbols_parse(&arena, parts[0], parts[1], parts[2],
                                         &symbols, NULL) == SL_OK) {
        check_written(&symbols, parts[0]);
        check_found(&arena, &symbols, parts[0]);
        struct sl_changes changes;
        if (symbols.release_count)
            FUZZ_CHECK(!sl_api_diff(
                &arena, &symbols, symbols.releases[0],
                symbols.releases[symbols.release_count - 1], &changes, NULL));
    }
    sl_arena_release(&arena);
    return 0;
}
