/* Stand-in, see cuda_runtime.h. */
#include <cooperative_groups.h>
