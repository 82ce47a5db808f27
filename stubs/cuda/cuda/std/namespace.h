/* Stand-in, see cuda_runtime.h: cuda::std has what std has. */
#ifndef SHMEMLORE_STUB_CUDA_STD
#define SHMEMLORE_STUB_CUDA_STD

namespace std
{
}
namespace cuda
{
namespace std
{
using namespace ::std;
}
} // namespace cuda

#endif
