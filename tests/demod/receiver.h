/* receiver.h - signals for demodulators, and figures of the audio, in double precision. */
#ifndef FFTD_TESTS_DEMOD_RECEIVER_H
#define FFTD_TESTS_DEMOD_RECEIVER_H

#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/demod/demod.h"
#include "fft/bessel.h"

#define PI 3.14159265358979323846

static inline double db_of(double power)
{
    return 10 * log10(power + 1e-30);
}

/* ---- noise -------------------------------------------------------------------------------- */

static inline double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    return ((double)(*state >> 11) + 0.5) * 0x1p-53;
}

/* A pair of independent Gaussian values of variance 1 (Box, Muller, 1958). */
static inline void gauss(uint64_t *state, double *a, double *b)
{
    const double r = sqrt(-2 * log(uniform(state))), t = 2 * PI * uniform(state);
    *a = r * cos(t);
    *b = r * sin(t);
}

/* Adds noise of this power, over the whole rate. */
static inline void add_noise(struct fft_iq *x, size_t count, double power, uint64_t seed)
{
    uint64_t state = seed;
    const double each = sqrt(power / 2);
    for (size_t i = 0; i < count; i++) {
        double a, b;
        gauss(&state, &a, &b);
        x[i].re += (float)(each * a);
        x[i].im += (float)(each * b);
    }
}

/* ---- a receiver --------------------------------------------------------------------------- */

struct receiver {
    struct demod_plan plan;
    struct demod *demod;
    const struct demod_ops *ops;
    float *audio; /* of everything so far */
    size_t frames, room;
};

static inline void receiver_init(struct receiver *r, const struct demod_config *c)
{
    struct reason why = {0};
    *r = (struct receiver){.ops = c->ops};
    if (c->ops->plan(c, &r->plan, &why) < 0 || c->ops->create(&r->demod, c, &why) < 0)
        fail_msg("%s: %s", c->ops->name, why.sentence);
}

static inline void receiver_finish(struct receiver *r)
{
    r->ops->destroy(r->demod);
    free(r->audio);
}

/* In calls of `each` samples; 0: of the 144 that a bank gives at 24 kS/s. */
static inline void receiver_push(struct receiver *r, const struct fft_iq *x, size_t count,
                                 size_t each)
{
    const unsigned channels = r->plan.audio_channels;
    for (size_t at = 0, some; at < count; at += some) {
        some = each > 0 ? each : 144;
        some = some < count - at ? some : count - at;
        const size_t most = demod_audio_max(&r->plan, some);
        while (r->frames * channels + most > r->room) {
            r->room = 2 * r->room + most;
            r->audio = realloc(r->audio, r->room * sizeof *r->audio);
            assert_non_null(r->audio);
        }
        const size_t frames = r->ops->run(r->demod, x + at, some, r->audio + r->frames * channels);
        assert_true(frames * channels <= most);
        r->frames += frames;
    }
}

/* ---- figures of audio --------------------------------------------------------------------- */

/* Amplitude of x at hz, by least squares under a window of four terms (Blackman, Harris). */
static inline double tone_of(const float *x, size_t count, unsigned stride, double rate_hz,
                             double hz)
{
    double re = 0, im = 0, sum = 0;
    for (size_t i = 0; i < count; i++) {
        const double t = 2 * PI * ((double)i + 0.5) / (double)count;
        const double w = 0.35875 - 0.48829 * cos(t) + 0.14128 * cos(2 * t) - 0.01168 * cos(3 * t);
        const double phase = 2 * PI * fmod(hz / rate_hz * (double)i, 1);
        re += w * (double)x[i * stride] * cos(phase);
        im += w * (double)x[i * stride] * sin(phase);
        sum += w;
    }
    return 2 * hypot(re, im) / sum;
}

/* Harmonics 2 .. 10 below half of the rate, in per cent of the tone. */
static inline double thd_percent(const float *x, size_t count, unsigned stride, double rate_hz,
                                 double hz)
{
    double sum = 0;
    for (int h = 2; h <= 10 && h * hz < rate_hz / 2; h++) {
        const double a = tone_of(x, count, stride, rate_hz, h * hz);
        sum += a * a;
    }
    return 100 * sqrt(sum) / tone_of(x, count, stride, rate_hz, hz);
}

/*
 * (signal + noise) / noise between 300 and 3000 Hz, by a Kaiser window of beta 9 and 16.7 ms; the
 * tone is taken out by least squares.
 */
static inline double sinad_db(const float *x, size_t count, double rate_hz, double hz)
{
    enum { MOST = 400 };
    const int half = (int)(rate_hz / 120);
    double tap[2 * MOST + 1] = {0}, *y = calloc(count, sizeof *y);
    assert_true(y && half <= MOST);
    for (int k = -half; k <= half; k++) {
        const double u = (double)k / half,
                     w = fft_bessel_i0(9 * sqrt(1 - u * u)) / fft_bessel_i0(9);
        tap[k + half] =
            k == 0 ? 2 * 2700 / rate_hz
                   : w * (sin(2 * PI * 3000 / rate_hz * k) - sin(2 * PI * 300 / rate_hz * k)) /
                         (PI * k);
    }
    size_t have = 0;
    double cc = 0, cs = 0, ss = 0, yc = 0, ys = 0;
    for (size_t i = 0; i + 2 * (size_t)half < count; i++) {
        double sum = 0;
        for (int k = 0; k <= 2 * half; k++)
            sum += tap[k] * (double)x[i + (size_t)k];
        const double p = 2 * PI * fmod(hz / rate_hz * (double)i, 1), c = cos(p), s = sin(p);
        y[have++] = sum;
        cc += c * c;
        cs += c * s;
        ss += s * s;
        yc += sum * c;
        ys += sum * s;
    }
    const double det = cc * ss - cs * cs, a = (yc * ss - ys * cs) / det,
                 b = (ys * cc - yc * cs) / det;
    double all = 0, rest = 0;
    for (size_t i = 0; i < have; i++) {
        const double p = 2 * PI * fmod(hz / rate_hz * (double)i, 1);
        const double r = y[i] - a * cos(p) - b * sin(p);
        all += y[i] * y[i];
        rest += r * r;
    }
    free(y);
    return db_of(all / rest);
}

#endif
