/* demod_filter.c - taps of windowed bands, and what they make of samples. */
#include "daemon/demod/demod_filter.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/ddc/ddc_kaiser.h"
#include "fft/bessel.h"

#define PI 3.14159265358979323846

size_t demod_band_length(const struct demod_band *b, double rate_hz)
{
    const double order = ddc_kaiser_order(b->attenuation_db, b->slope_hz / rate_hz);
    return 2 * (size_t)ceil(order / 2) + 1;
}

/* sin(w t) / (pi t), the response of an ideal low-pass with its edge at w. */
static double ideal(double w, double t)
{
    return t > 0 ? sin(w * t) / (PI * t) : w / PI;
}

/* The same for a pass band with the gain 1 / sinc(f / mean_hz): its integral in small steps. */
static double corrected(const struct demod_band *b, double rate_hz, double t)
{
    enum { STEPS = 400 };
    const double step_hz = (b->high_hz - b->low_hz) / STEPS;
    double sum = 0;
    for (int i = 0; i < STEPS; i++) {
        const double hz = b->low_hz + (i + 0.5) * step_hz, x = PI * hz / b->mean_hz;
        sum += (x > 0 ? x / sin(x) : 1) * cos(2 * PI * hz / rate_hz * t);
    }
    return 2 * sum * step_hz / rate_hz;
}

static void make_taps(const struct demod_band *b, double rate_hz, size_t length, double *tap)
{
    const size_t half = length / 2;
    const double beta = ddc_kaiser_beta(b->attenuation_db);
    const double low = 2 * PI * b->low_hz / rate_hz, high = 2 * PI * b->high_hz / rate_hz;
    for (size_t i = 0; i <= half; i++) {
        const double t = (double)(half - i), u = t / (double)(half + 1);
        const double window = fft_bessel_i0(beta * sqrt(1 - u * u)) / fft_bessel_i0(beta);
        const double response =
            b->mean_hz > 0 ? corrected(b, rate_hz, t) : ideal(high, t) - ideal(low, t);
        tap[i] = tap[length - 1 - i] = window * response;
    }
}

int demod_filter_init(struct demod_filter *f, const struct demod_band *b, double rate_hz,
                      uint32_t factor)
{
    const size_t length = demod_band_length(b, rate_hz);
    double *tap = calloc(length, sizeof *tap);
    *f = (struct demod_filter){0};
    if (!tap)
        return -ENOMEM;
    make_taps(b, rate_hz, length, tap);
    const int err = ddc_stage_init_taps(&f->stage, tap, length, factor, ddc_loops_at(0));
    free(tap);
    if (err == 0)
        demod_filter_reset(f);
    return err;
}

void demod_filter_finish(struct demod_filter *f)
{
    ddc_stage_finish(&f->stage);
}

/* Zeros, one fewer than the filter is long: the first sample gives the first output. */
void demod_filter_reset(struct demod_filter *f)
{
    ddc_stage_begin(&f->stage);
    for (size_t zeros = f->stage.length - 1, some; zeros > 0; zeros -= some) {
        float *re, *im;
        some = zeros < DDC_STAGE_BLOCK ? zeros : DDC_STAGE_BLOCK;
        ddc_stage_input(&f->stage, &re, &im);
        memset(re, 0, some * sizeof *re);
        memset(im, 0, some * sizeof *im);
        ddc_stage_run(&f->stage, some, NULL, NULL);
    }
}

size_t demod_filter_run(struct demod_filter *f, const float *a, const float *b, size_t count,
                        float *out_a, float *out_b)
{
    float *re, *im;
    assert(count <= DDC_STAGE_BLOCK);
    ddc_stage_input(&f->stage, &re, &im);
    memcpy(re, a, count * sizeof *re);
    memcpy(im, b, count * sizeof *im);
    return ddc_stage_run(&f->stage, count, out_a, out_b);
}

size_t demod_filter_iq(struct demod_filter *f, const struct fft_iq *in, size_t count, float *re,
                       float *im)
{
    float *to_re, *to_im;
    assert(count <= DDC_STAGE_BLOCK);
    ddc_stage_input(&f->stage, &to_re, &to_im);
    for (size_t i = 0; i < count; i++) {
        to_re[i] = in[i].re;
        to_im[i] = in[i].im;
    }
    return ddc_stage_run(&f->stage, count, re, im);
}
