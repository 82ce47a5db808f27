const char *source = R"cuda(
extern "C" __global__ void k() { nvshmem_quiet(); }
)cuda";
const char *text = R"(we like nvshmem_fence)";
void f() { nvshmem_init(); }
