/*
 * sl_inventory_parse: objects.inv. The fuzzer will hardly make zlib streams, so
 * of an input that is no inventory we make one: its bytes are the packed lines.
 */
#include <string.h>
#include <zlib.h>

#include "fuzz.h"
#include "os/file.h"
#include "site/inventory.h"

#define HEADER                               \
    "# Sphinx inventory version 2\n"         \
    "# Project: p\n# Version: v\n"           \
    "# The remainder is compressed: zlib.\n"

static bool is_plain(struct sl_view path)
{
    for (size_t i = 0; i < path.len; i++) {
        char c = path.ptr[i];
        if (!sl_is_alnum(c) && !strchr("-._~/%", c))
            return false;
        if (c == '.' && (i == 0 || path.ptr[i - 1] == '/'))
            return false;
        if (c == '%') { /* what is encoded had to be, and is no danger */
            FUZZ_CHECK(i + 2 < path.len);
            const char *hex = path.ptr + i + 1;
            FUZZ_CHECK(strncmp(hex, "2F", 2) != 0);
            FUZZ_CHECK(strncmp(hex, "2E", 2) != 0);
            FUZZ_CHECK(strncmp(hex, "5C", 2) != 0);
            FUZZ_CHECK(hex[0] >= '2');
        }
    }
    return true;
}

static void check(struct sl_view bytes)
{
    struct sl_arena arena;
    struct sl_inventory inventory;
    struct sl_error error = {SL_OK, ""};
    sl_arena_init(&arena, FUZZ_ARENA);
    enum sl_status status =
        sl_inventory_parse(&arena, bytes, &inventory, &error);
    FUZZ_CHECK(status == SL_OK || error.message[0]);
    for (size_t i = 0; !status && i < inventory.count; i++) {
        const struct sl_inventory_page *page = &inventory.pages[i];
        FUZZ_CHECK(is_plain(page->path));
        FUZZ_CHECK(sl_path_is_inside(page->file));
        FUZZ_CHECK(page->path.len <= SL_MAX_DOC_PATH);
        FUZZ_CHECK(sl_view_starts(page->file, page->path.ptr));
        FUZZ_CHECK(i == 0 ||
                   sl_view_cmp(inventory.pages[i - 1].file, page->file) < 0);
    }
    FUZZ_CHECK(status || inventory.count <= inventory.entries);
    sl_arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static unsigned char file[1 << 17];
    const size_t head = sizeof HEADER - 1;
    if (size > 8 && memcmp(data, "# Sphinx", 8) == 0) {
        check((struct sl_view){(const char *)data, size});
        return 0;
    }
    uLongf packed = sizeof file - head;
    memcpy(file, HEADER, head);
    if (compress2(file + head, &packed, data, (uLong)size, 1) == Z_OK)
        check((struct sl_view){(const char *)file, head + packed});
    return 0;
}
