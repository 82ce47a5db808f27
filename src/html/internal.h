/* What happens to a page's bytes before libxml2 sees them. */
#ifndef SL_HTML_INTERNAL_H
#define SL_HTML_INTERNAL_H

#include "html/dom.h"

/*
 * The page as UTF-8 without a byte order mark, of characters that HTML allows.
 * May be the same bytes.
 */
SL_CHECKED enum sl_status sl_html_decode(struct sl_arena *arena,
                                         struct sl_view bytes,
                                         struct sl_view *text_out,
                                         struct sl_error *error);

/*
 * Refuses what libxml2 would take too long for or not tell of: a tag with very
 * many attributes (it compares each with all), and comments, tags and scripts
 * that do not end. What HTML 5 reads otherwise (comments that end early, <xmp>,
 * <plaintext>) is replaced, in a copy.
 */
SL_CHECKED enum sl_status sl_html_guard(struct sl_arena *arena,
                                        struct sl_view *text,
                                        struct sl_error *error);

#endif
