/* Stand-in, see cuda_runtime.h: the 16-bit IEEE type. */
#ifndef SHMEMLORE_STUB_CUDA_FP16_H
#define SHMEMLORE_STUB_CUDA_FP16_H

struct __half {
    unsigned short bits;
};
typedef __half half;
struct __half2 {
    __half x, y;
};
typedef __half2 half2;

#endif
