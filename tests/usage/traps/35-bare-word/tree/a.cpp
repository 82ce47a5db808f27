const char *label() { return "nvshmem"; }
bool is(const std::string &s) { return s.find("NVSHMEM") != s.npos || s == "nvshmem_x"; }
