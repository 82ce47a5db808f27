/*
 * sl_index_open on a damaged image. The input is a list of damages to a whole
 * one, five bytes each: where (three bytes), what (one byte), how (one byte);
 * or, when it begins like a database, an image itself.
 */
#include <string.h>

#include "small_kb.h"

static struct sl_buf image;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    struct sl_index *index = small_index();
    sl_buf_init(&image, SL_MAX_IMAGE);
    FUZZ_CHECK(!sl_index_serialize(index, &image, NULL));
    sl_index_close(index);
    return 0;
}

static void use(struct sl_view bytes)
{
    struct sl_arena arena;
    struct sl_index *index;
    struct sl_hits hits;
    struct sl_found found;
    struct sl_view text, ids[3];
    size_t count;
    struct sl_error error = {SL_OK, ""};
    if (sl_index_open(bytes, &index, &error))
        return;
    sl_arena_init(&arena, FUZZ_ARENA);
    (void)!sl_index_ask(index, &arena, SL_LIT("nvshmem_fence orders puts"), 5,
                        &hits, &error);
    (void)!sl_index_ask(index, &arena, SL_LIT("nvshmem_quite hang"), 5, &hits,
                        &error);
    (void)!sl_index_section(index, &arena, SL_LIT("n#old"), &found, &error);
    (void)!sl_index_subtree(index, &arena, SL_LIT("n#notes-on-nvshmem"), &text,
                            &error);
    (void)!sl_index_read(index, &arena, SL_LIT("n.md"), &text, &error);
    (void)!sl_index_similar(index, &arena, SL_LIT("n#fence"), 3, ids, &count,
                            &error);
    sl_index_close(index);
    sl_arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* SQLite reads images in place and keeps none of the bytes */
    if (size >= 16 && memcmp(data, "SQLite format 3", 16) == 0) {
        use((struct sl_view){(const char *)data, size});
        return 0;
    }
    char *copy = malloc(image.len);
    FUZZ_CHECK(copy);
    memcpy(copy, image.ptr, image.len);
    for (size_t i = 0; i + 5 <= size; i += 5) {
        size_t at = ((size_t)data[i] << 16 | (size_t)data[i + 1] << 8 |
                     data[i + 2]) %
                    image.len;
        if (data[i + 4] % 3 == 0)
            copy[at] = (char)data[i + 3];
        else if (data[i + 4] % 3 == 1)
            copy[at] = (char)(copy[at] + data[i + 3]);
        else
            copy[at] = (char)(copy[at] ^ data[i + 3]);
    }
    use((struct sl_view){copy, image.len});
    free(copy);
    return 0;
}
