/*
 * mali_twiddle.cl - the products with roots of unity between two stages as a step of its own, in
 * the forms of G. M. Iodice's document (mali_digit_reverse.cl), and with a table. In place. A
 * work-item multiplies one point.
 *
 * In a stage that joins `radix` transforms of `span` points into one of `joined`, point n of a row
 * is point nx = n mod span of transform ky. Its twiddle is exp(-2 pi i nx ky / joined). Dimension
 * 0: the points of a row; dimension 1: rows.
 */
#define TWIDDLE_BY(point, angle)                                                                   \
    {                                                                                              \
        const float re_ = cos(angle), im_ = sin(angle);                                            \
        const float2 was_ = point;                                                                 \
        point = (float2)(re_ * was_.x - im_ * was_.y, re_ * was_.y + im_ * was_.x);                \
    }

#define TWO_PI 6.2831853071795865f

/* ky from the whole index k that the next stage has for the point, and the angle by a division. */
__kernel void twiddle_naive(__global float2 *points, uint span, uint radix, uint joined, uint count)
{
    const uint n = get_global_id(0);
    if (n >= count)
        return;
    const uint nx = n % span;
    const uint k = n * radix % joined + n / span % radix + joined * (n / joined);
    const uint ky = k % radix;
    const float angle = -TWO_PI * nx * ky / (float)joined;
    TWIDDLE_BY(points[get_global_id(1) * count + n], angle)
}

/* ky without the terms of k that are multiples of the radix, the first and the last. */
__kernel void twiddle_short(__global float2 *points, uint span, uint radix, uint joined, uint count)
{
    const uint n = get_global_id(0);
    if (n >= count)
        return;
    const uint nx = n % span, ky = n / span % radix;
    const float angle = -TWO_PI * nx * ky / (float)joined;
    TWIDDLE_BY(points[get_global_id(1) * count + n], angle)
}

/* unit is -2 pi / joined, the same for all work-items. */
__kernel void twiddle_hoisted(__global float2 *points, uint span, uint radix, float unit,
                              uint count)
{
    const uint n = get_global_id(0);
    if (n >= count)
        return;
    const uint nx = n % span, ky = n / span % radix;
    const float angle = (float)(nx * ky) * unit;
    TWIDDLE_BY(points[get_global_id(1) * count + n], angle)
}

/* roots + at: [radix - 1][span]. */
__kernel void twiddle_table(__global float2 *points, __global const float2 *roots, uint at,
                            uint span, uint radix, uint count)
{
    const uint n = get_global_id(0);
    if (n >= count)
        return;
    const uint nx = n % span, ky = n / span % radix;
    if (ky == 0)
        return;
    __global float2 *to = points + get_global_id(1) * count + n;
    const float2 w = roots[at + (ky - 1) * span + nx], was = *to;
    *to = (float2)(w.x * was.x - w.y * was.y, w.x * was.y + w.y * was.x);
}
