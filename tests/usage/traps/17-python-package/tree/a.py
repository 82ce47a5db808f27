import nvshmem.core
import nvshmem.core as nv
from nvshmem.core import Teams, put as send
from nvshmem.bindings import nvshmem as raw
from mine import nvshmem_create_tensor
nvshmem.core.init(device=0)
buffer = nv.tensor((4,))
send(buffer, buffer, 1)
raw.putmem_on_stream(buffer)
team = Teams.TEAM_WORLD
nvshmem_create_tensor()
