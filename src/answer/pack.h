/*
 * The embedded image: a search index, tables of evidence behind it, and a directory at
 * the end. The tables are read where they lie; out of the database they would be
 * copied page by page.
 *
 *     index  table...  "PATH BYTES\n"...  "shmemlore-pack 1 BYTES\n"
 *
 * The last line has 32 bytes, padded with blanks before its newline; its number is
 * the directory's length.
 */
#ifndef SL_ANSWER_PACK_H
#define SL_ANSWER_PACK_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/status.h"

struct sl_packed {
    struct sl_view path, bytes;
};

struct sl_pack {
    struct sl_view index;
    struct sl_packed *files;
    size_t count;
};

/* Appends the files and the directory behind an index that *image holds. */
void sl_pack_add(struct sl_buf *image, const struct sl_packed *files,
                 size_t count);

/* Views into the image. An image without directory is an index alone. */
SL_CHECKED enum sl_status sl_pack_read(struct sl_arena *arena,
                                       struct sl_view image,
                                       struct sl_pack *pack_out,
                                       struct sl_error *error);

/* NULL: it has no such file. */
const struct sl_packed *sl_pack_find(const struct sl_pack *pack,
                                     struct sl_view path);

#endif
