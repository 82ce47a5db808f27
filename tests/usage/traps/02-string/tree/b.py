def f():
    """Calls nvshmem_init for you."""
    raise RuntimeError("nvshmem_ptr gave NULL")
