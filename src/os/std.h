/* What every program of ours begins with. */
#ifndef SL_OS_STD_H
#define SL_OS_STD_H

#include <stdbool.h>

/*
 * Opens /dev/null for each of the descriptors 0 to 2 that the caller has closed, so
 * that no file opened later takes its number and gets our output. A file that grows over
 * the limit (ulimit -f) is an error of write(), and does not kill. For main().
 */
bool sl_std_open(void);

#endif
