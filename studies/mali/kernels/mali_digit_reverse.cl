/*
 * mali_digit_reverse.cl - the first step of G. M. Iodice, "Speeding-up Fast Fourier Transform
 * Mixed-Radix on Mobile ARM Mali GPU by means of OpenCL", 2017: reorders the points of a row by
 * their reversed digits, with a table of indices. A work-item moves one point. Dimension 0: the
 * points of a row; dimension 1: rows.
 *
 * digit_reverse_down reorders whole rows of images [points][width], whose columns are transformed.
 * Dimension 0: the points of a row; dimension 1: rows; dimension 2: images.
 */
__kernel void digit_reverse(__global const float2 *in, __global float2 *out,
                            __global const uint *order, uint points)
{
    const uint n = get_global_id(0), row = get_global_id(1) * points;
    if (n < points)
        out[row + n] = in[row + order[n]];
}

__kernel void digit_reverse_down(__global const float2 *in, __global float2 *out,
                                 __global const uint *order, uint width)
{
    const uint column = get_global_id(0), n = get_global_id(1);
    const uint image = get_global_id(2) * get_global_size(1);
    if (column < width)
        out[(image + n) * width + column] = in[(image + order[n]) * width + column];
}
