/* test_acpr.c - adjacent channels of known power, with and without RRC weighting. */
#include <stdlib.h>

#include "daemon/base/reason.h"
#include "daemon/measure/tuples.h"
#include "tests/support/measure/measure_fixture.h"

static const struct fixture fixture = {4096, 2048, "blackman-harris", 0, 16e6};
enum { COUNT = 1 << 20 };

/*
 * QPSK of 1 MBd and the power 1; noise of -50 dB in 1.5 to 2.5 MHz, of -40 dB in -2.5 to -1.5 MHz,
 * of -60 dB in 3.75 to 4.25 MHz.
 */
static struct line *scene(void)
{
    static struct fft_iq *iq;
    if (!iq) {
        iq = fixture_silence(COUNT);
        fixture_add_qpsk(iq, COUNT, 16, 0.22, 0, 5);
        fixture_add_band(iq, COUNT, 1e-5 * 16, 1.5 / 16, 2.5 / 16, 6);
        fixture_add_band(iq, COUNT, 1e-4 * 16, -2.5 / 16, -1.5 / 16, 7);
        fixture_add_band(iq, COUNT, 1e-6 * 32, 3.75 / 16, 4.25 / 16, 8);
    }
    return fixture_line(&fixture, iq, COUNT);
}

static struct measure_result measure(const char *options)
{
    struct line *line = scene();
    const struct measure_result r = fixture_measure_line("acpr", options, line);
    line_destroy(line);
    return r;
}

static void adjacent_channels_read_their_ratio_on_both_sides(void **state)
{
    (void)state;
    const struct measure_result r = measure("width=1.5M offsets=2M:1.2M,4M:500k");
    static const double want[][4] = {{-2e6, 1.2e6, -40, -40},
                                     {2e6, 1.2e6, -50, -50},
                                     {-4e6, 500e3, -120, 0},
                                     {4e6, 500e3, -60, -60}};
    assert_int_equal(r.table.rows, 4);
    assert_near(fixture_value(&r, "power"), 0, 0.02);
    assert_near(fixture_value(&r, "worst"), -40, 0.1);
    for (unsigned i = 0; i < 4; i++) {
        assert_near(fixture_cell(&r, i, "frequency"), want[i][0], 0.1);
        assert_near(fixture_cell(&r, i, "offset"), want[i][0], 0.1);
        assert_near(fixture_cell(&r, i, "width"), want[i][1], 0.1);
        if (i != 2)
            assert_near(fixture_cell(&r, i, "ratio"), want[i][2], 0.1);
        assert_true(isnan(fixture_cell(&r, i, "limit")));
    }
    assert_true(fixture_cell(&r, 2, "ratio") < -85); /* empty but for the window's sidelobes */
    assert_int_equal(r.verdict, MEASURE_NO_LIMIT);
}

/*
 * Through a root raised cosine filter QPSK of the same filter loses a quarter of the roll-off:
 * the integral of the raised cosine squared is 1 - a/4. White noise has the symbol rate as width.
 */
static void rrc_weighting_is_the_filters(void **state)
{
    (void)state;
    const struct measure_result r = measure("width=1M offsets=2M:0.8M roll-off=0.22");
    assert_near(fixture_value(&r, "power"), 10 * log10(1 - 0.22 / 4), 0.02);
    assert_near(fixture_cell(&r, 0, "power"), -40 + 10 * log10(0.8), 0.1);
    assert_near(fixture_cell(&r, 1, "ratio"), -50 + 10 * log10(0.8 / (1 - 0.22 / 4)), 0.1);
}

static void limits_give_a_verdict(void **state)
{
    (void)state;
    struct measure_result r = measure("width=1.5M offsets=2M:1.2M:-39,4M:500k");
    assert_int_equal(r.verdict, MEASURE_PASS);
    assert_near(fixture_cell(&r, 0, "limit"), -39, 0);
    r = measure("width=1.5M offsets=2M:1.2M:-41,4M:500k:-10");
    assert_int_equal(r.verdict, MEASURE_FAIL);
    r = measure("width=1.5M offsets=4M:500k:-59,2M:1.2M");
    assert_int_equal(r.verdict, MEASURE_PASS);
}

static void channels_that_cannot_be_measured_are_refused(void **state)
{
    (void)state;
    struct measure_result r = measure("width=1.5M offsets=7.5M:1.2M");
    fixture_refused(&r, "not within the span");
    r = measure("width=1.5M offsets=2M:20k");
    fixture_refused(&r, "too wide");
    struct line *line = scene();
    struct fixture_measure m;
    struct measure_input in = fixture_input(line);
    in.function = TRACE_MAX_HOLD;
    fixture_measure_start(&m, "acpr", "width=1.5M offsets=2M");
    fixture_update(&m, &in);
    fixture_refused(&m.result, "max-hold");
    fixture_measure_finish(&m);
    line_destroy(line);
}

static void a_list_of_offsets_is_checked(void **state)
{
    (void)state;
    const struct measure_ops *ops = measure_find("acpr");
    static const char *const bad[] = {"x", "2M:", "2M,", ",", "2M:1M:-3:4", "-2M", "0", "2M:0"};
    static const char *const good[] = {"2M", "2 MHz : 1 MHz : -45 dB, 4M"};
    struct reason why = {0};
    void *state_memory = calloc(1, ops->state_bytes);
    assert_non_null(state_memory);
    assert_true(ops->check(state_memory, &why) < 0);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_true(option_parse(&ops->options[2], bad[i], state_memory) < 0);
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        assert_int_equal(option_parse(&ops->options[2], good[i], state_memory), 0);
    assert_true(ops->check(state_memory, &why) < 0); /* no width */
    free(state_memory);
}

static void more_tuples_than_there_is_room_for_are_refused(void **state)
{
    (void)state;
    static const struct tuple_form one = {1, 1, {SI_PLAIN}};
    double out[TUPLES][TUPLE_NUMBERS];
    char text[2 * TUPLES + 2];
    for (int i = 0; i <= TUPLES; i++) {
        text[2 * i] = '1';
        text[2 * i + 1] = ',';
    }
    text[2 * TUPLES + 1] = '\0';
    assert_true(tuples_parse(text, &one, out) < 0);
    text[2 * TUPLES - 1] = '\0';
    assert_int_equal(tuples_parse(text, &one, out), TUPLES);
    assert_int_equal(tuples_parse("", &one, out), 0);
}

/* Of 0 / 0 there is no ratio, and no verdict that an event could follow from. */
static void a_main_channel_without_power_has_no_ratio(void **state)
{
    (void)state;
    static const struct fixture flat = {256, 128, "hann", 100e6, 1e6};
    static const char options[] = "center=100M width=100k offsets=200k:100k:-45";
    struct line *line = fixture_flat_line(&flat, 0);
    struct measure_result r = fixture_measure_line("acpr", options, line);
    fixture_refused(&r, "the main channel has no power");
    assert_int_equal(r.verdict, MEASURE_NO_LIMIT);
    line_destroy(line);
    line =
        fixture_flat_line(&flat, 1e-6F); /* about 26 bins of -60 dBFS, less 1.76 dB: -47.6 dBFS */
    r = fixture_measure_line("acpr", "center=100M width=100k offsets=200k squelch=-47", line);
    fixture_refused(&r, "the main channel is not above -47 dBFS");
    r = fixture_measure_line("acpr", "center=100M width=100k offsets=200k squelch=-48", line);
    assert_near(fixture_value(&r, "worst"), 0, 1e-3);
    line_destroy(line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adjacent_channels_read_their_ratio_on_both_sides),
        cmocka_unit_test(rrc_weighting_is_the_filters),
        cmocka_unit_test(limits_give_a_verdict),
        cmocka_unit_test(channels_that_cannot_be_measured_are_refused),
        cmocka_unit_test(a_main_channel_without_power_has_no_ratio),
        cmocka_unit_test(a_list_of_offsets_is_checked),
        cmocka_unit_test(more_tuples_than_there_is_room_for_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
