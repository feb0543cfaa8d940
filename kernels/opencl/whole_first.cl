/* whole_first.cl - the first pass of whole_begin.cl: raw samples times the window. The results of
 * one column are stored side by side, for which the registers are transposed. */
        for (uint j = 0; j < POINTS / RADIX; j += WIDTH) {
#define LOAD(r)                                                                                    \
    POINT c##r = load_samples(from + 2 * (j + r * (POINTS / RADIX)),                               \
                              tables + j + r * (POINTS / RADIX) CORRECTION_VALUES);
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
