/* Stand-in, see cuda_runtime.h: only the namespace is named. */
#ifndef SHMEMLORE_STUB_COOPERATIVE_GROUPS_H
#define SHMEMLORE_STUB_COOPERATIVE_GROUPS_H

namespace cooperative_groups
{
}

#endif
