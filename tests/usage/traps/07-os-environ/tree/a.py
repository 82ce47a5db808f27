import os
os.environ["NVSHMEM_DISABLE_P2P"] = "1" if quick else "0"
os.environ.setdefault('NVSHMEM_QP_DEPTH', str(1024))
depth = int(os.environ['NVSHMEM_QP_DEPTH'])
del os.environ["NVSHMEM_DEBUG"]
os.environ.pop("NVSHMEM_INFO", None)
ok = "NVSHMEM_SYMMETRIC_SIZE" in os.environ
