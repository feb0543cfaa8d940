/* transform_smooth_along.cu - kernels of rows of common lengths whose points are contiguous. */
#include "kernels/cuda/transform_smooth.h"
#include "kernels/cuda/transform_smooth_forms.h"

#define ALONG_KERNEL(n, e, r0, r1, r2, r3, rows, blocks, name, whole)                              \
    KERNEL(n / e * rows, blocks)                                                                   \
    transform_smooth_##name##_##n(const __grid_constant__ pass_args a)                             \
    {                                                                                              \
        transform_smooth<smooth_shape<n, e, r0, r1, r2, r3>, rows, ALONG, whole>(a);               \
    }

SMOOTH_ALONG_FORMS(ALONG_KERNEL, along, false)
SMOOTH_WHOLE_FORMS(ALONG_KERNEL, whole, true)
