// Input of check_grammars: what a CUDA grammar must know.
#include <nvshmem.h>
#include <nvshmemx.h>

template <int Threads>
__global__ void __launch_bounds__(Threads) ring(int *slot, int pes) {
    __shared__ int seen[Threads];
    int me = nvshmem_my_pe();
    if (threadIdx.x == 0) {
        nvshmem_int_p(slot, me, (me + 1) % pes);
        asm volatile("fence.acq_rel.sys;" ::: "memory");
    }
    seen[threadIdx.x] = *slot;
    nvshmem_quiet();
}

int main() {
    nvshmem_init();
    int *slot = static_cast<int *>(nvshmem_malloc(sizeof(int)));
    cudaStream_t stream = nullptr;
    ring<32><<<1, 32, 0, stream>>>(slot, nvshmem_n_pes());
    nvshmemx_barrier_all_on_stream(stream);
    cudaStreamSynchronize(stream);
    nvshmem_free(slot);
    nvshmem_finalize();
    return 0;
}
