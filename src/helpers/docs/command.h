/*
 * The helper's own pieces: its commands, and what all of them print with. Only
 * this program's files include it.
 */
#ifndef SL_DOCS_COMMAND_H
#define SL_DOCS_COMMAND_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/status.h"
#include "html/dom.h"

/* Exit status, as grep's: of a check, 1 is that something differs. */
enum { SL_EXIT_DONE = 0, SL_EXIT_FINDINGS = 1, SL_EXIT_ERROR = 2 };

/* Each prints and gives the exit status; argv[0] is the command's name. */
int sl_docs_check(int argc, char **argv);
int sl_docs_convert(int argc, char **argv);
int sl_docs_fetch(int argc, char **argv);

/* "shmemlore docs: MESSAGE" on stderr, no byte of it steering a terminal. */
void sl_docs_say(const char *message);
/* The same with a file's name before it. */
void sl_docs_say_of(const char *path, const char *message);

/* The page in a file, which must be one: what else it is, is said. */
SL_CHECKED enum sl_status sl_docs_read_page(struct sl_arena *arena,
                                            const char *path,
                                            struct sl_html *html_out,
                                            struct sl_error *error);

/* Writes what out holds to stdout and empties it. False: it could not. */
bool sl_docs_flush(struct sl_buf *out);
/* Prints a help text; gives the exit status. */
int sl_docs_help(const char *text);

#endif
