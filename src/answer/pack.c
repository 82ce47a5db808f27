#include "answer/pack.h"

#include "base/limits.h"

#define MAGIC "shmemlore-pack 1 "
#define LAST 32u /* bytes of the last line */
#define MAX_FILES 64u

void sl_pack_add(struct sl_buf *image, const struct sl_packed *files,
                 size_t count)
{
    for (size_t i = 0; i < count; i++)
        sl_buf_add(image, files[i].bytes);
    size_t begin = image->len;
    for (size_t i = 0; i < count; i++)
        sl_buf_printf(image, "%.*s %zu\n", SL_ARG(files[i].path),
                      files[i].bytes.len);
    size_t length = image->len - begin;
    begin = image->len;
    sl_buf_printf(image, MAGIC "%zu", length);
    while (!image->failed && image->len - begin < LAST - 1)
        sl_buf_putc(image, ' ');
    sl_buf_putc(image, '\n');
}

static enum sl_status broken(struct sl_error *error)
{
    return sl_error_set(error, SL_ERR_SYNTAX,
                        "the image's directory is broken");
}

/* "PATH BYTES" */
static bool read_entry(struct sl_view line, struct sl_packed *file,
                       uint64_t *length_out)
{
    size_t blank = line.len;
    while (blank && line.ptr[blank - 1] != ' ')
        blank--;
    if (blank < 2)
        return false;
    file->path = sl_view_sub(line, 0, blank - 1);
    return sl_view_number(sl_view_sub(line, blank, line.len), SL_MAX_IMAGE,
                          length_out);
}

enum sl_status sl_pack_read(struct sl_arena *arena, struct sl_view image,
                            struct sl_pack *pack_out, struct sl_error *error)
{
    struct sl_pack pack = {.index = image};
    uint64_t lengths[MAX_FILES], length, total = 0;
    struct sl_view last = image.len < LAST
                              ? SL_LIT("")
                              : sl_view_sub(image, image.len - LAST, image.len);
    if (!sl_view_starts(last, MAGIC)) {
        *pack_out = pack;
        return SL_OK;
    }
    size_t rest = image.len - LAST;
    last = sl_view_trim(sl_view_sub(last, sizeof MAGIC - 1, LAST));
    if (!sl_view_number(last, rest, &length))
        return broken(error);
    struct sl_view directory = sl_view_sub(image, rest - length, rest), line;
    pack.files = sl_arena_alloc(arena, MAX_FILES * sizeof *pack.files);
    if (!pack.files)
        return sl_error_nomem(error);
    for (; sl_view_line(&directory, &line); pack.count++) {
        if (pack.count == MAX_FILES ||
            !read_entry(line, &pack.files[pack.count], &lengths[pack.count]))
            return broken(error);
        total += lengths[pack.count];
    }
    if (total > rest - length)
        return broken(error);
    size_t at = rest - length - total;
    pack.index = sl_view_sub(image, 0, at);
    for (size_t i = 0; i < pack.count; at += lengths[i++])
        pack.files[i].bytes = sl_view_sub(image, at, at + lengths[i]);
    *pack_out = pack;
    return SL_OK;
}

const struct sl_packed *sl_pack_find(const struct sl_pack *pack,
                                     struct sl_view path)
{
    for (size_t i = 0; i < pack->count; i++)
        if (sl_view_eq(pack->files[i].path, path))
            return &pack->files[i];
    return NULL;
}
