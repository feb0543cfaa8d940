/*
 * mali_radix.cl - a radix stage of G. M. Iodice's document (mali_digit_reverse.cl), in place. A
 * work-item computes one butterfly, whose points are `span` apart. No other work-item accesses
 * them. There are four forms: without products, after mali_twiddle.cl; with roots computed here
 * from an angle and its multiples; with roots from a table; with the first root from a table, and
 * its powers (powers.cl).
 *
 * Parameters: RADIX; COLUMNS: 1, or 2 neighbouring butterflies at a time, so that every access is
 * 128 bits wide (span is even then). Dimension 0: `items` work-items of a row; dimension 1: rows.
 */
#define REGISTERS RADIX

#define BUTTERFLY                                                                                  \
    const uint id = get_global_id(0);                                                              \
    if (id >= items)                                                                               \
        return;                                                                                    \
    const uint nx = id * COLUMNS % span, block = id * COLUMNS / span;                              \
    __global VEC *at = points + get_global_id(1) * items * RADIX +                                 \
                       (nx + block * span * RADIX) / COLUMNS;                                      \
    const uint apart = span / COLUMNS;

#define LOAD(r) POINT c##r = at[r * apart];
#define STORE(r) at[r * apart] = c##r;

/* The angles of the columns, and the roots of r times these angles. */
#define ANGLES JOIN(ANGLES_, COLUMNS)
#define ANGLES_1(nx, unit) const float angle = (float)(nx) * (unit);
#define ANGLES_2(nx, unit)                                                                         \
    const float angle = (float)(nx) * (unit), beside = (float)(nx + 1) * (unit);
#define ROOT(r) JOIN(ROOT_, COLUMNS)(r)
#define ROOT_1(r) ((float2)(cos(r * angle), sin(r * angle)))
#define ROOT_2(r) ((float4)(cos(r * angle), sin(r * angle), cos(r * beside), sin(r * beside)))

__kernel void JOIN(radix_, RADIX)(__global VEC *points, uint span, uint items)
{
    BUTTERFLY
    EACH(LOAD)
    DFT
    EACH(STORE)
}

/* unit: -2 pi / (span RADIX). */
#define TWIDDLE_BY(r)                                                                              \
    {                                                                                              \
        const VEC root_ = ROOT(r);                                                                 \
        c##r = TIMES(c##r, root_);                                                                 \
    }
__kernel void JOIN(merged_, RADIX)(__global VEC *points, float unit, uint span, uint items)
{
    BUTTERFLY
    ANGLES(nx, unit)
    EACH(LOAD)
    BUT_FIRST(TWIDDLE_BY)
    DFT
    EACH(STORE)
}
#undef TWIDDLE_BY

/* roots + at: [RADIX - 1][span]. */
#define TWIDDLE_BY(r) c##r = TIMES(c##r, w[(r - 1) * apart]);
__kernel void JOIN(merged_table_, RADIX)(__global VEC *points, __global const VEC *roots,
                                         uint roots_at, uint span, uint items)
{
    BUTTERFLY
    __global const VEC *w = roots + (roots_at + nx) / COLUMNS;
    EACH(LOAD)
    BUT_FIRST(TWIDDLE_BY)
    DFT
    EACH(STORE)
}
#undef TWIDDLE_BY

/* roots + at: [span], the first row of the table. */
__kernel void JOIN(merged_chain_, RADIX)(__global VEC *points, __global const VEC *roots,
                                         uint roots_at, uint span, uint items)
{
    BUTTERFLY
    const VEC w1 = roots[(roots_at + nx) / COLUMNS];
    EACH(LOAD)
    TWIDDLE_BY_POWERS
    DFT
    EACH(STORE)
}
#undef LOAD
#undef STORE
