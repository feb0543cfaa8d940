/* test_peaks.c - which bins are peaks, and the frequency and level of tones between two bins. */
#include <stdlib.h>
#include <string.h>

#include "daemon/line/tone.h"
#include "daemon/measure/peak_search.h"
#include "tests/support/measure/measure_fixture.h"

static const struct fixture small = {64, 64, "hann", 0, 64}; /* 1 Hz a bin; bin k is at k - 32 Hz */

/* A line whose bins are at -100 dBFS, and from bin `first` on at these levels. */
static struct line *shape(uint32_t first, const double *db, unsigned count)
{
    struct line *line = fixture_flat_line(&small, 1e-10F);
    for (unsigned i = 0; i < count; i++)
        line->detector[0][first + i] = (float)pow(10, db[i] / 10);
    return line;
}

#define SHAPE(first, ...)                                                                          \
    shape(first, (double[]){__VA_ARGS__}, sizeof((double[]){__VA_ARGS__}) / sizeof(double))

/* The number of peaks in the table. */
static unsigned count_peaks(struct line *line, const char *options)
{
    const struct measure_result r = fixture_measure_line("peaks", options, line);
    const double count = fixture_value(&r, "count");
    assert_near(count, r.table.rows, 0);
    line_destroy(line);
    return (unsigned)count;
}

static void a_peak_rises_and_falls_by_the_excursion(void **state)
{
    (void)state;
    assert_int_equal(count_peaks(SHAPE(10, -94.1), "threshold=-300 excursion=6"), 0);
    assert_int_equal(count_peaks(SHAPE(10, -93.9), "threshold=-300 excursion=6"), 1);
    assert_int_equal(count_peaks(SHAPE(10, -50, -55.9, -50), "excursion=6"), 1);
    assert_int_equal(count_peaks(SHAPE(10, -50, -56.1, -50), "excursion=6"), 2);
    assert_int_equal(count_peaks(SHAPE(60, -50, -50, -50, -50), "excursion=6"), 0); /* no fall */
    assert_int_equal(count_peaks(SHAPE(62, -50, -55.9), "excursion=6"), 0);
    assert_int_equal(count_peaks(SHAPE(62, -50, -56.1), "excursion=6"), 1);
    assert_int_equal(count_peaks(SHAPE(0, -50), "excursion=6"), 0); /* no rise */
}

static void rise_and_fall_count_from_the_threshold(void **state)
{
    (void)state;
    assert_int_equal(count_peaks(SHAPE(10, -50), "threshold=-56.1 excursion=6"), 1);
    assert_int_equal(count_peaks(SHAPE(10, -50), "threshold=-55.9 excursion=6"), 0);
    /* The valley is at the threshold: 5 dB below the peaks. */
    assert_int_equal(count_peaks(SHAPE(10, -50, -80, -50), "threshold=-55 excursion=5.1"), 0);
    assert_int_equal(count_peaks(SHAPE(10, -50, -80, -50), "threshold=-55 excursion=4.9"), 2);
}

/*
 * Another way to the same peaks: one pass, in which the trace climbs from a valley to a candidate,
 * which is a peak once the trace has fallen. Writes the peaks by their bins.
 */
static uint32_t climb(const float *power, uint32_t n, float threshold, float excursion,
                      struct peak *found)
{
    struct peak top = {0};
    float valley = fmaxf(power[0], threshold);
    bool climbing = false;
    uint32_t count = 0;
    for (uint32_t k = 1; k < n; k++) {
        const float here = fmaxf(power[k], threshold);
        if ((!climbing && here >= valley * excursion) || (climbing && here > top.power)) {
            climbing = true;
            top = (struct peak){k, here};
        } else if (climbing && here * excursion <= top.power) {
            found[count++] = top;
            climbing = false;
            valley = here;
        } else if (!climbing) {
            valley = fminf(valley, here);
        }
    }
    return count;
}

/* The strongest first, and of equal ones the leftmost. */
static int by_power(const void *a, const void *b)
{
    const struct peak *x = a, *y = b;
    return x->power < y->power || (x->power == y->power && x->bin > y->bin) ? 1 : -1;
}

static void peaks_of_noise_are_those_of_one_pass_over_all_bins(void **state)
{
    (void)state;
    enum { N = 3000, MOST = 20 };
    static struct peak all[N], found[MOST];
    static float power[N];
    uint32_t seed = 1;
    for (int round = 0; round < 300; round++) {
        const uint32_t smooth = 1 + (uint32_t)round % 5; /* 1: noise; above: hills with plateaus */
        for (uint32_t k = 0; k < N; k++) {
            seed = seed * 1664525 + 1013904223;
            power[k] = k % smooth ? power[k - 1] * (1 + (float)(seed >> 30) / 8)
                                  : (float)pow(10, (double)(seed >> 16) / 65536 * 6 - 6);
        }
        const struct peak_rule rule = {
            .threshold_db = round % 2 ? -300 : -25, .excursion_db = 1 + round % 30, .most = MOST};
        const uint32_t peaks = climb(power, N, (float)pow(10, rule.threshold_db / 10),
                                     (float)pow(10, rule.excursion_db / 10), all);
        qsort(all, peaks, sizeof all[0], by_power);
        const struct powers powers = powers_of_bins(power, N);
        const uint32_t count =
            peak_search(&rule, &powers, (struct line_bins){0, N - 1}, NULL, found);
        assert_int_equal(count, peaks < MOST ? peaks : MOST);
        for (uint32_t i = 0; i < count; i++)
            assert_int_equal(found[i].bin, all[i].bin);
    }
}

static void the_leftmost_of_equal_bins_is_the_peak(void **state)
{
    (void)state;
    struct line *line = SHAPE(10, -70, -50, -50, -50, -70);
    const struct measure_result r = fixture_measure_line("peaks", "", line);
    assert_int_equal(r.table.rows, 1);
    assert_near(fixture_cell(&r, 0, "frequency"), 11 - 32, 0.51); /* interpolated to the right */
    line_destroy(line);
}

static void the_table_keeps_the_strongest_peaks(void **state)
{
    (void)state;
    struct line *line = SHAPE(8, -60, -90, -40, -90, -50, -90, -70, -90, -30);
    struct measure_result r = fixture_measure_line("peaks", "count=3", line);
    static const double by_level[] = {16, 10, 12}, by_frequency[] = {10, 12, 16};
    assert_int_equal(r.table.rows, 3);
    for (unsigned i = 0; i < 3; i++)
        assert_near(fixture_cell(&r, i, "frequency"), by_level[i] - 32, 0.5);
    r = fixture_measure_line("peaks", "count=3 sort=frequency", line);
    for (unsigned i = 0; i < 3; i++)
        assert_near(fixture_cell(&r, i, "frequency"), by_frequency[i] - 32, 0.5);
    line_destroy(line);
}

/* ---- tones ------------------------------------------------------------------------------- */

static const char *const windows[] = {"rect",      "hann",        "hamming",    "blackman",
                                      "nuttall",   "flat-top",    "kaiser(0)",  "blackman-harris",
                                      "kaiser(2)", "kaiser(8.6)", "kaiser(14)", "gauss(2.5)",
                                      "gauss(3.5)"};

/* The strongest peak of a tone at `bins` from the centre. */
static struct measure_result measure_tone(const char *window, uint32_t n, double bins)
{
    const struct fixture fixture = {n, n, window, 100e6, n}; /* 1 Hz a bin */
    struct fft_iq *iq = fixture_silence(n);
    fixture_add_tone(iq, n, 0.1, bins / n);
    struct line *line = fixture_line(&fixture, iq, n);
    const struct measure_result r =
        fixture_measure_line("peaks", "count=1 threshold=-60 excursion=1", line);
    line_destroy(line);
    free(iq);
    return r;
}

static void a_tone_between_bins_reads_its_frequency_and_level(void **state)
{
    (void)state;
    static const double offsets[] = {-0.5, -0.31, -0.1, 0, 0.03, 0.25, 0.49};
    for (size_t w = 0; w < sizeof windows / sizeof windows[0]; w++)
        for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; i++)
            for (uint32_t n = 256; n <= 4096; n *= 16) {
                const double bins = n / 8.0 + 3 + offsets[i];
                const struct measure_result r = measure_tone(windows[w], n, bins);
                assert_near(fixture_cell(&r, 0, "frequency") - 100e6, bins, 0.002);
                assert_near(fixture_cell(&r, 0, "level"), -20, 0.01);
            }
}

/* The noise in a bin is 40 dB below the tone, so 1 % of its amplitude. */
static void noise_moves_a_tone_by_a_few_hundredths_of_a_bin(void **state)
{
    (void)state;
    enum { TRIALS = 40, SIZE = 256 };
    for (size_t w = 0; w < sizeof windows / sizeof windows[0]; w++)
        for (int quarter = 0; quarter < 3; quarter++) {
            const struct fixture fixture = {SIZE, SIZE, windows[w], 0, SIZE};
            const double at = 20 + quarter / 4.0;
            double bins = 0, db = 0;
            for (unsigned i = 0; i < TRIALS; i++) {
                struct fft_iq *iq = fixture_silence(SIZE);
                struct line *line = fixture_flat_line(&fixture, 1);
                const double enbw = line->enbw_bins;
                line_destroy(line);
                fixture_add_tone(iq, SIZE, 1, at / SIZE);
                fixture_add_noise(iq, SIZE, 1e-4 * SIZE / enbw, 1000 * i + 7);
                line = fixture_line(&fixture, iq, SIZE);
                const struct measure_result r =
                    fixture_measure_line("peaks", "count=1 excursion=1", line);
                bins += pow(fixture_cell(&r, 0, "frequency") - at, 2) / TRIALS;
                db += pow(fixture_cell(&r, 0, "level"), 2) / TRIALS;
                line_destroy(line);
                free(iq);
            }
            assert_true(sqrt(bins) < 0.03);
            assert_true(sqrt(db) < 0.12);
        }
}

/* The neighbours of the highest bin are the lowest ones. */
static void a_tone_at_the_edge_of_the_span_reads_its_level(void **state)
{
    (void)state;
    static const struct fixture fixture = {256, 256, "flat-top", 0, 256};
    struct fft_iq *iq = fixture_silence(256);
    struct tone_shape tone_shape = {0};
    fixture_add_tone(iq, 256, 0.1, 127.3 / 256);
    struct line *line = fixture_line(&fixture, iq, 256);
    assert_int_equal(tone_shape_prepare(&tone_shape, line), 0);
    const struct tone tone = tone_at(&tone_shape, line->detector[0], 256, 255);
    assert_near(tone.position, 255.3, 0.002);
    assert_near(10 * log10(tone.power), -20, 0.01);
    line_destroy(line);
    free(iq);
}

/* AM of 30 % and 100 %: -16.48 and -6.02 dBc. */
static void sidebands_of_am_read_their_level(void **state)
{
    (void)state;
    enum { COUNT = 1 << 16 };
    static const struct fixture fixture = {4096, 2048, "blackman-harris", 0, 1e6};
    static const double depth[] = {0.3, 1}, want_dbc[] = {-16.48, -6.02};
    for (int i = 0; i < 2; i++) {
        struct fft_iq *iq = fixture_silence(COUNT);
        fixture_add_tone(iq, COUNT, 0.5, 0.1);
        fixture_add_tone(iq, COUNT, 0.25 * depth[i], 0.1101);
        fixture_add_tone(iq, COUNT, 0.25 * depth[i], 0.0899);
        struct line *line = fixture_line(&fixture, iq, COUNT);
        const struct measure_result r =
            fixture_measure_line("peaks", "threshold=-60 sort=frequency", line);
        assert_int_equal(r.table.rows, 3);
        for (unsigned side = 0; side <= 2; side += 2) {
            assert_near(fixture_cell(&r, side, "level") - fixture_cell(&r, 1, "level"), want_dbc[i],
                        0.02);
            assert_near(fixture_cell(&r, side, "frequency"), side ? 110.1e3 : 89.9e3, 1);
        }
        line_destroy(line);
        free(iq);
    }
}

/* FM of index 2.4048, the first zero of J0: the carrier is gone, the first sidebands read J1. */
static void the_carrier_of_fm_vanishes_at_the_index_2_4048(void **state)
{
    (void)state;
    enum { COUNT = 1 << 16 };
    static const struct fixture fixture = {4096, 2048, "blackman-harris", 0, 1e6};
    struct fft_iq *iq = fixture_silence(COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        const double phase =
            2.4048 * sin(2 * M_PI * 0.0107 * (double)i) + 2 * M_PI * 0.1 * (double)i;
        iq[i] = (struct fft_iq){(float)cos(phase), (float)sin(phase)};
    }
    struct line *line = fixture_line(&fixture, iq, COUNT);
    const struct measure_result r =
        fixture_measure_line("peaks", "threshold=-80 count=100 sort=frequency", line);
    unsigned sidebands = 0;
    for (unsigned i = 0; i < r.table.rows; i++) {
        const double off_hz = fabs(fixture_cell(&r, i, "frequency") - 100e3);
        const double level = fixture_cell(&r, i, "level");
        assert_true(off_hz > 100 || level < -70);
        if (fabs(off_hz - 10.7e3) < 100) {
            assert_near(level, 20 * log10(j1(2.4048)), 0.02);
            sidebands++;
        }
    }
    assert_int_equal(sidebands, 2);
    line_destroy(line);
    free(iq);
}

static void an_unknown_window_is_refused(void **state)
{
    (void)state;
    struct line *line = fixture_flat_line(&small, 1);
    strcpy(line->window, "triangle");
    const struct measure_result r = fixture_measure_line("peaks", "", line);
    fixture_refused(&r, "triangle");
    line_destroy(line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_peak_rises_and_falls_by_the_excursion),
        cmocka_unit_test(peaks_of_noise_are_those_of_one_pass_over_all_bins),
        cmocka_unit_test(rise_and_fall_count_from_the_threshold),
        cmocka_unit_test(the_leftmost_of_equal_bins_is_the_peak),
        cmocka_unit_test(the_table_keeps_the_strongest_peaks),
        cmocka_unit_test(a_tone_between_bins_reads_its_frequency_and_level),
        cmocka_unit_test(noise_moves_a_tone_by_a_few_hundredths_of_a_bin),
        cmocka_unit_test(a_tone_at_the_edge_of_the_span_reads_its_level),
        cmocka_unit_test(sidebands_of_am_read_their_level),
        cmocka_unit_test(the_carrier_of_fm_vanishes_at_the_index_2_4048),
        cmocka_unit_test(an_unknown_window_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
