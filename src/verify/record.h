/* The form of a run record (private to src/verify). */
#ifndef SL_VERIFY_RECORD_H
#define SL_VERIFY_RECORD_H

#include "json/json.h"
#include "verify/checks.h"

/*
 * A fault for each thing that is not as docs/runs.md says; *good_out: none was
 * found. What the record says, of the program and its outcome, is not asked.
 */
SL_CHECKED enum sl_status sl_record_check(struct sl_checks *checks,
                                          struct sl_view file,
                                          const struct sl_json *root,
                                          bool *good_out,
                                          struct sl_error *error);

#endif
