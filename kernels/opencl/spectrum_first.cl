/*
 * spectrum_first.cl - the first pass of fused spectra: loads raw samples, applies the window,
 * computes one butterfly.
 *
 * Parameters: STAGE, POINTS of a frame, RADIX, COLUMNS. to_at: offset in scratch, in points. ITEMS
 * work-items for each frame (detectors.cl), each with columns from j on, that is samples j + r POINTS
 * / RADIX. The results of one column are stored side by side. Two columns exchange halves first, so
 * that these accesses are 128 bits wide, too. stored.cl stores.
 */
__kernel void STAGE(__global const raw *samples, __global const float *window,
                    __global SCRATCH *scratch, uint to_at, uint samples_at,
                    uint hop, uint frames CORRECTION)
{
    const uint id = get_global_id(0), frame = id / ITEMS, j = id % ITEMS * COLUMNS;
    if (frame >= frames)
        return;
    __global const raw *from = samples + 2 * ((size_t)frame * hop + samples_at + j);

#define LOAD(r)                                                                                    \
    POINT c##r = SAMPLES(from + 2 * r * (POINTS / RADIX)) *                                        \
                 WINDOW(window + j + r * (POINTS / RADIX));
    EACH(LOAD)
#undef LOAD
    DFT

    __global SCRATCH *to = PLACE(scratch, to_at + frame * POINTS + j * RADIX);
#if COLUMNS == 1
#define STORE(r) KEEP(c##r, to, r);
    EACH(STORE)
#else
#define STORE(r, s)                                                                                \
    KEEP((float4)(c##r.lo, c##s.lo), to, r / 2);                                                   \
    KEEP((float4)(c##r.hi, c##s.hi), to, (RADIX + r) / 2);
    STORE(0, 1)
#if RADIX >= 4
    STORE(2, 3)
#endif
#if RADIX >= 8
    STORE(4, 5) STORE(6, 7)
#endif
#if RADIX >= 16
    STORE(8, 9) STORE(10, 11) STORE(12, 13) STORE(14, 15)
#endif
#endif
#undef STORE
}
