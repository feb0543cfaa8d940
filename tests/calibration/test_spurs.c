/*
 * test_spurs.c - what is on the spur list is no carrier: not in a search, not in occupancy, not in
 * a noise floor. A marker that is put on it reads it.
 */
#include <stdlib.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/calibration/band_rules.h"
#include "daemon/line/statistics.h"
#include "tests/support/measure/measure_fixture.h"

/* 1024 bins of 1 kHz around 100 MHz. */
static const struct fixture fixture = {1024, 512, "blackman-harris", 100e6, 1.024e6};
enum { COUNT = 1 << 17 };

/*
 * A DC spike of -5 dBFS, a spur of -15 dBFS at 100.2 MHz, a signal of -40 dBFS at 99.9 MHz, and
 * noise of -110 dBFS in a bin.
 */
static struct line *example(const char *window, double center_hz)
{
    struct fixture r = fixture;
    struct fft_iq *iq = fixture_silence(COUNT);
    r.window = window;
    r.center_hz = center_hz;
    fixture_add_noise(iq, COUNT, 1e-8, 1);
    fixture_add_tone(iq, COUNT, pow(10, -5 / 20.0), 0);
    fixture_add_tone(iq, COUNT, pow(10, -15 / 20.0), (100.2e6 - center_hz) / r.rate_hz);
    fixture_add_tone(iq, COUNT, pow(10, -40 / 20.0), (99.9e6 - center_hz) / r.rate_hz);
    struct line *line = fixture_line(&r, iq, COUNT);
    free(iq);
    return line;
}

static struct spur_list list_of(const char *text)
{
    struct spur_list list;
    struct reason why = {0};
    if (spur_list_parse(&list, text, strlen(text), "t", &why) < 0)
        fail_msg("%s", why.sentence);
    return list;
}

/* The rules of a list; freed by the caller. */
static struct band_rules *rules_of(const struct line *line, const char *text)
{
    struct band_rules *rules = calloc(1, sizeof *rules);
    struct spur_list list = list_of(text);
    assert_non_null(rules);
    band_rules_update(rules, line, &list);
    spur_list_finish(&list);
    return rules;
}

static struct measure_result measure(const char *name, const char *options, const struct line *line,
                                     const struct band_rules *rules)
{
    struct fixture_measure m;
    struct measure_input in = fixture_input(line);
    in.rules = rules;
    fixture_measure_start(&m, name, options);
    fixture_update(&m, &in);
    fixture_measure_finish(&m);
    return m.result;
}

static const char both[] = "center 0 DC spike\n100.2M 0 clock\n";

static void no_search_finds_a_spur_with_any_window(void **state)
{
    (void)state;
    static const char *const windows[] = {"hann",    "hamming",  "blackman",    "blackman-harris",
                                          "nuttall", "flat-top", "kaiser(8.6)", "gauss(3.5)"};
    for (size_t i = 0; i < sizeof windows / sizeof windows[0]; i++) {
        struct line *line = example(windows[i], 100e6);
        struct band_rules *rules = rules_of(line, both);
        struct measure_result r = measure("marker", "", line, rules);
        assert_near(fixture_value(&r, "frequency"), 99.9e6, 600);
        r = measure("frequency-counter", "", line, rules);
        assert_near(fixture_value(&r, "frequency"), 99.9e6, 20);
        assert_near(fixture_value(&r, "level"), -40, 0.1);
        r = measure("peaks", "threshold=-60 count=1", line, rules);
        assert_near(fixture_cell(&r, 0, "frequency"), 99.9e6, 20);
        free(rules);
        line_destroy(line);
    }
}

static void peaks_leave_out_spurs_and_their_skirts(void **state)
{
    (void)state;
    struct line *line = example("blackman-harris", 100e6);
    struct band_rules *rules = rules_of(line, both);
    struct measure_result r = measure("peaks", "threshold=-90", line, NULL);
    assert_near(fixture_value(&r, "count"), 3, 0);
    r = measure("peaks", "threshold=-90", line, rules);
    assert_near(fixture_value(&r, "count"), 1, 0);
    free(rules);
    line_destroy(line);
}

static void a_relative_spur_follows_the_centre_and_an_absolute_one_does_not(void **state)
{
    (void)state;
    struct line *line = example("blackman-harris", 100.05e6);
    struct band_rules *rules = rules_of(line, both);
    const struct measure_result r = measure("peaks", "threshold=-90", line, rules);
    assert_near(fixture_value(&r, "count"), 1, 0);
    assert_near(fixture_cell(&r, 0, "frequency"), 99.9e6, 20);
    free(rules);
    line_destroy(line);
}

static void the_noise_floor_does_not_know_spurs(void **state)
{
    (void)state;
    struct line *line = fixture_flat_line(&fixture, 1e-10F);
    for (uint32_t k = 100; k < 700; k++)
        line->detector[0][k] = 1e-3F;
    line->frames = 1000000; /* no fluctuation: the percentile is the mean */
    struct band_rules *rules = rules_of(line, "99.888M 600k comb of a converter\n");
    struct measure_result r = measure("snr", "", line, NULL);
    assert_near(fixture_value(&r, "floor"), -30, 0.05);
    r = measure("snr", "", line, rules);
    assert_near(fixture_value(&r, "floor"), -100, 0.05);
    free(rules);
    line_destroy(line);
}

static void the_snr_of_a_channel_leaves_out_a_spur_within_it(void **state)
{
    (void)state;
    struct fft_iq *iq = fixture_silence(COUNT);
    fixture_add_noise(iq, COUNT, 1e-6, 2);
    fixture_add_band(iq, COUNT, 1e-3, 0.1, 0.3, 3); /* 205 kHz around 100.2048 MHz */
    fixture_add_tone(iq, COUNT, 0.3, 0.2);
    struct line *line = fixture_line(&fixture, iq, COUNT);
    struct band_rules *rules = rules_of(line, "100.2048M 0\n");
    const struct measure_result r =
        measure("snr", "center=100.2048M width=180k percentile=20", line, rules);
    /* 1e-3 / 1e-6: the band is 30 dB above the noise, with or without a few of its bins */
    assert_near(fixture_value(&r, "snr"), 30, 0.3);
    free(rules);
    line_destroy(line);
    free(iq);
}

static void a_channel_with_nothing_but_a_spur_is_not_occupied(void **state)
{
    (void)state;
    static const char channels[] = "start=99.85M stop=100.25M width=50k";
    /* -40 dBFS at 99.9: channel 1 begins there. Centre: end of channel 2. 100.2: channel 7. */
    struct line *line = example("blackman-harris", 100e6);
    struct band_rules *rules = rules_of(line, both);
    struct measure_result r = measure("occupancy", channels, line, NULL);
    assert_near(fixture_cell(&r, 3, "in_use"), 1, 0);
    assert_near(fixture_cell(&r, 7, "in_use"), 1, 0);
    const double with_spurs = fixture_value(&r, "in_use");
    r = measure("occupancy", channels, line, rules);
    assert_near(fixture_cell(&r, 1, "in_use"), 1, 0);
    assert_near(fixture_cell(&r, 1, "fco"), 100, 0);
    for (unsigned c = 2; c < 8; c++) {
        assert_near(fixture_cell(&r, c, "in_use"), 0, 0);
        assert_near(fixture_cell(&r, c, "fco"), 0, 0);
    }
    assert_true(with_spurs > fixture_value(&r, "in_use"));
    free(rules);
    line_destroy(line);
}

static void a_channel_within_a_spur_is_unknown(void **state)
{
    (void)state;
    struct line *line = example("blackman-harris", 100e6);
    struct band_rules *rules = rules_of(line, "100.2M 60k\n");
    struct measure_result r =
        measure("occupancy", "start=100.18M stop=100.30M width=40k", line, rules);
    assert_true(isnan(fixture_cell(&r, 0, "fco")));
    assert_true(isnan(fixture_cell(&r, 0, "in_use")));
    assert_near(fixture_cell(&r, 1, "fco"), 0, 0);
    assert_near(fixture_value(&r, "sro"), 0, 0);
    r = measure("frequency-counter", "center=100.2M width=40k", line, rules);
    fixture_refused(&r, "every bin of the band is on the spur list");
    r = measure("snr", "center=100.2M width=40k", line, rules);
    fixture_refused(&r, "all of the channel is on the spur list");
    free(rules);
    line_destroy(line);
}

static void a_marker_on_a_spur_reads_it_with_a_note(void **state)
{
    (void)state;
    struct line *line = example("blackman-harris", 100e6);
    struct band_rules *rules = rules_of(line, both);
    struct measure_result r = measure("marker", "frequency=100.2M", line, rules);
    assert_near(fixture_value(&r, "level"), -15, 0.9); /* scalloping */
    assert_string_equal(r.note, "this is on the spur list: clock");
    r = measure("delta-marker", "frequency=99.9M reference=100M", line, rules);
    assert_near(fixture_value(&r, "reference_level"), -5, 0.1);
    assert_string_equal(r.note, "this is on the spur list: DC spike");
    r = measure("noise-marker", "frequency=100.01M", line, rules);
    assert_string_equal(r.note, "this is on the spur list: DC spike");
    r = measure("marker", "frequency=99.9M", line, rules);
    assert_string_equal(r.note, "");
    free(rules);
    line_destroy(line);
}

static void sums_of_power_contain_spurs(void **state)
{
    (void)state;
    struct line *line = example("blackman-harris", 100e6);
    struct band_rules *rules = rules_of(line, both);
    const struct measure_result r = measure("channel-power", "center=100M width=50k", line, rules);
    assert_near(fixture_value(&r, "power"), -5, 0.02);
    free(rules);
    line_destroy(line);
}

/* ---- the rules ---------------------------------------------------------------------------- */

static void a_spur_takes_its_width_and_the_main_lobe(void **state)
{
    (void)state;
    struct fixture hann = fixture;
    hann.window = "hann"; /* 60 dB down 1.97 bins from the centre, 2 is a zero */
    struct line *line = fixture_flat_line(&hann, 1);
    struct band_rules *rules = rules_of(line, "100.1M 10k a\n99.9M 0 b\n100.107M 0 c\n"
                                              "100.511M 2k edge\n90M 1k elsewhere\n");
    static const struct line_bins bins[] = {{411, 413}, {606, 620}, {1021, 1023}};
    assert_int_equal(rules->count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(rules->spur[i].bins.first, bins[i].first);
        assert_int_equal(rules->spur[i].bins.last, bins[i].last);
    }
    assert_null(band_rules_spur(rules, 410));
    assert_string_equal(band_rules_spur(rules, 413)->note, "b");
    assert_null(band_rules_spur(NULL, 413));
    struct line_bins part;
    assert_true(band_rules_next(rules, 0, 1023, &part));
    assert_true(part.first == 0 && part.last == 410);
    assert_true(band_rules_next(rules, 411, 1023, &part));
    assert_true(part.first == 414 && part.last == 605);
    assert_true(band_rules_next(rules, 700, 800, &part));
    assert_true(part.first == 700 && part.last == 800);
    assert_false(band_rules_next(rules, 606, 620, &part));
    assert_false(band_rules_next(rules, 1022, 1023, &part));
    free(rules);
    line_destroy(line);
}

static void rules_are_made_again_for_another_tuning_size_window_and_list(void **state)
{
    (void)state;
    struct line *line = fixture_flat_line(&fixture, 1);
    struct spur_list list = list_of("100.1M 0\n"), other = list_of("100.3M 0\n");
    struct band_rules *rules = calloc(1, sizeof *rules);
    assert_non_null(rules);
    band_rules_update(rules, line, &list);
    assert_non_null(band_rules_spur(rules, 612));
    line->tuning.center_hz = 100.05e6;
    band_rules_update(rules, line, &list);
    assert_null(band_rules_spur(rules, 612));
    assert_non_null(band_rules_spur(rules, 562));
    band_rules_update(rules, line, &other);
    assert_non_null(band_rules_spur(rules, 762));
    assert_null(band_rules_spur(rules, 512));
    line->dc_spur = true;
    band_rules_update(rules, line, &other);
    assert_non_null(band_rules_spur(rules, 512));
    /* 1 RBW of 2.0 bins and the main lobe of 3.6 */
    assert_non_null(band_rules_spur(rules, 507));
    assert_null(band_rules_spur(rules, 506));
    line->usable_percent = 40; /* 512 +- 204 */
    band_rules_update(rules, line, &other);
    assert_int_equal(rules->count, 1);
    line->dc_spur = false;
    band_rules_update(rules, line, NULL);
    assert_int_equal(rules->count, 0);
    spur_list_finish(&list);
    spur_list_finish(&other);
    free(rules);
    line_destroy(line);
}

static void without_a_known_rate_the_centre_alone_is_known(void **state)
{
    (void)state;
    struct line *line = fixture_flat_line(&fixture, 1);
    line->rate_assumed = true;
    struct band_rules *rules = rules_of(line, "center 100k\ncenter+200k 0\n100.1M 0\n");
    assert_int_equal(rules->count, 1);
    assert_int_equal(rules->spur[0].bins.first, 512 - 3);
    assert_int_equal(rules->spur[0].bins.last, 512 + 3);
    free(rules);
    line_destroy(line);
}

static int compare(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static void a_percentile_without_gaps_is_that_of_the_rest(void **state)
{
    (void)state;
    enum { N = 500 };
    static const struct line_bins gaps[] = {{0, 9}, {100, 100}, {320, 499}};
    float values[N], rest[N];
    uint32_t count = 0;
    srand(1);
    for (uint32_t i = 0; i < N; i++) {
        values[i] = (float)rand() / (float)RAND_MAX;
        if (i > 9 && i != 100 && i < 320)
            rest[count++] = values[i];
    }
    qsort(rest, count, sizeof rest[0], compare);
    for (int percent = 0; percent <= 100; percent += 10) {
        const uint32_t rank = (uint32_t)(percent / 100.0 * (count - 1) + 0.5);
        assert_true(statistics_percentile_without(values, N, gaps, 3, percent) == rest[rank]);
    }
    assert_true(statistics_percentile_without(values, N, &(struct line_bins){0, N - 1}, 1, 50) ==
                statistics_percentile(values, N, 50));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_search_finds_a_spur_with_any_window),
        cmocka_unit_test(peaks_leave_out_spurs_and_their_skirts),
        cmocka_unit_test(a_relative_spur_follows_the_centre_and_an_absolute_one_does_not),
        cmocka_unit_test(the_noise_floor_does_not_know_spurs),
        cmocka_unit_test(the_snr_of_a_channel_leaves_out_a_spur_within_it),
        cmocka_unit_test(a_channel_with_nothing_but_a_spur_is_not_occupied),
        cmocka_unit_test(a_channel_within_a_spur_is_unknown),
        cmocka_unit_test(a_marker_on_a_spur_reads_it_with_a_note),
        cmocka_unit_test(sums_of_power_contain_spurs),
        cmocka_unit_test(a_spur_takes_its_width_and_the_main_lobe),
        cmocka_unit_test(rules_are_made_again_for_another_tuning_size_window_and_list),
        cmocka_unit_test(without_a_known_rate_the_centre_alone_is_known),
        cmocka_unit_test(a_percentile_without_gaps_is_that_of_the_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
