/*
 * bainville_local.cl - one work-group for a transform of LENGTH points, which stay in local memory
 * from the first pass to the last, alternating between two arrays. The passes are those of
 * bainville_pass.cl. The work-items divide the butterflies of each pass among them.
 *
 * Parameters: LENGTH, a power of RADIX; RADIX. Work-group g has the points from g LENGTH on. Its
 * size is arbitrary.
 */
__kernel void in_local(__global const POINT *x, __global POINT *y, __global const POINT *table)
{
    __local POINT one[LENGTH], other[LENGTH];
    __local POINT *from = one, *to = other;
    const uint first = get_local_id(0), items = get_local_size(0), t = LENGTH / RADIX;
    x += get_group_id(0) * LENGTH;
    y += get_group_id(0) * LENGTH;

#define LOAD(r) POINT c##r = from[i + r * t];
#define STORE(r) to[(i - k) * RADIX + k + BIT_REVERSED(r) * p] = c##r;
    for (uint j = first; j < LENGTH; j += items)
        from[j] = x[j];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint p = 1; p < LENGTH; p *= RADIX) {
        for (uint i = first; i < t; i += items) {
            const uint k = i & (p - 1);
            EACH(LOAD)
            TWIDDLE_EACH(k, p)
            BUTTERFLY
            EACH(STORE)
        }
        __local POINT *swap = from;
        from = to;
        to = swap;
        table += (RADIX - 1) * p;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint j = first; j < LENGTH; j += items)
        y[j] = from[j];
#undef LOAD
#undef STORE
}
