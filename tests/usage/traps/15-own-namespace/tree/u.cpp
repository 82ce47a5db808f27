#include "n.hpp"
namespace ultra {
void f() { nvshmem::free(nvshmem::alloc(8)); }
}
void g() { ultra::nvshmem::extra<int>(nvshmem_n_pes()); }
template <class T> auto tile() { return nvshmemx::tile_sum_reduce_block<T>(); }
