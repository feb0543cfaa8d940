/*
 * pass.cu - mixed-radix kernels for complex and real rows that fit into a block: with many threads
 * per multiprocessor, or, where large radices save a step, with more registers. (At most 80
 * registers: on an H200 that is a third faster at 5040 points than 96 or 122, and a tenth slower at
 * 10000.)
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
