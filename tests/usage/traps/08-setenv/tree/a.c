#include <stdlib.h>
int main(void) {
    setenv("NVSHMEM_SYMMETRIC_SIZE", "1G", 1);
    char *size = strdup("NVSHMEM_MAX_TEAMS=7");
    putenv(size);
    unsetenv("NVSHMEM_DEBUG");
}
