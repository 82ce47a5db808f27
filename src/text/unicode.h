/* Unicode as names are checked: normal form, white space, letters, case. */
#ifndef SL_TEXT_UNICODE_H
#define SL_TEXT_UNICODE_H

#include "base/arena.h"
#include "base/status.h"
#include "base/view.h"

/* Normal form KC, in the arena. SL_ERR_SYNTAX: text is not UTF-8. */
SL_CHECKED enum sl_status sl_unicode_nfkc(struct sl_arena *arena,
                                          struct sl_view text,
                                          struct sl_view *normal_out,
                                          struct sl_error *error);

/* The functions below take well-formed UTF-8 and stop at the first other byte. */

size_t sl_unicode_count(struct sl_view text); /* code points */

/* White space of any script off both ends. */
struct sl_view sl_unicode_trim(struct sl_view text);

/* Whether lower case would change nothing. */
bool sl_unicode_is_lower(struct sl_view text);

/* Whether there are only letters and digits of any script, and hyphens. */
bool sl_unicode_is_kebab(struct sl_view text);

#endif
