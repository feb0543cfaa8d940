/* cut_loops.c - the instruction sets of the loops of a cut. */
#include "daemon/record/cut_loops.h"

#include <stdbool.h>

#define DECLARE_LOOPS(isa)                                                                         \
    extern cut_shift_loop *const cut_shift_##isa[FFT_IQ_FORMATS];                                  \
    void cut_filter_##isa(const struct cut_filter *f, const float *re, const float *im,            \
                          size_t outputs, float *to_re, float *to_im);                             \
    static const struct cut_loops loops_##isa = {cut_shift_##isa, cut_filter_##isa};

DECLARE_LOOPS(base)

#ifdef __x86_64__
DECLARE_LOOPS(avx2) /* AVX-512 gains nothing: most of its loads would cross a line of the cache */

const struct cut_loops *cut_loops_at(size_t i)
{
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    const struct cut_loops *const all[] = {&loops_avx2, &loops_base, NULL};
    const size_t best = avx2 ? 0 : 1;
    return best + i < 3 ? all[best + i] : NULL;
}
#else
const struct cut_loops *cut_loops_at(size_t i)
{
    return i == 0 ? &loops_base : NULL;
}
#endif
