/*
 * columns_end.cl - see columns_begin.cl: point k of column c times exp(-2 pi i c k / POINTS), that is
 * COARSE[c k / FINE_POINTS] FINE[c k mod FINE_POINTS], and into scratch.
 */
#define STORE(q)                                                                                   \
    {                                                                                              \
        const uint turn = column * (t + OUTPUT_OF(q));                                             \
        const float2 fine = roots[FINE + turn % FINE_POINTS];                                      \
        const float2 w = TIMES(roots[COARSE + turn / FINE_POINTS], fine);                          \
        to[OUTPUT_OF(q) * (POINTS / LENGTH)] = TIMES(c##q, w);                                     \
    }
    __global const float2 *const roots = (__global const float2 *)tables;
    EACH(STORE)
#undef STORE
}
