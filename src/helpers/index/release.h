/* One release's names: both views of its headers, merged by name. */
#ifndef SL_INDEX_RELEASE_H
#define SL_INDEX_RELEASE_H

#include "api/symbols.h"

struct sl_release_name {
    struct sl_symbol symbol; /* first, last and release are not filled */
    struct sl_view types;    /* the signature without the parameters' names */
};

/* A member of a type, or the type as a whole ("-"). */
struct sl_release_member {
    struct sl_view type, path, declared;
    struct sl_view line; /* PATH:LINE */
    unsigned long long offset, size; /* bits */
    bool is_bits;
};

struct sl_release {
    struct sl_view version;        /* as its headers say */
    struct sl_release_name *items; /* by name, bytewise */
    size_t count;
    struct sl_release_member *members; /* by type, then path */
    size_t member_count;
    size_t functions_made; /* functions that macros made */
};

/*
 * package: a folder with include/nvshmem.h. stubs: the folder of cuda/ and
 * libc/. Fails when the front end complains of anything, or when the making of
 * one name is not found: half a table would be a wrong one.
 */
SL_CHECKED enum sl_status sl_headers_read(struct sl_arena *arena,
                                          const char *package,
                                          const char *stubs,
                                          struct sl_release *release_out,
                                          struct sl_error *error);

#endif
