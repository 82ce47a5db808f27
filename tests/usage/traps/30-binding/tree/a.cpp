PYBIND11_MODULE(x, m) {
    m.def("nvshmem_malloc", &make);
    m.def("free", &nvshmem_free);
}
