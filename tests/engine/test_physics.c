/*
 * test_physics.c - checks levels of tones, converters and the density against theory.
 *
 * Sources: F. J. Harris 1978 (windows), Heinzel et al. 2002 (scaling).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/engine/golden.h"
#include "tests/support/engine/level.h"
#include "tests/support/engine/signal.h"

enum { N = 1024 };

static const double level_db = 0.02; /* tolerance of a level */

/* ---- tones ------------------------------------------------------------------------------ */

/* The level in bin `read` of a tone at bin `bins`; both count from the centre. */
static double tone_db(struct fft_engine *e, const struct setup *m, double amplitude, double bins,
                      int read)
{
    void *raw = signal_tone(m->format, m->n, amplitude, bins / m->n);
    float *power = measure(e, m, raw);
    const double db = to_db((double)power[(int)m->n / 2 + read]);
    free(power);
    free(raw);
    return db;
}

static struct setup one_frame(enum fft_iq_format format, const char *window)
{
    return (struct setup){N, N, 1, format, window, FFT_DETECTOR_MEAN};
}

static void full_scale_float_tone_reads_0_dbfs_in_its_bin(void **state)
{
    static const int bins[] = {-512, -511, -1, 0, 1, 101, 256, 511};
    struct fft_engine *e = test_engine_open(state);
    for (int w = 0; w < GOLDEN_WINDOWS; w++)
        for (size_t i = 0; i < sizeof bins / sizeof bins[0]; i++) {
            const struct setup m = one_frame(FFT_IQ_CF32, golden_windows[w].text);
            if (can_measure(e, &m))
                expect_db(m.window, tone_db(e, &m, 1, bins[i], bins[i]), 0, level_db);
        }
    fft_engine_close(e);
}

static void integer_tone_at_half_scale_reads_minus_6_02_dbfs(void **state)
{
    struct fft_engine *e = test_engine_open(state);
    for (unsigned format = FFT_IQ_CU8; format <= FFT_IQ_CS16; format++)
        for (int w = 0; w < GOLDEN_WINDOWS; w++) {
            const struct setup m = one_frame((enum fft_iq_format)format, golden_windows[w].text);
            if (!can_measure(e, &m))
                continue;
            expect_db(m.window, tone_db(e, &m, 0.5, 101, 101), -6.02, level_db);
            expect_db(m.window, tone_db(e, &m, 0.5, -303, -303), -6.02, level_db);
        }
    fft_engine_close(e);
}

static void tone_between_two_bins_reads_the_windows_scalloping_loss(void **state)
{
    struct fft_engine *e = test_engine_open(state);
    for (unsigned format = 0; format < FFT_IQ_FORMATS; format++)
        for (int w = 0; w < GOLDEN_WINDOWS; w++) {
            const struct setup m = one_frame((enum fft_iq_format)format, golden_windows[w].text);
            if (!can_measure(e, &m))
                continue;
            const double want = -6.0206 - golden_windows[w].scalloping_db;
            expect_db(m.window, tone_db(e, &m, 0.5, 100.5, 100), want, level_db);
            expect_db(m.window, tone_db(e, &m, 0.5, 100.5, 101), want, level_db);
        }
    fft_engine_close(e);
}

/* Through a good window, only rounding errors may appear far from a tone. */
static void leakage_far_from_a_tone_is_below_minus_104_dbfs(void **state)
{
    struct fft_engine *e = test_engine_open(state);
    const struct setup m = {4096, 4096, 1, FFT_IQ_CF32, "kaiser(14)", FFT_DETECTOR_MEAN};
    skip_unless(e, can_measure(e, &m));
    void *raw = signal_tone(FFT_IQ_CF32, m.n, 1, 1000.3 / m.n);
    float *power = measure(e, &m, raw);
    for (int k = 0; k < (int)m.n; k++)
        if (abs(k - (int)m.n / 2 - 1000) > 10)
            assert_true(to_db((double)power[k]) < -104);
    free(power);
    free(raw);
    fft_engine_close(e);
}

static void both_rails_read_up_to_plus_3_01_dbfs(void **state)
{
    static const struct complex64 rails = {-9, -9}; /* the converter clips it */
    struct fft_engine *e = test_engine_open(state);
    for (unsigned format = FFT_IQ_CU8; format <= FFT_IQ_CS16; format++) {
        const struct setup m = one_frame((enum fft_iq_format)format, "hann");
        if (!can_measure(e, &m))
            continue;
        void *raw = signal_tone(m.format, N, 0, 0);
        for (int i = 0; i < N; i++)
            signal_put(m.format, raw, (uint64_t)i, rails);
        float *power = measure(e, &m, raw);
        expect_db(fft_iq_name(m.format), to_db((double)power[N / 2]), 3.0103, 0.001);
        free(power);
        free(raw);
    }
    fft_engine_close(e);
}

static void floats_far_over_full_scale_are_neither_clamped_nor_wrapped(void **state)
{
    static const double levels_db[] = {59, 200, 340, -200};
    struct fft_engine *e = test_engine_open(state);
    for (size_t i = 0; i < sizeof levels_db / sizeof levels_db[0]; i++) {
        const struct setup m = one_frame(FFT_IQ_CF32, "blackman-harris");
        if (!can_measure(e, &m))
            continue;
        const double amplitude = pow(10, levels_db[i] / 20);
        expect_db("far", tone_db(e, &m, amplitude, -77, -77), levels_db[i], level_db);
    }
    fft_engine_close(e);
}

/* ---- quantisers ------------------------------------------------------------------------- */

/*
 * The error of an ideal b-bit converter has a power of 2/12 LSB^2: 10 log10(12 / (2 * 4 / 4^b)) dB
 * below full scale (SQNR). With a Hann window of 4096, each bin is SQNR + 10 log10(4096 / 1.5) dB
 * below full scale.
 */
static void check_quantiser(struct fft_engine *e, int bits, enum fft_iq_format format,
                            double sqnr_db, double floor_db)
{
    const struct setup m = {4096, 4096, 8, format, "hann", FFT_DETECTOR_MEAN};
    if (!can_measure(e, &m))
        return;
    const uint64_t samples = setup_samples(&m);
    const double steps = pow(2, bits - 1), cycles = 1025.0 / m.n;
    void *raw = signal_tone(format, samples, 0, 0);
    double sum = 0;
    struct fft_iq *noise = signal_noise(FFT_IQ_CF32, samples, 1e-4, 15);

    /* The tone stays off the rails; a little noise is added. */
    for (uint64_t t = 0; t < samples; t++) {
        const double angle = 2 * M_PI * fmod(cycles * (double)t, 1);
        struct complex64 v = {0.99 * cos(angle) + (double)noise[t].re * 1e-6,
                              0.99 * sin(angle) + (double)noise[t].im * 1e-6};
        v.re = rint(v.re * steps) / steps;
        v.im = rint(v.im * steps) / steps;
        signal_put(format, raw, t, v);
    }
    float *bins = measure(e, &m, raw);
    for (int k = 0; k < (int)m.n; k++)
        sum += abs(k - (int)m.n / 2 - 1025) > 2 ? (double)bins[k] : 0;
    expect_db("floor", to_db(sum / (m.n - 5)), floor_db, 0.5);
    expect_db("SQNR", -to_db(sum / 1.5), sqnr_db, 0.5);
    free(bins);
    free(noise);
    free(raw);
}

static void an_ideal_quantiser_shows_its_noise_floor(void **state)
{
    struct fft_engine *e = test_engine_open(state);
    check_quantiser(e, 8, FFT_IQ_CS8, 49.93, -84.3);
    check_quantiser(e, 12, FFT_IQ_CS16, 74.01, -108.4);
    check_quantiser(e, 14, FFT_IQ_CS16, 86.05, -120.4);
    check_quantiser(e, 16, FFT_IQ_CS16, 98.09, -132.5);
    check_quantiser(e, 16, FFT_IQ_CF32, 98.09, -132.5);
    fft_engine_close(e);
}

/* ---- density ---------------------------------------------------------------------------- */

/* The tone is on in every tenth frame: 10 % of the hits are at its level. */
static void density_shows_a_tones_duty_cycle(void **state)
{
    enum { FRAMES = 1000, LEVELS = 100, BIN = N / 2 + 37 };
    struct fft_engine *e = test_engine_open(state);
    float *window = test_window(FFT_WINDOW_HANN, N);
    const struct fft_spectrum_config plan = {.n = N,
                                             .hop = N,
                                             .max_frames = 300,
                                             .depth = 2,
                                             .format = FFT_IQ_CS8,
                                             .window = window,
                                             .density = {N, LEVELS, 0, 1}};
    if (!test_engine_does(e, &plan)) {
        free(window);
        skip_unless(e, false);
    }
    int8_t *raw = calloc((size_t)FRAMES * N, 2);
    for (size_t f = 0; f < FRAMES; f += 10) {
        void *tone = signal_tone(FFT_IQ_CS8, N, 0.5, 37.0 / N);
        memcpy(raw + f * N * 2, tone, (size_t)N * 2);
        free(tone);
    }
    struct fft_fold *fold = test_run(e, &plan, raw, FRAMES);
    const uint64_t *hits = fft_fold_hits(fold) + (size_t)BIN * LEVELS;
    assert_int_equal(hits[6], FRAMES / 10);              /* -6.02 dBFS: row 6 holds -6 .. -7 */
    assert_int_equal(hits[LEVELS - 1], FRAMES * 9 / 10); /* silence */
    fft_fold_destroy(fold);
    free(window);
    free(raw);
    fft_engine_close(e);
}

static int run_physics_tests(struct test_engine *state)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(full_scale_float_tone_reads_0_dbfs_in_its_bin, state),
        cmocka_unit_test_prestate(integer_tone_at_half_scale_reads_minus_6_02_dbfs, state),
        cmocka_unit_test_prestate(tone_between_two_bins_reads_the_windows_scalloping_loss, state),
        cmocka_unit_test_prestate(leakage_far_from_a_tone_is_below_minus_104_dbfs, state),
        cmocka_unit_test_prestate(both_rails_read_up_to_plus_3_01_dbfs, state),
        cmocka_unit_test_prestate(floats_far_over_full_scale_are_neither_clamped_nor_wrapped,
                                  state),
        cmocka_unit_test_prestate(an_ideal_quantiser_shows_its_noise_floor, state),
        cmocka_unit_test_prestate(density_shows_a_tones_duty_cycle, state),
    };
    if (state->threads > 1) /* test_conformance covers several threads */
        return 0;
    print_message("engine %s %s\n", state->engine, state->isa ? state->isa : "");
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void)
{
    return test_engine_each(run_physics_tests);
}
