#include <nvshmem.h>
namespace ultra::nvshmem {
inline nvshmem_team_t team = NVSHMEM_TEAM_INVALID;
void* alloc(size_t n) { return nvshmem_malloc(n); }
#ifdef EXTRA
template <typename T> int extra(T t) { return t; }
#endif
void free(void* p);
}  // namespace ultra::nvshmem
