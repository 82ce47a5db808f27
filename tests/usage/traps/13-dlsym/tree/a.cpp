#include <dlfcn.h>
using fn = int (*)();
int pe(void *lib) {
    auto f = reinterpret_cast<fn>(dlsym(lib, "nvshmem_my_pe"));
    return f();
}
