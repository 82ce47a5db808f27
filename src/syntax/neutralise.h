/*
 * The neutraliser: macros that no grammar can know (attributes, assertions
 * where a declaration is due) are replaced by spaces of the same length, so
 * that every offset and line stays what it is. Which words are such macros is
 * data, common and per project: src/syntax/macros/.
 *
 * What names NVSHMEM is never blanked. Comments and literals are left alone.
 */
#ifndef SL_SYNTAX_NEUTRALISE_H
#define SL_SYNTAX_NEUTRALISE_H

#include "base/map.h"
#include "base/status.h"

struct sl_macros {
    struct sl_map words; /* word -> how, see neutralise.c */
};

/* The common list and that of the project (a source's id; may be empty). */
SL_CHECKED enum sl_status sl_macros_load(struct sl_arena *arena,
                                         struct sl_view project,
                                         struct sl_macros *macros_out,
                                         struct sl_error *error);

/* Adds one list: lines `attribute WORD` or `statement WORD`, # comments. */
SL_CHECKED enum sl_status sl_macros_read(struct sl_macros *macros,
                                         struct sl_view list,
                                         struct sl_error *error);

/*
 * *clean_out is text itself when there was nothing to blank, else a copy in
 * the arena. *blanked_out: bytes that became spaces.
 */
SL_CHECKED enum sl_status sl_neutralise(struct sl_arena *arena,
                                        const struct sl_macros *macros,
                                        struct sl_view text,
                                        struct sl_view *clean_out,
                                        size_t *blanked_out,
                                        struct sl_error *error);

#endif
