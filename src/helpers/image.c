/* shmemlore-image ROOT OUTPUT: indexes a checkout, for embedding. Build only. */
#include <stdio.h>

#include "answer/corpus.h"
#include "base/limits.h"
#include "os/file.h"

/* An unchanged image keeps its time, so that nothing is linked again. */
static bool is_there(const char *path, struct sl_view image)
{
    struct sl_arena arena;
    struct sl_view bytes;
    sl_arena_init(&arena, SL_MAX_IMAGE * 2ul);
    bool same = sl_file_read(&arena, path, SL_MAX_IMAGE, &bytes, NULL) ==
                    SL_OK &&
                sl_view_eq(bytes, image);
    sl_arena_release(&arena);
    return same;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fputs("usage: shmemlore-image ROOT OUTPUT\n", stderr);
        return 2;
    }
    struct sl_error error = {SL_OK, ""};
    struct sl_buf image;
    sl_buf_init(&image, SL_MAX_IMAGE);
    enum sl_status status = sl_corpus_image(argv[1], &image, &error);
    if (!status && !is_there(argv[2], sl_buf_view(&image)))
        status = sl_file_write(argv[2], sl_buf_view(&image), &error);
    sl_buf_release(&image);
    if (status) {
        fprintf(stderr, "shmemlore-image: %s\n", error.message);
        return 2;
    }
    return 0;
}
