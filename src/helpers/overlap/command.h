/* The helper's own pieces. Only this program's files include it. */
#ifndef SL_OVERLAP_COMMAND_H
#define SL_OVERLAP_COMMAND_H

#include "base/buf.h"
#include "overlap/report.h"

/* Exit status: as of a check. */
enum { SL_EXIT_NONE = 0, SL_EXIT_OVERLAP = 1, SL_EXIT_ERROR = 2 };

/* What the user asked for; views into argv. */
struct sl_request {
    unsigned n;
    bool has_n;
    bool json, prose;
    const char *publish, *against;
    char **paths;
    size_t path_count;
};

/* "shmemlore overlap: MESSAGE" on stderr, no byte of it steering a terminal. */
void sl_overlap_say(const char *message);

/* Writes what out holds to stdout and empties it. False: it could not. */
bool sl_overlap_flush(struct sl_buf *out);

/* A report as text or as JSON; filter: what it was compared with, or NULL. */
void sl_overlap_text(struct sl_buf *out, const struct sl_report *report,
                     const char *filter);
void sl_overlap_json(struct sl_buf *out, const struct sl_report *report,
                     const char *filter);

#endif
