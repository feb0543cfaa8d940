/* noise.c - fills arrays with noise and compares transforms with double precision. */
#include "bench/noise.h"

#include <math.h>
#include <stdlib.h>

void noise_fill(struct fft_iq *x, uint32_t n)
{
    uint64_t state = n;
    float *v = &x->re;
    for (size_t i = 0; i < 2 * (size_t)n; i++) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        v[i] = (float)((double)(state >> 40) / 0x1p23 - 1);
    }
}

double noise_relative_error(const struct fft_iq *got, const struct complex64 *want, uint32_t n)
{
    double off = 0, all = 0;
    for (uint32_t i = 0; i < n; i++) {
        off += pow((double)got[i].re - want[i].re, 2) + pow((double)got[i].im - want[i].im, 2);
        all += want[i].re * want[i].re + want[i].im * want[i].im;
    }
    return sqrt(off / all);
}

double noise_transform_error(const struct fft_iq *in, const struct fft_iq *out, uint32_t n)
{
    struct complex64 *x = malloc(n * sizeof *x);
    if (!x)
        return NAN;
    for (uint32_t i = 0; i < n; i++)
        x[i] = (struct complex64){(double)in[i].re, (double)in[i].im};
    reference_dft(x, n, false);
    const double error = noise_relative_error(out, x, n);
    free(x);
    return error;
}
