/* A run record for a reader. */
#ifndef SL_ANSWER_RUN_H
#define SL_ANSWER_RUN_H

#include "base/buf.h"
#include "base/status.h"

/*
 * Appends the record's facts and cases to out, a line each. SL_ERR_SYNTAX when
 * the record is no JSON object; docs/runs.md has the form.
 */
SL_CHECKED enum sl_status sl_run_text(struct sl_view record,
                                      struct sl_buf *out,
                                      struct sl_error *error);

/* Whether the record is a JSON object, with the reason. */
SL_CHECKED enum sl_status sl_run_check(struct sl_view record,
                                       struct sl_error *error);

#endif
