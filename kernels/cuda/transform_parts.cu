/* transform_parts.cu - kernels of real rows that are longer than a block. */
#include "kernels/cuda/transform_parts.h"
#include "kernels/cuda/transform_real_forms.h"

#define JOIN_COLUMNS_KERNEL(n, e, r0, r1, r2, r3, rows, blocks, ...)                               \
    KERNEL(n / e * rows, blocks)                                                                   \
    transform_join_columns_##n(const __grid_constant__ pass_args a)                                \
    {                                                                                              \
        join_columns<shape<n, e, r0, r1, r2, r3>, rows>(a);                                        \
    }
#define PART_ROWS_KERNEL(n, e, r0, r1, r2, r3, rows, blocks, ...)                                  \
    KERNEL(n / e * rows, blocks)                                                                   \
    transform_part_rows_##n(const __grid_constant__ pass_args a)                                   \
    {                                                                                              \
        part_rows<shape<n, e, r0, r1, r2, r3>, rows>(a);                                           \
    }

JOIN_COLUMNS_FORMS(JOIN_COLUMNS_KERNEL)
PART_ROWS_FORMS(PART_ROWS_KERNEL)
