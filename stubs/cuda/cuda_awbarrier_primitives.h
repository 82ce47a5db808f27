/* Stand-in, see cuda_runtime.h. */
#ifndef SHMEMLORE_STUB_CUDA_AWBARRIER_PRIMITIVES_H
#define SHMEMLORE_STUB_CUDA_AWBARRIER_PRIMITIVES_H

typedef unsigned long long __mbarrier_t;
typedef unsigned long long __mbarrier_token_t;

#endif
