/* test_modulation.c - AM depth and FM deviation of signals with known modulation. */
#include <stdio.h>
#include <stdlib.h>

#include "daemon/measure/types/modulation.h"
#include "tests/support/measure/measure_fixture.h"

enum { COUNT = 1 << 16 };
static const struct fixture fixture = {64, 32, "hann", 100e6, 2.4e6};

static struct measure_result measure(const char *name, const char *options, const struct fft_iq *iq,
                                     size_t count)
{
    struct line *line = fixture_flat_line(&fixture, 1);
    struct fixture_measure m;
    struct measure_input in = fixture_input(line);
    in.iq = iq;
    in.iq_count = count;
    fixture_measure_start(&m, name, options);
    assert_true(m.ops->iq_samples(m.state, line) >= 64);
    fixture_update(&m, &in);
    fixture_measure_finish(&m);
    line_destroy(line);
    return m.result;
}

/* A carrier of 0.4 at +300 kHz: am (1 + depth cos), fm of deviation_hz, both of 5 kHz. */
static struct fft_iq *modulated(double depth, double deviation_hz)
{
    struct fft_iq *iq = fixture_silence(COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        const double t = (double)i / 2.4e6, w = 2 * M_PI * 5e3;
        const double phase = 2 * M_PI * fmod(300e3 * t, 1) + deviation_hz / 5e3 * sin(w * t);
        const double amplitude = 0.4 * (1 + depth * cos(w * t));
        iq[i] = (struct fft_iq){(float)(amplitude * cos(phase)), (float)(amplitude * sin(phase))};
    }
    return iq;
}

static void am_depth_is_that_of_the_signal(void **state)
{
    (void)state;
    static const double depths[] = {0.1, 0.3, 0.9};
    for (int i = 0; i < 3; i++) {
        struct fft_iq *iq = modulated(depths[i], 0);
        fixture_add_tone(iq, COUNT, 0.4, -0.2); /* another carrier, filtered out */
        const struct measure_result r =
            measure("am", "center=100.3M bandwidth=100k samples=65536", iq, COUNT);
        assert_near(fixture_value(&r, "depth"), 100 * depths[i], 0.5);
        assert_near(fixture_value(&r, "depth_plus"), 100 * depths[i], 2);
        assert_near(fixture_value(&r, "depth_minus"), 100 * depths[i], 2);
        assert_near(fixture_value(&r, "depth_rms"), 100 * depths[i] / sqrt(2), 1);
        assert_near(fixture_value(&r, "modulation"), 5e3, 10);
        assert_near(fixture_value(&r, "carrier"), 20 * log10(0.4), 0.2);
        free(iq);
    }
}

static void fm_deviation_is_that_of_the_signal(void **state)
{
    (void)state;
    static const double deviations_hz[] = {500, 5e3, 75e3};
    static const char *const bandwidths[] = {"bandwidth=100k center=100.3M",
                                             "bandwidth=100k center=100.302M",
                                             "bandwidth=500k center=100.31M"};
    static const double offsets_hz[] = {0, -2e3, -10e3};
    for (int i = 0; i < 3; i++) {
        struct fft_iq *iq = modulated(0, deviations_hz[i]);
        fixture_add_tone(iq, COUNT, 0.4, -0.3);
        const struct measure_result r = measure("fm", bandwidths[i], iq, COUNT);
        assert_near(fixture_value(&r, "deviation") / deviations_hz[i], 1, 0.02);
        assert_near(fixture_value(&r, "deviation_rms") * sqrt(2) / deviations_hz[i], 1, 0.02);
        assert_near(fixture_value(&r, "modulation"), 5e3, 10);
        assert_near(fixture_value(&r, "offset"), offsets_hz[i], 0.01 * deviations_hz[i] + 1);
        assert_near(fixture_value(&r, "carrier"), 100.3e6, 0.01 * deviations_hz[i] + 1);
        assert_near(fixture_value(&r, "power"), 20 * log10(0.4), 0.05);
        free(iq);
    }
}

static void without_a_filter_the_whole_span_is_demodulated(void **state)
{
    (void)state;
    struct fft_iq *iq = modulated(0.3, 0);
    struct measure_result r = measure("am", "", iq, COUNT);
    assert_near(fixture_value(&r, "depth"), 30, 0.1);
    free(iq);
    iq = modulated(0, 400e3);
    r = measure("fm", "", iq, COUNT);
    assert_near(fixture_value(&r, "deviation"), 400e3, 100);
    assert_near(fixture_value(&r, "offset"), 300e3, 5e3);
    free(iq);
}

/* Bursts of 20 %: the pauses are noise, whose frequency is anything. */
static void the_squelch_leaves_pauses_out(void **state)
{
    (void)state;
    struct fft_iq *iq = modulated(0, 20e3);
    for (size_t i = 0; i < COUNT; i++)
        if (i % 20000 >= 4000)
            iq[i] = (struct fft_iq){0, 0};
    fixture_add_noise(iq, COUNT, 1e-5, 4);
    struct measure_result r = measure("fm", "center=100.3M bandwidth=200k squelch=-12", iq, COUNT);
    assert_near(fixture_value(&r, "deviation"), 20e3, 2e3); /* the edges of the bursts ring */
    assert_near(fixture_value(&r, "used"), 24, 3);          /* 16 of 65 thousand samples */
    r = measure("fm", "center=100.3M bandwidth=200k", iq, COUNT);
    fixture_refused(&r, "beyond the filter");
    r = measure("fm", "center=99.5M bandwidth=200k squelch=-12", iq, COUNT);
    fixture_refused(&r, "no signal is above -12 dBFS");
    r = measure("am", "center=99.5M bandwidth=200k squelch=-12", iq, COUNT);
    fixture_refused(&r, "no carrier is above -12 dBFS");
    free(iq);
}

static void samples_that_are_too_few_are_refused(void **state)
{
    (void)state;
    struct fft_iq *iq = modulated(0.3, 0);
    static const char *const names[] = {"am", "fm"};
    for (int i = 0; i < 2; i++) {
        struct measure_result r = measure(names[i], "center=100.3M bandwidth=1k", iq, 8192);
        fixture_refused(&r, "8192 samples are too few for a bandwidth of 1000 Hz");
        r = measure(names[i], "center=100.3M bandwidth=2k", iq, 8192); /* three outputs */
        fixture_refused(&r, "too few for a bandwidth of 2000 Hz");
        r = measure(names[i], "", iq, 0);
        fixture_refused(&r, "no longer there");
        r = measure(names[i], "center=101.3M bandwidth=1k", iq, COUNT);
        fixture_refused(&r, "not within the span");
        r = measure(names[i], "center=100M bandwidth=3M", iq, COUNT);
        fixture_refused(&r, "not within the span");
    }
    free(iq);
}

/* Five periods of a sine, whose ripple crosses the middle several times in each. */
static void ripple_counts_no_periods(void **state)
{
    (void)state;
    float x[1000];
    for (int i = 0; i < 1000; i++)
        x[i] = (float)(7 + sin(2 * M_PI * i / 200 - 1) + (i % 2 ? 0.04 : -0.04));
    const struct modulation m = modulation_of(x, 1000, 40e3, 0);
    assert_near(m.frequency_hz, 200, 2);
    assert_near(m.mean, 7, 1e-4);
    assert_near(m.rms, sqrt(0.5), 1e-2);
    assert_near(m.most - m.least, 2.08, 0.01);
    assert_true(isnan(modulation_of(x, 150, 40e3, 0).frequency_hz));
}

/* 75 kHz to both sides; the filter is 6 dB down at half of its bandwidth. */
static void fm_that_is_wider_than_its_filter_is_refused(void **state)
{
    (void)state;
    static const char *const narrow[] = {
        "center=100.3M bandwidth=100k", "center=100.3M bandwidth=50k",
        "center=100.3M bandwidth=25k", "center=100.15M bandwidth=60k"};
    struct fft_iq *iq = modulated(0, 75e3);
    for (size_t i = 0; i < sizeof narrow / sizeof narrow[0]; i++) {
        const struct measure_result r = measure("fm", narrow[i], iq, COUNT);
        fixture_refused(&r, "beyond the filter");
    }
    struct measure_result r = measure("fm", "center=100.3M bandwidth=300k", iq, COUNT);
    assert_near(fixture_value(&r, "deviation"), 75e3, 1e3);
    free(iq);
    iq = modulated(0, 0); /* a carrier 100 kHz beside the filter */
    r = measure("fm", "center=100.4M bandwidth=50k", iq, COUNT);
    fixture_refused(&r, "beyond the filter");
    r = measure("am", "center=100.4M bandwidth=50k", iq, COUNT);
    fixture_refused(&r, "beyond the filter");
    free(iq);
}

/* What passes is 1 in 10,000 for am; fm has more to see. */
static void noise_alone_has_no_modulation(void **state)
{
    (void)state;
    static const char *const channels[] = {"center=100.3M bandwidth=100k",
                                           "center=99.5M bandwidth=400k"};
    enum { MANY = 1 << 14, RUNS = 150 };
    unsigned values = 0;
    for (uint64_t seed = 1; seed <= RUNS; seed++) {
        struct fft_iq *iq = fixture_silence(MANY);
        fixture_add_noise(iq, MANY, 0.1, seed);
        for (size_t i = 0; i < 2; i++) {
            struct measure_result r = measure("am", channels[i], iq, MANY);
            values += r.values > 0;
            r = measure("fm", channels[i], iq, MANY);
            values += r.values > 0;
        }
        struct measure_result r = measure("am", "", iq, 4096);
        values += r.values > 0;
        free(iq);
    }
    assert_int_equal(values, 0);
}

static void a_carrier_in_noise_has_a_depth(void **state)
{
    (void)state;
    struct fft_iq *iq = modulated(0.5, 0);
    fixture_add_noise(iq, COUNT, 0.16 * 24 / 10,
                      1); /* 10 dB below the carrier in 100 kHz of 2.4 MHz */
    const struct measure_result r = measure("am", "center=100.3M bandwidth=100k", iq, COUNT);
    assert_near(fixture_value(&r, "carrier"), 20 * log10(0.4), 1);
    free(iq);
}

/* Neither the rounding of floats nor noise is a modulation, and data have no period. */
static void a_carrier_without_modulation_has_no_modulation_frequency(void **state)
{
    (void)state;
    static const double noise[] = {0, 1e-12, 1e-9, 1e-5};
    static const char *const names[] = {"am", "fm"};
    for (size_t n = 0; n < sizeof noise / sizeof noise[0]; n++) {
        struct fft_iq *iq = modulated(0, 0);
        fixture_add_noise(iq, COUNT, noise[n], 7);
        for (int i = 0; i < 2; i++) {
            const struct measure_result r =
                measure(names[i], "center=100.3M bandwidth=100k", iq, COUNT);
            assert_true(isnan(fixture_value(&r, "modulation")));
            assert_true(fabs(fixture_value(&r, i ? "deviation" : "depth")) < 5e3);
        }
        free(iq);
    }
    struct fft_iq *iq = fixture_silence(COUNT);
    uint32_t bits = 1;
    for (size_t i = 0; i < COUNT; i++) {
        bits = i % 480 == 0 ? bits * 1664525 + 1013904223 : bits; /* 5 kBd */
        const double amplitude = bits >> 31 ? 0.4 : 0.2, phase = 2 * M_PI * (double)(i % 8) / 8;
        iq[i] = (struct fft_iq){(float)(amplitude * cos(phase)), (float)(amplitude * sin(phase))};
    }
    const struct measure_result r = measure("am", "center=100.3M bandwidth=100k", iq, COUNT);
    assert_true(isnan(fixture_value(&r, "modulation")));
    assert_true(fixture_value(&r, "depth") > 30);
    free(iq);
}

/* To the codes of cs8. */
static void quantise(struct fft_iq *iq, size_t count)
{
    for (size_t i = 0; i < count; i++)
        iq[i] = (struct fft_iq){roundf(iq[i].re * 128) / 128, roundf(iq[i].im * 128) / 128};
}

/* Phase modulation of `index` by 5 kHz of a carrier at `carrier_hz` from 100 MHz. */
static struct fft_iq *weak_carrier(double amplitude, double carrier_hz, double index, double noise,
                                   size_t count)
{
    struct fft_iq *iq = fixture_silence(count);
    for (size_t i = 0; i < count; i++) {
        const double t = (double)i / 2.4e6;
        const double phase =
            2 * M_PI * fmod(carrier_hz * t, 1) + index * sin(2 * M_PI * fmod(5e3 * t, 1));
        iq[i] = (struct fft_iq){(float)(amplitude * cos(phase)), (float)(amplitude * sin(phase))};
    }
    fixture_add_noise(iq, count, noise, 5);
    quantise(iq, count);
    return iq;
}

/* Locked to the rate, and not: its errors repeat, and read as many kHz. */
static void the_quantisation_of_a_weak_carrier_is_no_modulation(void **state)
{
    (void)state;
    static const double amplitudes[] = {0.2, 0.1, 0.05, 0.02};
    static const char *const names[] = {"am", "fm"}, *const widths[] = {"50k", "100k", "400k"};
    for (int k = 0; k < 40; k++) {
        const double carrier_hz = k % 2 ? 24e3 * (k / 2 + 1) : 24e3 * k + 1234.5 * (k + 1);
        for (size_t a = 0; a < 4; a++) {
            struct fft_iq *iq = weak_carrier(amplitudes[a], carrier_hz, 0, 0, 8192);
            for (size_t w = 0; w < 6; w++) {
                char options[80];
                snprintf(options, sizeof options, "center=%.1f bandwidth=%s samples=8192",
                         100e6 + carrier_hz, widths[w / 2]);
                const struct measure_result r = measure(names[w % 2], options, iq, 8192);
                const double hz = fixture_value(&r, "modulation");
                if (!isnan(hz))
                    fail_msg("%s of %.2f at %.1f Hz, %s: %.1f Hz", names[w % 2], amplitudes[a],
                             carrier_hz, options, hz);
            }
            free(iq);
        }
    }
}

static void the_modulation_of_a_weak_carrier_is_read(void **state)
{
    (void)state;
    static const struct {
        double amplitude, index, noise;
    } cases[] = {
        {0.2, 0.05, 0}, {0.2, 0.02, 3e-5}, {0.02, 0.5, 0}, {0.02, 0.6, 1e-4}, {0.01, 0.6, 1e-4}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fft_iq *iq =
            weak_carrier(cases[i].amplitude, 301234.5, cases[i].index, cases[i].noise, COUNT);
        const struct measure_result r =
            measure("fm", "center=100.3012345M bandwidth=20k samples=65536", iq, COUNT);
        assert_near(fixture_value(&r, "modulation"), 5e3, 50);
        free(iq);
    }
}

/*
 * A burst of wireless M-Bus, 14.7 ms from 0.4556 s on: frequency shift keying between -63.2 and
 * +35.9 kHz, measured by other means.
 */
static void the_deviation_of_a_recorded_meter_is_known(void **state)
{
    (void)state;
    enum { FIRST = 732000, SAMPLES = 16384 };
    static uint8_t raw[2 * SAMPLES];
    static struct fft_iq iq[SAMPLES];
    static const struct fixture meter = {64, 32, "hann", 868.95e6, 1.6e6};
    char path[4096];
    const char *folder = getenv("FFTD_IQ_DIR");
    snprintf(path, sizeof path, "%s/wmbus_868.950M_1600k.cu8", folder ? folder : ".");
    FILE *file = fopen(path, "rb");
    if (!file)
        skip();
    assert_int_equal(fseek(file, 2 * FIRST, SEEK_SET), 0);
    assert_int_equal(fread(raw, 1, sizeof raw, file), sizeof raw);
    fclose(file);
    fft_iq_unpack(FFT_IQ_CU8, raw, iq, SAMPLES);
    struct line *line = fixture_flat_line(&meter, 1);
    struct fixture_measure m;
    struct measure_input in = fixture_input(line);
    in.iq = iq;
    in.iq_count = SAMPLES;
    fixture_measure_start(&m, "fm", "center=868.94M bandwidth=300k squelch=-20");
    fixture_update(&m, &in);
    /* The edges of the symbols lower the rms of an ideal shift a little. */
    assert_near(fixture_value(&m.result, "deviation_rms"), (63.2e3 + 35.9e3) / 2, 2.5e3);
    assert_near(fixture_value(&m.result, "carrier"), 868.95e6 + (35.9e3 - 63.2e3) / 2, 5e3);
    assert_near(fixture_value(&m.result, "power"), -9.1, 0.6);
    fixture_measure_finish(&m);
    line_destroy(line);
    static const struct fixture spectrum = {256, 64, "blackman-harris", 868.95e6, 1.6e6};
    line = fixture_line(&spectrum, iq, SAMPLES);
    const struct measure_result r =
        fixture_measure_line("peaks", "count=2 excursion=1 sort=frequency", line);
    const double distance = fixture_cell(&r, 1, "frequency") - fixture_cell(&r, 0, "frequency");
    assert_near(distance / 2, (63.2e3 + 35.9e3) / 2, 1.6e3); /* 0.1 % of the span */
    line_destroy(line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(am_depth_is_that_of_the_signal),
        cmocka_unit_test(fm_deviation_is_that_of_the_signal),
        cmocka_unit_test(without_a_filter_the_whole_span_is_demodulated),
        cmocka_unit_test(the_squelch_leaves_pauses_out),
        cmocka_unit_test(ripple_counts_no_periods),
        cmocka_unit_test(fm_that_is_wider_than_its_filter_is_refused),
        cmocka_unit_test(noise_alone_has_no_modulation),
        cmocka_unit_test(a_carrier_in_noise_has_a_depth),
        cmocka_unit_test(a_carrier_without_modulation_has_no_modulation_frequency),
        cmocka_unit_test(the_quantisation_of_a_weak_carrier_is_no_modulation),
        cmocka_unit_test(the_modulation_of_a_weak_carrier_is_read),
        cmocka_unit_test(the_deviation_of_a_recorded_meter_is_known),
        cmocka_unit_test(samples_that_are_too_few_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
