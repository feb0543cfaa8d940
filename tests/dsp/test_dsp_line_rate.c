/* test_dsp_line_rate.c - lines of a requested rate: how frames are divided among them. */
#include <math.h>

#include "daemon/base/level.h"
#include "tests/support/dsp/dsp_fixture.h"

enum { HOP = 128 }; /* of dsp_fixture_settings */

static struct settings of_rate(double line_rate_hz)
{
    struct settings w = dsp_fixture_settings();
    w.average = 0;
    w.line_rate_hz = line_rate_hz;
    return w;
}

/* 7812.5 frames a second. After any number of lines their samples are those asked for, to half a
 * frame. */
static void the_mean_line_rate_is_as_requested(void **state)
{
    (void)state;
    for (double rate_hz = 5; rate_hz < 7000; rate_hz *= 2.3) {
        struct dsp_fixture b;
        const struct settings w = of_rate(rate_hz);
        const double line_samples = RATE / rate_hz;
        const uint32_t lines = 2 * (uint32_t)fmin(rate_hz, 200);
        dsp_fixture_start(&b, &w, true, &no_limits);
        dsp_fixture_write(&b, (uint32_t)(line_samples * lines) + 2 * HOP);
        const struct ledger ledger = dsp_fixture_finish(&b);
        dsp_fixture_conserves(&b, &ledger);
        assert_in_range(b.lines_seen, lines, lines + 3);
        assert_near(b.last->first_sample, line_samples * (double)b.last->number, HOP / 2.0 + 1);
        assert_true(b.most - b.fewest <= 1);
        assert_int_equal(b.fewest, (uint64_t)(line_samples / HOP));
        assert_int_equal(b.gaps, 0);
        dsp_fixture_clean_up(&b);
    }
}

/* A new segment begins with whole lines, and divides its frames as the first one did. */
static void a_loss_restarts_the_lines(void **state)
{
    (void)state;
    struct dsp_fixture b;
    const struct settings w = of_rate(RATE / (2.25 * HOP));
    dsp_fixture_start(&b, &w, true, &no_limits);
    for (int i = 0; i < 30; i++) {
        dsp_fixture_write(&b, 10 * HOP + HOP); /* 10 frames: 2, 3, 2, 2 and 1 */
        dsp_fixture_lose(&b, LOSS_GAP, 1000);
    }
    const struct ledger ledger = dsp_fixture_finish(&b);
    dsp_fixture_conserves(&b, &ledger);
    assert_int_equal(b.lines_seen, 30 * 5);
    assert_int_equal(b.last->frames, 1);
    assert_int_equal(b.most, 3);
    dsp_fixture_clean_up(&b);
}

static void status_of(struct dsp_fixture *b, struct dsp_status *report)
{
    dsp_fixture_wait_for_frames(b, 20);
    dsp_thread_status(b->pipeline, report);
}

static void a_rate_above_that_of_frames_makes_a_line_of_each_and_says_so(void **state)
{
    (void)state;
    struct dsp_fixture b;
    struct dsp_status report;
    const struct settings w = of_rate(10000);
    dsp_fixture_start(&b, &w, true, &no_limits);
    dsp_fixture_write(&b, 20 * HOP + HOP);
    status_of(&b, &report);
    assert_string_equal(report.line_rate_limit,
                        "a line-rate of 10000 Hz is out of reach: it is 7812 Hz with one frame in "
                        "a line, at fft-size 256, overlap 50");
    assert_near(report.line_rate_hz, 7812.5, 1e-9);
    dsp_fixture_finish(&b);
    assert_int_equal(b.lines_seen, 20);
    assert_int_equal(b.most, 1);
    dsp_fixture_clean_up(&b);
}

static void a_rate_within_reach_is_reported_as_it_is(void **state)
{
    (void)state;
    struct dsp_fixture b;
    struct dsp_status report;
    const struct settings w = of_rate(5000);
    dsp_fixture_start(&b, &w, true, &no_limits);
    dsp_fixture_write(&b, 20 * HOP + HOP);
    status_of(&b, &report);
    assert_string_equal(report.line_rate_limit, "");
    assert_near(report.line_rate_hz, 5000, 1e-9);
    assert_near(report.frames_per_line, 1.5625, 1e-12);
    dsp_fixture_finish(&b);
    dsp_fixture_clean_up(&b);
}

/* ---- levels ----------------------------------------------------------------------------- */

/* A tone of half of full scale in bin 8 of 256, -6.02 dBFS, for `count` samples. */
static void write_tone(struct dsp_fixture *b, uint32_t count)
{
    while (count > 0) {
        const uint32_t now = count < b->block ? count : b->block;
        int16_t(*into)[2] = iq_ring_write_begin(b->epoch->ring, 60000);
        assert_non_null(into);
        for (uint32_t i = 0; i < now; i++, b->number++) {
            const double turn = 2 * 3.14159265358979 * (b->number % 32) / 32;
            into[i][0] = (int16_t)lround(16384 * cos(turn));
            into[i][1] = (int16_t)lround(16384 * sin(turn));
        }
        iq_ring_write_end(b->epoch->ring, now);
        count -= now;
    }
}

static void the_mean_does_not_depend_on_the_frames_of_a_line(void **state)
{
    (void)state;
    struct dsp_fixture b;
    struct fft_engine *engine = NULL;
    char why[256];
    const struct settings w = of_rate(5000);
    unsigned of_frames[3] = {0};
    assert_int_equal(
        fft_engine_open(&engine, &(struct fft_engine_config){.name = "cpu"}, why, sizeof why), 0);
    dsp_fixture_start(&b, &w, true, &(struct dsp_thread_config){.engine = engine});
    write_tone(&b, 32 * 200 + HOP); /* 32 lines in 50 frames */
    for (int i = 0; i < 32; i++) {
        struct line *line = line_reader_next(&b.reader, 60000, NULL);
        assert_non_null(line);
        assert_in_range(line->frames, 1, 2);
        of_frames[line->frames]++;
        assert_near(level_dbfs(line->detector[0][128 + 8]), -6.0206, 0.001);
        assert_near(level_dbfs(line->detector[1][128 + 8]), -6.0206, 0.001);
        b.lines_seen++;
        line_unref(b.lines, line);
    }
    assert_int_equal(of_frames[1], 14);
    assert_int_equal(of_frames[2], 18);
    dsp_fixture_finish(&b);
    dsp_fixture_clean_up(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_mean_line_rate_is_as_requested),
        cmocka_unit_test(a_loss_restarts_the_lines),
        cmocka_unit_test(a_rate_above_that_of_frames_makes_a_line_of_each_and_says_so),
        cmocka_unit_test(a_rate_within_reach_is_reported_as_it_is),
        cmocka_unit_test(the_mean_does_not_depend_on_the_frames_of_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
