/* transform_real.cu - kernels of real rows that fit into a block. */
#include "kernels/cuda/transform_real.h"
#include "kernels/cuda/transform_real_forms.h"

#define PART_KERNEL(n, e, r0, r1, r2, r3, rows, blocks, name, whole)                               \
    KERNEL(n / e * rows, blocks) transform_##name##_##n(const __grid_constant__ pass_args a)       \
    {                                                                                              \
        part_tile<shape<n, e, r0, r1, r2, r3>, rows, whole>(a);                                    \
    }
#define JOIN_KERNEL(n, e, r0, r1, r2, r3, rows, blocks, name, whole)                               \
    KERNEL(n / e * rows, blocks) transform_##name##_##n(const __grid_constant__ pass_args a)       \
    {                                                                                              \
        join_tile<shape<n, e, r0, r1, r2, r3>, rows, whole>(a);                                    \
    }

PART_FORMS(PART_KERNEL, part, false)
JOIN_FORMS(JOIN_KERNEL, join, false)
PART_WHOLE_FORMS(PART_KERNEL, part_whole, true)
JOIN_WHOLE_FORMS(JOIN_KERNEL, join_whole, true)
