/*
 * cpu_halves.c - the spectrum of n reals from that of n/2 points, and back (fft/real.h has the
 * formula).
 *
 * Bins k and n/2 - k depend on points k and n/2 - k. LANES pairs are computed at once, one side in
 * ascending and the other in descending order. Reversing the lanes must reverse the points that
 * load_points puts there. The roots include the formula's factors of 1/2.
 * Compiled for each instruction set.
 */
#include "fft/cpu/transform/cpu_lanes_io.h"

#if CPU_LANES == 4
#define BACKWARDS(a) SHUFFLE(a, a, 3, 2, 1, 0)
#elif CPU_LANES == 8
#define BACKWARDS(a) SHUFFLE(a, a, 7, 6, 5, 4, 3, 2, 1, 0)
#elif CPU_LANES == 16
#define BACKWARDS(a) SHUFFLE(a, a, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#endif

/* LANES points, the last one first: `at` and those before it. */
INLINE struct cvec load_backwards(const struct fft_iq *at)
{
    const struct cvec v = load_points(at - (LANES - 1), false);
    return (struct cvec){BACKWARDS(v.re), BACKWARDS(v.im)};
}

INLINE void store_backwards(struct fft_iq *at, struct cvec v)
{
    store_points(at - (LANES - 1), (struct cvec){BACKWARDS(v.re), BACKWARDS(v.im)}, false);
}

/* ---- separating ------------------------------------------------------------------------ */

INLINE void separate_vectors(const struct halves *h, const struct fft_iq *z, struct fft_iq *x,
                             size_t k)
{
    const struct cvec a = load_points(z + k, false), b = load_backwards(z + h->half - k);
    const struct cvec even = {0.5F * (a.re + b.re), 0.5F * (a.im - b.im)};
    const struct cvec odd =
        vec_mul((struct cvec){a.im + b.im, b.re - a.re}, load_points(h->roots + k, false));
    store_points(x + k, vec_add(even, odd), false);
    store_backwards(x + h->half - k, (struct cvec){even.re - odd.re, odd.im - even.im});
}

static void separate_pair(const struct halves *h, const struct fft_iq *z, struct fft_iq *x,
                          size_t k)
{
    const struct fft_iq a = z[k], b = z[k ? h->half - k : 0];
    const struct fft_iq even = {0.5F * (a.re + b.re), 0.5F * (a.im - b.im)};
    const struct fft_iq d = {a.im + b.im, b.re - a.re}, w = h->roots[k];
    const struct fft_iq odd = {d.re * w.re - d.im * w.im, d.re * w.im + d.im * w.re};
    x[k * h->stride] = (struct fft_iq){even.re + odd.re, even.im + odd.im};
    x[(h->half - k) * h->stride] = (struct fft_iq){even.re - odd.re, odd.im - even.im};
}

/* Point 0 has no partner: part of no vector. */
void CPU_SYMBOL(halves_separate)(const struct halves *h, const struct fft_iq *z, struct fft_iq *x,
                                 size_t first, size_t end)
{
    size_t k = first;
    if (k == 0 && k < end)
        separate_pair(h, z, x, k++);
    if (h->stride == 1)
        for (; k + LANES <= end; k += LANES)
            separate_vectors(h, z, x, k);
    for (; k < end; k++)
        separate_pair(h, z, x, k);
}

/* ---- joining, unscaled: twice the points ------------------------------------------------ */

INLINE void join_vectors(const struct halves *h, const struct fft_iq *x, struct fft_iq *z, size_t k)
{
    const struct cvec a = load_points(x + k, false), b = load_backwards(x + h->half - k);
    const struct cvec even = {a.re + b.re, a.im - b.im};
    const struct cvec w = load_points(h->roots + k, false), back = {w.re + w.re, -(w.im + w.im)};
    const struct cvec odd = vec_mul((struct cvec){a.re - b.re, a.im + b.im}, back);
    store_points(z + k, (struct cvec){even.re - odd.im, even.im + odd.re}, false);
    store_backwards(z + h->half - k, (struct cvec){even.re + odd.im, odd.re - even.im});
}

static void join_pair(const struct halves *h, const struct fft_iq *x, struct fft_iq *z, size_t k)
{
    const struct fft_iq a = x[k * h->stride], b = x[(h->half - k) * h->stride];
    const struct fft_iq even = {a.re + b.re, a.im - b.im}, d = {a.re - b.re, a.im + b.im};
    const float re = 2 * h->roots[k].re, im = -2 * h->roots[k].im;
    const struct fft_iq odd = {d.re * re - d.im * im, d.re * im + d.im * re};
    z[k] = (struct fft_iq){even.re - odd.im, even.im + odd.re};
    z[h->half - k] = (struct fft_iq){even.re + odd.im, odd.re - even.im};
}

/* The first and the last bin are real: imaginary parts in the array are ignored. */
static void join_ends(const struct halves *h, const struct fft_iq *x, struct fft_iq *z)
{
    const float first = x[0].re, last = x[h->half * h->stride].re;
    z[0] = (struct fft_iq){first + last, first - last};
}

void CPU_SYMBOL(halves_join)(const struct halves *h, const struct fft_iq *x, struct fft_iq *z,
                             size_t first, size_t end)
{
    size_t k = first;
    if (k == 0 && k < end) {
        join_ends(h, x, z);
        k++;
    }
    if (h->stride == 1)
        for (; k + LANES <= end; k += LANES)
            join_vectors(h, x, z, k);
    for (; k < end; k++)
        join_pair(h, x, z, k);
}
