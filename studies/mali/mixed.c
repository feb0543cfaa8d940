/* mixed.c - counts the operations of a mixed-radix transform, and reverses digits. */
#include "studies/mali/mixed.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RADIX_MAX = 64 };

uint32_t mixed_length(const struct mixed *m)
{
    uint32_t n = 1;
    for (uint32_t s = 0; s < m->count; s++)
        n *= m->radix[s];
    return n;
}

/* ---- formulas ---------------------------------------------------------------------------- */

struct mixed_cost mixed_direct(uint32_t n)
{
    const double products = (double)n * n, sums = (double)n * (n - 1);
    return (struct mixed_cost){4 * products, 2 * products + 2 * sums, 1};
}

static struct mixed_cost butterfly_cost(uint32_t radix)
{
    const uint32_t pairs = (radix - 1) / 2;
    const double half = pairs;
    switch (radix) {
    case 2:
        return (struct mixed_cost){0, 4, 0};
    case 4:
        return (struct mixed_cost){0, 16, 0};
    case 8:
        return (struct mixed_cost){4, 52, 0};
    default:
        assert(radix % 2);
        return (struct mixed_cost){4 * half * half, 4 * half * half + 8 * half, 0};
    }
}

struct mixed_cost mixed_cost(const struct mixed *m)
{
    const double n = mixed_length(m);
    struct mixed_cost all = {.passes = m->count + 1};
    double twiddles = 1 - n;
    for (uint32_t s = 0; s < m->count; s++) {
        const double radix = m->radix[s];
        const struct mixed_cost one = butterfly_cost(m->radix[s]);
        all.multiplications += n / radix * one.multiplications;
        all.additions += n / radix * one.additions;
        twiddles += n * (1 - 1 / radix);
    }
    all.multiplications += 4 * twiddles;
    all.additions += 2 * twiddles;
    return all;
}

/* ---- counted arithmetic ------------------------------------------------------------------ */

static struct complex64 add(struct mixed_cost *c, struct complex64 a, struct complex64 b)
{
    c->additions += 2;
    return (struct complex64){a.re + b.re, a.im + b.im};
}

static struct complex64 sub(struct mixed_cost *c, struct complex64 a, struct complex64 b)
{
    c->additions += 2;
    return (struct complex64){a.re - b.re, a.im - b.im};
}

static struct complex64 mul(struct mixed_cost *c, struct complex64 a, struct complex64 b)
{
    c->multiplications += 4;
    c->additions += 2;
    return (struct complex64){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static struct complex64 scale(struct mixed_cost *c, struct complex64 a, double by)
{
    c->multiplications += 2;
    return (struct complex64){a.re * by, a.im * by};
}

/* Times -i: no operation. */
static struct complex64 turned(struct complex64 a)
{
    return (struct complex64){a.im, -a.re};
}

static struct complex64 root(uint64_t k, uint64_t n)
{
    const double angle = -2 * M_PI * (double)(k % n) / (double)n;
    return (struct complex64){cos(angle), sin(angle)};
}

/* ---- butterflies ------------------------------------------------------------------------- */

static void butterfly_2(struct mixed_cost *c, struct complex64 *x)
{
    const struct complex64 a = x[0], b = x[1];
    x[0] = add(c, a, b);
    x[1] = sub(c, a, b);
}

static void butterfly_4(struct mixed_cost *c, struct complex64 *x)
{
    struct complex64 even[] = {x[0], x[2]}, odd[] = {x[1], x[3]};
    butterfly_2(c, even);
    butterfly_2(c, odd);
    const struct complex64 last = turned(odd[1]);
    x[0] = add(c, even[0], odd[0]);
    x[1] = add(c, even[1], last);
    x[2] = sub(c, even[0], odd[0]);
    x[3] = sub(c, even[1], last);
}

/* The eighth roots are (1 - i) and (-1 - i) times the square root of 1/2. */
static void butterfly_8(struct mixed_cost *c, struct complex64 *x)
{
    struct complex64 even[] = {x[0], x[2], x[4], x[6]}, odd[] = {x[1], x[3], x[5], x[7]};
    butterfly_4(c, even);
    butterfly_4(c, odd);
    odd[1] = scale(c, add(c, odd[1], turned(odd[1])), M_SQRT1_2);
    odd[2] = turned(odd[2]);
    odd[3] = scale(c, sub(c, turned(odd[3]), odd[3]), M_SQRT1_2);
    for (int k = 0; k < 4; k++) {
        x[k] = add(c, even[k], odd[k]);
        x[k + 4] = sub(c, even[k], odd[k]);
    }
}

/*
 * Points j and r - j have conjugate roots. Their sums meet the real parts of the roots, their
 * differences the imaginary ones. Outputs k and r - k use the same products.
 */
static void butterfly_odd(struct mixed_cost *c, struct complex64 *x, uint32_t r)
{
    assert(r > 2);
    struct complex64 sum[RADIX_MAX / 2] = {0}, difference[RADIX_MAX / 2] = {0}, first = x[0];
    for (uint32_t j = 1; j <= r / 2; j++) {
        sum[j - 1] = add(c, x[j], x[r - j]);
        difference[j - 1] = sub(c, x[j], x[r - j]);
        x[0] = add(c, x[0], sum[j - 1]);
    }
    for (uint32_t k = 1; k <= r / 2; k++) {
        struct complex64 real = scale(c, sum[0], root(k, r).re);
        struct complex64 imaginary = scale(c, difference[0], -root(k, r).im);
        for (uint32_t j = 2; j <= r / 2; j++) {
            real = add(c, real, scale(c, sum[j - 1], root((uint64_t)j * k, r).re));
            imaginary =
                add(c, imaginary, scale(c, difference[j - 1], -root((uint64_t)j * k, r).im));
        }
        real = add(c, real, first);
        x[k] = add(c, real, turned(imaginary));
        x[r - k] = sub(c, real, turned(imaginary));
    }
}

static void butterfly(struct mixed_cost *c, struct complex64 *x, uint32_t radix)
{
    if (radix == 2)
        butterfly_2(c, x);
    else if (radix == 4)
        butterfly_4(c, x);
    else if (radix == 8)
        butterfly_8(c, x);
    else
        butterfly_odd(c, x, radix);
}

/* ---- the transform ----------------------------------------------------------------------- */

static void stage(struct mixed_cost *c, struct complex64 *x, uint32_t n, uint32_t span,
                  uint32_t radix)
{
    struct complex64 at[RADIX_MAX] = {{0}};
    for (uint32_t block = 0; block < n; block += span * radix)
        for (uint32_t column = 0; column < span; column++) {
            struct complex64 *from = x + block + column;
            for (uint32_t k = 0; k < radix; k++)
                at[k] = column && k ? mul(c, from[(size_t)k * span],
                                          root((uint64_t)column * k, (uint64_t)span * radix))
                                    : from[(size_t)k * span];
            butterfly(c, at, radix);
            for (uint32_t k = 0; k < radix; k++)
                from[(size_t)k * span] = at[k];
        }
    c->passes++;
}

struct mixed_cost mixed_fft(const struct mixed *m, struct complex64 *x)
{
    const uint32_t n = mixed_length(m);
    struct mixed_cost counted = {.passes = 1};
    struct complex64 *in = malloc(n * sizeof *in);
    assert(in);
    memcpy(in, x, n * sizeof *in);
    for (uint32_t i = 0; i < n; i++)
        x[i] = in[mixed_reverse(m, i)];
    free(in);
    for (uint32_t s = 0, span = 1; s < m->count; span *= m->radix[s++])
        stage(&counted, x, n, span, m->radix[s]);
    return counted;
}

/* ---- digit reversal ---------------------------------------------------------------------- */

uint32_t mixed_reverse(const struct mixed *m, uint32_t i)
{
    uint32_t reversed = 0;
    for (uint32_t s = 0; s < m->count; i /= m->radix[s++])
        reversed = reversed * m->radix[s] + i % m->radix[s];
    return reversed;
}

uint32_t mixed_reverse_by_stages(const struct mixed *m, uint32_t i)
{
    uint32_t span = m->radix[0];
    for (uint32_t s = 1; s < m->count; span *= m->radix[s++]) {
        const uint32_t radix = m->radix[s], joined = span * radix;
        i = i * radix % joined + i / span % radix + joined * (i / joined);
    }
    return i;
}

bool mixed_is_palindrome(const struct mixed *m)
{
    for (uint32_t s = 0; s < m->count; s++)
        if (m->radix[s] != m->radix[m->count - 1 - s])
            return false;
    return true;
}

uint32_t mixed_fixed_points(const struct mixed *m)
{
    uint32_t points = 1;
    assert(mixed_is_palindrome(m));
    for (uint32_t s = 0; s < (m->count + 1) / 2; s++)
        points *= m->radix[s];
    return points;
}
