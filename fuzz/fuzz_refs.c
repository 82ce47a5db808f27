/* sl_refs_scan: references in any prose. */
#include "fuzz.h"
#include "kb/refs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sl_view text = {(const char *)data, size};
    struct sl_arena arena;
    struct sl_refs refs = {0};
    sl_arena_init(&arena, FUZZ_ARENA);
    if (sl_refs_scan(&arena, text, &refs, NULL) == SL_OK) {
        size_t end = 0;
        for (size_t i = 0; i < refs.count; i++) {
            const struct sl_ref *ref = &refs.items[i];
            FUZZ_CHECK(ref->begin >= end && ref->begin < ref->end &&
                       ref->end <= text.len);
            FUZZ_CHECK(fuzz_inside(ref->text,
                                   sl_view_sub(text, ref->begin, ref->end)));
            FUZZ_CHECK(ref->kind != SL_REF_CITATION ||
                       sl_text_is_citation(ref->text));
            end = ref->end;
        }
    }
    sl_arena_release(&arena);
    return 0;
}
