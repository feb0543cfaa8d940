/*
 * mali_first.cl - the first radix stage of G. M. Iodice's document (mali_digit_reverse.cl), whose
 * points are side by side: a work-item reads them in a few wide loads. first_ uses vector loads of
 * up to 16 floats, as the document does. first_wide_, for even radices, loads one float4 at a time:
 * Mali's compilers load a float4 in one step, but split a vload.
 *
 * Parameters: RADIX; COLUMNS is 1. Dimension 0: `items` butterflies of a row; dimension 1: rows.
 */
#define FROM(floats) points + (get_global_id(1) * items + id) * (2 * RADIX) + floats

#if RADIX == 2
#define LOAD_ALL const float4 a = vload4(0, FROM(0)); POINT c0 = a.lo, c1 = a.hi;
#define STORE_ALL vstore4((float4)(c0, c1), 0, FROM(0));
#elif RADIX == 3
#define LOAD_ALL                                                                                   \
    const float4 a = vload4(0, FROM(0));                                                           \
    POINT c0 = a.lo, c1 = a.hi, c2 = vload2(0, FROM(4));
#define STORE_ALL                                                                                  \
    vstore4((float4)(c0, c1), 0, FROM(0));                                                         \
    vstore2(c2, 0, FROM(4));
#elif RADIX == 4
#define LOAD_ALL                                                                                   \
    const float8 a = vload8(0, FROM(0));                                                           \
    POINT c0 = a.s01, c1 = a.s23, c2 = a.s45, c3 = a.s67;
#define STORE_ALL vstore8((float8)(c0, c1, c2, c3), 0, FROM(0));
#elif RADIX == 5
#define LOAD_ALL                                                                                   \
    const float8 a = vload8(0, FROM(0));                                                           \
    POINT c0 = a.s01, c1 = a.s23, c2 = a.s45, c3 = a.s67, c4 = vload2(0, FROM(8));
#define STORE_ALL                                                                                  \
    vstore8((float8)(c0, c1, c2, c3), 0, FROM(0));                                                 \
    vstore2(c4, 0, FROM(8));
#elif RADIX == 7
#define LOAD_ALL                                                                                   \
    const float8 a = vload8(0, FROM(0));                                                           \
    const float4 b = vload4(0, FROM(8));                                                           \
    POINT c0 = a.s01, c1 = a.s23, c2 = a.s45, c3 = a.s67, c4 = b.lo, c5 = b.hi,                    \
          c6 = vload2(0, FROM(12));
#define STORE_ALL                                                                                  \
    vstore8((float8)(c0, c1, c2, c3), 0, FROM(0));                                                 \
    vstore4((float4)(c4, c5), 0, FROM(8));                                                         \
    vstore2(c6, 0, FROM(12));
#else
#define LOAD_ALL                                                                                   \
    const float16 a = vload16(0, FROM(0));                                                         \
    POINT c0 = a.s01, c1 = a.s23, c2 = a.s45, c3 = a.s67, c4 = a.s89, c5 = a.sab, c6 = a.scd,      \
          c7 = a.sef;
#define STORE_ALL vstore16((float16)(c0, c1, c2, c3, c4, c5, c6, c7), 0, FROM(0));
#endif

__kernel void JOIN(first_, RADIX)(__global float *points, uint items)
{
    const uint id = get_global_id(0);
    if (id >= items)
        return;
    LOAD_ALL
    DFT
    STORE_ALL
}

#if RADIX % 2 == 0
#define PAIRS(f) JOIN(PAIRS_, RADIX)(f)
#define PAIRS_2(f) f(0, 1)
#define PAIRS_4(f) PAIRS_2(f) f(2, 3)
#define PAIRS_8(f) PAIRS_4(f) f(4, 5) f(6, 7)
#define LOAD(r, s)                                                                                 \
    const float4 both##r = at[r / 2];                                                              \
    POINT c##r = both##r.lo, c##s = both##r.hi;
#define STORE(r, s) at[r / 2] = (float4)(c##r, c##s);
__kernel void JOIN(first_wide_, RADIX)(__global float4 *points, uint items)
{
    const uint id = get_global_id(0);
    if (id >= items)
        return;
    __global float4 *at = points + (get_global_id(1) * items + id) * (RADIX / 2);
    PAIRS(LOAD)
    DFT
    PAIRS(STORE)
}
#undef LOAD
#undef STORE
#endif
