/*
 * mali_scalar.cl - radix 2 stages without vectors: each real and imaginary part is loaded, computed
 * and stored by itself. The article before G. M. Iodice's (neiltan, "Optimizing Fast Fourier
 * Transformation on ARM Mali GPUs") begins with such kernels. Twiddle factors come from the tables
 * of mali_radix.cl. Dimension 0: `items` butterflies of a row; dimension 1: rows.
 */
#define SCALARS                                                                                    \
    const uint id = get_global_id(0);                                                              \
    if (id >= items)                                                                               \
        return;                                                                                    \
    const uint nx = id % span, block = id / span;                                                  \
    __global float *a = points + 2 * (get_global_id(1) * items * 2 + nx + block * span * 2);       \
    __global float *b = a + 2 * span;                                                              \
    const float a_re = a[0], a_im = a[1], b_re = b[0], b_im = b[1];

__kernel void scalar_2(__global float *points, uint span, uint items)
{
    SCALARS
    a[0] = a_re + b_re;
    a[1] = a_im + b_im;
    b[0] = a_re - b_re;
    b[1] = a_im - b_im;
}

__kernel void scalar_table_2(__global float *points, __global const float *roots, uint roots_at,
                             uint span, uint items)
{
    SCALARS
    const float w_re = roots[2 * (roots_at + nx)], w_im = roots[2 * (roots_at + nx) + 1];
    const float t_re = b_re * w_re - b_im * w_im, t_im = b_re * w_im + b_im * w_re;
    a[0] = a_re + t_re;
    a[1] = a_im + t_im;
    b[0] = a_re - t_re;
    b[1] = a_im - t_im;
}
