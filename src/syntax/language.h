/*
 * The languages that have a grammar. The CUDA grammar reads C and C++ too:
 * it gives the same trees for them (docs/internals/usage-index.md).
 */
#ifndef SL_SYNTAX_LANGUAGE_H
#define SL_SYNTAX_LANGUAGE_H

#include "base/view.h"

enum sl_language {
    SL_LANGUAGE_NONE,
    SL_LANGUAGE_CUDA, /* CUDA, C++ and C */
    SL_LANGUAGE_PYTHON,
    SL_LANGUAGE_COUNT,
};

/* By the ending of the file's name. */
enum sl_language sl_language_of(struct sl_view path);

#endif
