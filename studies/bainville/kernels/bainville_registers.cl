/*
 * bainville_registers.cl - one work-group of LENGTH / RADIX work-items for a transform of LENGTH
 * points. Each work-item has RADIX points in registers. Between passes they exchange points through
 * local memory. The passes are those of bainville_pass.cl.
 *
 * Parameters: LENGTH, a power of RADIX; RADIX. Work-group g has the points from g LENGTH on.
 */
/* With a declared size, NVIDIA's driver allows a work-group more than 256 work-items. */
__kernel __attribute__((reqd_work_group_size(LENGTH / RADIX, 1, 1)))
void in_registers(__global const POINT *x, __global POINT *y, __global const POINT *table)
{
    __local POINT exchange[LENGTH];
    const uint i = get_local_id(0), t = LENGTH / RADIX;
    x += get_group_id(0) * LENGTH + i;
    y += get_group_id(0) * LENGTH + i;

#define LOAD(r) POINT c##r = x[r * t];
#define STORE_LOCAL(r) exchange[(i - k) * RADIX + k + BIT_REVERSED(r) * p] = c##r;
#define LOAD_LOCAL(r) c##r = exchange[i + r * t];
#define STORE(r) y[BIT_REVERSED(r) * t] = c##r;
    EACH(LOAD)
    for (uint p = 1; p < t; p *= RADIX) {
        const uint k = i & (p - 1);
        TWIDDLE_EACH(k, p)
        BUTTERFLY
        EACH(STORE_LOCAL)
        barrier(CLK_LOCAL_MEM_FENCE);
        EACH(LOAD_LOCAL)
        barrier(CLK_LOCAL_MEM_FENCE);
        table += (RADIX - 1) * p;
    }
    TWIDDLE_EACH(i, t)
    BUTTERFLY
    EACH(STORE)
#undef LOAD
#undef STORE_LOCAL
#undef LOAD_LOCAL
#undef STORE
}
