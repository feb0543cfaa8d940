/*
 * verify_burst.c - the probability of intercept: a burst of n + hop - 1 samples fills one frame at
 * least, wherever it begins, so that the max detector has its full level.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/verify/verify.h"
#include "fft/window.h"

enum { N = 256, HOP = N / 4, BURST = N + HOP - 1, FRAMES = 16, SPAN = (FRAMES - 1) * HOP + N };

static const double amplitude = 0.5, limit_db = 0.02;

/* The level of a burst that begins at sample `begin`, in dB from its full level. */
static int burst_db(struct fft_engine *e, const struct fft_spectrum_config *plan, size_t begin,
                    double *db)
{
    struct fft_iq *raw = calloc(SPAN, sizeof *raw);
    struct fft_fold *fold = NULL;
    float power[N];
    if (!raw)
        return -ENOMEM;
    verify_tone(FFT_IQ_CF32, amplitude, 40.0 / N, raw + begin, BURST);
    const int err = verify_fold(e, plan, raw, FRAMES, &fold);
    free(raw);
    if (err < 0)
        return err;
    fft_fold_detector(fold, FFT_DETECTOR_MAX, power);
    fft_fold_destroy(fold);
    *db = 10 * log10((double)power[N / 2 + 40] / (amplitude * amplitude));
    return 0;
}

int verify_burst(struct fft_engine *e, double rate_hz, struct verify_result *out)
{
    float window[N];
    const struct fft_spectrum_config plan = {
        .n = N, .hop = HOP, .format = FFT_IQ_CF32, .detectors = FFT_DETECTOR_MAX, .window = window};
    const struct fft_window hann = {.kind = FFT_WINDOW_HANN};
    double worst = 0, db = 0;
    int err = 0;
    (void)rate_hz;
    fft_window_fill(&hann, window, N, 1, NULL);
    for (size_t phase = 0; err == 0 && phase < HOP; phase++) {
        err = burst_db(e, &plan, (size_t)4 * HOP + phase, &db);
        worst = fabs(db) > worst || isnan(db) ? fabs(db) : worst;
    }
    out->passed = worst <= limit_db;
    snprintf(out->figure, sizeof out->figure,
             "%d phases of a burst of %d samples: %.4f dB at most (limit %.2f dB)", HOP, BURST,
             worst, limit_db);
    return err;
}
