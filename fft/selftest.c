/* selftest.c - compares a small spectrum with the direct sum before an engine is used. */
#include "fft/engine.h"

#include <errno.h>
#include <math.h>

#include "fft/twiddle.h"

enum { N = 1024, HOP = 512, FRAMES = 3, SAMPLES = (FRAMES - 1) * HOP + N };
enum { CHECKED = 9, PATIENCE_MS = 10000 };

/* Any noise that is the same every time. */
static void make_noise(struct fft_iq *x)
{
    uint32_t state = 1;
    for (int i = 0; i < SAMPLES; i++) {
        state = state * 1664525U + 1013904223U;
        x[i].re = (float)(state >> 8) / 16777216.0F - 0.5F;
        state = state * 1664525U + 1013904223U;
        x[i].im = (float)(state >> 8) / 16777216.0F - 0.5F;
    }
}

static double direct_power(const struct fft_iq *x, uint32_t bin)
{
    double re = 0, im = 0;
    for (uint32_t i = 0; i < N; i++) {
        const struct root w = fft_twiddle((uint64_t)i * (bin + N / 2), N);
        re += (double)x[i].re * w.re - (double)x[i].im * w.im;
        im += (double)x[i].re * w.im + (double)x[i].im * w.re;
    }
    return (re * re + im * im) / ((double)N * N);
}

static int compare(const struct fft_partial *got, const struct fft_iq *x, double factor,
                   struct fft_reason why)
{
    for (uint32_t i = 0; i < CHECKED; i++) {
        const uint32_t bin = (i * 251) % N;
        double sum = 0;
        for (int f = 0; f < FRAMES; f++)
            sum += direct_power(x + (size_t)f * HOP, bin);
        if (fabs((double)got->sum[bin] - sum) > factor * (1e-5 * sum + 1e-9)) {
            fft_reason_set(why, "self-test failed: bin %u reads %.9g instead of %.9g", bin,
                           (double)got->sum[bin], sum);
            return -EIO;
        }
    }
    return 0;
}

static int run(struct fft_spectrum *s, const struct fft_iq *x, struct fft_reason why)
{
    const double factor = s->engine->selftest_factor;
    struct fft_partial got = {0};
    int err = fft_spectrum_submit(s, x, 0, FRAMES, 0);
    if (err == 0)
        err = fft_spectrum_poll(s, &got, PATIENCE_MS);
    if (err == 1 && got.sum)
        return compare(&got, x, factor > 0 ? factor : 1, why);
    fft_reason_set(why, "self-test failed: no result (%d)", err);
    return -EIO;
}

int fft_engine_selftest(struct fft_engine *e, struct fft_reason why)
{
    static const struct fft_spectrum_config shape = {.n = N,
                                                     .hop = HOP,
                                                     .max_frames = FRAMES,
                                                     .depth = 1,
                                                     .format = FFT_IQ_CF32,
                                                     .detectors = FFT_DETECTOR_MEAN};
    _Alignas(sizeof(struct fft_iq)) struct fft_iq x[SAMPLES]; /* a span is aligned to a sample */
    float window[N];
    struct fft_spectrum_config config = shape;
    struct fft_spectrum *s = NULL;

    make_noise(x);
    for (int i = 0; i < N; i++)
        window[i] = 1.0F / N;
    config.window = window;
    int err = fft_spectrum_create(&s, e, &config, why.text, why.size);
    if (err == 0)
        err = run(s, x, why);
    fft_spectrum_destroy(s);
    return err;
}
