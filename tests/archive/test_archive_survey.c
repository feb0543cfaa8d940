/* test_archive_survey.c - occupancy of channels whose use of each line is known. */
#include "tests/archive/archive_fixture.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "daemon/archive/read/archive_request.h"
#include "daemon/archive/read/survey_command.h"
#include "daemon/base/reason.h"

static const struct fixture_levels noise = {-90, -80, -110}, signal = {-30, -20, -40};
static const double low_hz = 100e6 - 32500; /* left edge of bin 0 */

static int set_up(void **state)
{
    static struct archive_fixture fixture;
    archive_fixture_init(&fixture);
    archive_fixture_start(&fixture);
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    archive_fixture_remove(*state);
    return 0;
}

/* Bin 20 is in use in every fourth line: 300 of 1200 lines of 100 ms. */
static void fill(struct archive_fixture *r)
{
    for (uint32_t i = 0; i < 1200; i++)
        archive_fixture_add(r, &noise, 20, i % 4 == 0 ? &signal : NULL);
    archive_fixture_stop(r);
}

static struct survey_query query_of(double resolution_s)
{
    struct archive_request r;
    archive_request_init(&r, true);
    r.of_survey.resolution_s = resolution_s;
    r.of_survey.width_hz = 4000; /* bin 20 is the first of channel 5 */
    r.of_survey.low_hz = low_hz;
    r.of_survey.high_hz = low_hz + 64000;
    return r.of_survey;
}

static void a_channel_in_use_a_quarter_of_the_time_has_an_fco_of_25(void **state)
{
    struct archive_fixture *r = *state;
    struct survey s;
    const struct survey_query q = query_of(0.1);
    fill(r);
    assert_int_equal(survey_read(r->folder, &q, &s), 0);
    assert_int_equal(s.hours, 1);
    assert_int_equal(s.channels, 16);
    assert_int_equal(s.hour[0].rows, 1200);
    assert_true(s.hour[0].start_ns % (INT64_C(3600) * 1000000000) == 0);
    assert_near(s.hour[0].observed_s, 120, 1e-3);
    for (uint32_t c = 0; c < 16; c++) {
        assert_near(survey_fco(&s, 0, c), c == 5 ? 25 : 0, 1e-6);
        assert_near(s.channel[c].max_db, c == 5 ? -20 : -80, 0.11);
    }
    assert_near(survey_fbo(&s, 0), 25.0 / 64, 1e-6);
    assert_near(survey_sro(&s, 0), 25.0 / 16, 1e-6);
    survey_finish(&s);
}

/* Lines of 150 ms, one each 100 ms: with long frames that overlap by half, for example. */
static void samples_that_rows_share_are_observed_once(void **state)
{
    struct archive_fixture *r = *state;
    struct survey s;
    const struct survey_query q = query_of(0.1);
    r->overlap_ns = 50000000;
    fill(r);
    assert_int_equal(survey_read(r->folder, &q, &s), 0);
    assert_int_equal(s.hour[0].rows, 1200);
    assert_near(s.hour[0].observed_s, 120.05, 1e-3);
    assert_near(s.channel[4].observed_s, 120.05, 1e-3);
    assert_near(survey_fco(&s, 0, 5), 25, 0.1);
    survey_finish(&s);
}

/* Every second has a signal: at that resolution the maximum says always. */
static void coarser_rows_are_an_upper_bound(void **state)
{
    struct archive_fixture *r = *state;
    struct survey s;
    const struct survey_query q = query_of(1);
    fill(r);
    assert_int_equal(survey_read(r->folder, &q, &s), 0);
    assert_true(s.period_ns == 1000000000);
    assert_near(survey_fco(&s, 0, 5), 100, 1e-6);
    assert_near(survey_fco(&s, 0, 4), 0, 1e-6);
    survey_finish(&s);
}

static void hours_begin_with_the_clock(void **state)
{
    struct archive_fixture *r = *state;
    struct survey s;
    struct survey_query q = query_of(0.1);
    const int64_t hour_ns = INT64_C(3600) * 1000000000;
    r->next = (uint64_t)((hour_ns - fixture_start_ns % hour_ns) / r->line_ns) - 60;
    for (uint32_t i = 0; i < 100; i++) /* 6 s before the hour, and 4 s after */
        archive_fixture_add(r, &noise, 20, i >= 60 && i < 80 ? &signal : NULL);
    archive_fixture_stop(r);
    assert_int_equal(survey_read(r->folder, &q, &s), 0);
    assert_int_equal(s.hours, 2);
    assert_int_equal(s.hour[0].rows, 60);
    assert_int_equal(s.hour[1].rows, 40);
    assert_near(survey_fco(&s, 0, 5), 0, 1e-6);
    assert_near(survey_fco(&s, 1, 5), 50, 1e-6);
    survey_finish(&s);
}

static void a_threshold_and_a_detector_decide(void **state)
{
    struct archive_fixture *r = *state;
    struct survey s;
    struct survey_query q = query_of(0.1);
    fill(r);
    q.detector = 0;
    q.threshold_db = -29; /* the mean is -30 */
    assert_int_equal(survey_read(r->folder, &q, &s), 0);
    assert_near(survey_fco(&s, 0, 5), 0, 1e-6);
    survey_finish(&s);
    q.threshold_db = -31;
    assert_int_equal(survey_read(r->folder, &q, &s), 0);
    assert_near(survey_fco(&s, 0, 5), 25, 1e-6);
    survey_finish(&s);
    q.resolution_s = 0.2; /* no tier has it */
    assert_int_equal(survey_read(r->folder, &q, &s), -ENODATA);
}

static void the_command_prints_csv(void **state)
{
    struct archive_fixture *r = *state;
    struct reason why = {0};
    char text[200], output[4096] = "";
    fill(r);
    FILE *out = fmemopen(output, sizeof output, "w");
    snprintf(text, sizeof text, "%s,width=64k,low_hz=%.0f,high_hz=%.0f,resolution=100ms", r->folder,
             low_hz, low_hz + 64000);
    assert_int_equal(survey_command(text, out, &why), 0);
    fclose(out);
    assert_string_equal(output, "hour,frequency_hz,width_hz,fco_percent,max_dbfs,observed_s\n"
                                "2023-11-14T22:00Z,99999500,64000,25.000,-20.00,120.0\n");
    snprintf(text, sizeof text, "%s,width=wide", r->folder);
    assert_int_equal(survey_command(text, stdout, &why), -EINVAL);
    assert_string_equal(why.sentence, "width: \"wide\" is not a frequency");
    assert_int_equal(survey_command("/nonexistent", stdout, &why), -ENOENT);
    assert_string_equal(why.sentence, "/nonexistent: there is no archive, or it has no rows yet");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_channel_in_use_a_quarter_of_the_time_has_an_fco_of_25),
        TEST(samples_that_rows_share_are_observed_once),
        TEST(coarser_rows_are_an_upper_bound),
        TEST(hours_begin_with_the_clock),
        TEST(a_threshold_and_a_detector_decide),
        TEST(the_command_prints_csv),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
