/*
 * Lines into a budget of bytes. From the first one on that does not fit they are
 * counted, not printed.
 */
#ifndef SL_ANSWER_FIT_H
#define SL_ANSWER_FIT_H

#include "base/buf.h"

struct sl_fit {
    struct sl_buf *out;
    size_t begin; /* out's length before the first line */
    size_t budget;
    size_t left; /* lines that were not printed */
};

void sl_fit_init(struct sl_fit *fit, struct sl_buf *out, size_t budget);

/* Bytes that are left, less what the closing line needs. */
size_t sl_fit_room(const struct sl_fit *fit);

/* Appends the text whole, or counts it as left out; false then. */
bool sl_fit_add(struct sl_fit *fit, struct sl_view text);
SL_PRINTF(2, 3) bool sl_fit_line(struct sl_fit *fit, const char *format, ...);

/* The closing line, when something was left out. */
void sl_fit_close(struct sl_fit *fit);

#endif
