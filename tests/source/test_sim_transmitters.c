/* test_sim_transmitters.c - transmissions of the simulated radio, against their formulas. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/source/source_support.h"

#include "daemon/source/sim/transmitters.h"

#define RATE 1.2e6

enum { COUNT = 1 << 17 };

/* Samples `first` .. of a service without noise, relative to its own frequency. */
static struct fft_iq *render(enum sim_service service, double offset_hz, uint64_t first)
{
    static const struct fft_iq silence[1];
    struct sim_transmitters *t = calloc(1, sizeof *t);
    struct fft_iq *x = malloc(COUNT * sizeof *x);
    assert_non_null(t);
    assert_non_null(x);
    sim_transmitters_init(t, RATE);
    sim_transmitters_add(t, service, offset_hz, -20);
    t->noise = silence;
    t->period = 1;
    sim_transmitters_render(t, first, COUNT, FFT_IQ_CF32, x);
    free(t);
    return x;
}

/* The deviation at sample i: the turn since the sample before, less that of the offset. */
static double deviation_hz(const struct fft_iq *x, size_t i, double offset_hz)
{
    const double re = (double)x[i].re * x[i - 1].re + (double)x[i].im * x[i - 1].im;
    const double im = (double)x[i].im * x[i - 1].re - (double)x[i].re * x[i - 1].im;
    return atan2(im, re) * RATE / (2 * M_PI) - offset_hz;
}

/* Amplitude of the deviation at a frequency: a direct sum. */
static double deviation_at(const struct fft_iq *x, double offset_hz, double hz)
{
    enum { WHOLE = 48000 }; /* 40 ms */
    double re = 0, im = 0;
    for (size_t i = 1; i <= WHOLE; i++) {
        const double angle = 2 * M_PI * hz / RATE * (double)i, d = deviation_hz(x, i, offset_hz);
        re += d * cos(angle) * 2 / WHOLE;
        im += d * sin(angle) * 2 / WHOLE;
    }
    return hypot(re, im);
}

static void nfm_has_its_two_deviations_and_one_level(void **state)
{
    (void)state;
    const double offset_hz = -123456;
    struct fft_iq *x = render(SIM_SERVICE_NFM, offset_hz, 0);
    assert_near(deviation_at(x, offset_hz, 1000), 3000, 15); /* the other tone is not whole */
    assert_near(deviation_at(x, offset_hz, 88.5), 500, 60);
    for (size_t i = 0; i < COUNT; i++)
        assert_near(hypot((double)x[i].re, (double)x[i].im), 0.1, 1e-6);
    free(x);
}

static void am_has_its_depth_and_frequency(void **state)
{
    (void)state;
    double low = 1, high = 0;
    struct fft_iq *x = render(SIM_SERVICE_AM, 200e3, 0);
    for (size_t i = 1; i < COUNT; i++) {
        const double level = hypot((double)x[i].re, (double)x[i].im);
        low = fmin(low, level);
        high = fmax(high, level);
        assert_near(level, 0.1 * (1 + 0.6 * sin(2 * M_PI * 1000 / RATE * (double)i)), 1e-6);
        assert_near(deviation_hz(x, i, 200e3), 0, 1);
    }
    assert_near((high - low) / (high + low), 0.6, 1e-4);
    free(x);
}

static void ssb_has_tones_above_its_carrier_and_nothing_below(void **state)
{
    (void)state;
    static const struct {
        double hz, level;
    } parts[] = {{700, 0.05}, {1900, 0.05}, {0, 0}, {-700, 0}, {-1900, 0}};
    struct fft_iq *x = render(SIM_SERVICE_SSB, 50e3, 0);
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) {
        enum { WHOLE = 60000 }; /* 50 ms: all are whole */
        double re = 0, im = 0;
        for (size_t i = 0; i < WHOLE; i++) {
            const double angle = 2 * M_PI * fmod((50e3 + parts[k].hz) / RATE * (double)i, 1);
            re += ((double)x[i].re * cos(angle) + (double)x[i].im * sin(angle)) / WHOLE;
            im += ((double)x[i].im * cos(angle) - (double)x[i].re * sin(angle)) / WHOLE;
        }
        assert_near(hypot(re, im), parts[k].level, 1e-6);
    }
    free(x);
}

/* Sums of the pulses of the first telegram: gaps are what its bits say. */
static void the_bits_of_the_sensor_are_in_its_gaps(void **state)
{
    (void)state;
    const uint64_t first = (uint64_t)(0.1 * RATE) - 100;
    struct fft_iq *x = render(SIM_SERVICE_SENSOR, 300e3, first);
    uint64_t bits = 0;
    size_t i = 0, pulses = 0;
    while (pulses < 28) { /* 54 ms: all but the last 8 bits */
        size_t on = 0, off = 0;
        while (i < COUNT && x[i].re * x[i].re + x[i].im * x[i].im < 0.0025F)
            i++, off++;
        while (i < COUNT && x[i].re * x[i].re + x[i].im * x[i].im >= 0.0025F)
            i++, on++;
        assert_true(i < COUNT);
        assert_near((double)on / RATE, 500e-6, 2 / RATE);
        if (pulses++ > 0)
            bits = bits << 1 | (off > 0.0015 * RATE);
        else
            assert_near((double)off, 100, 1);
    }
    /* id 165; battery 1, 0, channel 2: 1; 21.7 C: 217; the first three of 1111 */
    assert_int_equal(bits, (165U << 19 | 9U << 15 | 217U << 3 | 7U));
    free(x);
}

static double energy(const struct fft_iq *x, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += hypot((double)x[i].re, (double)x[i].im);
    return sum;
}

/* 4 + 112 pulses of half a microsecond, wherever they lie between samples. */
static void squitters_have_116_pulses_each(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++) {
        const double at_s = 0.01 + i * 0.0200001;
        struct fft_iq *x = render(SIM_SERVICE_SQUITTER, -100e3, (uint64_t)(at_s * RATE) - 10);
        assert_near(energy(x, 200) / 0.1 / RATE, 116 * 0.5e-6, 1e-9);
        free(x);
    }
}

/* Its flags: one bit of the other tone, seven of one; the sound begins at phase 0. */
static void a_packet_begins_with_flags_of_two_tones(void **state)
{
    (void)state;
    enum { BIT = 1000 };
    struct fft_iq *x = render(SIM_SERVICE_AX25, -50e3, (uint64_t)(0.2 * RATE));
    double sound = 0, worst = 0;
    for (size_t i = 1; i < 16 * BIT; i++) {
        /* 0 1 1 1 1 1 1 0: NRZI turns mark into space at each 0 but the first bit, which begins */
        static const bool space[16] = {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1};
        const double hz = space[(i - 1) / BIT] ? 2200 : 1200;
        worst = fmax(worst, fabs(deviation_hz(x, i, -50e3) -
                                 3000 * sin(2 * M_PI * (sound + hz / RATE / 2))));
        sound += hz / RATE;
    }
    assert_true(worst < 1); /* a sample is the mean of its time */
    for (size_t i = 0; i < 16 * BIT; i++)
        assert_near(hypot((double)x[i].re, (double)x[i].im), 0.1, 1e-6);
    free(x);
    x = render(SIM_SERVICE_AX25, -50e3, (uint64_t)(1.2 * RATE));
    assert_true(energy(x, COUNT) <= 0);
    free(x);
}

static void a_part_of_the_samples_is_that_of_all(void **state)
{
    (void)state;
    for (int service = 0; service < SIM_SERVICES; service++) {
        struct fft_iq *all = render((enum sim_service)service, 12345, 115000),
                      *part = render((enum sim_service)service, 12345, 115000 + 12345);
        for (size_t i = 0; i < COUNT - 12345; i++) {
            assert_near((double)part[i].re, (double)all[i + 12345].re, 1e-6);
            assert_near((double)part[i].im, (double)all[i + 12345].im, 1e-6);
        }
        free(all);
        free(part);
    }
}

static void what_is_beyond_the_rate_is_left_out(void **state)
{
    (void)state;
    struct sim_transmitters *t = calloc(1, sizeof *t);
    assert_non_null(t);
    sim_transmitters_init(t, 1e6);
    sim_transmitters_add_all(t, -20);
    assert_int_equal(t->count, 2);
    free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nfm_has_its_two_deviations_and_one_level),
        cmocka_unit_test(am_has_its_depth_and_frequency),
        cmocka_unit_test(ssb_has_tones_above_its_carrier_and_nothing_below),
        cmocka_unit_test(the_bits_of_the_sensor_are_in_its_gaps),
        cmocka_unit_test(squitters_have_116_pulses_each),
        cmocka_unit_test(a_packet_begins_with_flags_of_two_tones),
        cmocka_unit_test(a_part_of_the_samples_is_that_of_all),
        cmocka_unit_test(what_is_beyond_the_rate_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
