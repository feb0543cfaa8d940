/* test_occupancy.c - occupancy of channels with known duty, and what moves the threshold. */
#include <stdlib.h>
#include <string.h>

#include "daemon/base/reason.h"

#include "tests/support/measure/measure_fixture.h"

/* 1 kHz a bin, 1 ms a frame; a line of 10 frames without overlap is 10 ms. */
static const struct fixture fixture = {1024, 1024, "hann", 100e6, 1.024e6};
enum { LINE = 10240 };

/* Four channels of 100 kHz from 99.8 MHz: a tone in the middle of those whose bit is set. */
static struct line *channels(unsigned bits, uint64_t seed)
{
    struct fft_iq *iq = fixture_silence(LINE);
    fixture_add_noise(iq, LINE, 0.001, seed);
    for (int c = 0; c < 4; c++)
        if (bits >> c & 1)
            fixture_add_tone(iq, LINE, 0.1, (-150e3 + 100e3 * c) / 1.024e6);
    struct line *line = fixture_line(&fixture, iq, LINE);
    free(iq);
    return line;
}

/* One update for each of the patterns. */
static struct measure_result measure(const char *options, const unsigned *bits, unsigned count)
{
    struct fixture_measure m;
    fixture_measure_start(&m, "occupancy", options);
    for (unsigned i = 0; i < count; i++) {
        struct line *line = channels(bits[i], i + 1);
        const struct measure_input in = fixture_input(line);
        fixture_update(&m, &in);
        line_destroy(line);
    }
    fixture_measure_finish(&m);
    return m.result;
}

#define BAND "start=99.8M stop=100.2M width=100k "

/* Channel 0 always, channel 1 half of the time, channel 2 once in eight lines, channel 3 never. */
static const unsigned duty[] = {7, 1, 3, 1, 3, 1, 3, 1};

static void occupancy_of_channels_is_their_duty(void **state)
{
    (void)state;
    const struct measure_result r = measure(BAND, duty, 8);
    static const double want[] = {100, 50, 12.5, 0};
    assert_int_equal(r.table.rows, 4);
    for (unsigned c = 0; c < 4; c++) {
        assert_near(fixture_cell(&r, c, "fco"), want[c], 1e-6);
        assert_near(fixture_cell(&r, c, "frequency"), 99.85e6 + 1e5 * c, 0.1);
    }
    assert_near(fixture_value(&r, "sro"), (100 + 50 + 12.5) / 4, 1e-6);
    assert_near(fixture_value(&r, "observed"), 0.08, 1e-9);
    assert_near(fixture_value(&r, "channels"), 4, 0);
    assert_near(fixture_value(&r, "in_use"), 1, 0); /* the last line */
    assert_near(fixture_cell(&r, 0, "level"), -20, 0.2);
    /* A tone of Hann is above -50 dBFS in a few of the 400 bins. */
    assert_true(fixture_value(&r, "fbo") > 0.5 && fixture_value(&r, "fbo") < 3);
}

/* Noise -30 dBFS - 10 log10(1024) + 1.76 dB a bin, and 10 dB. */
static void a_steady_carrier_does_not_move_the_threshold(void **state)
{
    (void)state;
    static const unsigned none[40],
        all[] = {15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15};
    const double want = -30 - 10 * log10(1024) + 1.761 + 10;
    struct measure_result r = measure(BAND, none, 20);
    assert_near(fixture_value(&r, "threshold"), want, 0.6);
    assert_near(fixture_value(&r, "sro"), 0, 0);
    r = measure(BAND, all, 20);
    assert_near(fixture_value(&r, "threshold"), want, 0.6);
    assert_near(fixture_value(&r, "sro"), 100, 1e-6);
}

static void a_fixed_threshold_is_a_level(void **state)
{
    (void)state;
    struct measure_result r = measure(BAND "threshold=-19", duty, 8);
    assert_near(fixture_value(&r, "sro"), 0, 0);
    assert_near(fixture_value(&r, "threshold"), -19, 1e-4);
    r = measure(BAND "threshold=-21", duty, 8);
    assert_near(fixture_value(&r, "sro"), (100 + 50 + 12.5) / 4, 1e-6);
}

static void a_period_shows_the_newest_complete_one(void **state)
{
    (void)state;
    /* 40 ms: the first four lines, the second four, then two of a third. */
    static const unsigned bits[] = {1, 0, 0, 0, 1, 1, 1, 0, 0, 0};
    struct measure_result r = measure(BAND "period=40ms", bits, 3);
    assert_near(fixture_cell(&r, 0, "fco"), 100.0 / 3, 1e-6); /* none is complete yet */
    r = measure(BAND "period=40ms", bits, 6);
    assert_near(fixture_cell(&r, 0, "fco"), 25, 1e-6);
    assert_near(fixture_value(&r, "observed"), 0.04, 1e-9);
    r = measure(BAND "period=40ms", bits, 10);
    assert_near(fixture_cell(&r, 0, "fco"), 75, 1e-6);
}

static void another_tuning_starts_again(void **state)
{
    (void)state;
    struct fixture_measure m;
    fixture_measure_start(&m, "occupancy", BAND);
    for (int i = 0; i < 4; i++) {
        struct line *line = channels(1, 1);
        line->tuning.ppm = i < 3 ? 0 : 1;
        const struct measure_input in = fixture_input(line);
        fixture_update(&m, &in);
        assert_near(fixture_value(&m.result, "observed"), i < 3 ? (i + 1) * 0.01 : 0.01, 1e-9);
        line_destroy(line);
    }
    fixture_measure_finish(&m);
}

/* A max detector has its own floor: 10 dB above it there is no noise, but there is the carrier. */
static void a_max_detector_is_compared_with_its_own_floor(void **state)
{
    (void)state;
    struct fixture_measure m;
    struct line *line = channels(2, 1);
    struct measure_input in = fixture_input(line);
    in.detector = 1;
    in.power = line->detector[1];
    fixture_measure_start(&m, "occupancy", BAND);
    fixture_update(&m, &in);
    assert_near(fixture_value(&m.result, "in_use"), 1, 0);
    assert_near(fixture_cell(&m.result, 1, "fco"), 100, 0);
    fixture_measure_finish(&m);
    line_destroy(line);
}

static void what_cannot_be_resolved_is_refused(void **state)
{
    (void)state;
    static const unsigned one[] = {1};
    struct measure_result r = measure("start=99.8M stop=100.2M width=4k", one, 1);
    fixture_refused(&r, "too wide for a band of 4000 Hz");
    r = measure("start=99.8M stop=100.6M width=100k", one, 1);
    fixture_refused(&r, "not within the span");
    const struct measure_ops *ops = measure_find("occupancy");
    struct reason why = {0};
    double *memory = calloc(1, ops->state_bytes);
    assert_non_null(memory);
    assert_true(ops->check(memory, &why) < 0);
    memory[1] = 257; /* start, stop, width */
    memory[2] = 1;
    assert_true(ops->check(memory, &why) < 0);
    assert_non_null(strstr(why.sentence, "more than 256 channels"));
    memory[1] = 256;
    assert_int_equal(ops->check(memory, &why), 0);
    free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(occupancy_of_channels_is_their_duty),
        cmocka_unit_test(a_steady_carrier_does_not_move_the_threshold),
        cmocka_unit_test(a_fixed_threshold_is_a_level),
        cmocka_unit_test(a_period_shows_the_newest_complete_one),
        cmocka_unit_test(another_tuning_starts_again),
        cmocka_unit_test(a_max_detector_is_compared_with_its_own_floor),
        cmocka_unit_test(what_cannot_be_resolved_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
