/*
 * bainville_array.cl - radix 16 with its points in a private array and its steps in loops, for
 * comparison: an array that a compiler does not split into registers is in memory. Otherwise as
 * bainville_pass.cl.
 */
#undef RADIX
#define RADIX 16

/* exp(-i pi m / 8) */
__constant POINT roots_of_16[8] = {
    (POINT)(NUMBER(1.0), NUMBER(0.0)), (POINT)(COS_2, -COS_6), (POINT)(COS_4, -COS_4),
    (POINT)(COS_6, -COS_2), (POINT)(NUMBER(0.0), NUMBER(-1.0)), (POINT)(-COS_6, -COS_2),
    (POINT)(-COS_4, -COS_4), (POINT)(-COS_2, -COS_6)};

#define STORE_CELL(r) y[BIT_REVERSED(r) * p] = c[r];

__kernel void radix16_array(__global const POINT *x, __global POINT *y,
                            __global const POINT *table, uint table_at, uint t,
                            uint p)
{
    const uint i = get_global_id(0), k = i & (p - 1);
    if (i >= t)
        return;
    POINT c[RADIX];
    table += table_at;
    ROOTS(k, p)
    c[0] = x[i];
    for (uint r = 1; r < RADIX; r++)
        c[r] = product(ROOT(r), x[i + r * t]);
    for (uint h = RADIX / 2; h > 0; h /= 2)
        for (uint j = 0; j < RADIX / 2; j++) {
            const uint m = j & (h - 1), a = 2 * j - m, b = a + h;
            const POINT d = c[a] - c[b];
            c[a] += c[b];
            c[b] = product(d, roots_of_16[m * 8 / h]);
        }
    y += (i - k) * RADIX + k;
    EACH(STORE_CELL)
}
