// what is broken before does not make the rest dead
#if 0
void f( { if (x nvshmem_init
#endif
void g() { nvshmem_finalize(); }
