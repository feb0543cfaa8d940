/*
 * test_events.c - bursts and chirps: what a grid of frames certainly catches, and at which level.
 *
 * A frame has n samples and starts every hop samples. Every burst of n + hop - 1 samples fills a
 * whole frame: T_min = (n + hop - 1) / rate. A shorter one reads the part of the window's sum that
 * it covers in its best frame; at its worst position the table below, computed outside this
 * project.
 */
#include "tests/support/cmocka_all.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/engine/level.h"
#include "tests/support/engine/signal.h"

enum { N = 1024, BIN = 101, LONGEST = 2 * N, BATCH = 8 };

/* ---- bursts ----------------------------------------------------------------------------- */

/* A spectrum of one window and hop, and a buffer with one burst. */
struct grid {
    struct fft_spectrum *spectrum;
    uint32_t hop;
    struct fft_iq *tone; /* [LONGEST] */
    struct fft_iq *iq;
};

static struct fft_spectrum_config plan_of(uint32_t hop, const float *window)
{
    return (struct fft_spectrum_config){.n = N,
                                        .hop = hop,
                                        .max_frames = BATCH,
                                        .depth = 1,
                                        .format = FFT_IQ_CF32,
                                        .detectors = FFT_DETECTOR_MAX,
                                        .window = window};
}

static void open_grid(struct grid *g, struct fft_engine *e, const char *window, uint32_t hop)
{
    float values[N];
    struct fft_window parsed;
    assert_int_equal(fft_window_parse(window, &parsed), 0);
    fft_window_fill(&parsed, values, N, 1, NULL);
    const struct fft_spectrum_config plan = plan_of(hop, values);
    *g = (struct grid){.hop = hop};
    assert_int_equal(fft_spectrum_create(&g->spectrum, e, &plan, NULL, 0), 0);
    g->tone = signal_tone(FFT_IQ_CF32, LONGEST, 1, (double)BIN / N);
    g->iq = calloc((size_t)BATCH * N + N, sizeof *g->iq);
    assert_non_null(g->iq);
}

static void close_grid(struct grid *g)
{
    fft_spectrum_destroy(g->spectrum);
    free(g->tone);
    free(g->iq);
}

static double peak_of_batch(struct grid *g, uint32_t first, uint32_t frames)
{
    struct fft_partial partial;
    assert_int_equal(fft_spectrum_submit(g->spectrum, g->iq + (size_t)first * g->hop, 0, frames, 0),
                     0);
    assert_int_equal(fft_spectrum_poll(g->spectrum, &partial, -1), 1);
    const double power = (double)partial.max[N / 2 + BIN];
    fft_spectrum_release(g->spectrum);
    return power;
}

/* The level of a burst of `length` samples that starts `phase` samples after a frame. */
static double burst_db(struct grid *g, uint32_t phase, uint32_t length)
{
    const uint32_t start = N + phase, frames = (start + length) / g->hop + 1;
    double most = 1e-30;
    memcpy(g->iq + start, g->tone, length * sizeof *g->iq);
    for (uint32_t at = 0; at < frames; at += BATCH)
        most = fmax(most, peak_of_batch(g, at, frames - at < BATCH ? frames - at : BATCH));
    memset(g->iq + start, 0, length * sizeof *g->iq);
    return to_db(most);
}

static double worst_db(struct grid *g, uint32_t length, uint32_t step)
{
    double worst = INFINITY;
    for (uint32_t phase = 0; phase < g->hop; phase += step)
        worst = fmin(worst, burst_db(g, phase, length));
    return worst;
}

static void the_worst_level_of_a_burst_is_that_of_the_table(void **state)
{
    static const double parts[] = {.25, .5, .75, 1, 1.25, 1.5, 2}; /* of a frame */
    static const struct {
        const char *window;
        uint32_t hop;
        double db[7];
    } table[] = {
        {"rect", N, {-18.06, -12.04, -8.52, -6.02, -4.08, -2.50, 0}},
        {"rect", N / 2, {-12.04, -6.02, -4.08, -2.50, -1.16, 0, 0}},
        {"hann", N, {-38.0, -20.8, -11.6, -6.00, -2.63, -0.82, 0}},
        {"hann", N / 2, {-12.02, -6.00, -2.63, -0.82, -0.11, 0, 0}},
        {"hann", N / 4, {-7.75, -2.78, -0.82, -0.11, 0, 0, 0}},
        {"blackman-harris", N / 2, {-14.5, -6.00, -1.81, -0.31, -0.02, 0, 0}},
        {"blackman-harris", N / 4, {-6.63, -1.83, -0.31, -0.02, 0, 0, 0}},
    };
    struct fft_engine *e = test_engine_open(state);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct grid g;
        open_grid(&g, e, table[i].window, table[i].hop);
        for (size_t l = 0; l < sizeof parts / sizeof parts[0]; l++) {
            const double rounding = table[i].db[l] < -10 ? 0.051 : 0.0051; /* of the table */
            expect_db(table[i].window, worst_db(&g, (uint32_t)(parts[l] * N), 64), table[i].db[l],
                      rounding);
        }
        close_grid(&g);
    }
    fft_engine_close(e);
}

/* One sample less, and the best frame of some phase lacks one: 20 log10(1 - 1 / n). */
static void a_burst_of_t_min_is_caught_at_every_phase_and_a_shorter_one_is_not(void **state)
{
    static const uint32_t hops[] = {N, 512, 256, 209, 1};
    struct fft_engine *e = test_engine_open(state);
    for (size_t i = 0; i < sizeof hops / sizeof hops[0]; i++) {
        struct grid g;
        open_grid(&g, e, "rect", hops[i]);
        expect_db("T_min", worst_db(&g, N + hops[i] - 1, 1), 0, 1e-4);
        expect_db("one less", worst_db(&g, N + hops[i] - 2, 1), 20 * log10(1 - 1.0 / N), 1e-4);
        close_grid(&g);
    }
    fft_engine_close(e);
}

/* ---- chirps ----------------------------------------------------------------------------- */

/* A tone that moves by one bin in `dwell` frames, through all bins. malloc'ed. */
static struct fft_iq *make_chirp(uint32_t n, uint32_t hop, uint32_t dwell, uint64_t samples)
{
    struct fft_iq *iq = calloc((size_t)samples, sizeof *iq);
    const double bins_per_sample = 1.0 / ((double)dwell * hop);
    for (uint64_t t = 0; t < samples; t++) {
        const double bins = -0.5 * n + 0.5 * bins_per_sample * (double)t; /* half: an integral */
        const double angle = 2 * M_PI * fmod(bins / n * (double)t, 1);
        iq[t] = (struct fft_iq){(float)cos(angle), (float)sin(angle)};
    }
    return iq;
}

/*
 * The tone is within half a bin of each bin for `dwell` frames, at 0 dB down to the scalloping loss
 * of Hann, -1.42 dB: row 0 of the density. The max hold is 0 dB in every bin.
 */
static void a_chirp_dwells_equally_in_every_bin_and_its_max_hold_is_flat(void **state)
{
    enum { SHORT = 256, HOP = 128, DWELL = 24, FRAMES = SHORT * DWELL, LEVELS = 2 };
    const uint64_t samples = (uint64_t)(FRAMES - 1) * HOP + SHORT;
    struct fft_engine *e = test_engine_open(state);
    float *window = test_window(FFT_WINDOW_HANN, SHORT);
    const struct fft_spectrum_config plan = {.n = SHORT,
                                             .hop = HOP,
                                             .max_frames = 64,
                                             .depth = 1,
                                             .format = FFT_IQ_CF32,
                                             .detectors = FFT_DETECTOR_MAX,
                                             .window = window,
                                             .density = {SHORT, LEVELS, 10 - 1.424F, 10}};
    float power[SHORT];
    if (!test_engine_does(e, &plan)) {
        free(window);
        skip_unless(e, false);
    }
    struct fft_iq *iq = make_chirp(SHORT, HOP, DWELL, samples);
    struct fft_fold *fold = test_run(e, &plan, iq, FRAMES);
    fft_fold_detector(fold, FFT_DETECTOR_MAX, power);
    for (uint32_t k = 2; k < SHORT - 2; k++) { /* the others see its beginning and end */
        const uint64_t hits = fft_fold_hits(fold)[k * LEVELS];
        if (!(hits + 1 >= DWELL && hits <= DWELL + 1))
            fail_msg("bin %u: %llu frames, not %d", k, (unsigned long long)hits, DWELL);
        expect_db("max hold", to_db((double)power[k]), 0, 0.01);
    }
    fft_fold_destroy(fold);
    free(iq);
    free(window);
    fft_engine_close(e);
}

static int run_event_tests(struct test_engine *state)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(the_worst_level_of_a_burst_is_that_of_the_table, state),
        cmocka_unit_test_prestate(
            a_burst_of_t_min_is_caught_at_every_phase_and_a_shorter_one_is_not, state),
        cmocka_unit_test_prestate(a_chirp_dwells_equally_in_every_bin_and_its_max_hold_is_flat,
                                  state),
    };
    if (strcmp(state->engine, "cpu") != 0) /* the grid of frames is that of all engines */
        return 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void)
{
    return test_engine_each_once(run_event_tests);
}
