/* reference.c - a double-precision FFT and spectrum, written to be correct, not fast. */
#include "reference/reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct complex64 root(uint64_t k, uint32_t n)
{
    const double angle = -2 * M_PI * (double)(k % n) / n;
    return (struct complex64){cos(angle), sin(angle)};
}

static struct complex64 multiply(struct complex64 a, struct complex64 b)
{
    return (struct complex64){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static void swap_bit_reversed(struct complex64 *x, uint32_t n)
{
    for (uint32_t i = 0, j = 0; i < n; i++) {
        if (i < j) {
            const struct complex64 t = x[i];
            x[i] = x[j];
            x[j] = t;
        }
        uint32_t bit = n / 2;
        for (; bit && (j & bit); bit /= 2)
            j ^= bit;
        j |= bit;
    }
}

void reference_fft(struct complex64 *x, uint32_t n)
{
    struct complex64 *w = calloc(n ? n : 1, sizeof *w);
    for (uint32_t k = 0; k < n; k++)
        w[k] = root(k, n);

    swap_bit_reversed(x, n);
    for (uint32_t half = 1; half < n; half *= 2)
        for (uint32_t start = 0; start < n; start += 2 * half)
            for (uint32_t k = 0; k < half; k++) {
                struct complex64 *a = &x[start + k], *b = a + half;
                const struct complex64 t = multiply(*b, w[(uint64_t)k * n / half / 2]);
                *b = (struct complex64){a->re - t.re, a->im - t.im};
                *a = (struct complex64){a->re + t.re, a->im + t.im};
            }
    free(w);
}

static uint32_t smallest_factor(uint32_t n)
{
    for (uint32_t p = 2; p <= n / p; p++)
        if (n % p == 0)
            return p;
    return n;
}

enum { STEPS = 32 }; /* a uint32_t has fewer prime factors */

/* Step s of the recursion transforms the length n[s]: n[0] is the whole one, and the last is 1. */
struct recursion {
    uint32_t n[STEPS];
    struct complex64 *roots[STEPS]; /* [n[s]] powers of the n[s]-th root */
    struct complex64 *parts;        /* the terms of one sum */
};

/* Element `bin` of a step: the sum of parts[r] w^(r bin). */
static struct complex64 sum_of_parts(const struct recursion *whole, uint32_t step, uint32_t bin)
{
    const uint32_t n = whole->n[step], p = n / whole->n[step + 1];
    struct complex64 sum = whole->parts[0];
    for (uint32_t r = 1, phase = bin; r < p; r++) { /* phase = r bin mod n */
        const struct complex64 t = multiply(whole->parts[r], whole->roots[step][phase]);
        sum.re += t.re;
        sum.im += t.im;
        phase = phase + bin < n ? phase + bin : phase + bin - n;
    }
    return sum;
}

/* Transforms n[step] points of x, `stride` apart. */
static void recurse(const struct recursion *whole, uint32_t step, const struct complex64 *x,
                    size_t stride, struct complex64 *out)
{
    const uint32_t n = whole->n[step];
    if (n == 1) {
        *out = *x;
        return;
    }
    const uint32_t m = whole->n[step + 1], p = n / m;
    for (uint32_t r = 0; r < p; r++)
        recurse(whole, step + 1, x + r * stride, stride * p, out + (size_t)r * m);
    for (uint32_t k = 0; k < m; k++) {
        for (uint32_t r = 0; r < p; r++)
            whole->parts[r] = out[(size_t)r * m + k];
        for (uint32_t bin = k; bin < n; bin += m)
            out[bin] = sum_of_parts(whole, step, bin);
    }
}

/* Each step has a table of its own: its powers lie side by side, however long the whole is. */
static void recursion_init(struct recursion *whole, uint32_t n, bool inverse)
{
    *whole = (struct recursion){.n = {n}, .parts = malloc(n * sizeof *whole->parts)};
    for (uint32_t s = 0; whole->n[s] > 1; s++) {
        const uint32_t length = whole->n[s];
        whole->roots[s] = calloc(length, sizeof *whole->roots[s]);
        for (uint32_t k = 0; k < length; k++) {
            const size_t of_whole = (size_t)k * (n / length);
            whole->roots[s][k] = s ? whole->roots[0][of_whole] : root(k, n);
            if (s == 0 && inverse)
                whole->roots[s][k].im = -whole->roots[s][k].im;
        }
        whole->n[s + 1] = length / smallest_factor(length);
    }
}

static void recursion_finish(struct recursion *whole)
{
    for (uint32_t s = 0; s < STEPS; s++)
        free(whole->roots[s]);
    free(whole->parts);
}

void reference_dft(struct complex64 *x, uint32_t n, bool inverse)
{
    struct complex64 *in = malloc(n * sizeof *in);
    struct recursion whole;
    recursion_init(&whole, n, inverse);
    memcpy(in, x, n * sizeof *in);
    recurse(&whole, 0, in, 1, x);
    recursion_finish(&whole);
    free(in);
}

struct complex64 reference_dft_bin(const struct complex64 *x, uint32_t n, uint32_t k)
{
    struct complex64 sum = {0, 0};
    for (uint64_t i = 0; i < n; i++) {
        const struct complex64 t = multiply(x[i], root(i * k, n));
        sum.re += t.re;
        sum.im += t.im;
    }
    return sum;
}

struct complex64 reference_sample(enum fft_iq_format format, const void *raw, uint64_t i)
{
    switch (format) {
    case FFT_IQ_CU8: {
        const uint8_t *v = (const uint8_t *)raw + 2 * i;
        return (struct complex64){(v[0] - 127.5) / 127.5, (v[1] - 127.5) / 127.5};
    }
    case FFT_IQ_CS8: {
        const int8_t *v = (const int8_t *)raw + 2 * i;
        return (struct complex64){v[0] / 128.0, v[1] / 128.0};
    }
    case FFT_IQ_CS16: {
        const int16_t *v = (const int16_t *)raw + 2 * i;
        return (struct complex64){v[0] / 32768.0, v[1] / 32768.0};
    }
    default: {
        const float *v = (const float *)raw + 2 * i;
        return (struct complex64){(double)v[0], (double)v[1]};
    }
    }
}

void reference_power(const struct fft_spectrum_config *plan, const void *raw, uint64_t first,
                     double *bins)
{
    const uint32_t n = plan->n;
    struct complex64 *x = calloc(n ? n : 1, sizeof *x);
    for (uint32_t i = 0; i < n; i++) {
        x[i] = reference_sample(plan->format, raw, first + i);
        x[i].re *= (double)plan->window[i];
        x[i].im *= (double)plan->window[i];
    }
    reference_fft(x, n);
    for (uint32_t k = 0; k < n; k++) {
        const struct complex64 v = x[(k + n / 2) % n];
        bins[k] = v.re * v.re + v.im * v.im;
    }
    free(x);
}

static void count_hits(struct reference *r, const struct fft_spectrum_config *plan,
                       const double *bins)
{
    const struct fft_density *d = &plan->density;
    for (uint32_t c = 0; c < d->columns; c++) {
        double peak = 0;
        for (uint32_t k = 0; k < plan->n; k++)
            if ((uint64_t)k * d->columns / plan->n == c)
                peak = fmax(peak, bins[k]);
        const double row = ((double)d->top_db - 10 * log10(peak)) / (double)d->step_db;
        const double clamped = fmin(fmax(floor(row), 0), d->levels - 1.0);
        const size_t cell = (size_t)c * d->levels + (size_t)clamped;
        r->hits[cell]++;
        if (fabs(row - round(row)) < 1e-3)
            r->doubtful[cell]++;
    }
}

static void fold(struct reference *r, const struct fft_spectrum_config *plan, const double *bins,
                 uint32_t frame)
{
    for (uint32_t k = 0; k < plan->n; k++) {
        r->mean[k] += bins[k];
        r->max[k] = frame ? fmax(r->max[k], bins[k]) : bins[k];
        r->min[k] = frame ? fmin(r->min[k], bins[k]) : bins[k];
    }
    memcpy(r->last, bins, plan->n * sizeof *bins);
    if (r->hits)
        count_hits(r, plan, bins);
}

void reference_spectrum(struct reference *r, const struct fft_spectrum_config *plan,
                        const void *raw, uint32_t frames)
{
    const size_t n = plan->n, cells = (size_t)plan->density.columns * plan->density.levels;
    double *bins = malloc(n * sizeof *bins);

    *r = (struct reference){.mean = calloc(n, sizeof *r->mean),
                            .max = calloc(n, sizeof *r->max),
                            .min = calloc(n, sizeof *r->min),
                            .last = calloc(n, sizeof *r->last),
                            .hits = cells ? calloc(cells, sizeof *r->hits) : NULL,
                            .doubtful = cells ? calloc(cells, sizeof *r->doubtful) : NULL};
    for (uint32_t frame = 0; frame < frames; frame++) {
        reference_power(plan, raw, (uint64_t)frame * plan->hop, bins);
        fold(r, plan, bins, frame);
    }
    for (size_t k = 0; k < n; k++)
        r->mean[k] /= frames;
    free(bins);
}

void reference_finish(struct reference *r)
{
    free(r->mean);
    free(r->max);
    free(r->min);
    free(r->last);
    free(r->hits);
    free(r->doubtful);
}
