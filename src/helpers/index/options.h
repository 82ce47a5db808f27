/* What the headers of a package declare only with an option that it leaves off. */
#ifndef SL_INDEX_OPTIONS_H
#define SL_INDEX_OPTIONS_H

#include "helpers/index/merge.h"

/*
 * Adds one release to merge: the names that are there with one of the options alone
 * and not without, the option in place of the family. The options are those that
 * non_abi/nvshmem_build_options.h has as `#undef`, and another header asks for. One
 * with which the headers cannot be read is told on stderr and passed over.
 */
SL_CHECKED enum sl_status sl_options_add(struct sl_merge *merge,
                                         const char *package, const char *stubs,
                                         struct sl_error *error);

#endif
