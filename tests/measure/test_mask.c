/* test_mask.c - limit lines and masks on made-up and on real spectra: verdict, margin, worst bin.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/base/reason.h"
#include "daemon/base/text.h"
#include "daemon/calibration/active_calibration.h"
#include "tests/support/measure/measure_fixture.h"

static const struct fixture fixture = {1024, 512, "hann", 100e6, 1.024e6}; /* 1 kHz a bin */

/* -60 dBFS, and one bin of `db` at +100 kHz. */
static struct measure_result measure(const char *options, double db)
{
    struct line *line = fixture_flat_line(&fixture, 1e-6F);
    line->detector[0][612] = (float)pow(10, db / 10);
    const struct measure_result r = fixture_measure_line("mask", options, line);
    line_destroy(line);
    return r;
}

static void the_margin_is_that_of_the_worst_bin(void **state)
{
    (void)state;
    /* A straight line from -60 at 100 MHz to -20 at 100.4 MHz: -50 at 100.1 MHz. */
    struct measure_result r = measure("upper=100M:-60,100.4M:-20,100.5M:-20", -53);
    assert_int_equal(r.verdict, MEASURE_PASS);
    assert_near(fixture_value(&r, "margin"), 0, 1e-4); /* at the first bin */
    r = measure("upper=100M:-58,100.4M:-18,100.5M:-18", -51.5);
    assert_near(fixture_value(&r, "margin"), 2, 1e-4);
    r = measure("upper=100.05M:-55,100.45M:-15", -49.5); /* -50 at 100.1 MHz */
    assert_int_equal(r.verdict, MEASURE_FAIL);
    assert_near(fixture_value(&r, "margin"), -0.5, 1e-4);
    assert_near(fixture_value(&r, "frequency"), 100.1e6, 1e-3);
    assert_near(fixture_value(&r, "level"), -49.5, 1e-4);
    assert_near(fixture_value(&r, "limit"), -50, 1e-4);
}

static void each_segment_has_a_row_with_its_worst_bin(void **state)
{
    (void)state;
    const struct measure_result r = measure(
        "upper=99.8M:-50,99.9M:-50,99.9M:-20,100.2M:-20,100.3M:-40 lower=99.7M:-70,99.8M:-65", -30);
    static const double want[][6] = {/* low, high, frequency, limit, margin, upper */
                                     {99.8e6, 99.9e6, 99.8e6, -50, 10, 1},
                                     {99.9e6, 100.2e6, 100.1e6, -20, 10, 1},
                                     {100.2e6, 100.3e6, 100.3e6, -40, 20, 1},
                                     {99.7e6, 99.8e6, 99.8e6, -65, 5, 0}};
    static const char *const names[] = {"low", "high", "frequency", "limit", "margin", "upper"};
    assert_int_equal(r.table.rows, 4);
    for (unsigned i = 0; i < 4; i++)
        for (int c = 0; c < 6; c++)
            assert_near(fixture_cell(&r, i, names[c]), want[i][c], 1e-3);
    assert_near(fixture_value(&r, "margin"), 5, 1e-3);
}

static void a_lower_limit_fails_below_it(void **state)
{
    (void)state;
    struct measure_result r = measure("lower=100.05M:-61,100.15M:-61", -62);
    assert_int_equal(r.verdict, MEASURE_FAIL);
    assert_near(fixture_value(&r, "margin"), -1, 1e-4);
    r = measure("lower=100.05M:-61,100.15M:-61", -50);
    assert_int_equal(r.verdict, MEASURE_PASS);
    assert_near(fixture_value(&r, "margin"), 1, 1e-4);
    r = measure("lower=100.05M:-61,100.15M:-61", -INFINITY); /* an empty bin: -300 dBFS */
    assert_near(fixture_value(&r, "margin"), -239, 1e-3);
}

static void points_may_count_from_a_centre(void **state)
{
    (void)state;
    const struct measure_result r = measure("center=100.1M upper=-10k:-40,10k:-40", -39);
    assert_near(fixture_value(&r, "frequency"), 100.1e6, 1e-3);
    assert_near(fixture_value(&r, "margin"), -1, 1e-4);
}

static void a_segment_between_two_bins_uses_the_next_bin(void **state)
{
    (void)state;
    const struct measure_result r = measure("upper=100.0993M:-40,100.0997M:-40", -39);
    assert_near(fixture_value(&r, "margin"), -1, 1e-4);
}

/* QPSK of power 1, and noise 45 dB lower in 1 MHz around +2 MHz, against masks of 100 kHz. */
static void an_emission_mask_is_relative_to_the_channel_in_its_bandwidth(void **state)
{
    (void)state;
    enum { COUNT = 1 << 20 };
    static const struct fixture wide = {4096, 2048, "blackman-harris", 100e6, 8e6};
    const double in_100k = 10 * log10(1e-4 * 0.1), level = 0.25;
    struct fft_iq *iq = fixture_silence(COUNT);
    fixture_add_qpsk(iq, COUNT, 8, 0.22, 0, 5);
    fixture_add_band(iq, COUNT, 1e-4 * 8, 1.5 / 8, 2.5 / 8, 6);
    for (size_t i = 0; i < COUNT; i++) {
        iq[i].re *= (float)sqrt(level);
        iq[i].im *= (float)sqrt(level);
    }
    struct line *line = fixture_line(&wide, iq, COUNT);
    struct measure_result r =
        fixture_measure_line("mask",
                             "center=100M reference=channel width=1.3M bandwidth=100k "
                             "upper=1.6M:-45,2.4M:-45 lower=1.6M:-70,2.4M:-70",
                             line);
    assert_near(fixture_value(&r, "reference"), 10 * log10(level), 0.02);
    assert_near(fixture_value(&r, "level"), in_100k + 10 * log10(level),
                0.5); /* worst of 800 kHz */
    assert_near(fixture_value(&r, "margin"), -45 - in_100k, 0.5);
    assert_near(fixture_cell(&r, 1, "margin"), in_100k + 70, 0.7);
    r = fixture_measure_line("mask", "bandwidth=3k upper=98M:0,99M:0", line);
    fixture_refused(&r, "wider than the bandwidth");
    r = fixture_measure_line("mask", "bandwidth=100k upper=103.8M:0,103.96M:0", line);
    fixture_refused(&r, "not within the span");
    line_destroy(line);
    free(iq);
}

static void a_mask_beyond_the_span_is_refused(void **state)
{
    (void)state;
    const struct measure_result r = measure("upper=100M:-20,100.6M:-20", -30);
    fixture_refused(&r, "not within the span");
}

static void points_are_checked(void **state)
{
    (void)state;
    const struct measure_ops *ops = measure_find("mask");
    static const char *const bad[] = {"1M",
                                      "1M:3",
                                      "1M:3,2M",
                                      "2M:3,1M:3",
                                      "1M:3,1M:4",
                                      "1M:3,3M:3,2M:3,4M:3",
                                      "1M:3:4,2M:4:5",
                                      "a:3,b:4"};
    struct reason why = {0};
    void *memory = calloc(1, ops->state_bytes);
    assert_non_null(memory);
    assert_true(ops->check(memory, &why) < 0);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_true(option_parse(&ops->options[0], bad[i], memory) < 0);
    assert_int_equal(option_parse(&ops->options[0], "1M:3,2M:4", memory), 0);
    assert_int_equal(ops->check(memory, &why), 0);
    free(memory);
}

/* ---- files, and limits in dBm -------------------------------------------------------------- */

/* A mask of a file with this text; fixture_measure_finish frees it. */
static void start_file(struct fixture_measure *m, const char *text, const char *options)
{
    char path[] = "/tmp/fftd_mask_XXXXXX", all[256];
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    snprintf(all, sizeof all, "file=%s %s", path, options);
    fixture_measure_start(m, "mask", all);
    unlink(path);
}

static struct measure_result measure_file(const char *text, const char *options, double db)
{
    struct fixture_measure m;
    struct line *line = fixture_flat_line(&fixture, 1e-6F);
    line->detector[0][612] = (float)pow(10, db / 10);
    const struct measure_input in = fixture_input(line);
    start_file(&m, text, options);
    fixture_update(&m, &in);
    fixture_measure_finish(&m);
    line_destroy(line);
    return m.result;
}

static void a_file_measures_as_its_points_in_options_do(void **state)
{
    (void)state;
    static const struct {
        const char *file, *with_file, *options;
    } cases[] = {
        {"upper 99.8M -50\nupper 100.3M -40 # slope\nlower 99.7M -70\nlower 99.8M -65\n", "",
         "upper=99.8M:-50,100.3M:-40 lower=99.7M:-70,99.8M:-65"},
        {"frequency = offset\nupper -200k -50\nupper 0 -50\nupper 0 -20\nupper 200k -20\n",
         "center=100M", "center=100M upper=-200k:-50,0:-50,0:-20,200k:-20"},
        {"frequency = offset\nlevel = dBc\nupper -200k -30\nupper -50k -30\n",
         "center=100.1M width=20k",
         "center=100.1M width=20k reference=channel upper=-200k:-30,-50k:-30"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct measure_result a = measure_file(cases[i].file, cases[i].with_file, -30);
        const struct measure_result b = measure(cases[i].options, -30);
        assert_int_equal(a.verdict, b.verdict);
        assert_int_equal(a.table.rows, b.table.rows);
        assert_near(fixture_value(&a, "margin"), fixture_value(&b, "margin"), 1e-9);
        assert_near(fixture_value(&a, "frequency"), fixture_value(&b, "frequency"), 1e-3);
        assert_near(fixture_value(&a, "limit"), fixture_value(&b, "limit"), 1e-9);
    }
}

static void a_mask_of_256_points_has_a_row_for_each_segment(void **state)
{
    (void)state;
    struct text text = {0};
    for (int i = 0; i < 128; i++)
        text_add(&text, "upper %dk -20\nlower %dk -80\n", 99600 + 6 * i, 99600 + 6 * i);
    text_add_bytes(&text, "", 1);
    const struct measure_result r = measure_file(text.data, "", -30);
    assert_int_equal(r.verdict, MEASURE_PASS);
    assert_int_equal(r.table.rows, 2 * 127);
    assert_near(fixture_value(&r, "margin"), 10, 1e-4);
    text_finish(&text);
}

/* A line with the calibration of `rows`, measured; "": there is no table. */
static struct measure_result measure_dbm(const char *rows, const char *options, double db)
{
    struct calibration_table table = {0};
    struct fixture_measure m;
    struct reason why = {0};
    char text[400];
    struct line *line = fixture_flat_line(&fixture, 1e-9F);
    snprintf(text, sizeof text, "serial = -\ndate = -\nuncertainty = -\n%s", rows);
    assert_int_equal(calibration_parse(&table.calibration, text, strlen(text), "t", &why), 0);
    line->detector[0][612] = (float)pow(10, db / 10);
    const struct calibration_radio radio = calibration_radio_of(*rows ? &table : NULL, line);
    struct measure_input in = fixture_input(line);
    in.radio = &radio;
    fixture_measure_start(&m, "mask", options);
    fixture_update(&m, &in);
    fixture_measure_finish(&m);
    calibration_finish(&table.calibration);
    line_destroy(line);
    return m.result;
}

static void limits_in_dbm_use_the_calibration_of_each_frequency(void **state)
{
    (void)state;
    static const char flat[] = "100M - - -20\n";
    /* 0 dBFS is -20 dBm: -31 dBFS is -51 dBm */
    struct measure_result r = measure_dbm(flat, "upper=99.8M:-50,100.3M:-50 reference=dbm", -31);
    assert_int_equal(r.verdict, MEASURE_PASS);
    assert_near(fixture_value(&r, "margin"), 1, 1e-3);
    assert_near(fixture_value(&r, "frequency"), 100.1e6, 1e-3);
    assert_near(fixture_value(&r, "limit"), -30, 1e-3); /* in dBFS until it is written */
    r = measure_dbm(flat, "upper=99.8M:-50,100.3M:-50 reference=dbm", -29);
    assert_int_equal(r.verdict, MEASURE_FAIL);
    /* -20 dB at 100 MHz, -30 dB at 100.2 MHz: -25 dB at 100.1 MHz, where -40 dBFS is -65 dBm */
    r = measure_dbm("100M - - -20\n100.2M - - -30\n",
                    "lower=99.8M:-140,100.3M:-140 upper=100.05M:-60,100.15M:-70 reference=dbm",
                    -40);
    assert_near(fixture_cell(&r, 0, "margin"), 0, 1e-3); /* -65 dBm at 100.1 MHz */
    assert_near(fixture_cell(&r, 0, "limit"), -65 + 25, 1e-3);
    /* -90 dBFS is -120 dBm where the offset is least: 100.2 MHz and above */
    assert_near(fixture_cell(&r, 1, "margin"), 20, 1e-3);
    assert_true(fixture_cell(&r, 1, "frequency") >= 100.2e6 - 500);
}

static void limits_in_dbm_without_a_calibration_have_no_verdict(void **state)
{
    (void)state;
    static const char limits[] = "upper=99.8M:-50,100.3M:-50 reference=dbm";
    struct measure_result r = measure_dbm("", limits, -31);
    fixture_refused(&r, "uncal: limits in dBm, and no calibration of 99800000 Hz");
    assert_int_equal(r.verdict, MEASURE_NO_LIMIT);
    r = measure_dbm("100M 20 - -20\n", limits, -31); /* another gain */
    fixture_refused(&r, "uncal: ");
    r = measure(limits, -31);
    fixture_refused(&r, "uncal: ");
}

/* A ratio has no dBm, whatever is calibrated. */
static void limits_in_dbm_of_a_relative_trace_are_refused(void **state)
{
    (void)state;
    struct calibration_table table = {0};
    struct fixture_measure m;
    char text[] = "serial = -\ndate = -\nuncertainty = -\n100M - - -20\n";
    struct reason why = {0};
    struct line *line = fixture_flat_line(&fixture, 1);
    assert_int_equal(calibration_parse(&table.calibration, text, strlen(text), "t", &why), 0);
    const struct calibration_radio radio = calibration_radio_of(&table, line);
    struct measure_input in = fixture_input(line);
    in.radio = &radio;
    in.relative = true;
    fixture_measure_start(&m, "mask", "upper=99.8M:-50,100.3M:-50 reference=dbm");
    fixture_update(&m, &in);
    fixture_refused(&m.result, "limits in dBm: the trace is relative");
    fixture_measure_finish(&m);
    calibration_finish(&table.calibration);
    line_destroy(line);
}

static void files_are_the_same_if_their_points_are(void **state)
{
    (void)state;
    static const char text[] = "level = dBm\nupper 99.8M -50\nupper 100.3M -40\n";
    static const struct {
        const char *text;
        bool same;
    } others[] = {
        {"# a comment\nlevel=dBm\nupper 99800k -50\nupper 100.3M -40dB\n", true},
        {"upper 99.8M -50\nupper 100.3M -40\n", false},
        {"level = dBm\nupper 99.8M -50\nupper 100.3M -41\n", false},
        {"level = dBm\nlower 99.8M -50\nlower 100.3M -40\n", false},
        {"frequency = offset\nlevel = dBm\nupper 99.8M -50\nupper 100.3M -40\n", false},
    };
    struct fixture_measure a, b;
    start_file(&a, text, "center=100M");
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        start_file(&b, others[i].text, "center=100M");
        assert_int_equal(a.ops->same_files(a.state, b.state), others[i].same);
        fixture_measure_finish(&b);
    }
    fixture_measure_finish(&a);
}

static void a_reference_channel_without_power_gives_no_verdict(void **state)
{
    (void)state;
    static const struct fixture flat = {256, 128, "hann", 100e6, 1e6};
    static const char options[] =
        "center=100M width=50k reference=channel upper=-200k:-40,-100k:-40";
    struct line *line = fixture_flat_line(&flat, 0);
    struct measure_result r = fixture_measure_line("mask", options, line);
    fixture_refused(&r, "the reference channel has no power");
    assert_int_equal(r.verdict, MEASURE_NO_LIMIT);
    r = fixture_measure_line("mask", "upper=99.8M:-40,99.9M:-40",
                             line); /* an absolute limit has one */
    assert_int_equal(r.verdict, MEASURE_PASS);
    line_destroy(line);
    line = fixture_flat_line(&flat, 1e-6F);
    char text[128];
    snprintf(text, sizeof text, "%s squelch=-40", options);
    r = fixture_measure_line("mask", text, line);
    fixture_refused(&r, "the reference channel is not above -40 dBFS");
    line_destroy(line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_margin_is_that_of_the_worst_bin),
        cmocka_unit_test(each_segment_has_a_row_with_its_worst_bin),
        cmocka_unit_test(a_lower_limit_fails_below_it),
        cmocka_unit_test(points_may_count_from_a_centre),
        cmocka_unit_test(a_segment_between_two_bins_uses_the_next_bin),
        cmocka_unit_test(an_emission_mask_is_relative_to_the_channel_in_its_bandwidth),
        cmocka_unit_test(a_reference_channel_without_power_gives_no_verdict),
        cmocka_unit_test(a_mask_beyond_the_span_is_refused),
        cmocka_unit_test(points_are_checked),
        cmocka_unit_test(a_file_measures_as_its_points_in_options_do),
        cmocka_unit_test(a_mask_of_256_points_has_a_row_for_each_segment),
        cmocka_unit_test(limits_in_dbm_use_the_calibration_of_each_frequency),
        cmocka_unit_test(limits_in_dbm_without_a_calibration_have_no_verdict),
        cmocka_unit_test(limits_in_dbm_of_a_relative_trace_are_refused),
        cmocka_unit_test(files_are_the_same_if_their_points_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
