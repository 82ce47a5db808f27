/* Stand-in, see stddef.h. */
#ifndef SHMEMLORE_STUB_STDINT_H
#define SHMEMLORE_STUB_STDINT_H

typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;
#define UINT8_MAX 255
#define UINT16_MAX 65535
#define UINT32_MAX 4294967295U
#define UINT64_MAX 18446744073709551615UL
#define INT64_MAX 9223372036854775807L
#define SIZE_MAX UINT64_MAX

#endif
