/* Stand-in, see cuda_runtime.h: the 16-bit brain float type. */
#ifndef SHMEMLORE_STUB_CUDA_BF16_H
#define SHMEMLORE_STUB_CUDA_BF16_H

struct __nv_bfloat16 {
    unsigned short bits;
};
struct __nv_bfloat162 {
    __nv_bfloat16 x, y;
};

#endif
