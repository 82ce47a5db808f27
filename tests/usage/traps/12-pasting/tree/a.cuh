#define SENDERS(KIND) \
    struct Sender_##KIND { void operator()(KIND *far, int whom) const { \
        nvshmem_##KIND##_put_nbi(far, &here, 1, whom); \
        nvshmemx_ ## KIND ## _put_nbi_block(far, &here, 1, whom); } \
        KIND here; \
    };
SENDERS(float)
SENDERS(double)
