/*
 * test_levels.c - what a level means: real and complex tones, tones beside each other, power and
 * density, and the distribution of noise over levels.
 *
 * Source: Heinzel, Ruediger, Schilling 2002 (scalings).
 */
#include "tests/support/cmocka_all.h"

#include <math.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/engine/golden.h"
#include "tests/support/engine/level.h"
#include "tests/support/engine/signal.h"

enum { N = 1024 };

static float *measure_real_sine(struct fft_engine *e, enum fft_iq_format format)
{
    const struct setup m = {N, N, 1, format, "hann", FFT_DETECTOR_MEAN};
    void *raw = signal_tone(format, N, 0, 0);
    for (uint64_t t = 0; t < N; t++) {
        const struct complex64 v = {sin(2 * M_PI * 101 * (double)t / N), 0};
        signal_put(format, raw, t, v);
    }
    float *power = measure(e, &m, raw);
    free(raw);
    return power;
}

/* Half of its amplitude is at each of the two frequencies. */
static void
a_real_full_scale_sine_reads_minus_6_02_dbfs_in_each_line_and_minus_3_01_in_all(void **state)
{
    struct fft_engine *e = test_engine_open(state);
    static const enum fft_iq_format formats[] = {FFT_IQ_CS16, FFT_IQ_CF32};
    for (int i = 0; i < 2; i++) {
        float *power = measure_real_sine(e, formats[i]);
        expect_db("upper line", to_db((double)power[N / 2 + 101]), -6.0206, 0.001);
        expect_db("lower line", to_db((double)power[N / 2 - 101]), -6.0206, 0.001);
        expect_db("both", to_db(mean_of(power, N) * N / 1.5), -3.0103, 0.001);
        free(power);
    }
    fft_engine_close(e);
}

/*
 * A receiver whose Q has the gain g and the phase error phi makes an image of each signal, at minus
 * its frequency: 10 log10((1 - 2 g cos phi + g^2) / (1 + 2 g cos phi + g^2)) dB below it.
 */
static void the_image_of_an_unbalanced_receiver_is_that_of_the_formula(void **state)
{
    static const struct {
        double gain, phase_deg, image_db;
    } table[] = {{1.1, 0, -26.44}, {1, 5, -27.20}, {1.05, 3, -28.93}, {0.9, 0, -25.58}};
    struct fft_engine *e = test_engine_open(state);
    const struct setup m = {N, N, 1, FFT_IQ_CF32, "hann", FFT_DETECTOR_MEAN};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const double g = table[i].gain, phase = table[i].phase_deg * M_PI / 180;
        alignas(8) struct fft_iq iq[N];
        for (int t = 0; t < N; t++) {
            const double angle = 2 * M_PI * 101 * t / N;
            iq[t] = (struct fft_iq){(float)cos(angle), (float)(g * sin(angle + phase))};
        }
        float *power = measure(e, &m, iq);
        const double image_db =
            10 * log10((1 - 2 * g * cos(phase) + g * g) / (1 + 2 * g * cos(phase) + g * g));
        const double got_db = to_db((double)power[N / 2 - 101] / (double)power[N / 2 + 101]);
        expect_db("formula", image_db, table[i].image_db, 0.01);
        expect_db("image", got_db, table[i].image_db, 0.01);
        free(power);
    }
    fft_engine_close(e);
}

/* Products of third order would be at 2 f1 - f2 and 2 f2 - f1, those of second order at f1 - f2. */
static void two_tones_make_no_other_one_above_minus_110_dbfs(void **state)
{
    enum { LONG = 4096, F1 = 700, F2 = 850 };
    struct fft_engine *e = test_engine_open(state);
    const struct setup m = {LONG, LONG, 1, FFT_IQ_CF32, "kaiser(14)", FFT_DETECTOR_MEAN};
    struct fft_iq *iq = signal_tone(FFT_IQ_CF32, LONG, 0.5, (double)F1 / LONG);
    struct fft_iq *second = signal_tone(FFT_IQ_CF32, LONG, 0.5, (double)F2 / LONG);
    for (int t = 0; t < LONG; t++) {
        iq[t].re += second[t].re;
        iq[t].im += second[t].im;
    }
    float *power = measure(e, &m, iq);
    for (int k = -LONG / 2; k < LONG / 2; k++) {
        const double db = to_db((double)power[LONG / 2 + k] + 1e-30);
        if (k == F1 || k == F2)
            expect_db("tone", db, -6.0206, 0.001);
        else if (abs(k - F1) > 10 && abs(k - F2) > 10 && !(db < -110))
            fail_msg("bin %d: %.1f dBFS", k, db);
    }
    free(power);
    free(second);
    free(iq);
    fft_engine_close(e);
}

/* A tone of power P and noise of density P per Hz differ by the noise bandwidth of a bin. */
static void noise_reads_its_density_times_the_rbw_above_a_tone_of_its_density(void **state)
{
    enum { FRAMES = 300 };
    struct fft_engine *e = test_engine_open(state);
    for (int w = 0; w < GOLDEN_WINDOWS; w++) {
        const struct golden_window *golden = &golden_windows[w];
        const double rate_hz = 48e3, density = 1e-8; /* per Hz */
        const struct setup m = {N, N, FRAMES, FFT_IQ_CF32, golden->text, FFT_DETECTOR_MEAN};
        void *raw = signal_noise(FFT_IQ_CF32, setup_samples(&m), density * rate_hz, 3);
        float *power = measure(e, &m, raw);
        const double rbw_hz = golden->enbw_bins * rate_hz / N;
        expect_db(golden->text, to_db(mean_of(power, N)), to_db(density) + to_db(rbw_hz), 0.05);
        free(power);
        free(raw);
    }
    fft_engine_close(e);
}

/*
 * The power of Gaussian noise in a bin is exponential: exp(-P / mean) of the frames are above P.
 * Each row of the density has its part, within five times the spread of a count.
 */
static void the_density_of_noise_is_the_exponential_distribution(void **state)
{
    enum { FRAMES = 2000, SHORT = 256, LEVELS = 40, TOP_DB = 12 };
    struct fft_engine *e = test_engine_open(state);
    float *window = test_window(FFT_WINDOW_RECT, SHORT);
    const struct fft_spectrum_config plan = {.n = SHORT,
                                             .hop = SHORT,
                                             .max_frames = 100,
                                             .depth = 1,
                                             .format = FFT_IQ_CF32,
                                             .window = window,
                                             .density = {SHORT, LEVELS, TOP_DB, 1}};
    /* The sum of the window is 1, so a bin has 1 / SHORT of the power: 0 dB. */
    void *raw = signal_noise(FFT_IQ_CF32, (uint64_t)FRAMES * SHORT, SHORT, 8);
    struct fft_fold *fold = test_run(e, &plan, raw, FRAMES);
    const uint64_t *hits = fft_fold_hits(fold);
    for (uint32_t row = 0; row < LEVELS; row++) {
        const double above = row ? exp(-pow(10, (TOP_DB - (double)row) / 10)) : 0;
        const double below = row + 1 < LEVELS ? exp(-pow(10, (TOP_DB - (double)row - 1) / 10)) : 1;
        const double all = (double)FRAMES * SHORT, want = (below - above) * all;
        double got = 0;
        for (uint32_t c = 0; c < SHORT; c++)
            got += (double)hits[c * LEVELS + row];
        if (!(fabs(got - want) <= 5 * sqrt(want) + 1))
            fail_msg("row %u: %.0f hits, not %.0f", row, got, want);
    }
    fft_fold_destroy(fold);
    free(raw);
    free(window);
    fft_engine_close(e);
}

static int run_level_tests(struct test_engine *state)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(
            a_real_full_scale_sine_reads_minus_6_02_dbfs_in_each_line_and_minus_3_01_in_all, state),
        cmocka_unit_test_prestate(the_image_of_an_unbalanced_receiver_is_that_of_the_formula,
                                  state),
        cmocka_unit_test_prestate(two_tones_make_no_other_one_above_minus_110_dbfs, state),
        cmocka_unit_test_prestate(noise_reads_its_density_times_the_rbw_above_a_tone_of_its_density,
                                  state),
        cmocka_unit_test_prestate(the_density_of_noise_is_the_exponential_distribution, state),
    };
    if (strcmp(state->engine, "cpu") != 0) /* test_conformance compares the others with it */
        return 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void)
{
    return test_engine_each_once(run_level_tests);
}
