/* ddc_loops.c - the instruction sets of the loops of a down-converter. */
#include "daemon/ddc/ddc_loops.h"

#include <stdbool.h>

#define DECLARE_LOOPS(isa)                                                                         \
    extern ddc_shift_loop *const ddc_shift_##isa[FFT_IQ_FORMATS];                                  \
    void ddc_filter_##isa(const struct ddc_filter *f, const float *re, const float *im,            \
                          size_t outputs, float *to_re, float *to_im);                             \
    static const struct ddc_loops loops_##isa = {ddc_shift_##isa, ddc_filter_##isa};

DECLARE_LOOPS(base)

#ifdef __x86_64__
DECLARE_LOOPS(avx2) /* AVX-512 gains nothing: most of its loads would cross a line of the cache */

const struct ddc_loops *ddc_loops_at(size_t i)
{
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    const struct ddc_loops *const all[] = {&loops_avx2, &loops_base, NULL};
    const size_t best = avx2 ? 0 : 1;
    return best + i < 3 ? all[best + i] : NULL;
}
#else
const struct ddc_loops *ddc_loops_at(size_t i)
{
    return i == 0 ? &loops_base : NULL;
}
#endif
