/*
 * mock_kernel.c - computes the launches of stand_in_plan.c and stand_in_pass.c in double precision.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emulate/cuda/emulate.h"
#include "tests/support/cuda/mock_internal.h"

struct number {
    double re, im;
};

static void *at(uint64_t address)
{
    return (void *)(uintptr_t)address;
}

/* Radix 2, in place, natural order (J. W. Cooley and J. W. Tukey, 1965). */
static void transform(struct number *x, uint32_t n, const struct number *roots)
{
    for (uint32_t i = 1, j = 0; i < n; i++) {
        uint32_t bit = n >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j |= bit;
        if (i < j) {
            const struct number other = x[i];
            x[i] = x[j];
            x[j] = other;
        }
    }
    for (uint32_t half = 1; half < n; half *= 2) {
        for (uint32_t k = 0; k < half; k++) {
            const double re = roots[k * (n / 2 / half)].re, im = roots[k * (n / 2 / half)].im;
            for (uint32_t i = k; i < n; i += 2 * half) {
                struct number *a = &x[i], *b = &x[i + half];
                const struct number t = {b->re * re - b->im * im, b->re * im + b->im * re};
                *b = (struct number){a->re - t.re, a->im - t.im};
                *a = (struct number){a->re + t.re, a->im + t.im};
            }
        }
    }
}

static void load(const struct fft_spectrum_config *job, const char *raw, const float *window,
                 struct number *x)
{
    struct fft_iq *samples = malloc(job->n * sizeof *samples);
    fft_iq_unpack(job->format, raw, samples, job->n);
    for (uint32_t i = 0; i < job->n; i++)
        x[i] = (struct number){(double)samples[i].re * (double)window[i],
                               (double)samples[i].im * (double)window[i]};
    free(samples);
}

static void fold(const struct spectrum_args *a, uint32_t k, float power, bool first)
{
    float *sum = at(a->sum), *max = at(a->max), *min = at(a->min), *last = at(a->last);
    if (sum)
        sum[k] = first ? power : sum[k] + power;
    if (max)
        max[k] = first || power > max[k] ? power : max[k];
    if (min)
        min[k] = first || power < min[k] ? power : min[k];
    if (last)
        last[k] = power;
}

static void spectra(const struct spectrum_args *a, const struct fft_spectrum_config *job)
{
    struct number *x = calloc(job->n, sizeof *x), *roots = malloc(job->n / 2 * sizeof *roots);
    for (uint32_t k = 0; k < job->n / 2; k++) {
        const double angle = -2 * acos(-1.0) * k / job->n;
        roots[k] = (struct number){cos(angle), sin(angle)};
    }
    for (uint32_t f = 0; f < a->frames; f++) {
        const char *raw = at(a->middle);
        load(job, raw + (size_t)f * a->hop * fft_iq_bytes(job->format), at(a->window), x);
        transform(x, job->n, roots);
        for (uint32_t k = 0; k < job->n; k++) {
            const struct number v = x[(k + job->n / 2) % job->n];
            fold(a, k, (float)(v.re * v.re + v.im * v.im), f == 0);
        }
    }
    free(roots);
    free(x);
    if (a->done)
        *(uint32_t *)at(a->done) = 1;
}

/* The direct sum. A row is read completely before it is written. */
static void run_pass_row(const struct engine_pass *pass, const struct fft_iq *from,
                         struct fft_iq *to)
{
    struct number *x = malloc(pass->n * sizeof *x);
    const double step = (pass->inverse ? 2 : -2) * acos(-1.0) / pass->n;
    for (uint32_t j = 0; j < pass->n; j++)
        x[j] = (struct number){(double)from[j * pass->from].re, (double)from[j * pass->from].im};
    for (uint32_t k = 0; k < pass->n; k++) {
        struct number sum = {0, 0};
        for (uint32_t j = 0; j < pass->n; j++) {
            const double angle = step * (double)((uint64_t)j * k % pass->n);
            sum.re += x[j].re * cos(angle) - x[j].im * sin(angle);
            sum.im += x[j].re * sin(angle) + x[j].im * cos(angle);
        }
        const double scale = (double)fft_pass_scale(pass);
        to[k * pass->to] = (struct fft_iq){(float)(scale * sum.re), (float)(scale * sum.im)};
    }
    free(x);
}

static void run_pass(const struct spectrum_args *a)
{
    const struct engine_pass *pass = at(a->bridge);
    const struct engine_rows *r = pass->rows;
    for (uint32_t i = 0; i < a->frames; i++)
        for (uint32_t j = 0; j < r[1].count; j++)
            for (uint32_t k = 0; k < r[2].count; k++) {
                const struct fft_iq *from = at(a->samples);
                struct fft_iq *to = at(a->middle);
                run_pass_row(pass, from + i * r[0].from + j * r[1].from + k * r[2].from,
                             to + i * r[0].to + j * r[1].to + k * r[2].to);
            }
}

/* Runs a kernel of the engine in the emulator, if this mock has it. Returns NULL or the error. */
static const char *emulate(struct cuda_launch *launch)
{
#ifdef MOCK_EMULATES
    launch->module = emulate_module(launch->kernel);
    if (launch->module)
        return emulate_launch(launch);
#else
    launch->module = NULL;
#endif
    return "there is no such kernel";
}

void mock_kernel_run(struct cuda_launch *launch)
{
    const char *wrong = NULL;
    const struct spectrum_args *a = &launch->args.spectrum;
    const struct fft_spectrum_config *job = at(a->bridge);
    if (strcmp(launch->kernel, "stand_in_pass") == 0)
        run_pass(a);
    else if (strcmp(launch->kernel, "stand_in_load") == 0)
        memcpy(at(a->middle), at(a->samples),
               ((size_t)(a->frames - 1) * a->hop + job->n) * fft_iq_bytes(job->format));
    else if (strcmp(launch->kernel, "stand_in_spectra") == 0)
        spectra(a, job);
    else
        wrong = emulate(launch);
    if (wrong) {
        fprintf(stderr, "mock driver: kernel %s: %s\n", launch->kernel, wrong);
        abort();
    }
}
