/*
 * sl_filter_parse: a published filter. What is read is asked for keys, and gives
 * the same bytes when it is written. Every second input has its checksum put
 * right, so that what lies behind it is reached.
 */
#include <string.h>

#include "fuzz.h"
#include "overlap/filter.h"
#include "text/hash.h"

enum { HEADER = 64, CHECKSUM_AT = 56 };

static void mend(char *file, size_t len)
{
    uint64_t head = sl_bytes_hash((struct sl_view){file, CHECKSUM_AT});
    uint64_t cells =
        sl_bytes_hash((struct sl_view){file + HEADER, len - HEADER});
    uint64_t sum = head * UINT64_C(0x9e3779b97f4a7c15) + cells;
    for (unsigned i = 0; i < 8; i++)
        file[CHECKSUM_AT + i] = (char)(unsigned char)(sum >> (8 * i));
}

static void check(const struct sl_filter *filter, struct sl_view file)
{
    struct sl_buf out;
    FUZZ_CHECK(filter->n > SL_MIN_FILTER_GRAM && filter->n <= SL_MAX_GRAM);
    size_t found = 0;
    for (uint64_t key = 0; key < 4096; key++)
        found += sl_filter_has(filter, key * UINT64_C(0x9e3779b97f4a7c15));
    found += sl_filter_has(filter, UINT64_MAX);
    FUZZ_CHECK(found <= 4097);
    sl_buf_init(&out, FUZZ_ARENA);
    sl_filter_write(&out, filter);
    FUZZ_CHECK(!out.failed && sl_view_eq(sl_buf_view(&out), file));
    sl_buf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    size_t len = size - 1;
    char *file = malloc(len + 1);
    FUZZ_CHECK(file);
    memcpy(file, data + 1, len);
    if (data[0] & 1 && len >= HEADER)
        mend(file, len);
    struct sl_filter filter;
    struct sl_view view = {file, len};
    if (!sl_filter_parse(view, &filter, NULL)) {
        check(&filter, view);
        sl_filter_release(&filter);
    }
    free(file);
    return 0;
}
