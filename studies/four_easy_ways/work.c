/* work.c - runs one transform in several ways, and checks its result. */
#include "studies/four_easy_ways/work.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fft/general.h"

int work_init(struct work *w, struct study *s, uint32_t n)
{
    *w = (struct work){.study = s, .n = n};
    w->in = aligned_alloc(64, (n * sizeof *w->in + 63) / 64 * 64);
    w->out = aligned_alloc(64, (n * sizeof *w->out + 63) / 64 * 64);
    if (!w->in || !w->out)
        return -ENOMEM;
    noise_fill(w->in, n);
    memset(w->out, 0, n * sizeof *w->out);
    const struct fft_transform_config plan = {.rank = 1, .n = {n}, .batch = 1};
    return fft_transform_create(&w->transform, s->engine, &plan, NULL, 0);
}

void work_finish(struct work *w)
{
    if (w->plan)
        w->study->fftw->api.destroy(w->plan);
    fft_transform_destroy(w->transform);
    free(w->in);
    free(w->out);
}

void work_engine_again(void *user)
{
    const struct work *w = user;
    fft_transform_execute(w->transform, w->in, w->out);
}

void work_engine_anew(void *user)
{
    const struct work *w = user;
    const struct fft_transform_config plan = {.rank = 1, .n = {w->n}, .batch = 1};
    struct fft_transform *t = NULL;
    if (fft_transform_create(&t, w->study->engine, &plan, NULL, 0) == 0)
        fft_transform_execute(t, w->in, w->out);
    fft_transform_destroy(t);
}

void work_general_anew(void *user)
{
    const struct work *w = user;
    struct general g;
    struct radices radices;
    fft_radix_factor(&radices, w->n, (const uint32_t[]){8, 4, 2, 3, 5, 7, 0});
    if (fft_general_init(&g, &radices) == 0)
        fft_general_fft(&g, w->in, 1, w->out, false);
    fft_general_finish(&g);
}

static fftw_plan fftw_plan_of(const struct work *w)
{
    const int n = (int)w->n;
    return w->study->fftw->api.plan_c2c(1, &n, 1, w->in, NULL, 1, n, w->out, NULL, 1, n,
                                        FFTW_FORWARD, w->effort);
}

static void fftw_again(void *user)
{
    const struct work *w = user;
    w->study->fftw->api.run_c2c(w->plan, w->in, w->out);
}

/* Wisdom is forgotten, so that FFTW plans again. */
static void fftw_anew(void *user)
{
    const struct work *w = user;
    w->study->fftw->api.forget();
    const fftw_plan plan = fftw_plan_of(w);
    if (plan) {
        w->study->fftw->api.run_c2c(plan, w->in, w->out);
        w->study->fftw->api.destroy(plan);
    }
}

double work_fftw_anew_seconds(struct work *w, unsigned effort)
{
    if (!w->study->fftw)
        return NAN;
    w->effort = effort;
    return study_seconds(w->study, fftw_anew, w);
}

double work_fftw_again_seconds(struct work *w)
{
    if (!w->study->fftw)
        return NAN;
    w->effort = FFTW_MEASURE;
    w->plan = fftw_plan_of(w);
    noise_fill(w->in, w->n); /* planning overwrites the input */
    return w->plan ? study_seconds(w->study, fftw_again, w) : NAN;
}

/* ---- the result ---------------------------------------------------------------------------- */

/* Bin k of the direct sum. The root's power is carried along: after 2^24 steps it is still right to
 * nine digits. */
static struct complex64 bin_of(const struct fft_iq *x, uint32_t n, uint32_t k)
{
    const struct root step = fft_twiddle(k, n);
    struct complex64 sum = {0, 0};
    struct root w = {1, 0};
    for (uint32_t i = 0; i < n; i++) {
        const double re = (double)x[i].re, im = (double)x[i].im;
        sum.re += re * w.re - im * w.im;
        sum.im += re * w.im + im * w.re;
        w = (struct root){w.re * step.re - w.im * step.im, w.re * step.im + w.im * step.re};
    }
    return sum;
}

static double energy(const struct fft_iq *x, uint32_t n)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += (double)x[i].re * (double)x[i].re + (double)x[i].im * (double)x[i].im;
    return sum;
}

static double distance(struct fft_iq got, struct complex64 want)
{
    return hypot((double)got.re - want.re, (double)got.im - want.im);
}

bool work_is_right(const struct fft_iq *in, const struct fft_iq *out, uint32_t n)
{
    const double all = energy(in, n), tolerance = 1e-4 * sqrt(all);
    return fabs(energy(out, n) / all / n - 1) < 1e-4 &&
           distance(out[0], bin_of(in, n, 0)) < tolerance &&
           distance(out[1], bin_of(in, n, 1)) < tolerance;
}
