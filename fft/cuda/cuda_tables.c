/* cuda_tables.c - computes the roots of unity for the tables of the kernels. */
#include "fft/cuda/cuda_tables.h"

#include "fft/twiddle.h"

/*
 * Root `number` of a pass of this radix whose twiddle is w = exp(-2 pi i at / of):
 * level m = 2^l has w^(radix / m) exp(-2 pi i k / m).
 */
static struct fft_iq root_of(uint32_t radix, uint32_t number, uint64_t at, uint64_t of)
{
    uint32_t level = 2, k = 0;
    if (number > 0) {
        while (level / 2 <= number)
            level *= 2;
        k = number - level / 4;
    }
    /* angle: at * radix / (of * level) + k / level, in full circles */
    const struct root w = fft_twiddle(at * radix + k * of, of * level);
    return (struct fft_iq){(float)w.re, (float)w.im};
}

/*
 * Writes the roots of one pass for frequency offset k1/n1, numbers in pairs (kernels/cuda/shape.h).
 */
static void fill(uint32_t radix, uint32_t joined, uint32_t k1, uint32_t n1, struct fft_iq *to)
{
    const uint64_t of = (uint64_t)joined * radix * n1;
    const uint32_t pair = radix > 2 ? 2 : 1;
    for (uint32_t number = 0; number < radix / 2; number += pair)
        for (uint32_t k = 0; k < joined; k++)
            for (uint32_t i = number; i < number + pair; i++)
                *to++ = root_of(radix, i, (uint64_t)k * n1 + k1, of);
}

void cuda_twiddles(const struct cuda_form *form, struct fft_iq *to)
{
    for (uint32_t pass = 1; pass < cuda_form_passes(form); pass++)
        fill(form->radix[pass], cuda_form_joined(form, pass), 0, 1,
             to + cuda_form_twiddles_at(form, pass));
}

void cuda_bridge(const struct cuda_form *form, uint32_t n1, struct fft_iq *to)
{
    const uint32_t passes = cuda_form_passes(form);
    const size_t each = cuda_form_roots_at(form, passes);
    for (uint32_t k1 = 0; k1 < n1; k1++)
        for (uint32_t pass = 0; pass < passes; pass++)
            fill(form->radix[pass], cuda_form_joined(form, pass), k1, n1,
                 to + k1 * each + cuda_form_roots_at(form, pass));
}
