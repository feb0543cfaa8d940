/*
 * mali_digit_reverse.cl - the first step of G. M. Iodice, "Speeding-up Fast Fourier Transform Mixed-Radix on
 * Mobile ARM Mali GPU by means of OpenCL", 2017: the points of a row in the order of their reversed digits,
 * by a table of their places. A work-item moves one point: dimension 0 is a row's points, dimension 1 rows.
 *
 * digit_reverse_down does that with whole rows of images [points][width], whose columns are transformed:
 * dimension 0 is a row's points, dimension 1 rows, dimension 2 images.
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
