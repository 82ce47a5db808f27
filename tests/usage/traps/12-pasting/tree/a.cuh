#define PUT(T) \
    inline void put(T *d, const T *s, size_t n, int pe) { \
        nvshmem_##T##_put_nbi(d, s, n, pe); \
        nvshmemx_ ## T ## _put_nbi_block(d, s, n, pe); \
    }
PUT(float)
PUT(double)
