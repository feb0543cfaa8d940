/* test_obw.c - occupied bandwidth of modulated signals and of noise, against theory. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/measure/measure_fixture.h"

/* 1 MBd with 4 samples a symbol. */
static const struct fixture fixture = {4096, 2048, "blackman-harris", 100e6, 4e6};
enum { COUNT = 1 << 20 };

static struct line *qpsk_line(double roll_off, double noise)
{
    struct fft_iq *iq = fixture_silence(COUNT);
    fixture_add_qpsk(iq, COUNT, 4, roll_off, 0.03, 11);
    fixture_add_noise(iq, COUNT, noise, 12);
    struct line *line = fixture_line(&fixture, iq, COUNT);
    free(iq);
    return line;
}

static void obw_of_rrc_qpsk_is_that_of_the_table(void **state)
{
    (void)state;
    static const double table[][2] = {{0.20, 1.0731}, {0.22, 1.0849}, {0.25, 1.1031},
                                      {0.35, 1.1667}, {0.5, 1.268},   {1, 1.633}};
    for (int i = 0; i < 6; i++) {
        struct line *line = qpsk_line(table[i][0], 0);
        const struct measure_result r = fixture_measure_line("obw", "", line);
        assert_near(fixture_value(&r, "bandwidth") / (table[i][1] * 1e6), 1, 0.005);
        assert_near(fixture_value(&r, "center"), 100.12e6, 3e3);
        assert_near(fixture_value(&r, "power"), 0, 0.05);
        line_destroy(line);
    }
}

/* Noise 20 dB below the signal's density: 3 % of the power, most of it beyond the signal. */
static void obw_counts_noise_as_empty(void **state)
{
    (void)state;
    struct line *line = qpsk_line(0.25, 4 * pow(10, -2));
    struct measure_result r = fixture_measure_line("obw", "", line);
    assert_near(fixture_value(&r, "bandwidth"), 1.1031e6, 0.02e6);
    r = fixture_measure_line("obw", "above-noise=0", line);
    assert_true(fixture_value(&r, "bandwidth") > 2e6);
    line_destroy(line);
}

static void obw_of_noise_in_a_band_is_99_percent_of_the_band(void **state)
{
    (void)state;
    struct fft_iq *iq = fixture_silence(COUNT);
    fixture_add_band(iq, COUNT, 1, -0.2, 0.1, 3); /* 1.2 MHz */
    struct line *line = fixture_line(&fixture, iq, COUNT);
    struct measure_result r = fixture_measure_line("obw", "", line);
    assert_near(fixture_value(&r, "bandwidth") / (0.99 * 1.2e6), 1, 0.005);
    assert_near(fixture_value(&r, "low"), 100e6 - 800e3 + 6e3, 3e3);
    r = fixture_measure_line("obw", "percent=90", line);
    assert_near(fixture_value(&r, "bandwidth") / (0.9 * 1.2e6), 1, 0.005);
    line_destroy(line);
    free(iq);
}

/* The root raised cosine of roll-off 1 has the power cos^2(pi f / 2): 26 dB down at 0.9361 MHz, 3
 * dB at 0.5 MHz. */
static void x_db_bandwidth_of_rrc_qpsk_is_that_of_its_filter(void **state)
{
    (void)state;
    struct line *line = qpsk_line(1, 0);
    struct fixture_measure m;
    struct trace smooth = {.function = TRACE_AVERAGE};
    assert_int_equal(trace_update(&smooth, line, 0), 0);
    /* QPSK fluctuates; the filter does not. */
    for (uint32_t k = 0; k < line->n; k++) {
        const double f = fabs(((double)k - 2048) / 1024);
        smooth.memory[k] = f < 1 ? (float)pow(cos(M_PI / 2 * f), 2) : 0;
    }
    struct measure_input in = fixture_input(line);
    in.power = smooth.power;
    fixture_measure_start(&m, "obw", "drop=26");
    fixture_update(&m, &in);
    assert_near(fixture_value(&m.result, "drop_bandwidth"), 4e6 / M_PI * acos(pow(10, -1.3)), 50);
    fixture_measure_finish(&m);
    trace_finish(&smooth);
    line_destroy(line);
}

static void x_db_bandwidth_is_unknown_if_the_trace_does_not_fall(void **state)
{
    (void)state;
    struct line *line = qpsk_line(0.25, 4 * pow(10, -2.5));
    const struct measure_result r = fixture_measure_line("obw", "drop=40", line);
    assert_true(isnan(fixture_value(&r, "drop_bandwidth")));
    line_destroy(line);
    /* It falls beyond the band only. */
    line = qpsk_line(0.25, 0);
    const struct measure_result cut =
        fixture_measure_line("obw", "center=100.12M width=800k above-noise=0", line);
    assert_true(isnan(fixture_value(&cut, "drop_bandwidth")));
    line_destroy(line);
}

static void obw_refuses_what_it_cannot_resolve(void **state)
{
    (void)state;
    struct fft_iq *iq = fixture_silence(COUNT);
    fixture_add_tone(iq, COUNT, 0.5, 0.1);
    fixture_add_noise(iq, COUNT, 1e-6, 12);
    struct line *line = fixture_line(&fixture, iq, COUNT);
    struct measure_result r = fixture_measure_line("obw", "", line);
    fixture_refused(&r, "more than 5 % of the bandwidth");
    r = fixture_measure_line("obw", "center=99M width=1M", line);
    fixture_refused(&r, "no bin is 6 dB above the noise floor");
    line_destroy(line);
    free(iq);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(obw_of_rrc_qpsk_is_that_of_the_table),
        cmocka_unit_test(obw_counts_noise_as_empty),
        cmocka_unit_test(obw_of_noise_in_a_band_is_99_percent_of_the_band),
        cmocka_unit_test(x_db_bandwidth_of_rrc_qpsk_is_that_of_its_filter),
        cmocka_unit_test(x_db_bandwidth_is_unknown_if_the_trace_does_not_fall),
        cmocka_unit_test(obw_refuses_what_it_cannot_resolve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
