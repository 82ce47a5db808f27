/*
 * Stand-in for the CUDA runtime's header, written for shmemlore: only what the
 * declarations of NVSHMEM's headers name, so that a C++ front end without CUDA
 * can parse them. Nothing here can be called. docs/internals/api-index.md.
 *
 * Define __CUDACC__ for what a CUDA compiler sees, and __CUDA_ARCH__ too for
 * its device pass.
 */
#ifndef SHMEMLORE_STUB_CUDA_RUNTIME_H
#define SHMEMLORE_STUB_CUDA_RUNTIME_H

#include <stddef.h>

#define CUDART_VERSION 13000

/* a front end finds the marks again as annotations of the declaration */
#if defined __clang__ || defined SHMEMLORE_FRONT_END
#define __device__ __attribute__((annotate("device")))
#define __host__ __attribute__((annotate("host")))
#define __global__ __attribute__((annotate("global")))
#else
#define __device__
#define __host__
#define __global__
#endif
#define __constant__ __device__
#define __shared__ __device__
#define __managed__ __device__
#define __forceinline__ inline
#define __noinline__
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef int cudaError_t;
enum { cudaSuccess };


struct dim3 {
    unsigned x, y, z;
};

struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
};

struct int2 {
    int x, y;
};
struct __align__(16) int4 {
    int x, y, z, w;
};
struct uint4 {
    unsigned x, y, z, w;
};
struct float2 {
    float x, y;
};
struct double2 {
    double x, y;
};
struct longlong2 {
    long long x, y;
};
struct ulonglong2 {
    unsigned long long x, y;
};

#endif
