/* transform_along.cu - kernels of rows whose points are contiguous. */
#include "kernels/cuda/transform_forms.h"
#include "kernels/cuda/transform_staged.h"

#define ALONG_KERNEL(n, e, r0, r1, r2, r3, rows, blocks, ...)                                      \
    KERNEL(n / e * rows, blocks) transform_along_##n(const __grid_constant__ pass_args a)          \
    {                                                                                              \
        transform_tile<shape<n, e, r0, r1, r2, r3>, rows, ALONG, false>(a);                        \
    }
#define STAGED_KERNEL(n, e, r0, r1, r2, r3, rows, blocks, ...)                                     \
    KERNEL(n / e * rows, blocks) transform_staged_##n(const __grid_constant__ pass_args a)         \
    {                                                                                              \
        transform_staged<shape<n, e, r0, r1, r2, r3>>(a);                                          \
    }

ALONG_FORMS(ALONG_KERNEL)
STAGED_FORMS(STAGED_KERNEL)
