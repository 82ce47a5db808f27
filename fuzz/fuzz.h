/*
 * What every fuzz target includes. A target is one parser of foreign bytes;
 * besides crashes and sanitizer reports it checks what must hold of every
 * result, with FUZZ_CHECK, and so reads every byte of it.
 */
#ifndef SL_FUZZ_H
#define SL_FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/limits.h"
#include "base/status.h"
#include "base/view.h"

#define FUZZ_CHECK(condition)                                            \
    do {                                                                 \
        if (!(condition)) {                                              \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__,   \
                    #condition);                                         \
            abort();                                                     \
        }                                                                \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

/* For memory that one input may use. */
#define FUZZ_ARENA (64u << 20)

/* Whether a view lies inside another (or is empty). */
static inline bool fuzz_inside(struct sl_view part, struct sl_view whole)
{
    return part.len == 0 || (part.ptr >= whole.ptr &&
                             part.ptr + part.len <= whole.ptr + whole.len);
}

#endif
