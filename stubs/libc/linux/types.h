/* Stand-in, see stddef.h: big-endian words of device memory. */
#ifndef SHMEMLORE_STUB_LINUX_TYPES_H
#define SHMEMLORE_STUB_LINUX_TYPES_H

typedef unsigned short __be16;
typedef unsigned int __be32;
typedef unsigned long long __be64;

#endif
