/* whole_last.cl - the last pass of whole_begin.cl, and the detectors, which are accumulated in
 * memory. */
        for (uint j = 0; j < JOINED; j += WIDTH) {
            __global const float *in = source + j, *w = tables + TWIDDLES + j;
#define BIN_AT(r) (j + (r + RADIX / 2) % RADIX * JOINED)
#define LOAD(r)                                                                                    \
    POINT c##r = of(TABLE(in + r * JOINED), TABLE(in + POINTS + r * JOINED));
#define TWIDDLE_BY(r)                                                                              \
    c##r = TIMES(c##r, of(TABLE(w + (r - 1) * 2 * JOINED), TABLE(w + ((r - 1) * 2 + 1) * JOINED)));
#define SQUARE(r) const REAL power##r = FMA(c##r.re, c##r.re, c##r.im * c##r.im);
#define TO_SUM(r) WIDE(row + BIN_AT(r)) += power##r;
#define TO_MAX(r) WIDE(row + BIN_AT(r)) = fmax(WIDE(row + BIN_AT(r)), power##r);
#define TO_MIN(r) WIDE(row + BIN_AT(r)) = fmin(WIDE(row + BIN_AT(r)), power##r);
#define TO_ROW(r) WIDE(row + BIN_AT(r)) = power##r;
#define IN_ROW(memory, at, f)                                                                      \
    if ((at) != ABSENT) {                                                                          \
        __global float *const row = (memory) + (at);                                               \
        EACH(f)                                                                                    \
    }
            EACH(LOAD)
            BUT_FIRST(TWIDDLE_BY)
            DFT
            EACH(SQUARE)
            IN_ROW(detectors + offset, sum_at, TO_SUM)
#if ALL_DETECTORS
            IN_ROW(detectors + offset, max_at, TO_MAX)
            IN_ROW(detectors + offset, min_at, TO_MIN)
            if (frame == last_frame)
                IN_ROW(result, last_at, TO_ROW)
#endif
#if POWERS
            IN_ROW(frame_powers + frame * POINTS, powers_at, TO_ROW)
#endif
        }
    }
}
