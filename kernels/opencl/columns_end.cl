/*
 * columns_end.cl - see columns_begin.cl: point k of column c times exp(-2 pi i c k / POINTS), that is
 * COARSE[c k / FINE_POINTS] FINE[c k mod FINE_POINTS], and into scratch.
 */
#define STORE(q)                                                                                   \
    {                                                                                              \
        const uint turn = column * (POINT_OF(q));                                                  \
        const float2 fine = tables[FINE + turn % FINE_POINTS];                                     \
        const float2 w = TIMES(tables[COARSE + turn / FINE_POINTS], fine);                         \
        to[POINT_OF(q) * (POINTS / LENGTH)] = TIMES(c##q, w);                                      \
    }
    EACH(STORE)
#undef STORE
}
