/*
 * verify_level.c - the level of a tone: every window, offsets from the middle of a bin to its edge,
 * every format.
 *
 * The truth for a tone between bins is the sum of window times tone in double precision: full level
 * less the scalloping of that window at that offset.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "daemon/verify/verify.h"
#include "fft/window.h"

enum { N = 1024, HOP = N / 4, FRAMES = 9, BIN = 100, SPAN = (FRAMES - 1) * HOP + N };

static const double offsets[] = {0, 0.1, 0.25, 0.4, 0.5}, amplitude = 0.5, limit_db = 0.02;

/* |sum of w[i] exp(j 2 pi i offset / N)|^2 */
static double window_power(const float *window, double offset)
{
    double re = 0, im = 0;
    for (int i = 0; i < N; i++) {
        re += (double)window[i] * cos(2 * M_PI * i * offset / N);
        im += (double)window[i] * sin(2 * M_PI * i * offset / N);
    }
    return re * re + im * im;
}

/* The largest error in dB so far. */
struct level_check {
    struct fft_engine *engine;
    enum fft_iq_format format;
    float window[N];
    void *raw;
    double worst_db;
};

static int check_offset(struct level_check *c, double offset)
{
    const struct fft_spectrum_config plan = {.n = N,
                                             .hop = HOP,
                                             .format = c->format,
                                             .detectors = FFT_DETECTOR_MEAN,
                                             .window = c->window};
    struct fft_fold *fold;
    float power[N];
    verify_tone(c->format, amplitude, (BIN + offset) / N, c->raw, SPAN);
    const int err = verify_fold(c->engine, &plan, c->raw, FRAMES, &fold);
    if (err < 0)
        return err;
    fft_fold_detector(fold, FFT_DETECTOR_MEAN, power);
    fft_fold_destroy(fold);
    const double expected = amplitude * amplitude * window_power(c->window, offset);
    const double error_db = fabs(10 * log10((double)power[N / 2 + BIN] / expected));
    c->worst_db = error_db > c->worst_db || isnan(error_db) ? error_db : c->worst_db;
    return 0;
}

static int check_window(struct level_check *c, enum fft_window_kind kind)
{
    struct fft_window window;
    int err = fft_window_parse(fft_window_name(kind), &window);
    if (err == 0)
        fft_window_fill(&window, c->window, N, 1, NULL);
    for (size_t i = 0; err == 0 && i < sizeof offsets / sizeof offsets[0]; i++)
        err = check_offset(c, offsets[i]);
    return err;
}

int verify_level(struct fft_engine *e, double rate_hz, struct verify_result *out)
{
    struct level_check c = {.engine = e, .raw = calloc(SPAN, sizeof(struct fft_iq))};
    int err = c.raw ? 0 : -ENOMEM;
    (void)rate_hz;
    for (int f = 0; err == 0 && f < FFT_IQ_FORMATS; f++) {
        c.format = (enum fft_iq_format)f;
        for (int kind = 0; err == 0 && kind < FFT_WINDOW_KINDS; kind++)
            err = check_window(&c, (enum fft_window_kind)kind);
    }
    free(c.raw);
    out->passed = c.worst_db <= limit_db;
    snprintf(out->figure, sizeof out->figure, "%.4f dB at most (limit %.2f dB)", c.worst_db,
             limit_db);
    return err;
}
