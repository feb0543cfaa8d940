/* general.c - the general radix: digit reversal, then one loop nest for every base. */
#include "fft/general.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

enum { FINE_BITS = 12, FINE = 1 << FINE_BITS };

const uint32_t fft_general_bases[] = {4, 2, 3, 5, 7, 0};

static struct root *powers(uint32_t count, uint32_t step, uint32_t n)
{
    struct root *w = malloc(count * sizeof *w);
    for (uint32_t k = 0; w && k < count; k++)
        w[k] = fft_twiddle((uint64_t)k * step, n);
    return w;
}

int fft_general_init(struct general *g, const struct radices *radices)
{
    uint32_t n = 1;
    for (uint32_t q = 0; q < radices->count; q++) {
        assert(radices->at[q] >= 2 && radices->at[q] <= GENERAL_MAX_RADIX);
        n *= radices->at[q];
    }
    *g = (struct general){.n = n, .radices = *radices};
    g->fine = powers(n < FINE ? n : FINE, 1, n);
    g->coarse = powers((n >> FINE_BITS) + 1, FINE, n);
    return g->fine && g->coarse ? 0 : -ENOMEM;
}

void fft_general_finish(struct general *g)
{
    free(g->fine);
    free(g->coarse);
    *g = (struct general){0};
}

static inline struct root mul(struct root a, struct root b)
{
    return (struct root){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static inline struct root conjugate_if(bool yes, struct root a)
{
    return (struct root){a.re, yes ? -a.im : a.im};
}

/* w_n^k, k < n. Two short tables fit into the cache; one of n roots would not. */
static inline struct root weight(const struct general *g, uint32_t k)
{
    const struct root fine = g->fine[k & (FINE - 1)];
    return k < FINE ? fine : mul(fine, g->coarse[k >> FINE_BITS]);
}

/*
 * Point j goes to j with its digits reversed, the last pass's digit being the lowest of j. An
 * odometer: one step adds 1 to j's lowest digit, and carries.
 */
static void digit_reverse(const struct general *g, const struct fft_iq *from, size_t stride,
                          struct fft_iq *to)
{
    uint32_t digit[RADIX_PASSES] = {0}, place = 0;
    for (uint32_t j = 0; j < g->n; j++) {
        to[place] = from[j * stride];
        uint32_t worth = g->n;
        for (uint32_t q = g->radices.count; q-- > 0;) {
            const uint32_t base = g->radices.at[q];
            worth /= base;
            place += worth;
            if (++digit[q] < base)
                break;
            digit[q] = 0;
            place -= base * worth;
        }
    }
}

/* One pass: blocks of `base` transforms of `apart` points each become blocks of one. */
struct pass {
    uint32_t base, apart;
    uint32_t step; /* n / (base * apart): w_(base*apart) = w_n^step */
    bool inverse;
    struct root ebase[GENERAL_MAX_RADIX]; /* the powers of w_base */
};

/* z_l = sum over k of c_k ebase^(k l), c_k = w^(row k) z_k; points `apart` from one another. */
static void butterfly(const struct general *g, const struct pass *p, uint32_t row, struct fft_iq *z)
{
    struct root c[GENERAL_MAX_RADIX];

    for (uint32_t k = 0; k < p->base; k++) {
        const struct fft_iq v = z[(size_t)k * p->apart];
        const struct root w = conjugate_if(p->inverse, weight(g, row * p->step * k));
        c[k] = mul((struct root){(double)v.re, (double)v.im}, w);
    }
    for (uint32_t l = 0; l < p->base; l++) {
        struct root sum = c[0];
        for (uint32_t k = 1, index = l; k < p->base; k++) {
            const struct root term = mul(c[k], p->ebase[index]);
            sum = (struct root){sum.re + term.re, sum.im + term.im};
            index = index + l < p->base ? index + l : index + l - p->base; /* k l mod base */
        }
        z[(size_t)l * p->apart] = (struct fft_iq){(float)sum.re, (float)sum.im};
    }
}

void fft_general_fft(const struct general *g, const struct fft_iq *from, size_t stride,
                     struct fft_iq *to, bool inverse)
{
    struct pass p = {.apart = 1, .inverse = inverse};

    digit_reverse(g, from, stride, to);
    for (uint32_t q = 0; q < g->radices.count; q++, p.apart *= p.base) {
        p.base = g->radices.at[q];
        const uint32_t block = p.base * p.apart;
        p.step = g->n / block;
        for (uint32_t k = 0; k < p.base; k++)
            p.ebase[k] = conjugate_if(inverse, fft_twiddle(k, p.base));
        for (uint32_t column = 0; column < g->n; column += block)
            for (uint32_t row = 0; row < p.apart; row++)
                butterfly(g, &p, row, to + column + row);
    }
}
