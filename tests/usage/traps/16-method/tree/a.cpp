struct Backend {
    void nvshmem_free(void *p) { ::nvshmem_free(p); nvshmem_count_--; }
    int nvshmem_count_ = 0;
    void drop(void *p) { nvshmem_free(p); }
};
void f(Backend &b, Backend *c) { b.nvshmem_free(0); c->nvshmem_free(0); }
void Backend::nvshmem_other() { }
