/*
 * tiles.cu - tiles of the engine in forms that it does not use: other numbers of points per thread
 * for 128 points; transposition while storing, which transforms a box in three passes without
 * strides.
 */
#include "kernels/cuda/transform.h"

#define ALONG_KERNEL(e, ...)                                                                       \
    KERNEL(128 / e * 16, 1) along128_e##e(const __grid_constant__ pass_args a)                     \
    {                                                                                              \
        transform_tile<shape<128, e, __VA_ARGS__>, 16, ALONG, false>(a);                           \
    }
ALONG_KERNEL(4, 4, 4, 4, 2)
ALONG_KERNEL(8, 8, 8, 2)
ALONG_KERNEL(16, 16, 8)
ALONG_KERNEL(32, 32, 4)

#define TRANSPOSE_KERNEL(n, e, r0, r1, r2, rows)                                                   \
    KERNEL(n / e * rows, 2) transpose_##n(const __grid_constant__ pass_args a)                     \
    {                                                                                              \
        transform_tile<shape<n, e, r0, r1, r2>, rows, TRANSPOSE, false>(a);                        \
    }
TRANSPOSE_KERNEL(128, 16, 16, 8, 1, 32)
TRANSPOSE_KERNEL(256, 16, 16, 16, 1, 32)
TRANSPOSE_KERNEL(512, 32, 32, 16, 1, 16)
