/* sl_manifest_parse: what `docs fetch` left in a folder, or somebody else did. */
#include <string.h>

#include "fuzz.h"
#include "helpers/docs/fetch.h"
#include "os/file.h"

/* Parses; what it gives is printed into out. False: refused. */
static bool round(struct sl_view text, struct sl_buf *out)
{
    struct sl_arena arena;
    struct sl_fetch_manifest manifest = {.count = 0};
    struct sl_error error = {SL_OK, ""};
    sl_arena_init(&arena, FUZZ_ARENA);
    bool good =
        sl_manifest_parse(&arena, text, &manifest, &error) == SL_OK;
    FUZZ_CHECK(good || error.message[0]);
    for (size_t i = 0; good && i < manifest.count; i++) {
        struct sl_fetch_entry *entry = &manifest.entries[i];
        FUZZ_CHECK(sl_path_is_inside(entry->file));
        FUZZ_CHECK(sl_manifest_find(&manifest, entry->file) == entry);
        FUZZ_CHECK(!memchr(entry->etag.ptr, '\n', entry->etag.len));
        FUZZ_CHECK(!memchr(entry->modified.ptr, '\r', entry->modified.len));
    }
    if (good)
        sl_manifest_print(&manifest, out);
    sl_arena_release(&arena);
    return good;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sl_buf once;
    struct sl_buf twice;
    sl_buf_init(&once, FUZZ_ARENA);
    sl_buf_init(&twice, FUZZ_ARENA);
    if (round((struct sl_view){(const char *)data, size}, &once)) {
        FUZZ_CHECK(round(sl_buf_view(&once), &twice));
        FUZZ_CHECK(sl_view_eq(sl_buf_view(&once), sl_buf_view(&twice)));
    }
    sl_buf_release(&once);
    sl_buf_release(&twice);
    return 0;
}
