/*
 * Constants as the front end evaluates them: for tables that macros fill, where
 * a reader defines the macro so that each entry becomes a few constants.
 */
#ifndef SL_CLANG_VALUES_H
#define SL_CLANG_VALUES_H

#include "base/arena.h"
#include "base/status.h"

struct sl_clang_value {
    struct sl_view name;  /* of a variable with an initial value */
    struct sl_view value; /* a number in decimal, or the string's own bytes */
    bool is_text;
    struct sl_view file; /* where the outermost macro call is written */
    unsigned line;
};

struct sl_clang_values {
    struct sl_clang_value *items; /* in the unit's order */
    size_t count, cap;
    size_t unknown; /* variables whose value the front end does not know */
    struct sl_view first_unknown;
    size_t errors; /* what the front end complained of */
    struct sl_view first_error;
};

/* A file that exists only here: its path and its text, NUL-terminated. */
struct sl_clang_text {
    const char *path;
    const char *text;
};

/*
 * Reads texts[0] as C++ with these flags and takes the variables whose name
 * begins with prefix. Everything in *values_out lives in arena.
 */
SL_CHECKED enum sl_status sl_clang_evaluate(
    struct sl_arena *arena, const struct sl_clang_text *texts,
    size_t text_count, const char *const *flags, size_t flag_count,
    const char *prefix, struct sl_clang_values *values_out,
    struct sl_error *error);

#endif
