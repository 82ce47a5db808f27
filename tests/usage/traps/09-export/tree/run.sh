#!/bin/sh
# export NVSHMEM_INFO=1 would print more
export NVSHMEM_BOOTSTRAP=MPI
NVSHMEM_DEBUG=WARN mpirun -np 2 ./a
size=${NVSHMEM_SYMMETRIC_SIZE:-1G}
unset NVSHMEM_REMOTE_TRANSPORT
echo "$NVSHMEM_HOME/lib"
