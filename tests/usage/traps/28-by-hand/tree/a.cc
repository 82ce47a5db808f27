extern "C" {
void *nvshmem_malloc(unsigned long);
extern int nvshmemi_is_nvshmem_initialized;
}
typedef int (*nvshmem_my_pe_fn)();
int (*pe)() = &nvshmem_my_pe;
#ifdef NVSHMEM_MAJOR_VERSION
#undef NVSHMEM_SIGNAL_SET
#endif
#include <device_host/nvshmem_types.h>
