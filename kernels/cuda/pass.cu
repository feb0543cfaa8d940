/*
 * pass.cu - rows of any length that fits into a block, complex and real: with many threads a
 * processor, or, where that spares a step, with large radices and more registers. (80 of them: at
 * 5040 points that is a third quicker on an H200 than 96 or 122, at 10000 a tenth slower.)
 */
#include "kernels/cuda/mixed.h"

#define ROWS_KERNELS(name, kind)                                                                   \
    KERNEL(1024, 1) name(const __grid_constant__ pass_args a)                                      \
    {                                                                                              \
        transform_rows_of<kind, 16>(a);                                                            \
    }                                                                                              \
    KERNEL(768, 1) name##_wide(const __grid_constant__ pass_args a)                                \
    {                                                                                              \
        transform_rows_of<kind, 25>(a);                                                            \
    }

ROWS_KERNELS(transform_rows, ROWS_COMPLEX)
ROWS_KERNELS(transform_rows_r2c, ROWS_R2C)
ROWS_KERNELS(transform_rows_c2r, ROWS_C2R)
