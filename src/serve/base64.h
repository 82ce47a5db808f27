/* Bytes that are no text, in JSON. */
#ifndef SL_SERVE_BASE64_H
#define SL_SERVE_BASE64_H

#include "base/buf.h"

/* Appends RFC 4648's base64 with padding. */
void sl_base64(struct sl_buf *out, struct sl_view bytes);

#endif
