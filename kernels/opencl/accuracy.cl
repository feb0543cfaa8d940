/*
 * accuracy.cl - roots of unity by native functions and by precise ones, for the host to compare: one of 64
 * of those that twiddles of 2^22 points are. Work-item: one root.
 */
__kernel void accuracy(__global float4 *roots)
{
    const uint i = get_global_id(0), phase = i << 16 | (i & 63) << 10;
    const float x = ANGLE(phase);
    roots[i] = (float4)(native_root(phase), cos(x), sin(x));
}
