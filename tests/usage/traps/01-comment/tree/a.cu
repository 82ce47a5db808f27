// nvshmem_quiet() orders the puts
/* and nvshmem_fence() orders less */
__global__ void k() { }
