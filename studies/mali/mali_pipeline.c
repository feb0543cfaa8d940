/* mali_pipeline.c - indices, radices and tables of the pipeline. */
#include "studies/mali/mali_pipeline.h"

#include "fft/twiddle.h"

uint32_t mali_k_to_n(uint32_t k, uint32_t span, uint32_t radix)
{
    const uint32_t column = k / radix, point = k % radix;
    return column / span * span * radix + point * span + column % span;
}

uint32_t mali_n_to_k(uint32_t n, uint32_t span, uint32_t radix)
{
    const uint32_t joined = span * radix, block = n / joined, column = n % span;
    return block * joined + column * radix + n / span % radix;
}

bool mali_factor(struct radices *out, uint32_t n, uint32_t largest)
{
    static const uint32_t wanted[] = {8, 4, 2, 7, 5, 3, 0};
    uint32_t first = 0;
    while (wanted[first] > largest)
        first++;
    return n >= 2 && fft_radix_factor(out, n, wanted + first);
}

/* Follows each input point from stage to stage by the index map; its final index is where it is
 * read. */
void mali_order(const struct radices *radices, uint32_t n, uint32_t *order)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = i, span = radices->at[0];
        for (uint32_t stage = 1; stage < radices->count; stage++) {
            k = mali_n_to_k(k, span, radices->at[stage]);
            span *= radices->at[stage];
        }
        order[i] = k;
    }
}

uint32_t mali_roots_at(const struct radices *radices, uint32_t stage)
{
    uint32_t at = 0, span = radices->at[0];
    for (uint32_t i = 1; i < stage; i++) {
        at += (radices->at[i] - 1) * span;
        at += at % 2; /* kernels read two roots at a time */
        span *= radices->at[i];
    }
    return at;
}

void mali_roots(const struct radices *radices, struct fft_iq *roots)
{
    uint32_t span = radices->at[0];
    for (uint32_t stage = 1; stage < radices->count; stage++) {
        const uint32_t radix = radices->at[stage];
        struct fft_iq *to = roots + mali_roots_at(radices, stage);
        for (uint32_t r = 1; r < radix; r++)
            for (uint32_t k = 0; k < span; k++) {
                const struct root w = fft_twiddle((uint64_t)r * k, (uint64_t)radix * span);
                *to++ = (struct fft_iq){(float)w.re, (float)w.im};
            }
        span *= radix;
    }
}
