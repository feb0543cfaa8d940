/*
 * digitrev_middle.cl - a later pass after digitrev_first.cl, in place: no two butterflies share a
 * point. The last pass is spectrum_last.cl, whose order is the same.
 *
 * Parameters: those of spectrum_middle.cl. Columns from j on of a frame are columns k = j mod
 * JOINED of block j / JOINED, whose points r are JOINED apart.
 */
__kernel void STAGE(__global SCRATCH *scratch, __global const VEC *tables, uint frames)
{
    const uint id = get_global_id(0), frame = id / ITEMS, j = id % ITEMS * COLUMNS;
    const uint k = j % JOINED;
    if (frame >= frames)
        return;
    __global SCRATCH *at = PLACE(scratch, frame * POINTS + (j - k) * RADIX + k);
    TWIDDLES_OF(k)

#define LOAD(r) POINT c##r = FETCH(at, r * (JOINED / COLUMNS));
#define STORE(r) KEEP(SHRUNK(c##r), at, r * (JOINED / COLUMNS));
    EACH(LOAD)
    TWIDDLE_ALL
    DFT
    EACH(STORE)
#undef LOAD
#undef STORE
}
