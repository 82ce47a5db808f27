__global__ void k() {
    @@ nvshmem_put16_nbi $$ ( nvshmem_fence(); }
