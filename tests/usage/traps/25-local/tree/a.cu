int f(int nvshmem_rank, bool nvshmem_on) {
    int nvshmem_my_pe = nvshmem_rank;
    return nvshmem_on ? nvshmem_my_pe : 0;
}
int g() { return nvshmem_my_pe(); }
