/* pass.cu - rows of any length that fits into a block, complex and real. */
#include "kernels/cuda/mixed.h"

enum { PASS_THREADS = 1024 }; /* at most */

KERNEL(PASS_THREADS, 1) transform_rows(const __grid_constant__ pass_args a)
{
    transform_rows_of<ROWS_COMPLEX>(a);
}
KERNEL(PASS_THREADS, 1) transform_rows_r2c(const __grid_constant__ pass_args a)
{
    transform_rows_of<ROWS_R2C>(a);
}
KERNEL(PASS_THREADS, 1) transform_rows_c2r(const __grid_constant__ pass_args a)
{
    transform_rows_of<ROWS_C2R>(a);
}
