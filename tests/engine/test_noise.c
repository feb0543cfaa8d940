/*
 * test_noise.c - checks Gaussian noise against theory: level, mean logarithm, hold, averaging.
 *
 * The power of noise in a bin has an exponential distribution. Relative to the mean, the expected
 * maximum of K values is the harmonic number H_K, the minimum is 1/K, and the mean of the logarithm
 * is 2.507 dB low. Overlap: P. D. Welch 1967. All input is seeded.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "tests/support/engine/golden.h"
#include "tests/support/engine/level.h"
#include "tests/support/engine/signal.h"

enum { N = 1024 };

/*
 * A bin of a tone-scaled spectrum contains the noise of ENBW bins: mean power * ENBW / n. The sum
 * over all bins, divided by ENBW, is therefore the mean power (Parseval). The density per Hz is the
 * bin's level minus 10 log10(ENBW * rate / n). The standard deviation of the mean is 0.02 dB here;
 * the tolerance is four of them.
 */
static void noise_reads_its_power_times_enbw_in_every_window_and_format(void **state)
{
    struct fft_engine *e = test_engine_open(state);
    for (unsigned format = 0; format < FFT_IQ_FORMATS; format++) {
        struct setup m = {N, N / 2, 100, (enum fft_iq_format)format, NULL, FFT_DETECTOR_MEAN};
        m.window = "rect";
        if (!can_measure(e, &m))
            continue;
        void *raw = signal_noise(m.format, setup_samples(&m), 0.01, 11);
        const double power = signal_power(m.format, raw, setup_samples(&m));
        for (int w = 0; w < GOLDEN_WINDOWS; w++) {
            m.window = golden_windows[w].text;
            float *bins = measure(e, &m, raw);
            const double got = mean_of(bins, N);
            expect_db(m.window, to_db(got), to_db(power / N) + golden_windows[w].enbw_db, 0.08);
            expect_db("Parseval", to_db(got * N / golden_windows[w].enbw_bins), to_db(power), 0.08);
            free(bins);
        }
        free(raw);
    }
    fft_engine_close(e);
}

/* Parseval's theorem is exact for a rectangular window without overlap. */
static void the_sum_of_all_bins_is_the_mean_power(void **state)
{
    struct fft_engine *e = test_engine_open(state);
    for (unsigned format = 0; format < FFT_IQ_FORMATS; format++)
        for (uint32_t n = FFT_SPECTRUM_MIN_N; n <= 65536; n *= 4) {
            const struct setup m = {n, n, 2, (enum fft_iq_format)format, "rect", FFT_DETECTOR_MEAN};
            if (!can_measure(e, &m))
                continue;
            void *raw = signal_noise(m.format, setup_samples(&m), 0.1, n);
            float *bins = measure(e, &m, raw);
            expect_db("Parseval", to_db(mean_of(bins, n) * n),
                      to_db(signal_power(m.format, raw, setup_samples(&m))), 1e-5);
            free(bins);
            free(raw);
        }
    fft_engine_close(e);
}

/* Noise is flat in 16 parts of the band: no slope, no step at the centre or the edges. */
static void noise_is_flat(void **state)
{
    struct fft_engine *e = test_engine_open(state);
    const struct setup m = {N, N, 400, FFT_IQ_CS16, "hann", FFT_DETECTOR_MEAN};
    skip_unless(e, can_measure(e, &m));
    void *raw = signal_noise(m.format, setup_samples(&m), 0.01, 12);
    float *bins = measure(e, &m, raw);
    for (int part = 0; part < 16; part++)
        expect_db("part", to_db(mean_of(bins + part * N / 16, N / 16)), to_db(mean_of(bins, N)),
                  0.15);
    free(bins);
    free(raw);
    fft_engine_close(e);
}

static void the_mean_level_of_noise_is_2_507_db_below_its_mean_power(void **state)
{
    struct fft_engine *e = test_engine_open(state);
    const struct setup m = {65536, 65536, 1, FFT_IQ_CF32, "rect", FFT_DETECTOR_SAMPLE};
    skip_unless(e, can_measure(e, &m));
    void *raw = signal_noise(m.format, m.n, 1, 13);
    float *bins = measure(e, &m, raw);
    double sum = 0, squares = 0;
    for (uint32_t k = 0; k < m.n; k++) {
        const double db = to_db((double)bins[k]);
        sum += db / m.n;
        squares += db * db / m.n;
    }
    expect_db("log mean", sum - to_db(mean_of(bins, m.n)), -2.507, 0.08);
    expect_db("log sigma", sqrt(squares - sum * sum), 5.57, 0.08);
    free(bins);
    free(raw);
    fft_engine_close(e);
}

static void check_hold_law(struct fft_engine *e, uint32_t n, uint32_t frames)
{
    struct setup m = {n, n, frames, FFT_IQ_CF32, "rect", FFT_DETECTOR_MIN};
    if (!can_measure(e, &m))
        return;
    m.detector = FFT_DETECTOR_MAX;
    void *raw = signal_noise(m.format, setup_samples(&m), 1, frames);
    double harmonic = 0;
    for (uint32_t k = 1; k <= frames; k++)
        harmonic += 1.0 / k;

    float *max = measure(e, &m, raw);
    m.detector = FFT_DETECTOR_MIN;
    float *min = measure(e, &m, raw);
    expect_db("max hold", to_db(mean_of(max, n) * n), to_db(harmonic), 10 / sqrt(n));
    expect_db("min hold", to_db(mean_of(min, n) * n), to_db(1.0 / frames), 15 / sqrt(n));
    free(max);
    free(min);
    free(raw);
}

static void max_hold_grows_by_the_harmonic_number_and_min_hold_falls_by_k(void **state)
{
    struct fft_engine *e = test_engine_open(state);
    check_hold_law(e, 16384, 10);  /* 4.67 dB */
    check_hold_law(e, 4096, 100);  /* 7.15 dB */
    check_hold_law(e, 1024, 1000); /* 8.74 dB */
    check_hold_law(e, 256, 10000); /* 9.91 dB */
    fft_engine_close(e);
}

/* Overlapped frames are correlated: their mean varies like that of fewer frames, K_eff. */
static void the_averaging_gain_of_overlapped_frames_matches_theory(void **state)
{
    static const struct {
        const char *window;
        double half, quarter; /* K_eff / K at 50 % and 75 % overlap */
    } law[] = {
        {"rect", .667, .364},
        {"hann", .947, .520},
        {"blackman-harris", .997, .701},
        {"flat-top", 1.0, .995},
    };
    enum { LONG = 32768, FRAMES = 48 };
    struct fft_engine *e = test_engine_open(state);
    const struct setup first = {LONG, LONG / 2, FRAMES, FFT_IQ_CF32, "rect", FFT_DETECTOR_MEAN};
    skip_unless(e, can_measure(e, &first));
    void *raw = signal_noise(FFT_IQ_CF32, (uint64_t)LONG * FRAMES, 1, 14);
    for (size_t i = 0; i < 2 * sizeof law / sizeof law[0]; i++) {
        const uint32_t hop = i % 2 ? LONG / 4 : LONG / 2;
        const struct setup m = {
            LONG, hop, FRAMES, FFT_IQ_CF32, law[i / 2].window, FFT_DETECTOR_MEAN};
        float *bins = measure(e, &m, raw);
        const double mean = mean_of(bins, LONG);
        double variance = 0;
        for (uint32_t k = 0; k < LONG; k++)
            variance += pow((double)bins[k] / mean - 1, 2) / LONG;
        const double got = 1 / variance / FRAMES,
                     want = i % 2 ? law[i / 2].quarter : law[i / 2].half;
        if (!(fabs(got / want - 1) < 0.06))
            fail_msg("%s: K_eff/K = %.3f, not %.3f", m.window, got, want);
        free(bins);
    }
    free(raw);
    fft_engine_close(e);
}

static int run_noise_tests(struct test_engine *state)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(noise_reads_its_power_times_enbw_in_every_window_and_format,
                                  state),
        cmocka_unit_test_prestate(the_sum_of_all_bins_is_the_mean_power, state),
        cmocka_unit_test_prestate(noise_is_flat, state),
        cmocka_unit_test_prestate(the_mean_level_of_noise_is_2_507_db_below_its_mean_power, state),
        cmocka_unit_test_prestate(max_hold_grows_by_the_harmonic_number_and_min_hold_falls_by_k,
                                  state),
        cmocka_unit_test_prestate(the_averaging_gain_of_overlapped_frames_matches_theory, state),
    };
    if (state->threads > 1) /* test_conformance covers several threads */
        return 0;
    print_message("engine %s %s\n", state->engine, state->isa ? state->isa : "");
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void)
{
    return test_engine_each(run_noise_tests);
}
