/*
 * Jupyter notebooks: the code of the cells as one text for each language, lines as the
 * file has them. Places are those of the strings in the file.
 */
#ifndef SL_USAGE_NOTEBOOK_H
#define SL_USAGE_NOTEBOOK_H

#include "usage/use.h"

/* one for each language of cells: %%bash and `!`, %%cuda and what becomes a file of C */
enum {
    SL_NOTEBOOK_PYTHON,
    SL_NOTEBOOK_SHELL,
    SL_NOTEBOOK_CUDA,
    SL_NOTEBOOK_PARTS,
};

struct sl_notebook_line {
    uint32_t line, column; /* in the file, where the string's text begins */
    struct sl_view text;
};

struct sl_notebook {
    struct sl_notebook_line *lines;
    size_t count, cap;
    struct {
        const char *path; /* a name that tells the language */
        struct sl_view text;
    } parts[SL_NOTEBOOK_PARTS];
};

/* In the arena. A text that is no notebook: SL_ERR_SYNTAX. */
SL_CHECKED enum sl_status sl_notebook_read(struct sl_arena *arena,
                                           struct sl_view text,
                                           struct sl_notebook *notebook_out,
                                           struct sl_error *error);

/* A place in a part becomes the place in the file. */
void sl_notebook_place(const struct sl_notebook *notebook,
                       uint32_t *line_inout, uint32_t *column_inout);

#endif
