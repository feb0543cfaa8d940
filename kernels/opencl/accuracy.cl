/* accuracy.cl - computes roots of unity with native and with precise functions, for comparison on
 * the host. It samples one of 64 roots of the twiddles for 2^22 points. Work-item: one root. */
__kernel void accuracy(__global float4 *roots)
{
    const uint i = get_global_id(0), phase = i << 16 | (i & 63) << 10;
    const float x = ANGLE(phase);
    roots[i] = (float4)(native_root(phase), cos(x), sin(x));
}
