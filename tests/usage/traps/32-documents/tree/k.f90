  call nvshmem_barrier_all()  ! and nvshmem_quiet
