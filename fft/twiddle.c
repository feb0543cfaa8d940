/* twiddle.c - roots of unity, exact on the axes and symmetric about them. */
#include "fft/twiddle.h"

#include <math.h>

/* First quadrant and below: turns = k/n <= 1/4, folded at 1/8 so that sin and cos swap exactly. */
static struct root quadrant(uint64_t k, uint64_t n)
{
    double sine, cosine;
    if (8 * k <= n) {
        sincos(2 * M_PI * (double)k / (double)n, &sine, &cosine);
        return (struct root){cosine, -sine};
    }
    sincos(2 * M_PI * (double)(n - 4 * k) / (4.0 * (double)n), &sine, &cosine);
    return (struct root){sine, -cosine};
}

struct root fft_twiddle(uint64_t k, uint64_t n)
{
    k %= n;
    struct root sign = {1, 1};
    if (2 * k > n) {
        k = n - k;
        sign.im = -1;
    }
    /* Now at most half a turn; mirror its second half on the imaginary axis. */
    struct root w;
    if (4 * k > n) {
        w = quadrant(n - 2 * k, 2 * n);
        sign.re = -1;
    } else {
        w = quadrant(k, n);
    }
    return (struct root){sign.re * w.re, sign.im * w.im};
}
