/*
 * test_significance.c - noise alone gives values in one line of 10,000 at most; weak signals are
 * found.
 */
#include <stdlib.h>

#include "daemon/measure/significance.h"
#include "tests/support/measure/measure_fixture.h"

enum { LINES = 700 /* of each kind */, RATE = 1000000 };

static const char *const measurements[] = {"bandwidth", "obw", "frequency-counter"};
enum { MEASUREMENTS = 3 };

struct kind {
    struct fixture fixture;
    uint32_t frames;
};

/* Single frames, a few overlapped ones, and many. */
static const struct kind kinds[] = {
    {{1024, 512, "blackman-harris", 100e6, RATE}, 1},
    {{512, 128, "hann", 100e6, RATE}, 5},
    {{256, 128, "hann", 100e6, RATE}, 40},
};

static size_t samples_of(const struct kind *k)
{
    return k->fixture.n + (size_t)(k->frames - 1) * k->fixture.hop;
}

static struct line *line_of(const struct kind *k, double tone, double cycles, uint64_t seed)
{
    const size_t count = samples_of(k);
    struct fft_iq *iq = fixture_silence(count);
    fixture_add_noise(iq, count, 1, seed);
    if (tone > 0)
        fixture_add_tone(iq, count, tone, cycles);
    struct line *line = fixture_line(&k->fixture, iq, count);
    free(iq);
    return line;
}

/* Of 2100 lines 0.21 values at most are expected of each measurement; three are improbable. */
static void noise_alone_gives_values_in_one_line_of_10000_at_most(void **state)
{
    (void)state;
    unsigned values[MEASUREMENTS] = {0};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        for (uint64_t seed = 1; seed <= LINES; seed++) {
            struct line *line = line_of(&kinds[i], 0, 0, seed + i * LINES);
            for (int m = 0; m < MEASUREMENTS; m++)
                values[m] += fixture_measure_line(measurements[m], "", line).values > 0;
            line_destroy(line);
        }
    for (int m = 0; m < MEASUREMENTS; m++)
        assert_true(values[m] <= 2);
}

/* The bins' noise is the power of the samples times ENBW / n. */
static double amplitude_of(const struct kind *k, const struct line *line, double snr_db)
{
    return sqrt(line->enbw_bins / k->fixture.n * pow(10, snr_db / 10));
}

/* 16 dB over the noise in its bin, in one frame; 12 dB in 5, and 11 dB in 40. */
static void a_weak_tone_is_found(void **state)
{
    (void)state;
    static const double snr_db[] = {16, 12, 11};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        struct line *line = line_of(&kinds[i], 0, 0, 1);
        const double amplitude = amplitude_of(&kinds[i], line, snr_db[i]);
        unsigned found = 0;
        line_destroy(line);
        for (uint64_t seed = 1; seed <= 100; seed++) {
            line = line_of(&kinds[i], amplitude, 16.0 / 256, 1000000 + seed);
            const struct measure_result r = fixture_measure_line("frequency-counter", "", line);
            found += r.values > 0 && fabs(r.value[0].value - 100e6 - 62500) < RATE / 256.0;
            line_destroy(line);
        }
        assert_true(found >= 85);
    }
}

/* A stronger signal beside the band hides nothing in it: the noise is a median. */
static void a_stronger_neighbour_does_not_hide_a_tone(void **state)
{
    (void)state;
    const struct kind *k = &kinds[0];
    const size_t count = samples_of(k);
    struct fft_iq *iq = fixture_silence(count);
    fixture_add_noise(iq, count, 1e-6, 3);
    fixture_add_tone(iq, count, 0.01, 100.0 / 1024);
    fixture_add_tone(iq, count, 0.5, 130.0 / 1024);
    struct line *line = fixture_line(&k->fixture, iq, count);
    const struct measure_result r =
        fixture_measure_line("frequency-counter", "center=100.0977M width=10k", line);
    assert_near(fixture_value(&r, "frequency"), 100e6 + RATE * 100.0 / 1024, 20);
    line_destroy(line);
    free(iq);
}

/* QPSK whose density is 20 dB over the noise: as wide as theory says, in 511 frames. */
static void a_modulated_signal_is_no_noise(void **state)
{
    (void)state;
    static const struct fixture fixture = {1024, 512, "hann", 100e6, 4e6};
    enum { COUNT = 1 << 18 };
    struct fft_iq *iq = fixture_silence(COUNT);
    fixture_add_qpsk(iq, COUNT, 4, 0.25, 0, 11);
    fixture_add_noise(iq, COUNT, 4 * 0.01, 12);
    struct line *line = fixture_line(&fixture, iq, COUNT);
    struct measure_result r = fixture_measure_line("obw", "", line);
    assert_near(fixture_value(&r, "bandwidth"), 1.1031e6, 0.03e6);
    r = fixture_measure_line("bandwidth", "drop=6", line);
    assert_near(fixture_value(&r, "bandwidth"), 1.05e6, 0.06e6);
    line_destroy(line);
    free(iq);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_alone_gives_values_in_one_line_of_10000_at_most),
        cmocka_unit_test(a_weak_tone_is_found),
        cmocka_unit_test(a_stronger_neighbour_does_not_hide_a_tone),
        cmocka_unit_test(a_modulated_signal_is_no_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
