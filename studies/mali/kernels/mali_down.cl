/*
 * mali_down.cl - the radix stages of mali_radix.cl along columns, for the second axis of images
 * without a transpose. The points of a butterfly are span rows apart. Those of neighbouring
 * work-items are side by side. Images are [points][width].
 *
 * Parameters: those of mali_radix.cl. The columns of a work-item are columns of the image and have
 * the same roots (width is even for 2). Dimension 0: the points of a row / COLUMNS; dimension 1:
 * the butterflies of a column; dimension 2: images.
 */
#define DOWN                                                                                       \
    const uint column = get_global_id(0), id = get_global_id(1), apart = width / COLUMNS;          \
    if (column >= apart)                                                                           \
        return;                                                                                    \
    const uint nx = id % span, block = id / span;                                                  \
    const uint image = get_global_id(2) * get_global_size(1) * RADIX;                              \
    __global VEC *at = points + (image + nx + block * span * RADIX) * apart + column;

#define LOAD(r) POINT c##r = at[r * span * apart];
#define STORE(r) at[r * span * apart] = c##r;

/* One root for all columns. */
#define ALL(w) JOIN(ALL_, COLUMNS)(w)
#define ALL_1(w) (w)
#define ALL_2(w) ((w).xyxy)

__kernel void JOIN(down_, RADIX)(__global VEC *points, uint span, uint width)
{
    DOWN
    EACH(LOAD)
    DFT
    EACH(STORE)
}

/* TWIDDLE_BY_POWERS is that of mali_radix.cl. */
__kernel void JOIN(down_merged_chain_, RADIX)(__global VEC *points, __global const float2 *roots,
                                              uint roots_at, uint span, uint width)
{
    DOWN
    const float2 first = roots[roots_at + nx];
    const VEC w1 = ALL(first);
    EACH(LOAD)
    TWIDDLE_BY_POWERS
    DFT
    EACH(STORE)
}

#define TWIDDLE_BY(r)                                                                              \
    {                                                                                              \
        const float2 root_ = ROOT_1(r);                                                            \
        c##r = TIMES(c##r, ALL(root_));                                                            \
    }
__kernel void JOIN(down_merged_, RADIX)(__global VEC *points, float unit, uint span, uint width)
{
    DOWN
    ANGLES_1(nx, unit)
    EACH(LOAD)
    BUT_FIRST(TWIDDLE_BY)
    DFT
    EACH(STORE)
}
#undef TWIDDLE_BY

#define TWIDDLE_BY(r)                                                                              \
    {                                                                                              \
        const float2 root_ = w[(r - 1) * span];                                                    \
        c##r = TIMES(c##r, ALL(root_));                                                            \
    }
__kernel void JOIN(down_merged_table_, RADIX)(__global VEC *points, __global const float2 *roots,
                                              uint roots_at, uint span, uint width)
{
    DOWN
    __global const float2 *w = roots + roots_at + nx;
    EACH(LOAD)
    BUT_FIRST(TWIDDLE_BY)
    DFT
    EACH(STORE)
}
#undef TWIDDLE_BY
#undef LOAD
#undef STORE
