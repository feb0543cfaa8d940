/* whole_middle.cl - a middle pass of whole_begin.cl, from one half of the scratch to the other. */
        for (uint block = 0; block < POINTS / RADIX; block += JOINED) {
            for (uint k = 0; k < JOINED; k += WIDTH) {
                __global const float *in = source + block + k, *w = tables + TWIDDLES + k;
                __global float *to = target + block * RADIX + k;
#define LOAD(r)                                                                                    \
    POINT c##r =                                                                                   \
        of(TABLE(in + r * (POINTS / RADIX)), TABLE(in + POINTS + r * (POINTS / RADIX)));
#define TWIDDLE_BY(r)                                                                              \
    c##r = TIMES(c##r, of(TABLE(w + (r - 1) * 2 * JOINED), TABLE(w + ((r - 1) * 2 + 1) * JOINED)));
#define STORE(r)                                                                                   \
    WIDE(to + r * JOINED) = c##r.re;                                                               \
    WIDE(to + POINTS + r * JOINED) = c##r.im;
                EACH(LOAD)
                BUT_FIRST(TWIDDLE_BY)
                DFT
                EACH(STORE)
#undef LOAD
#undef TWIDDLE_BY
#undef STORE
            }
        }
        swap = source;
        source = target;
        target = swap;
