/* test_statistics.c - percentiles of bins, and what theory says of those of noise. */
#include <stdlib.h>
#include <string.h>

#include "daemon/line/statistics.h"
#include "tests/support/measure/measure_fixture.h"

static int ascending(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Powers over 200 dB, many of them equal, against a sorted copy. */
static void a_percentile_is_that_of_the_sorted_values(void **state)
{
    (void)state;
    float values[1001], sorted[1001];
    uint32_t seed = 1;
    for (int i = 0; i < 1001; i++) {
        seed = seed * 1664525 + 1013904223;
        values[i] = sorted[i] = i % 10 ? (float)pow(10, (double)(seed >> 16) / 65536 * 20 - 19) : 0;
    }
    qsort(sorted, 1001, sizeof *sorted, ascending);
    for (int percent = 0; percent <= 100; percent += 5)
        assert_true(statistics_percentile(values, 1001, percent) == sorted[percent * 10]);
    assert_true(statistics_percentile(values + 1, 1, 50) == values[1]);
}

/* So many that a sample of them says where to look; a sample that misleads must not matter. */
static void a_percentile_of_many_values_is_exact(void **state)
{
    (void)state;
    enum { MANY = 1 << 20, STRIDE = 31 };
    static const double percents[] = {0, 0.001, 10, 50, 99.9, 99.9999, 100};
    float *values = malloc(MANY * sizeof *values), *sorted = malloc(MANY * sizeof *sorted);
    assert_true(values && sorted);
    uint32_t seed = 1;
    for (int misleads = 0; misleads < 2; misleads++) {
        for (uint32_t i = 0; i < MANY; i++) {
            seed = seed * 1664525 + 1013904223;
            values[i] = -logf(((float)(seed >> 8) + 1) / 16777217.0F);
            values[i] *= misleads && i % STRIDE == 0 ? 1000 : 1;
        }
        memcpy(sorted, values, MANY * sizeof *values);
        qsort(sorted, MANY, sizeof *sorted, ascending);
        for (size_t i = 0; i < sizeof percents / sizeof percents[0]; i++) {
            const uint32_t rank = (uint32_t)(percents[i] / 100 * (MANY - 1) + 0.5);
            assert_true(statistics_percentile(values, MANY, percents[i]) == sorted[rank]);
        }
    }
    const struct line_bins gap = {0, 9}; /* the ten strongest, below */
    memcpy(values, sorted + MANY - 10, 10 * sizeof *values);
    memcpy(values + 10, sorted, (MANY - 10) * sizeof *values);
    assert_true(statistics_percentile_without(values, MANY, &gap, 1, 100) == sorted[MANY - 11]);
    free(values);
    free(sorted);
}

static void values_that_are_no_powers_end_the_search(void **state)
{
    (void)state;
    const float values[3] = {-1, -2, -3};
    assert_true(statistics_percentile(values, 3, 50) == 0);
}

/* Effective averages at 50 % and 75 % overlap, as a part of the frames. */
static void overlapped_frames_are_worth_fewer_averages(void **state)
{
    (void)state;
    static const struct {
        const char *window;
        double half, quarter;
    } golden[] = {{"rect", 0.667, 0.364},
                  {"hann", 0.947, 0.520},
                  {"blackman-harris", 0.997, 0.701},
                  {"flat-top", 1.0, 0.995}};
    for (int i = 0; i < 4; i++)
        for (uint32_t n = 64; n <= 65536; n *= 32) {
            struct fft_window w;
            assert_int_equal(fft_window_parse(golden[i].window, &w), 0);
            const double frames = 1e6;
            assert_near(statistics_effective_averages(&w, n, n / 2, 1000000) / frames,
                        golden[i].half, 0.001);
            assert_near(statistics_effective_averages(&w, n, n / 4, 1000000) / frames,
                        golden[i].quarter, 0.001);
            assert_near(statistics_effective_averages(&w, n, n / 4, 1), 1, 0);
        }
}

/* A hop of one sample: frames of a second of noise are as many averages as with much overlap. */
static void a_short_hop_is_worth_what_its_time_is_worth(void **state)
{
    (void)state;
    const struct fft_window hann = {.kind = FFT_WINDOW_HANN};
    const double many = statistics_effective_averages(&hann, 4096, 1, 4096 * 1000);
    const double few = statistics_effective_averages(&hann, 4096, 256, 16 * 1000);
    assert_near(many / few, 1, 0.01);
}

/* Percentiles of chi-square / 2 of 2 K degrees of freedom, from tables. */
static void percentiles_of_averaged_noise_are_those_of_tables(void **state)
{
    (void)state;
    assert_near(statistics_gamma_percentile(1, 50), log(2), 1e-9);
    assert_near(statistics_gamma_percentile(1, 10), -log(0.9), 1e-9);
    assert_near(statistics_gamma_percentile(5, 50), 9.3418 / 10, 1e-4);
    assert_near(statistics_gamma_percentile(5, 95), 18.3070 / 10, 1e-4);
    assert_near(statistics_gamma_percentile(50, 10), 82.358 / 100, 1e-4);
    assert_near(statistics_gamma_percentile(500, 50), 999.333 / 1000, 1e-5);
    assert_near(statistics_gamma_percentile(501, 10), statistics_gamma_percentile(499, 10), 1e-3);
}

/* A shape of 1 has a closed form; the others are from tables of the F distribution. */
static void the_tail_of_a_ratio_is_that_of_the_f_distribution(void **state)
{
    (void)state;
    static const double below[] = {1, 3.5, 64, 5000};
    for (size_t i = 0; i < sizeof below / sizeof below[0]; i++)
        for (double x = 0.1; x < 20; x *= 1.7) {
            const double want = pow(1 + x / below[i], -below[i]);
            assert_near(statistics_f_above(x, 1, below[i]) / want, 1, 1e-8);
        }
    assert_near(statistics_f_above(2.3479, 5, 10), 0.05, 1e-5);  /* F(10, 20) */
    assert_near(statistics_f_above(19, 1, 1), 0.05, 1e-9);       /* F(2, 2) */
    assert_near(statistics_f_above(2.9782, 5, 5), 0.05, 1e-5);   /* F(10, 10) */
    assert_near(statistics_f_above(1.3519, 60, 60), 0.05, 2e-5); /* F(120, 120) */
    assert_near(statistics_f_above(1, 1e7, 1e7), 0.5, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_percentile_is_that_of_the_sorted_values),
        cmocka_unit_test(a_percentile_of_many_values_is_exact),
        cmocka_unit_test(values_that_are_no_powers_end_the_search),
        cmocka_unit_test(overlapped_frames_are_worth_fewer_averages),
        cmocka_unit_test(a_short_hop_is_worth_what_its_time_is_worth),
        cmocka_unit_test(percentiles_of_averaged_noise_are_those_of_tables),
        cmocka_unit_test(the_tail_of_a_ratio_is_that_of_the_f_distribution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
