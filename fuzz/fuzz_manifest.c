/* sl_manifest_parse: evidence/lines/ID.lines; then written and read again. */
#include "cite/manifest.h"
#include "fuzz.h"

static void check(const struct sl_manifest *manifest)
{
    size_t lines = 0;
    for (size_t i = 0; i < manifest->file_count; i++) {
        const struct sl_manifest_file *file = &manifest->files[i];
        FUZZ_CHECK(file->first == lines);
        lines += file->count;
        FUZZ_CHECK(sl_manifest_find(manifest, file->path) == file);
        if (file->count) {
            FUZZ_CHECK(sl_manifest_file_at(manifest, file->first) == file);
            FUZZ_CHECK(sl_manifest_file_at(
                           manifest, file->first + file->count - 1) == file);
        }
    }
    FUZZ_CHECK(lines == manifest->line_count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sl_arena arena;
    struct sl_manifest manifest, again;
    struct sl_buf out;
    sl_arena_init(&arena, FUZZ_ARENA);
    sl_buf_init(&out, FUZZ_ARENA);
    if (sl_manifest_parse(&arena, (struct sl_view){(const char *)data, size},
                          &manifest, NULL) == SL_OK) {
        check(&manifest);
        sl_manifest_write(&out, &manifest);
        FUZZ_CHECK(!out.failed);
        FUZZ_CHECK(!sl_manifest_parse(&arena, sl_buf_view(&out), &again, NULL));
        FUZZ_CHECK(again.line_count == manifest.line_count &&
                   again.file_count == manifest.file_count);
        for (size_t i = 0; i < again.line_count; i++)
            FUZZ_CHECK(again.hashes[i] == manifest.hashes[i]);
        FUZZ_CHECK(!sl_manifest_index(&arena, &manifest, NULL));
        for (size_t i = 1; i < manifest.line_count; i++)
            FUZZ_CHECK(manifest.places[i - 1].hash <= manifest.places[i].hash);
    }
    sl_buf_release(&out);
    sl_arena_release(&arena);
    return 0;
}
