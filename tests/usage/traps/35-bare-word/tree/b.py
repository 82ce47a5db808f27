def f(s):
    return "nvshmem" in s or s == "NVSHMEM"
