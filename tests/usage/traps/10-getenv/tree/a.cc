#include <cstdlib>
bool off() { return std::getenv("NVSHMEM_DISABLE_CUDA_VMM") != nullptr; }
int depth() { return get_env<int>("NVSHMEM_QP_DEPTH", 1024); }
