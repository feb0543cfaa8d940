/* transform_smooth_across.cu - kernels of adjacent rows of common lengths. */
#include "kernels/cuda/transform_smooth.h"
#include "kernels/cuda/transform_smooth_forms.h"

#define ACROSS_KERNEL(n, e, r0, r1, r2, r3, rows, blocks, ...)                                     \
    KERNEL(n / e * rows, blocks) transform_smooth_across_##n(const __grid_constant__ pass_args a)  \
    {                                                                                              \
        transform_smooth<smooth_shape<n, e, r0, r1, r2, r3>, rows, ACROSS>(a);                     \
    }

SMOOTH_ACROSS_FORMS(ACROSS_KERNEL)
