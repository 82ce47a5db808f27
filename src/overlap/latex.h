/* LaTeX's groups and macros; private to this folder. */
#ifndef SL_OVERLAP_LATEX_H
#define SL_OVERLAP_LATEX_H

#include "overlap/prose.h"

#define SL_LATEX_ARGS 9u

struct sl_latex_macro {
    struct sl_view name;
    bool code; /* no macro: an environment that holds code */
    unsigned args;
    bool has_default; /* the first is optional, in brackets */
    struct sl_view fallback;
    struct sl_view body;
};

/* NULL: not defined. Environments have a name that begins with '{'. */
const struct sl_latex_macro *sl_latex_find(const struct sl_latex *latex,
                                           struct sl_view name);

/*
 * Past the bracket that closes the one at `at` ('{' or '['), nested braces,
 * escapes and comments respected; `at` where nothing closes it ('[': in its
 * paragraph). *left shrinks by the bytes looked at; once it is 0, nothing
 * closes any more, and it is for the caller to say so.
 */
size_t sl_latex_close(struct sl_view text, size_t at, size_t *left);

/* How many bytes may be looked at for a text: no bomb of macros goes off. */
size_t sl_latex_steps(struct sl_view text);

/* The same, for a group with blanks before it; `at` itself where there is none. */
size_t sl_latex_group(struct sl_view text, size_t at, char open,
                      struct sl_view *inside_out, size_t *left);

/* Past the name of the command whose backslash stands at `at`. */
size_t sl_latex_name(struct sl_view text, size_t at, struct sl_view *name_out);

/*
 * Past the definition that the command `name`, which ends at `at`, begins; `at`
 * where it begins none. macro_out->body is NULL where nothing was defined.
 */
size_t sl_latex_definition(struct sl_view text, size_t at, struct sl_view name,
                           struct sl_view *defined_out,
                           struct sl_latex_macro *macro_out, size_t *left);

#endif
