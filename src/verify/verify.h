/*
 * Everything that `shmemlore verify` refuses, over a project's root: the folder
 * that holds skills/nvshmem and evidence/. The rules:
 * docs/knowledge-format.md and docs/internals/verify.md.
 */
#ifndef SL_VERIFY_VERIFY_H
#define SL_VERIFY_VERIFY_H

#include "base/status.h"
#include "verify/report.h"

/*
 * Fills report (made with sl_report_init) and sorts it; faults are no failure.
 * Fails on memory, I/O, caps, and when root holds no knowledge base.
 */
SL_CHECKED enum sl_status sl_verify_run(const char *root,
                                        struct sl_report *report,
                                        struct sl_error *error);

/*
 * Writes evidence/lines/ and evidence/citations.lock. SL_ERR_NOTFOUND, and
 * nothing written, when the tree of a cited source is not in the cache;
 * SL_ERR_USAGE when accept names what no text cites.
 */
SL_CHECKED enum sl_status sl_verify_update(const char *root,
                                           const struct sl_view *accept,
                                           size_t accept_count,
                                           struct sl_verify_update *update_out,
                                           struct sl_error *error);

#endif
