/* demod_fm_noise.c - the power above speech, and what it is without a carrier. */
#include "daemon/demod/demod_fm_noise.h"

#include <math.h>
#include <stdlib.h>

#include "daemon/demod/demod_fm.h"

enum { CHUNK = 480, FACTOR = 4 };
static const struct demod_band above_speech = {
    .low_hz = 4000, .high_hz = 6000, .slope_hz = 700, .attenuation_db = 60};

/* Nearly Gaussian: the sum of four uniform values. Mean 0; the variance does not matter. */
static float noise(uint64_t *state)
{
    float sum = 0;
    for (int i = 0; i < 4; i++) {
        *state = *state * 6364136223846793005U + 1442695040888963407U;
        sum += (float)((double)(*state >> 40) - 8388607.5);
    }
    return sum * 0x1p-24F;
}

/* The mean power of two seconds of noise. */
static void calibrate(struct demod_fm_noise *n, struct demod_filter *mode, double rate_hz,
                      double full_hz)
{
    struct demod_fm fm;
    struct fft_iq in[CHUNK];
    float re[CHUNK], im[CHUNK], x[CHUNK];
    uint64_t state = 1;
    double sum = 0, windows = 0;
    demod_fm_init(&fm, rate_hz, full_hz);
    const size_t chunks = (size_t)(2 * rate_hz / CHUNK);
    for (size_t chunk = 0; chunk < chunks; chunk++) {
        for (int i = 0; i < CHUNK; i++)
            in[i] = (struct fft_iq){noise(&state), noise(&state)};
        demod_filter_iq(mode, in, CHUNK, re, im);
        demod_fm_run(&fm, re, im, CHUNK, x);
        demod_fm_noise_run(n, x, CHUNK);
        if (chunk >= 10 && n->newest >= 0) { /* the filters are full */
            sum += n->newest;
            windows++;
        }
    }
    n->reference = sum / windows;
    demod_fm_noise_reset(n);
}

int demod_fm_noise_init(struct demod_fm_noise *n, const struct demod_band *mode, double rate_hz,
                        double full_hz)
{
    struct demod_filter before = {0};
    *n = (struct demod_fm_noise){.window = (size_t)ceil(rate_hz / FACTOR * 0.02)};
    int err = demod_filter_init(&n->filter, &above_speech, rate_hz, FACTOR);
    if (err == 0)
        err = demod_filter_init(&before, mode, rate_hz, 1);
    if (err == 0) {
        demod_fm_noise_reset(n);
        calibrate(n, &before, rate_hz, full_hz);
    }
    demod_filter_finish(&before);
    return err;
}

void demod_fm_noise_finish(struct demod_fm_noise *n)
{
    demod_filter_finish(&n->filter);
}

void demod_fm_noise_reset(struct demod_fm_noise *n)
{
    demod_filter_reset(&n->filter);
    n->have = 0;
    n->sum = 0;
    n->newest = -1;
}

void demod_fm_noise_run(struct demod_fm_noise *n, const float *x, size_t count)
{
    float a[DDC_STAGE_BLOCK / FACTOR + 1], b[DDC_STAGE_BLOCK / FACTOR + 1];
    const size_t outputs = demod_filter_run(&n->filter, x, x, count, a, b);
    for (size_t i = 0; i < outputs; i++) {
        n->sum += (double)a[i] * (double)a[i];
        if (++n->have < n->window)
            continue;
        n->newest = n->sum / (double)n->window;
        n->sum = 0;
        n->have = 0;
    }
}

double demod_fm_noise_db(const struct demod_fm_noise *n)
{
    return n->newest < 0 ? (double)NAN : 10 * log10(n->newest / n->reference + 1e-20);
}
