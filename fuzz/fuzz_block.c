/* A file that gets our block between markers: put, put again, taken out. */
#include "fuzz.h"
#include "skill/block.h"

static const struct sl_view block = {
    SL_SKILL_BLOCK_BEGIN "\nours\n" SL_SKILL_BLOCK_END,
    sizeof SL_SKILL_BLOCK_BEGIN "\nours\n" SL_SKILL_BLOCK_END - 1};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sl_view text = {(const char *)data, size};
    struct sl_buf once, twice, without;
    bool had, has;
    sl_buf_init(&once, SL_MAX_OUTPUT);
    sl_buf_init(&twice, SL_MAX_OUTPUT);
    sl_buf_init(&without, SL_MAX_OUTPUT);
    if (sl_skill_block_edit(text, &block, &once, &had, NULL) == SL_OK) {
        struct sl_view put = sl_buf_view(&once);
        FUZZ_CHECK(sl_skill_block_edit(put, &block, &twice, &has, NULL) ==
                   SL_OK);
        FUZZ_CHECK(has && sl_view_eq(put, sl_buf_view(&twice)));
        FUZZ_CHECK(sl_skill_block_edit(put, NULL, &without, &has, NULL) ==
                   SL_OK);
        FUZZ_CHECK(has);
        if (!had)
            FUZZ_CHECK(sl_view_eq(text, sl_buf_view(&without)));
    }
    sl_buf_release(&once);
    sl_buf_release(&twice);
    sl_buf_release(&without);
    return 0;
}
