__global__ void k(unsigned short *flag, uint64_t *sig) {
    while (!nvshmem_ushort_test(flag, NVSHMEM_CMP_EQ, 1)) { }
    nvshmem_uint64_wait_until(sig, NVSHMEM_CMP_GE, 2);
    nvshmemx_put6_signal(sig);
}
