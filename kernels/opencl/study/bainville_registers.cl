/*
 * bainville_registers.cl - a work-group of LENGTH / RADIX work-items has a transform of LENGTH points, RADIX
 * of them in the registers of each; between passes they change places through local memory. The passes are
 * bainville_pass.cl's.
 *
 * Parameters: LENGTH, a power of RADIX; RADIX. Work-group g has points g LENGTH and up.
 */
/* Told its size, NVIDIA's driver gives a work-group more than 256 work-items. */
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
