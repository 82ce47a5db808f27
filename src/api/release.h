/* The releases that the tables know, as a user may spell them. */
#ifndef SL_API_RELEASE_H
#define SL_API_RELEASE_H

#include "base/status.h"
#include "base/view.h"

/*
 * text as one of the releases, which are sorted, oldest first: 3.4.5 or v3.4.5.
 * SL_ERR_USAGE lists those that there are, with the one that may be meant by
 * `latest`, 3.4, 3.4.x, 03.4.5 or the tag 3.4.5-0, or those next to it; none of these
 * is guessed.
 */
SL_CHECKED enum sl_status sl_release_read(struct sl_view text,
                                          const struct sl_view *releases,
                                          size_t count,
                                          struct sl_view *release_out,
                                          struct sl_error *error);

/* Both ends of a way, replaced by the spelling of the table; a fault leaves them. */
SL_CHECKED enum sl_status sl_release_pair(const struct sl_view *releases,
                                          size_t count, struct sl_view *from,
                                          struct sl_view *to,
                                          struct sl_error *error);

#endif
