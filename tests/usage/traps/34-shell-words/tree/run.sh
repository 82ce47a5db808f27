echo "NVSHMEM_A=$NVSHMEM_B is NVSHMEM_C" >&2
if [ ! -v NVSHMEM_D ]; then echo "NVSHMEM_E"; export NVSHMEM_F=1; fi
wget https://example.invalid/nvshmem_src.txz && tar xf nvshmem_src.txz
cmake -DNVSHMEM_G=1 -D NVSHMEM_H=OFF -DNVSHMEM_I ..
printf 'x; NVSHMEM_J=1'
echo "NVSHMEM_K=1" >> env.txt
printenv NVSHMEM_L
echo one; NVSHMEM_M=1 ./a
