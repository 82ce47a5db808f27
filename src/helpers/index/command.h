/*
 * The helper's own pieces: its commands, and what all of them print with. Only
 * this program's files include it.
 */
#ifndef SL_INDEX_COMMAND_H
#define SL_INDEX_COMMAND_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/status.h"

/* Exit status, as grep's: of a check, 1 is that something differs. */
enum { SL_EXIT_DONE = 0, SL_EXIT_FINDINGS = 1, SL_EXIT_ERROR = 2 };

/* Each prints and gives the exit status; argv[0] is the command's name. */
int sl_index_api(int argc, char **argv);
int sl_index_env(int argc, char **argv);
int sl_index_tables(int argc, char **argv);
int sl_index_usage(int argc, char **argv);

/* "shmemlore index: MESSAGE" on stderr, no byte of it steering a terminal. */
void sl_index_say(const char *message);

/* Writes what out holds to stdout and empties it. False: it could not. */
bool sl_index_flush(struct sl_buf *out);

#endif
