#define SYNC() nvshmem_barrier_all() /* not nvshmem_sync_all */
#define SAY() log("nvshmem_quiet")
#define TWO(team) \
    do { \
        nvshmem_team_sync(team); \
    } while (0)
