/* transform_along.cu - kernels of rows whose points are contiguous. */
#include "kernels/cuda/transform_forms.h"
#include "kernels/cuda/transform_staged.h"

#define ALONG_KERNEL(n, e, r0, r1, r2, r3, rows, blocks, name, whole)                              \
    KERNEL(n / e * rows, blocks) transform_##name##_##n(const __grid_constant__ pass_args a)       \
    {                                                                                              \
        transform_tile<shape<n, e, r0, r1, r2, r3>, rows, ALONG, false, whole>(a);                 \
    }
#define STAGED_KERNEL(n, e, r0, r1, r2, r3, rows, blocks, ...)                                     \
    KERNEL(n / e * rows, blocks) transform_staged_##n(const __grid_constant__ pass_args a)         \
    {                                                                                              \
        transform_staged<shape<n, e, r0, r1, r2, r3>>(a);                                          \
    }

ALONG_FORMS(ALONG_KERNEL, along, false)
WHOLE_FORMS(ALONG_KERNEL, whole, true)
STAGED_FORMS(STAGED_KERNEL)
