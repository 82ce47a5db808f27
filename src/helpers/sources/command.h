/*
 * The helper's own pieces: what main() read from the command line, the two
 * commands, and what both print. Only this program's files include it.
 */
#ifndef SL_SOURCES_COMMAND_H
#define SL_SOURCES_COMMAND_H

#include <time.h>

#include "base/buf.h"
#include "cite/sources.h"
#include "git/repo.h"
#include "os/tree.h"

enum { SL_EXIT_DONE = 0, SL_EXIT_REVIEW = 1, SL_EXIT_ERROR = 2 };

struct sl_request {
    struct sl_arena *arena;
    const struct sl_source **sources; /* those that were asked for */
    size_t count;
    const char *from; /* NULL: upstream */
    const char *root;  /* drift: the checkout */
    const char *rev;   /* drift: the new commit; NULL: the mirror's HEAD */
    const char *lines; /* drift: a file of regions; NULL: the citations */
    bool write;        /* drift */
    bool json;
    bool force;
    bool quiet;
    bool (*stop)(void *context); /* a signal came; context is not used */
};

/* They print and give the exit status. */
int sl_list(const struct sl_request *request);
int sl_sync(const struct sl_request *request);
int sl_drift_run(const struct sl_request *request); /* of sources[0] */

/* The line on stderr while something takes longer than a second. */
struct sl_progress {
    bool enabled;
    bool shown;
    struct sl_view what; /* the source's id */
    struct timespec next; /* the next time at which to draw */
};

void sl_progress_begin(struct sl_progress *progress, struct sl_view what,
                       bool enabled);
void sl_progress_draw(struct sl_progress *progress,
                      const struct sl_git_progress *state);
void sl_progress_clear(struct sl_progress *progress);

/*
 * "shmemlore sources: ID: MESSAGE" on stderr; id may be empty. Bytes that
 * could steer a terminal become '?': the text may quote a foreign repository.
 */
void sl_say(struct sl_view id, const char *message);

/*
 * Writes what out holds to stdout and empties it. Tells of the first failure;
 * ferror(stdout) then says so to main().
 */
void sl_flush(struct sl_buf *out);

/* "1.7 MB" */
struct sl_size_text {
    char text[24];
};
struct sl_size_text sl_size(uint64_t bytes);

/* The licence and its exceptions, as lines of a text and as JSON members. */
void sl_put_licence(struct sl_buf *out, const struct sl_source *source);
void sl_put_source_json(struct sl_buf *out, const struct sl_source *source);
void sl_put_string(struct sl_buf *out, const char *member,
                   struct sl_view value);

#endif
