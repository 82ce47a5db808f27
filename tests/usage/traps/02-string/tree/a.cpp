#include <cstdio>
void f() { std::printf("nvshmem_malloc failed on PE %d\n", 3); }
void g() { log("a call of nvshmem_init is missing"); }
