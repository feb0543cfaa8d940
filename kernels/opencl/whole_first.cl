/* whole_first.cl - see whole_begin.cl: raw samples times the window through the first pass, whose points
 * of one column leave side by side: registers are transposed for that. */
        for (uint j = 0; j < POINTS / RADIX; j += WIDTH) {
#define LOAD(r)                                                                                    \
    POINT c##r = samples_at_(from + 2 * (j + r * (POINTS / RADIX)), tables + j + r * (POINTS / RADIX));
#define STORE(r)                                                                                   \
    WIDE(here + j * RADIX + r * WIDTH) = z##r.re;                                                  \
    WIDE(here + POINTS + j * RADIX + r * WIDTH) = z##r.im;
            EACH(LOAD)
            DFT
            PICK(TRANSPOSED_, RADIX)
            EACH(STORE)
#undef LOAD
#undef STORE
        }
