/*
 * spectrum_middle.cl - a middle pass of fused spectra, from scratch to scratch, in self-sorting
 * order (T. G. Stockham, "High-speed convolution and correlation", 1966).
 *
 * Parameters: STAGE, POINTS of a frame, RADIX, JOINED (points of the sub-transforms that it joins,
 * a multiple of COLUMNS), COLUMNS, TWIDDLES (offset in the tables). TWIDDLES, from_at and to_at
 * count points. Work-item: columns from j on of a frame.
 */
__kernel void STAGE(__global SCRATCH *scratch, __global const VEC *tables, uint from_at,
                    uint to_at, uint frames)
{
    const uint id = get_global_id(0), frame = id / ITEMS, j = id % ITEMS * COLUMNS;
    const uint k = j % JOINED;
    if (frame >= frames)
        return;
    __global const SCRATCH *from = PLACE(scratch, from_at + frame * POINTS + j);
    TWIDDLES_OF(k)
    __global SCRATCH *to = PLACE(scratch, to_at + frame * POINTS + (j - k) * RADIX + k);

#define LOAD(r) POINT c##r = FETCH(from, r * (POINTS / RADIX / COLUMNS));
#define STORE(r) KEEP(SHRUNK(c##r), to, r * (JOINED / COLUMNS));
    EACH(LOAD)
    TWIDDLE_ALL
    DFT
    EACH(STORE)
#undef LOAD
#undef STORE
}
