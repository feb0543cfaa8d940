/* whole_first.cl - see whole_begin.cl: raw samples times the window through the first pass, whose points
 * of one column leave side by side: registers are transposed for that. */
        for (uint j = 0; j < POINTS / RADIX; j += WIDTH) {
#define LOAD(r)                                                                                    \
    POINT c##r = load_samples(from + 2 * (j + r * (POINTS / RADIX)), tables + j + r * (POINTS / RADIX));
#define STORE(r)                                                                                   \
    WIDE(source + j * RADIX + r * WIDTH) = z##r.re;                                                \
    WIDE(source + POINTS + j * RADIX + r * WIDTH) = z##r.im;
            EACH(LOAD)
            DFT
            PICK(TRANSPOSED_, RADIX)
            EACH(STORE)
#undef LOAD
#undef STORE
        }
