/*
 * verify_speed.c - the engine's samples per second, compared with the rate of the stream.
 */
#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "daemon/base/clock.h"
#include "daemon/verify/verify.h"
#include "fft/window.h"

enum { N = 1024, HOP = N / 4, FRAMES = 4096, SPAN = (FRAMES - 1) * HOP + N, DEPTH = 4 };
static const uint64_t run_ns = 2000000000;

static int poll_one(struct fft_spectrum *s)
{
    struct fft_partial partial;
    const int err = fft_spectrum_poll(s, &partial, -1);
    if (err > 0)
        fft_spectrum_release(s);
    return err < 0 ? err : 0;
}

/* Batches are in flight all the time, as in the daemon. */
static int run_batches(struct fft_spectrum *s, const void *raw, double *samples_per_second)
{
    const uint64_t begin = clock_now_ns();
    uint64_t batches = 0, now = begin;
    int err = 0;
    for (; err == 0 && now - begin < run_ns; now = clock_now_ns(), batches++) {
        if (batches >= DEPTH)
            err = poll_one(s);
        if (err == 0)
            err = fft_spectrum_submit(s, raw, batches * FRAMES * HOP, FRAMES, 0);
    }
    for (uint64_t i = 0; err == 0 && i < DEPTH && i < batches; i++)
        err = poll_one(s);
    *samples_per_second =
        (double)batches * FRAMES * HOP / ((double)(clock_now_ns() - begin) * 1e-9);
    return err;
}

int verify_speed(struct fft_engine *e, double rate_hz, struct verify_result *out)
{
    float window[N];
    char why[256];
    double speed = 0;
    struct fft_spectrum *s = NULL;
    const struct fft_window hann = {.kind = FFT_WINDOW_HANN};
    const struct fft_spectrum_config plan = {.n = N,
                                             .hop = HOP,
                                             .max_frames = FRAMES,
                                             .depth = DEPTH,
                                             .format = FFT_IQ_CS16,
                                             .detectors = FFT_DETECTOR_MEAN | FFT_DETECTOR_MAX |
                                                          FFT_DETECTOR_MIN | FFT_DETECTOR_SAMPLE,
                                             .window = window};
    int16_t *raw = calloc(SPAN, 2 * sizeof *raw);
    if (!raw)
        return -ENOMEM;
    fft_window_fill(&hann, window, N, 1, NULL);
    verify_tone(FFT_IQ_CS16, 0.5, 0.1, raw, SPAN);
    int err = fft_spectrum_create(&s, e, &plan, why, sizeof why);
    if (err == 0)
        err = run_batches(s, raw, &speed);
    fft_spectrum_destroy(s);
    free(raw);
    out->passed = speed >= rate_hz;
    snprintf(out->figure, sizeof out->figure, "%.4g MS/s, %.3g times the stream's %.4g MS/s",
             speed / 1e6, speed / rate_hz, rate_hz / 1e6);
    return err;
}
