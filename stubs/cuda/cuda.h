/* Stand-in, see cuda_runtime.h: handles of the CUDA driver interface. */
#ifndef SHMEMLORE_STUB_CUDA_H
#define SHMEMLORE_STUB_CUDA_H

#define CUDA_VERSION 13000

typedef int CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUlib_st *CUlibrary;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;

#endif
