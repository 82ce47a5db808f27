docker run -e NVSHMEM_DEBUG=INFO --env NVSHMEM_INFO=1 image
mpirun -x NVSHMEM_BOOTSTRAP=MPI -x NVSHMEM_HCA_LIST ./a
mpiexec -genv NVSHMEM_IB_GID_INDEX 3 ./a
cmake -DNVSHMEM_HOME=/opt/nvshmem ..
