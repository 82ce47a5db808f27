/* The uses of one file. */
#ifndef SL_USAGE_FILE_H
#define SL_USAGE_FILE_H

#include "syntax/neutralise.h"
#include "syntax/tree.h"
#include "usage/use.h"

struct sl_file_report {
    struct sl_coverage coverage;
    size_t blanked;
    bool parsed; /* a grammar read it */
    bool failed; /* a grammar should have: see error */
    bool unread;  /* a notebook that is none: not even its words were looked at */
    bool no_text; /* its head holds a NUL byte and no grammar read it */
};

struct sl_file_wants {
    bool all_env; /* environment variables of any name, not only NVSHMEM's */
    const struct sl_map *fields; /* accesses to members so called; NULL: none */
};

/*
 * Appends what the file says to *uses. A file that names nothing is not parsed. One
 * that a cap stops is no failure: its words are SL_USE_UNPARSED and
 * report_out->failed is set, with why in *error.
 */
SL_CHECKED enum sl_status sl_file_uses(struct sl_parser *parser,
                                       const struct sl_macros *macros,
                                       struct sl_view path,
                                       struct sl_view text,
                                       const struct sl_file_wants *wants,
                                       struct sl_uses *uses,
                                       struct sl_file_report *report_out,
                                       struct sl_error *error);

#endif
