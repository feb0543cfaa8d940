/*
 * transform.cl - one pass over the rows of a transform, for any length and any strides.
 *
 * Parameters: STAGE, RADIX, COLUMNS. A row has RADIX * apart points. Sub-transforms of `joined`
 * points become ones of RADIX * joined. Twiddle r of column k is at twiddles_at + (r - 1) joined +
 * k. All offsets and strides count points.
 *
 * Row i = first + 0, 1, ... rows - 1 counts through three axes, the first one fastest, on the
 * user's side. In scratch the row has index i - first. Either side has the address
 *
 *     where = at + point * stride + a * row_0 + b * row_1 + c * row_2
 *
 * with (a, b, c) the indices of the row on the axes. Neighbouring work-items have neighbouring
 * columns, or, with flag 4, neighbouring rows. Two columns are contiguous on both sides and start
 * at even indices.
 *
 * flags: 1 exchanges real and imaginary part on load, 2 on store (the inverse), 4 counts rows
 * fastest. scale multiplies the results.
 */
__kernel void STAGE(__global const VEC *from, __global VEC *to, __global const VEC *tables,
                    uint twiddles_at, uint apart, uint joined, uint joined_m, uint joined_l,
                    uint items, uint width, uint width_m, uint width_l, uint first, uint count_0,
                    uint count_0_m, uint count_0_l, uint count_1, uint count_1_m, uint count_1_l,
                    uint from_at, uint from_stride, uint from_0, uint from_1, uint from_2,
                    uint to_at, uint to_stride, uint to_0, uint to_1, uint to_2, uint flags,
                    float scale)
{
    const uint id = get_global_id(0);
    if (id >= items)
        return;
    const uint high = QUOTIENT(id, width), low = id - high * width;
    const uint row = first + (flags & 4 ? low : high), j = (flags & 4 ? high : low) * COLUMNS;
    const uint bc = QUOTIENT(row, count_0), a = row - bc * count_0;
    const uint c = QUOTIENT(bc, count_1), b = bc - c * count_1;
    const uint k = j - QUOTIENT(j, joined) * joined;

    from += (from_at + a * from_0 + b * from_1 + c * from_2 + j * from_stride) / COLUMNS;
    to += (to_at + a * to_0 + b * to_1 + c * to_2 + ((j - k) * RADIX + k) * to_stride) / COLUMNS;
    const uint in = apart * from_stride / COLUMNS, out = joined * to_stride / COLUMNS;

#define LOAD(r) POINT c##r = from[r * in];
#define LOAD_SWAPPED(r) c##r = SWAP(c##r);
#define TWIDDLE_BY(r) c##r = TIMES(c##r, w[(r - 1) * stride]);
#define STORE(r) to[r * out] = scale * c##r;
    EACH(LOAD)
    if (flags & 1) {
        EACH(LOAD_SWAPPED)
    }
#if RADIX > 1
    if (joined > 1) {
        __global const VEC *w = tables + (twiddles_at + k) / COLUMNS;
        const uint stride = joined / COLUMNS;
        BUT_FIRST(TWIDDLE_BY)
    }
#endif
    DFT
    if (flags & 2) {
        EACH(LOAD_SWAPPED)
    }
    EACH(STORE)
#undef LOAD
#undef LOAD_SWAPPED
#undef TWIDDLE_BY
#undef STORE
}
