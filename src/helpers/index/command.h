/* The commands of shmemlore-index; main.c has one row for each. */
#ifndef SL_INDEX_COMMAND_H
#define SL_INDEX_COMMAND_H

enum { SL_INDEX_DONE = 0, SL_INDEX_FOUND_NOTHING = 1, SL_INDEX_ERROR = 2 };

int sl_index_usage(int argc, char **argv);

#endif
