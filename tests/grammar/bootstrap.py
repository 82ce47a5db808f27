"""Input of check_grammars: indents, strings and f-strings need the scanner."""
import os


def unique_id(rank: int, world: int) -> bytes:
    if rank == 0:
        uid = b"\x01" * 128
    else:
        uid = b""
    for name in ("NVSHMEM_DEBUG",
                 "NVSHMEM_REMOTE_TRANSPORT"):
        os.environ.setdefault(name, f"{rank!r} of {world:>3}")
    return uid
