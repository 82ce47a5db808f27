#if 0
void old() { nvshmem_barrier_all(); }
#else
void now() { nvshmem_sync_all(); }
#endif
#if 1
void live() { nvshmem_quiet(); }
#else
void dead() { nvshmem_fence(); }
#endif
#if defined(A) && 0
void unsure() { nvshmem_my_pe(); }
#elif 0
void never() { nvshmem_n_pes(); }
#endif
