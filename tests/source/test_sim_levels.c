/*
 * test_sim_levels.c - the simulated scene has the levels that daemon/source/sim/scene.h documents.
 *
 * Direct sums in double precision measure them. The numbers are copied from the table by hand.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/source/source_support.h"

#include "fft/iq.h"

enum { P = 65536 }; /* samples a block at 48 kS/s; everything is a fraction of the rate */

struct point {
    double re, im;
};

/* One block of a scene as numbers, by the table of iq.h; [P], to be freed. */
static struct point *scene(const char *device, const char *format)
{
    const struct source_config config = {.source = "sim",
                                         .device = device,
                                         .format = format,
                                         .tuning = {.center_hz = NAN, .rate_hz = 48000}};
    struct source *s = open_source(&config);
    int err = 0;
    struct bytes raw = read_samples(s, P, P, &err);
    struct point *x = calloc(P, sizeof *x);
    for (size_t i = 0; i < (size_t)2 * P; i++) {
        double *value = i % 2 ? &x[i / 2].im : &x[i / 2].re;
        if (s->stream.format == FFT_IQ_CU8)
            *value = (raw.at[i] - 127.5) / 127.5;
        else if (s->stream.format == FFT_IQ_CS8)
            *value = ((int8_t *)raw.at)[i] / 128.0;
        else if (s->stream.format == FFT_IQ_CS16)
            *value = ((int16_t *)raw.at)[i] / 32768.0;
        else
            *value = ((float *)raw.at)[i];
    }
    drop(&raw);
    source_destroy(s);
    return x;
}

/* Level of one frequency (a fraction of the rate) in count samples, 0 dB = amplitude 1. */
static double level_db(const struct point *x, uint32_t count, double frequency)
{
    double re = 0, im = 0;
    for (uint32_t i = 0; i < count; i++) {
        const double turn = frequency * i, c = cos(2 * M_PI * turn), s = sin(2 * M_PI * turn);
        re += x[i].re * c + x[i].im * s;
        im += x[i].im * c - x[i].re * s;
    }
    return 10 * log10((re * re + im * im) / count / count + 1e-30);
}

static double power_db(const struct point *x, uint32_t count)
{
    double sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += x[i].re * x[i].re + x[i].im * x[i].im;
    return 10 * log10(sum / count + 1e-30);
}

static void expect_db(double got, double wanted, double tolerance)
{
    if (!(fabs(got - wanted) <= tolerance))
        fail_msg("%.3f dB, wanted %.3f +- %.3f", got, wanted, tolerance);
}

static void the_carrier_reads_minus_20_dbfs_at_an_eighth_of_the_rate(void **state)
{
    (void)state;
    static const char *const formats[] = {"cu8", "cs8", "cs16", "cf32"};
    for (int i = 0; i < 4; i++) {
        struct point *x = scene("", formats[i]);
        expect_db(level_db(x, P, 1.0 / 8), -20, 0.1);
        free(x);
    }
}

static void the_hopper_reads_minus_15_dbfs_in_each_of_its_dwells(void **state)
{
    (void)state;
    static const int channels[16] = {5, 2, 7, 0, 3, 6, 1, 4, 0, 4, 1, 5, 2, 6, 3, 7};
    struct point *x = scene("", "cs16");
    for (int d = 0; d < 16; d++) {
        expect_db(level_db(x + d * P / 16, P / 16, -(1 + channels[d]) / 64.0), -15, 0.1);
        expect_db(fmax(level_db(x + d * P / 16, P / 16, -(1 + (channels[d] + 3) % 8) / 64.0), -50),
                  -50, 0.1); /* and not in another channel */
    }
    free(x);
}

static void each_burst_reads_minus_30_dbfs_and_the_pause_nothing(void **state)
{
    (void)state;
    struct point *x = scene("", "cf32");
    for (uint32_t j = 0; j < 8; j++) {
        const uint32_t begin = j * P / 8 + P / 16, edge = P / 4096, length = P / 128;
        expect_db(level_db(x + begin + edge, length - 2 * edge, 5.0 / 16), -30, 0.4);
        assert_true(level_db(x + begin + length, P / 16 - length, 5.0 / 16) < -60);
        assert_true(level_db(x + j * P / 8, P / 16, 5.0 / 16) < -60);
    }
    free(x);
}

/* Correlated with the sweep of the table. */
static void the_chirp_reads_minus_35_dbfs_along_its_sweep(void **state)
{
    (void)state;
    const double from = 0.375, to = 0.46875, n = P / 4.0;
    struct point *x = scene("", "cf32");
    for (uint32_t sweep = 0; sweep < 4; sweep++) {
        double re = 0, im = 0;
        for (uint32_t i = 0; i < P / 4; i++) {
            const struct point p = x[sweep * P / 4 + i];
            const double angle = 2 * M_PI * (from * i + (to - from) / n * i * i / 2);
            re += p.re * cos(angle) + p.im * sin(angle);
            im += p.im * cos(angle) - p.re * sin(angle);
        }
        expect_db(10 * log10((re * re + im * im) / n / n), -35, 0.1);
        assert_true(fabs(im / re) < 0.05); /* phase 0 at the start */
    }
    free(x);
}

/* All lines between -0.25 +- 0.03 of the rate, by direct sums of 1024 samples at several positions.
 */
static void the_fm_station_holds_minus_25_dbfs_in_its_band(void **state)
{
    (void)state;
    enum { N = 1024, WINDOWS = 16 };
    struct point *x = scene("", "cf32");
    double power = 0, outside = 0;
    for (int w = 0; w < WINDOWS; w++) {
        const struct point *at = x + w * P / WINDOWS + 300;
        for (int k = -64; k <= 64; k++) {
            const double line = pow(10, level_db(at, N, -0.25 + k / (double)N) / 10);
            *(abs(k) <= 32 ? &power : &outside) += line / WINDOWS;
        }
    }
    expect_db(10 * log10(power), -25, 0.1);
    assert_true(10 * log10(outside) < -45);
    free(x);
}

/* The frequency follows the two sounds. The phase steps give it, since other signals are weak. */
static void the_fm_station_deviates_as_the_table_says(void **state)
{
    (void)state;
    struct point *x = scene("", "cf32");
    const double f1 = round(P / 2400.0) / P, f2 = round(P / 700.0) / P;
    double re = 0, im = 0;
    for (uint32_t i = 0; i < P; i++) {
        const double swing =
            -0.02 / f1 * cos(2 * M_PI * f1 * i) - 0.008 / f2 * cos(2 * M_PI * f2 * i);
        const double angle = -M_PI / 2 * i + swing;
        re += x[i].re * cos(angle) + x[i].im * sin(angle);
        im += x[i].im * cos(angle) - x[i].re * sin(angle);
    }
    expect_db(10 * log10((re * re + im * im) / P / P), -25, 0.1);
    free(x);
}

/* Where nothing else is (0.49 .. -0.35 of the rate): lines of 1024 hold 1/1024 of the noise each.
 */
static void the_noise_floor_is_minus_50_dbfs_over_the_whole_rate(void **state)
{
    (void)state;
    enum { N = 1024, LINES = 32, WINDOWS = 64 };
    struct point *x = scene("", "cf32");
    double power = 0;
    for (int w = 0; w < WINDOWS; w++) {
        const struct point *at = x + w * P / WINDOWS;
        struct point windowed[N];
        for (int i = 0; i < N;
             i++) { /* Hann, sum of squares 1: others do not leak into the floor */
            const double weight = (1 - cos(2 * M_PI * i / N)) / sqrt(1.5);
            windowed[i] = (struct point){at[i].re * weight, at[i].im * weight};
        }
        for (int k = 0; k < LINES; k++)
            power += pow(10, level_db(windowed, N, -0.45 + k / (double)N) / 10);
    }
    expect_db(10 * log10(power / WINDOWS / LINES * N), -50, 0.5); /* 2048 values: sigma 0.1 dB */
    free(x);
}

static void white_noise_has_its_power_and_no_preferred_phase(void **state)
{
    (void)state;
    struct point *x = scene("scene=noise,level=-10", "cf32");
    double re2 = 0, im2 = 0, cross = 0, fourth = 0;
    expect_db(power_db(x, P), -10, 0.1);
    for (uint32_t i = 0; i < P; i++) {
        const double power = x[i].re * x[i].re + x[i].im * x[i].im;
        re2 += x[i].re * x[i].re / P;
        im2 += x[i].im * x[i].im / P;
        cross += x[i].re * x[i].im / P;
        fourth += power * power / P;
    }
    expect_db(10 * log10(re2 / im2), 0, 0.1);
    assert_true(fabs(cross) < 0.02 * re2);
    assert_true(fabs(fourth / 0.01 - 2) < 0.1); /* <|x|^4> = 2 <|x|^2>^2: complex Gaussian */
    free(x);
}

static void a_tone_has_the_level_and_the_frequency_asked_for(void **state)
{
    (void)state;
    struct point *x = scene("scene=tone", "cf32");
    expect_db(level_db(x, P, 0.125), 0, 0.001);
    expect_db(power_db(x, P), 0, 0.001);
    free(x);
    x = scene("scene=tone,level=-6.0206,offset=-12k", "cs16");
    expect_db(level_db(x, P, -0.25), -6.0206, 0.001);
    free(x);
    x = scene("scene=tone,level=20,offset=12k", "cf32"); /* floats are not clamped */
    expect_db(level_db(x, P, 0.25), 20, 0.001);
    free(x);
    x = scene("scene=tone,level=-20,offset=1k,noise=-40", "cf32");
    expect_db(level_db(x, P, round(P / 48.0) / P), -20, 0.01);
    expect_db(power_db(x, P), 10 * log10(0.01 + 0.0001), 0.01);
    free(x);
}

/* At higher rates the block is larger; the same fractions apply. */
static void the_scene_scales_with_the_rate(void **state)
{
    (void)state;
    const struct source_config config = {.source = "sim",
                                         .tuning = {.center_hz = NAN, .rate_hz = 300e3}};
    enum { LARGE = 4 * P };
    struct source *s = open_source(&config);
    int err = 0;
    struct bytes raw = read_samples(s, LARGE + 4, 4096, &err);
    const int16_t *raw16 = (const int16_t *)raw.at;
    struct point *x = calloc(LARGE, sizeof *x);
    for (size_t i = 0; i < LARGE; i++)
        x[i] = (struct point){raw16[2 * i] / 32768.0, raw16[2 * i + 1] / 32768.0};
    assert_memory_equal(raw.at, raw.at + (size_t)4 * LARGE, 16);
    expect_db(level_db(x, LARGE, 0.125), -20, 0.1);
    expect_db(level_db(x, LARGE / 16, -6 / 64.0), -15, 0.1);
    drop(&raw);
    free(x);
    source_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_carrier_reads_minus_20_dbfs_at_an_eighth_of_the_rate),
        cmocka_unit_test(the_hopper_reads_minus_15_dbfs_in_each_of_its_dwells),
        cmocka_unit_test(each_burst_reads_minus_30_dbfs_and_the_pause_nothing),
        cmocka_unit_test(the_chirp_reads_minus_35_dbfs_along_its_sweep),
        cmocka_unit_test(the_fm_station_holds_minus_25_dbfs_in_its_band),
        cmocka_unit_test(the_fm_station_deviates_as_the_table_says),
        cmocka_unit_test(the_noise_floor_is_minus_50_dbfs_over_the_whole_rate),
        cmocka_unit_test(white_noise_has_its_power_and_no_preferred_phase),
        cmocka_unit_test(a_tone_has_the_level_and_the_frequency_asked_for),
        cmocka_unit_test(the_scene_scales_with_the_rate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
