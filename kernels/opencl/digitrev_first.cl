/*
 * digitrev_first.cl - the first pass with digits reversed on load (G. M. Iodice, "Speeding-up Fast
 * Fourier Transform Mixed-Radix on Mobile ARM Mali GPU by means of OpenCL", 2017). A gather has no
 * arithmetic, so this kernel also unpacks, applies the window and computes the first butterfly. The
 * later passes work in place.
 *
 * Parameters: STAGE, POINTS of a frame, RADIX. Work-item i of a frame gathers samples order[i] + r
 * POINTS / RADIX. The points of its transform are stored side by side, two in each 128 bits.
 */
__kernel void STAGE(__global const raw *samples, __global const float *window,
                    __global const uint *order, __global SCRATCH_PAIR *scratch, uint samples_at,
                    uint hop, uint frames CORRECTION)
{
    const uint id = get_global_id(0), frame = id / (POINTS / RADIX), i = id % (POINTS / RADIX);
    if (frame >= frames)
        return;
    const uint at = order[ORDER + i];
    __global const raw *from = samples + 2 * ((size_t)frame * hop + samples_at + at);
#define LOAD(r)                                                                                    \
    POINT c##r = SAMPLES(from + 2 * r * (POINTS / RADIX)) *                                        \
                 WINDOW(window + at + r * (POINTS / RADIX));
    EACH(LOAD)
#undef LOAD
    DFT

    __global SCRATCH_PAIR *to = PLACE_PAIR(scratch, frame * POINTS + i * RADIX);
#define STORE(r, s) KEEP_PAIR((float4)(c##r, c##s), to, r / 2);
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
#undef STORE
}
