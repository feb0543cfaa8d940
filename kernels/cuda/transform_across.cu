/*
 * transform_across.cu - kernels of adjacent rows: an axis with a stride, and the first kernel of a
 * long row.
 */
#include "kernels/cuda/transform.h"
#include "kernels/cuda/transform_forms.h"

#define ACROSS_KERNEL(n, e, r0, r1, r2, r3, rows, blocks, ...)                                     \
    KERNEL(n / e * rows, blocks)                                                                   \
    transform_across_##n##x##rows(const __grid_constant__ pass_args a)                             \
    {                                                                                              \
        transform_tile<shape<n, e, r0, r1, r2, r3>, rows, ACROSS, false>(a);                       \
    }

ACROSS_FORMS(ACROSS_KERNEL)
