import os
home = os.getenv("NVSHMEM_HOME", "/usr/local/nvshmem")
