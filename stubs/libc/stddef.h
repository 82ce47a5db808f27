/*
 * Stand-in for the C library's headers, written for shmemlore, so that reading
 * NVSHMEM's declarations depends on no library of the machine (LP64).
 */
#ifndef SHMEMLORE_STUB_STDDEF_H
#define SHMEMLORE_STUB_STDDEF_H

typedef unsigned long size_t;
typedef long ptrdiff_t;
#undef NULL
#define NULL 0
#define offsetof(type, member) __builtin_offsetof(type, member)

#endif
