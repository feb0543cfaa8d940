/*
 * mali_digit_reverse.cl - the first step of G. M. Iodice, "Speeding-up Fast Fourier Transform Mixed-Radix on
 * Mobile ARM Mali GPU by means of OpenCL", 2017: the points of a row in the order of their reversed digits,
 * by a table of their places. Dimension 0: a row's points; dimension 1: rows.
 */
__kernel void digit_reverse(__global const float2 *in, __global float2 *out,
                            __global const uint *order)
{
    const uint n = get_global_id(0), row = get_global_id(1) * get_global_size(0);
    out[row + n] = in[row + order[n]];
}
