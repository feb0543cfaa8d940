/* transform_real.cu - kernels of real rows that fit into a block. */
#include "kernels/cuda/transform_real.h"
#include "kernels/cuda/transform_real_forms.h"

#define PART_KERNEL(n, e, r0, r1, r2, r3, rows, blocks, ...)                                       \
    KERNEL(n / e * rows, blocks) transform_part_##n(const __grid_constant__ pass_args a)           \
    {                                                                                              \
        part_tile<shape<n, e, r0, r1, r2, r3>, rows>(a);                                           \
    }
#define JOIN_KERNEL(n, e, r0, r1, r2, r3, rows, blocks, ...)                                       \
    KERNEL(n / e * rows, blocks) transform_join_##n(const __grid_constant__ pass_args a)           \
    {                                                                                              \
        join_tile<shape<n, e, r0, r1, r2, r3>, rows>(a);                                           \
    }

PART_FORMS(PART_KERNEL)
JOIN_FORMS(JOIN_KERNEL)
