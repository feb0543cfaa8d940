/*
 * verify_correction.c - the correction of samples on load: an offset of -20 dBFS, a gain error of 1
 * dB and a phase error of 5 degrees in every format.
 *
 * The truth: the tone keeps its level, and neither its image nor the centre frequency has one.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "daemon/verify/verify.h"
#include "fft/window.h"

enum { N = 1024, HOP = N / 4, FRAMES = 9, SPAN = (FRAMES - 1) * HOP + N, BIN = 100 };

static const double amplitude = 0.5, dc_i = 0.08, dc_q = -0.06, gain = 1.122018,
                    phase = 5 * M_PI / 180;
static const double limit_db = 0.02, limit_rejection_db = 50;

/* Not at the middle of a bin, so that the errors of rounding are noise. */
static const double cycles = (BIN + 0.137) / N;

static void fill(enum fft_iq_format format, void *raw)
{
    for (size_t t = 0; t < SPAN; t++) {
        const double angle = 2 * M_PI * fmod(cycles * (double)t, 1);
        const double i = amplitude * cos(angle), q = amplitude * sin(angle);
        verify_put(format, raw, t, i + dc_i, gain * (q * cos(phase) + i * sin(phase)) + dc_q);
    }
}

static double largest_db(const float *power, int bin)
{
    double largest = 0;
    for (int k = bin - 1; k <= bin + 1; k++)
        largest = fmax(largest, (double)power[N / 2 + k]);
    return 10 * log10(largest);
}

struct correction_check {
    double error_db, rejection_db; /* the worst ones */
};

static int check_format(struct fft_engine *e, enum fft_iq_format format, void *raw,
                        struct correction_check *c)
{
    const struct fft_correction correction = {.dc_i = (float)dc_i,
                                              .dc_q = (float)dc_q,
                                              .ii = 1,
                                              .qi = (float)-tan(phase),
                                              .qq = (float)(1 / (gain * cos(phase)))};
    float window[N], power[N];
    const struct fft_spectrum_config plan = {.n = N,
                                             .hop = HOP,
                                             .format = format,
                                             .detectors = FFT_DETECTOR_MEAN,
                                             .window = window,
                                             .corrected = true};
    struct fft_fold *fold;
    fft_window_fill(&(struct fft_window){FFT_WINDOW_FLATTOP, 0}, window, N, 1, NULL);
    fill(format, raw);
    const int err = verify_fold_corrected(e, &plan, &correction, raw, FRAMES, &fold);
    if (err < 0)
        return err;
    fft_fold_detector(fold, FFT_DETECTOR_MEAN, power);
    fft_fold_destroy(fold);
    const double tone = largest_db(power, BIN);
    const double rest = fmax(largest_db(power, 0), largest_db(power, -BIN));
    c->error_db = fmax(c->error_db, fabs(tone - 20 * log10(amplitude)));
    c->rejection_db = fmin(c->rejection_db, tone - rest);
    return 0;
}

int verify_correction(struct fft_engine *e, double rate_hz, struct verify_result *out)
{
    struct correction_check c = {0, INFINITY};
    void *raw = calloc(SPAN, sizeof(struct fft_iq));
    int err = raw ? 0 : -ENOMEM;
    (void)rate_hz;
    for (int f = 0; err == 0 && f < FFT_IQ_FORMATS; f++)
        err = check_format(e, (enum fft_iq_format)f, raw, &c);
    free(raw);
    out->passed = c.error_db <= limit_db && c.rejection_db >= limit_rejection_db;
    snprintf(out->figure, sizeof out->figure,
             "%.4f dB at most (limit %.2f dB), rejection %.1f dB (limit %.0f dB)", c.error_db,
             limit_db, c.rejection_db, limit_rejection_db);
    return err;
}
