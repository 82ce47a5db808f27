/* sl_index_ask and the look-ups: any text is a question, none of it syntax. */
#include "small_kb.h"

static struct sl_index *made;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    made = small_index();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sl_view text = {(const char *)data, size};
    struct sl_arena arena;
    struct sl_error error = {SL_OK, ""};
    struct sl_hits hits;
    struct sl_found found;
    struct sl_view ids[3], subtree;
    size_t count;
    sl_arena_init(&arena, FUZZ_ARENA);
    enum sl_status status =
        sl_index_ask(made, &arena, text, 5, &hits, &error);
    FUZZ_CHECK(status == SL_OK || status == SL_ERR_NOTFOUND ||
               (status == SL_ERR_LIMIT && size > SL_MAX_QUESTION));
    if (!status) {
        FUZZ_CHECK(hits.count >= 1 && hits.count <= 5);
        for (size_t i = 0; i < hits.count; i++) {
            FUZZ_CHECK(hits.items[i].coverage >= 0 &&
                       hits.items[i].coverage <= 1.000001);
            FUZZ_CHECK(!sl_index_section(made, &arena, hits.items[i].id, &found,
                                         NULL));
        }
    }
    status = sl_index_section(made, &arena, text, &found, &error);
    FUZZ_CHECK(status == SL_OK || status == SL_ERR_NOTFOUND);
    status = sl_index_subtree(made, &arena, text, &subtree, &error);
    FUZZ_CHECK(status == SL_OK || status == SL_ERR_NOTFOUND);
    FUZZ_CHECK(!sl_index_similar(made, &arena, text, 3, ids, &count, &error));
    FUZZ_CHECK(count <= 3);
    sl_arena_release(&arena);
    return 0;
}
