std::string gen() { return "nvshmem_putmem_nbi(" + dst() + ");"; }
const char *call = "nvshmem_getmem(d, s, n, pe);";
