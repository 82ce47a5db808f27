/* sl_lock_parse: evidence/citations.lock; what is read can be written again. */
#include "cite/lock.h"
#include "fuzz.h"

static volatile uint64_t touched; /* so that every hash is really read */

/* What was written is read, and written again, as it is. */
static void check_again(struct sl_arena *arena, struct sl_view written)
{
    struct sl_lock lock;
    struct sl_buf out;
    sl_buf_init(&out, FUZZ_ARENA);
    FUZZ_CHECK(!sl_lock_parse(arena, written, &lock, NULL));
    sl_lock_write(&out, &lock);
    FUZZ_CHECK(sl_view_eq(sl_buf_view(&out), written));
    sl_buf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sl_view bytes = {(const char *)data, size};
    struct sl_arena arena;
    struct sl_lock lock;
    sl_arena_init(&arena, FUZZ_ARENA);
    if (sl_lock_parse(&arena, bytes, &lock, NULL) == SL_OK) {
        for (size_t i = 0; i < lock.count; i++) {
            const struct sl_lock_entry *entry = &lock.entries[i];
            const struct sl_citation *c = &entry->citation;
            uint64_t sum = 0;
            size_t lines =
                c->last - c->first + 1 + entry->before + entry->after;
            const uint64_t *first = entry->lines - entry->before;
            for (size_t k = 0; k < lines; k++)
                sum += first[k];
            touched = sum;
            FUZZ_CHECK(sl_lock_find(&lock, entry->text) == entry);
        }
        struct sl_buf out;
        sl_buf_init(&out, FUZZ_ARENA);
        sl_lock_write(&out, &lock);
        FUZZ_CHECK(!out.failed);
        check_again(&arena, sl_buf_view(&out));
        sl_buf_release(&out);
    }
    sl_arena_release(&arena);
    return 0;
}
