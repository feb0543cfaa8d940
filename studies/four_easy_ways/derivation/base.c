/* base.c - one loop nest for any radix, and its matrix. */
#include "studies/four_easy_ways/derivation/base.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static struct complex64 mul(struct complex64 a, struct complex64 b)
{
    return (struct complex64){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* Rounded from long double, because the tests measure the last bits. */
static struct complex64 root(uint64_t k, uint32_t n)
{
    const long double angle =
        -2 * 3.14159265358979323846264338327950288L * (long double)(k % n) / n;
    return (struct complex64){(double)cosl(angle), (double)sinl(angle)};
}

static void reverse_digits(struct complex64 *x, uint32_t n, uint32_t base)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t j = 0;
        for (uint32_t left = i, worth = 1; worth < n; worth *= base, left /= base)
            j = j * base + left % base;
        if (i < j) {
            const struct complex64 t = x[i];
            x[i] = x[j];
            x[j] = t;
        }
    }
}

/* B_L: base x base blocks, block (l, k) = w_base^(l k) W^k, W = diag(w_L^row). */
static struct complex64 entry(uint32_t row, uint32_t col, uint32_t block, uint32_t base)
{
    const uint32_t apart = block / base;
    assert(apart > 0);
    const uint32_t l = row / apart, k = col / apart;
    if (row % apart != col % apart)
        return (struct complex64){0, 0};
    return mul(root((uint64_t)l * k, base), root((uint64_t)(col % apart) * k, block));
}

void base_fft_dense(struct complex64 *x, uint32_t n, uint32_t base)
{
    struct complex64 *out = malloc(n * sizeof *out);
    reverse_digits(x, n, base);
    for (uint32_t block = base; block <= n; block *= base) {
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t row = i % block;
            out[i] = (struct complex64){0, 0};
            for (uint32_t col = 0; col < block; col++) {
                const struct complex64 t = mul(entry(row, col, block, base), x[i - row + col]);
                out[i].re += t.re;
                out[i].im += t.im;
            }
        }
        memcpy(x, out, n * sizeof *x);
    }
    free(out);
}

/* ---- the loop nest ------------------------------------------------------------------------ */

enum { FINE = 1024 };

/* w_n^k as a product from two short tables; one table of n roots would be as large as the data. */
struct roots {
    struct complex64 fine[FINE], *coarse; /* w_n^k, and w_n^(k FINE) */
};

static bool roots_init(struct roots *w, uint32_t n)
{
    w->coarse = malloc((n / FINE + 1) * sizeof *w->coarse);
    for (uint32_t k = 0; k < FINE; k++)
        w->fine[k] = root(k, n);
    for (uint32_t k = 0; w->coarse && k <= n / FINE; k++)
        w->coarse[k] = root((uint64_t)k * FINE, n);
    return w->coarse;
}

static struct complex64 weight(const struct roots *w, uint32_t k)
{
    return k < FINE ? w->fine[k] : mul(w->fine[k % FINE], w->coarse[k / FINE]);
}

/* phase: row n / block, so that w_n^(phase k) = w_block^(row k). */
static void butterfly(struct complex64 *z, uint32_t apart, uint32_t base, uint32_t phase,
                      const struct roots *w, const struct complex64 *ebase)
{
    struct complex64 c[BASE_MAX];
    for (uint32_t k = 0; k < base; k++)
        c[k] = mul(weight(w, phase * k), z[(size_t)k * apart]);
    for (uint32_t l = 0; l < base; l++) {
        struct complex64 sum = c[0];
        for (uint32_t k = 1; k < base; k++) {
            const struct complex64 t = mul(c[k], ebase[k * l % base]);
            sum.re += t.re;
            sum.im += t.im;
        }
        z[(size_t)l * apart] = sum;
    }
}

void base_passes(struct complex64 *x, uint32_t n, uint32_t base)
{
    struct complex64 ebase[BASE_MAX];
    struct roots w;
    if (!roots_init(&w, n))
        abort();
    for (uint32_t k = 0; k < base; k++)
        ebase[k] = root(k, base);
    for (uint32_t apart = 1; apart < n; apart *= base)
        for (uint32_t column = 0; column < n; column += apart * base)
            for (uint32_t row = 0; row < apart; row++)
                butterfly(x + column + row, apart, base, row * (n / apart / base), &w, ebase);
    free(w.coarse);
}

void base_fft(struct complex64 *x, uint32_t n, uint32_t base)
{
    reverse_digits(x, n, base);
    base_passes(x, n, base);
}
