/*
 * verify_density.c - the density of a tone that is there for a quarter of the frames: every frame
 * counts once in each column, and the tone's cell has exactly that share.
 */
#include <errno.h>
#include <stdlib.h>

#include "daemon/verify/verify.h"
#include "fft/window.h"

enum { N = 256, FRAMES = 400, ON = FRAMES / 4, COLUMNS = 128, LEVELS = 100 };

/* Hits that are not where they belong. The tone of -6.02 dBFS is in row 6 of 1 dB. */
static uint64_t count_errors(const uint64_t *hits)
{
    const uint32_t tone = (N / 2 + 40) * COLUMNS / N;
    uint64_t errors = 0;
    for (uint32_t c = 0; c < COLUMNS; c++) {
        uint64_t sum = 0;
        for (uint32_t r = 0; r < LEVELS; r++)
            sum += hits[c * LEVELS + r];
        errors += sum > FRAMES ? sum - FRAMES : FRAMES - sum;
    }
    const uint64_t on = hits[tone * LEVELS + 6];
    return errors + (on > ON ? on - ON : ON - on);
}

int verify_density(struct fft_engine *e, double rate_hz, struct verify_result *out)
{
    float window[N];
    const struct fft_window rect = {.kind = FFT_WINDOW_RECT};
    const struct fft_spectrum_config plan = {
        .n = N,
        .hop = N,
        .format = FFT_IQ_CF32,
        .detectors = FFT_DETECTOR_MEAN,
        .window = window,
        .density = {.columns = COLUMNS, .levels = LEVELS, .top_db = 0, .step_db = 1}};
    struct fft_iq *raw = calloc((size_t)N * FRAMES, sizeof *raw);
    struct fft_fold *fold = NULL;
    (void)rate_hz;
    if (!raw)
        return -ENOMEM;
    fft_window_fill(&rect, window, N, 1, NULL);
    verify_tone(FFT_IQ_CF32, 0.5, 40.0 / N, raw, (size_t)N * ON);
    const int err = verify_fold(e, &plan, raw, FRAMES, &fold);
    free(raw);
    if (err == -ENOTSUP) {
        out->passed = true;
        snprintf(out->figure, sizeof out->figure, "this engine counts none");
        return 0;
    }
    if (err < 0)
        return err;
    const uint64_t errors = count_errors(fft_fold_hits(fold));
    fft_fold_destroy(fold);
    out->passed = errors == 0;
    snprintf(out->figure, sizeof out->figure, "%llu of %d hits wrong (limit 0)",
             (unsigned long long)errors, COLUMNS * FRAMES);
    return 0;
}
