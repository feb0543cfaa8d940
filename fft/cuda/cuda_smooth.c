/* cuda_smooth.c - shared memory and roots of unity of rows of common lengths (cuda_smooth.h). */
#include "fft/cuda/cuda_smooth.h"

#include "fft/twiddle.h"

uint32_t cuda_smooth_pitch(const struct cuda_form *form)
{
    const uint32_t first = form->radix[0];
    return form->n + (first % 2 == 0 ? form->n / first : 0);
}

/* The powers below `step` and the multiples of step are in the table. */
static uint32_t step_of(uint32_t radix)
{
    uint32_t step = 1;
    while (step * step < radix)
        step++;
    return step;
}

size_t cuda_smooth_roots(const struct cuda_form *form)
{
    size_t count = 0;
    for (uint32_t pass = 1; pass < cuda_form_passes(form); pass++) {
        const uint32_t radix = form->radix[pass], step = step_of(radix);
        count += (size_t)cuda_form_joined(form, pass) * (step - 1 + (radix - 1) / step);
    }
    return count;
}

/* exp(-2 pi i power k / (joined radix)), k = 0 .. joined - 1. */
static struct fft_iq *fill_power(uint32_t radix, uint32_t joined, uint32_t power, struct fft_iq *to)
{
    for (uint32_t k = 0; k < joined; k++) {
        const struct root w = fft_twiddle((uint64_t)power * k, (uint64_t)joined * radix);
        *to++ = (struct fft_iq){(float)w.re, (float)w.im};
    }
    return to;
}

void cuda_smooth_fill(const struct cuda_form *form, struct fft_iq *to)
{
    for (uint32_t pass = 1; pass < cuda_form_passes(form); pass++) {
        const uint32_t radix = form->radix[pass], step = step_of(radix);
        for (uint32_t power = 1; power < radix; power += power < step ? 1 : step)
            to = fill_power(radix, cuda_form_joined(form, pass), power, to);
    }
}
