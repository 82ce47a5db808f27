import os, subprocess
os.putenv("NVSHMEM_DEBUG", "INFO")
env = dict(os.environ, NVSHMEM_INFO="1")
env["NVSHMEM_MAX_TEAMS"] = str(7)
subprocess.run(["a"], env={"NVSHMEM_BOOTSTRAP": "UID", **env})
os.system("NVSHMEM_DISABLE_NVLS=1 ./a && echo NVSHMEM_OTHER")
for name in ("NVSHMEM_HCA_LIST",):
    print(os.environ.get(name))
