import os, subprocess
labels = {"NVSHMEM_A": None}
os.environ.update({"NVSHMEM_B": "1"})
my_env = {"NVSHMEM_C": "2"}
subprocess.run(["a"], env={**os.environ, "NVSHMEM_D": "3"})
extra = {"NVSHMEM_E": "4"}
subprocess.run(["a"], env=extra)
merged = os.environ | {"NVSHMEM_F": "5"}
call(options={"NVSHMEM_G": "6"})
job = {"env": {"NVSHMEM_H": "7"}, "macros": {"NVSHMEM_I": "8"}}
def versions():
    return {"NVSHMEM_J": "9"}
def make_env():
    return {"NVSHMEM_K": "10"}
