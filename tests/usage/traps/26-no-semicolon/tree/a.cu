void f() {
    PUSH_RANGE("x")
    nvshmem_barrier_all();
    POP_RANGE

    nvshmem_quiet();
}
