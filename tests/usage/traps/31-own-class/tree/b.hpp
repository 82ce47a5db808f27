struct nvshmemx_init_attr_t;
struct nvshmem_thing { int a; };
using nvshmem_alias = nvshmem_thing;
