/*
 * test_triggers.c - events of bursts at known samples: exact to the frame, at every phase.
 *
 * The window is rectangular, so the power of a burst of L samples of a tone in a bin is
 * (a L / n)^2 in a frame that has all of it, and less in one that has not: the frames of an event
 * follow from positions alone.
 */
#include "tests/support/trigger/trigger_fixture.h"

#include <math.h>
#include <string.h>

enum { N = 256, HOP = 128, FRAMES = 10, LINE = FRAMES * HOP, BURST = 16 };

static struct trigger_fixture fixture;

#define RUN(...) trigger_fixture_run(&fixture, (const char *const[]){__VA_ARGS__, NULL})

/* A full burst has -24.08 dBFS in a frame; one that the frame cuts by a sample, -24.64 dBFS. */
static const char *const level = "level=-24.36,gap=0";

/* The frames that have all of BURST samples from `at` on: first and last index. */
static void frames_with(uint64_t at, uint64_t *first, uint64_t *last)
{
    *last = at / HOP;
    *first = at + BURST > N ? (at + BURST - N + HOP - 1) / HOP : 0;
}

/* A spacing of one more than a line moves the phase by one from burst to burst. */
static void a_burst_is_found_at_every_phase_of_the_frame_grid(void **state)
{
    (void)state;
    enum { SPACING = LINE + 1, BURSTS = LINE };
    trigger_fixture_begin(&fixture, (size_t)SPACING * BURSTS + 4 * N);
    for (size_t i = 0; i < BURSTS; i++)
        trigger_fixture_add_tone(&fixture, 1, 5, N + i * SPACING, BURST);
    RUN(level);
    assert_int_equal(fixture.events, BURSTS);
    for (size_t i = 0; i < BURSTS; i++) {
        const struct event *e = &fixture.event[i];
        uint64_t first, last;
        frames_with(N + i * SPACING, &first, &last);
        assert_int_equal(e->start, first * HOP);
        assert_int_equal(e->end, last * HOP + N);
        assert_int_equal(e->first_sample, e->start);
        assert_true(e->exact && !e->open);
        assert_int_equal(e->time_ns, FIXTURE_START_S * 1000000000LL + (int64_t)e->start * 1000);
        assert_true(fabs(e->duration_s - (double)(e->end - e->start) / FIXTURE_RATE) < 1e-12);
    }
    assert_int_equal(fixture.state.without_iq, 0);
    trigger_fixture_end(&fixture);
}

/* Without overlap, a burst within a frame is in that frame alone. */
static void a_single_frame_is_found_anywhere_in_a_line(void **state)
{
    (void)state;
    trigger_fixture_begin(&fixture, (size_t)N * FRAMES * FRAMES * 2);
    fixture.settings.overlap = 0;
    for (size_t i = 0; i < FRAMES; i++) /* frame i of line 2 i */
        trigger_fixture_add_tone(&fixture, 1, -20, (2 * FRAMES * i + i) * N + 7 * i, BURST);
    RUN(level);
    assert_int_equal(fixture.events, FRAMES);
    for (size_t i = 0; i < FRAMES; i++) {
        assert_int_equal(fixture.event[i].start, (2 * FRAMES * i + i) * N);
        assert_int_equal(fixture.event[i].end - fixture.event[i].start, N);
    }
    trigger_fixture_end(&fixture);
}

static void an_event_has_the_level_and_the_edges_of_the_signal(void **state)
{
    (void)state;
    trigger_fixture_begin(&fixture, 20 * LINE);
    trigger_fixture_add_tone(&fixture, 1, 5, 3 * LINE, LINE);
    trigger_fixture_add_tone(&fixture, 0.5, 9, 3 * LINE, LINE);
    RUN("level=-20,gap=0,band=100.01M:100.1M");
    assert_int_equal(fixture.events, 1);
    const struct event *e = &fixture.event[0];
    const double bin_hz = (double)FIXTURE_RATE / N;
    assert_true(fabs(e->peak_dbfs) < 0.01); /* bin 5 has amplitude 1 in whole frames */
    assert_true(fabs(e->peak_hz - (FIXTURE_CENTER + 5 * bin_hz)) < 1);
    assert_true(e->low_hz <= FIXTURE_CENTER + 5 * bin_hz && e->low_hz >= 100.01e6);
    assert_true(e->high_hz >= FIXTURE_CENTER + 9 * bin_hz && e->high_hz <= 100.1e6);
    trigger_fixture_end(&fixture);
}

/* A signal that lasts is decided by lines; only its first and last line are looked at again. */
static void lines_that_are_all_above_or_below_need_no_frames(void **state)
{
    (void)state;
    trigger_fixture_begin(&fixture, 100 * LINE + HOP);
    trigger_fixture_add_tone(&fixture, 0.5, 40, 20 * LINE + 3 * HOP, 50 * LINE);
    RUN("level=-7,gap=0");
    assert_int_equal(fixture.events, 1);
    assert_int_equal(fixture.event[0].start, 20 * LINE + 3 * HOP);
    assert_int_equal(fixture.event[0].end, 70 * LINE + 3 * HOP);
    assert_int_equal(fixture.state.refined, 2);
    assert_int_equal(fixture.state.lines, 100);
    trigger_fixture_end(&fixture);
}

/* With 75 % overlap the frames of two events may share samples. */
static void without_holdoff_no_event_hides_the_next(void **state)
{
    (void)state;
    trigger_fixture_begin(&fixture, 20 * LINE);
    fixture.settings.overlap = 75;
    trigger_fixture_add_tone(&fixture, 1, 5, 4000, BURST);
    trigger_fixture_add_tone(&fixture, 1, 5, 4000 + N + 64, BURST); /* no frame has both */
    RUN("level=-24.36,gap=0,holdoff=0");
    assert_int_equal(fixture.events, 2);
    assert_true(fixture.event[1].start < fixture.event[0].end);
    trigger_fixture_end(&fixture);
}

static void a_gap_joins_bursts_up_to_its_length(void **state)
{
    (void)state;
    trigger_fixture_begin(&fixture, 60 * LINE);
    for (size_t i = 0; i < 3; i++) /* frames 99 and 100, 109 and 110, 120 and 121 */
        trigger_fixture_add_tone(&fixture, 1, 5, (size_t)(100 + 10 * i + i / 2) * HOP + 60, BURST);
    /* Frames 108 and 119 do not hold: 8 and 9 hops, 1.024 and 1.152 ms, after the last that do. */
    RUN("level=-24.36,gap=1.024ms,name=a", "level=-24.36,gap=1.02ms,name=b",
        "level=-24.36,gap=1.16ms,name=c");
    assert_int_equal(fixture.one[0].events, 2);
    assert_int_equal(fixture.one[1].events, 3);
    assert_int_equal(fixture.one[2].events, 1);
    trigger_fixture_end(&fixture);
}

static void a_time_qualifies_only_what_lasts_as_long(void **state)
{
    (void)state;
    trigger_fixture_begin(&fixture, 60 * LINE);
    /* Amplitude 1 for 30 and for 31 hops from the start of a frame: 29 and 30 whole frames. */
    trigger_fixture_add_tone(&fixture, 1, 5, 100 * HOP, 30 * HOP);
    trigger_fixture_add_tone(&fixture, 1, 5, 300 * HOP, 31 * HOP);
    /* The starts of the first and the last of 30 frames are 29 hops apart: 3.712 ms. */
    RUN("level=-0.1,gap=0,for=3.712ms");
    assert_int_equal(fixture.events, 1);
    assert_int_equal(fixture.event[0].start, 300 * HOP);
    assert_int_equal(fixture.event[0].end, 331 * HOP);
    trigger_fixture_end(&fixture);
}

static void holdoff_count_and_single_limit_the_events(void **state)
{
    (void)state;
    trigger_fixture_begin(&fixture, 60 * LINE);
    for (size_t i = 0; i < 10; i++) /* frames 100, 120 ...: 2.56 ms */
        trigger_fixture_add_tone(&fixture, 1, 5, (size_t)(100 + 20 * i) * HOP + 60, BURST);
    RUN("level=-24.36,gap=0,holdoff=4ms,name=a", "level=-24.36,gap=0,count=3,name=b",
        "level=-24.36,gap=0,mode=single,name=c");
    assert_int_equal(fixture.one[0].events, 5);
    assert_int_equal(fixture.one[1].events, 3);
    assert_int_equal(fixture.one[2].events, 1);
    assert_true(fixture.one[0].armed && !fixture.one[1].armed && !fixture.one[2].armed);
    assert_string_equal(fixture.one[1].reason, "disarmed after 3 events");
    trigger_fixture_end(&fixture);
}

/* The event of this trigger; there is one. */
static const struct event *event_of(const char *name)
{
    const struct event *found = NULL;
    for (size_t i = 0; i < fixture.events; i++) {
        if (strcmp(fixture.event[i].trigger, name) != 0)
            continue;
        assert_null(found);
        found = &fixture.event[i];
    }
    assert_non_null(found);
    return found;
}

static void when_selects_the_frames_of_an_event(void **state)
{
    (void)state;
    trigger_fixture_begin(&fixture, 20 * LINE + N);
    trigger_fixture_add_tone(&fixture, 1, 5, 50 * HOP, 31 * HOP); /* frames 50 to 79 */
    RUN("level=-0.1,gap=0,when=enter,name=enter", "level=-0.1,gap=0,when=leave,name=leave",
        "level=-0.1,gap=0,when=enter-leave,name=burst",
        "level=-0.1,gap=0,when=outside,count=1,name=out");
    assert_int_equal(event_of("enter")->start, 50 * HOP);
    assert_int_equal(event_of("enter")->end, 50 * HOP + N);
    assert_int_equal(event_of("leave")->start, 80 * HOP);
    assert_int_equal(event_of("leave")->end, 80 * HOP + N);
    assert_int_equal(event_of("burst")->start, 50 * HOP);
    assert_int_equal(event_of("burst")->end, 79 * HOP + N);
    assert_int_equal(event_of("out")->start, 0);
    assert_int_equal(event_of("out")->end, 49 * HOP + N);
    trigger_fixture_end(&fixture);
}

static void free_running_takes_lines_as_holdoff_allows(void **state)
{
    (void)state;
    trigger_fixture_begin(&fixture, 40 * LINE + HOP);
    RUN("level=0,mode=free,name=a", "level=0,mode=free,holdoff=3ms,name=b");
    assert_int_equal(fixture.one[0].events, 40);
    /* The last frame of a line begins 1.152 ms after its first one, and the fourth line 5.12 ms. */
    assert_int_equal(fixture.one[1].events, 10);
    trigger_fixture_end(&fixture);
}

/* ---- conditions -------------------------------------------------------------------------- */

static void a_power_is_that_of_all_signals_of_the_band(void **state)
{
    (void)state;
    trigger_fixture_begin(&fixture, 20 * LINE + N);
    trigger_fixture_add_tone(&fixture, 0.5, 5, 50 * HOP,
                             41 * HOP); /* -6.02 dBFS each: -3.01 together */
    trigger_fixture_add_tone(&fixture, 0.5, 9, 50 * HOP, 31 * HOP);
    RUN("power=100M:100.05M>-3.1,gap=0,name=a", "power=100M:100.05M>-2.9,gap=0,name=b",
        "power=100M:100.03M>-6.1,gap=0,name=c");
    assert_int_equal(event_of("a")->start, 50 * HOP);
    assert_int_equal(event_of("a")->end, 79 * HOP + N);
    assert_true(fabs(event_of("a")->peak_dbfs + 3.0103) < 0.01);
    assert_int_equal(fixture.one[1].events, 0);
    assert_int_equal(event_of("c")->end, 89 * HOP + N);
    trigger_fixture_end(&fixture);
}

static void a_mask_finds_what_is_above_or_below_its_limits(void **state)
{
    static const char both_sides[] = "mask,upper=100.2M:-7,100.3M:-5.72,lower=100.019M:-7,"
                                     "100.02M:-7,side=upper,gap=0,name=side";
    (void)state;
    trigger_fixture_begin(&fixture, 30 * LINE + N);
    trigger_fixture_add_tone(&fixture, 0.5, 5, 0, 100 * HOP); /* frames 0 to 98 have all of it */
    trigger_fixture_add_tone(&fixture, 0.5, 60, 50 * HOP, 31 * HOP);
    /* Bin 5 is at 100.0195 MHz, bin 60 at 100.2344 MHz, where the limit is -6.56 or -5.5 dBFS. */
    RUN("mask,upper=100.2M:-7,100.3M:-5.72,gap=0,name=upper",
        "mask,upper=100.2M:-6,100.3M:-5,gap=0,name=high",
        "mask,lower=100.019M:-7,100.02M:-7,gap=0,name=lower", both_sides);
    assert_int_equal(event_of("upper")->start, 50 * HOP);
    assert_int_equal(event_of("upper")->end, 79 * HOP + N);
    assert_int_equal(fixture.one[1].events, 0);
    assert_int_equal(event_of("lower")->start, 99 * HOP);
    assert_int_equal(event_of("side")->start, 50 * HOP);
    trigger_fixture_end(&fixture);
}

static void a_mask_of_the_max_hold_ignores_what_was_there(void **state)
{
    (void)state;
    trigger_fixture_begin(&fixture, 60 * LINE + N);
    trigger_fixture_add_tone(&fixture, 0.1, 5, 0, 60 * LINE);
    trigger_fixture_add_tone(&fixture, 0.1, 5, 300 * HOP,
                             31 * HOP); /* 6.02 dB up: within the margin */
    trigger_fixture_add_tone(&fixture, 0.15, 5, 400 * HOP, 31 * HOP); /* 7.96 dB up */
    RUN("mask,hold=10ms,margin=7,gap=0,band=100.019M:100.02M");
    assert_int_equal(fixture.events, 1);
    assert_int_equal(fixture.event[0].start, 400 * HOP);
    assert_int_equal(fixture.event[0].end, 429 * HOP + N);
    trigger_fixture_end(&fixture);
}

/* ---- conditions without frames ----------------------------------------------------------- */

/*
 * Three lines have 3, 5 and 8 of their ten frames at 0 dBFS; frames that the tone fills half have
 * -6 dBFS.
 */
static void a_density_is_a_share_of_the_frames_of_a_line(void **state)
{
    static const size_t filled[] = {3, 5, 8};
    (void)state;
    trigger_fixture_begin(&fixture, 40 * LINE);
    fixture.settings.density_wanted = true;
    fixture.settings.density = (struct fft_density){N, 60, 0.5F, 1};
    for (size_t i = 0; i < 3; i++)
        trigger_fixture_add_tone(&fixture, 1, 5, (10 + 5 * i) * LINE + HOP, (filled[i] + 1) * HOP);
    RUN("density=-3,share=31%,gap=0,name=a", "density=-3,share=50%,gap=0,name=b",
        "density=-3,share=81%,gap=0,name=c", "density=-3,share=30%,band=100.1M:100.2M,name=d");
    assert_int_equal(fixture.one[0].events, 2);
    assert_int_equal(fixture.one[1].events, 2);
    assert_int_equal(fixture.one[2].events, 0);
    assert_int_equal(fixture.one[3].events, 0);
    assert_int_equal(fixture.event[0].start, 15 * LINE);
    assert_false(fixture.event[0].exact);
    assert_true(fabs(fixture.event[0].peak_hz - (FIXTURE_CENTER + 5.0 * FIXTURE_RATE / N)) < 1);
    assert_true(fabs(fixture.event[0].peak_dbfs) < 0.01);
    /* 0 dBFS is in the middle of the uppermost row, so half of its hits, 40 %, count as above. */
    RUN("density=0,share=39%,gap=0,name=a", "density=0,share=41%,gap=0,name=b");
    assert_int_equal(fixture.one[0].events, 1);
    assert_int_equal(fixture.one[1].events, 0);
    trigger_fixture_end(&fixture);
}

/* Two of ten lines a tone; with a long memory, that is a fifth of the time. */
static void a_density_with_persistence_remembers_lines(void **state)
{
    (void)state;
    trigger_fixture_begin(&fixture, 41 * LINE);
    fixture.settings.density_wanted = true;
    fixture.settings.density = (struct fft_density){N, 60, 0.5F, 1};
    for (size_t i = 0; i < 20; i++)
        trigger_fixture_add_tone(&fixture, 1, 5, (size_t)(2 * i + 1) * LINE, LINE);
    RUN("density=-3,share=30%,persistence=1000s,gap=0,name=a",
        "density=-3,share=60%,persistence=1000s,gap=0,name=b");
    /* After line k, (k + 1) / 2 of k + 1 lines had nine frames of ten: it passes 30 % for ever. */
    assert_int_equal(fixture.one[0].events, 1);
    assert_int_equal(fixture.event[0].start, LINE);
    assert_int_equal(fixture.one[1].events, 0);
    trigger_fixture_end(&fixture);
}

static void a_level_that_the_density_does_not_resolve_is_a_reason(void **state)
{
    (void)state;
    trigger_fixture_begin(&fixture, 10 * LINE);
    fixture.settings.density_wanted = true;
    fixture.settings.density = (struct fft_density){N, 60, 0, 1};
    RUN("density=-60.5,name=a");
    assert_string_equal(fixture.one[0].reason,
                        "-60.5 dBFS is not within the levels of the density, -60 to 0 dBFS");
    fixture.settings.density_wanted = false;
    RUN("density=-50,name=a");
    assert_string_equal(fixture.one[0].reason, "the density is not counted yet");
    trigger_fixture_end(&fixture);
}

/* The fixture starts at 00:00:05; a frame is of the time of its first sample. */
static void a_calendar_takes_the_frames_of_its_time(void **state)
{
    (void)state;
    trigger_fixture_begin(&fixture, 4 * FIXTURE_RATE);
    RUN("calendar=00:00:06,duration=500ms,name=a", "calendar=00:00:01,every=2s,duration=1s,name=b",
        "calendar=12:00,name=c");
    assert_int_equal(event_of("a")->start, (FIXTURE_RATE + HOP - 1) / HOP * HOP);
    /* The last frame begins before 1.5 s. */
    assert_int_equal(event_of("a")->end, (FIXTURE_RATE * 3 / 2 - 1) / HOP * HOP + N);
    assert_true(event_of("a")->exact);
    assert_int_equal(event_of("a")->time_ns, 6000000000LL + 64000);
    assert_int_equal(fixture.one[1].events, 2); /* from 5 s and from 7 s on */
    assert_int_equal(fixture.one[2].events, 0);
    assert_int_equal(fixture.state.refined, 0);
    trigger_fixture_end(&fixture);
}

/* ---- reasons ----------------------------------------------------------------------------- */

static void a_band_outside_the_span_is_a_reason(void **state)
{
    (void)state;
    trigger_fixture_begin(&fixture, 10 * LINE);
    RUN("level=-20,band=101M:102M");
    assert_false(fixture.one[0].armed);
    assert_string_equal(fixture.one[0].reason, "101000000 to 102000000 Hz is not within the span");
    trigger_fixture_end(&fixture);
}

/* The span is half a bin lower than centre +- rate / 2. */
static void a_band_as_wide_as_the_rate_is_the_span(void **state)
{
    (void)state;
    trigger_fixture_begin(&fixture, 10 * LINE);
    trigger_fixture_add_tone(&fixture, 1, 5, 3 * LINE, LINE);
    RUN("level=-20,band=99.5M:100.5M,name=a", "power=99.5M:100.5M>-20,name=b");
    assert_string_equal(fixture.one[0].reason, "");
    assert_int_equal(fixture.one[0].events, 1);
    assert_int_equal(fixture.one[1].events, 1);
    trigger_fixture_end(&fixture);
}

/* ---- the ring ---------------------------------------------------------------------------- */

static void a_ring_shorter_than_a_line_is_a_reason_and_the_line_decides(void **state)
{
    (void)state;
    trigger_fixture_begin(&fixture, 4 * 4000 * HOP + HOP);
    fixture.settings.average = 4000; /* 512 thousand samples of 8 bytes */
    fixture.ring_bytes = 1 << 20;
    trigger_fixture_add_tone(&fixture, 1, 5, 1000000, BURST);
    RUN(level);
    assert_int_equal(fixture.events, 1);
    assert_false(fixture.event[0].exact);
    assert_true(fixture.event[0].start <= 1000000 && fixture.event[0].end >= 1000000 + BURST);
    assert_int_equal(fixture.event[0].end - fixture.event[0].start, 3999 * HOP + N);
    assert_non_null(strstr(fixture.one[0].reason, "the IQ ring of 0.131 s is too short"));
    assert_true(fixture.one[0].armed);
    trigger_fixture_end(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_burst_is_found_at_every_phase_of_the_frame_grid),
        cmocka_unit_test(a_single_frame_is_found_anywhere_in_a_line),
        cmocka_unit_test(an_event_has_the_level_and_the_edges_of_the_signal),
        cmocka_unit_test(lines_that_are_all_above_or_below_need_no_frames),
        cmocka_unit_test(without_holdoff_no_event_hides_the_next),
        cmocka_unit_test(a_gap_joins_bursts_up_to_its_length),
        cmocka_unit_test(a_time_qualifies_only_what_lasts_as_long),
        cmocka_unit_test(holdoff_count_and_single_limit_the_events),
        cmocka_unit_test(when_selects_the_frames_of_an_event),
        cmocka_unit_test(free_running_takes_lines_as_holdoff_allows),
        cmocka_unit_test(a_power_is_that_of_all_signals_of_the_band),
        cmocka_unit_test(a_mask_finds_what_is_above_or_below_its_limits),
        cmocka_unit_test(a_mask_of_the_max_hold_ignores_what_was_there),
        cmocka_unit_test(a_density_is_a_share_of_the_frames_of_a_line),
        cmocka_unit_test(a_density_with_persistence_remembers_lines),
        cmocka_unit_test(a_level_that_the_density_does_not_resolve_is_a_reason),
        cmocka_unit_test(a_calendar_takes_the_frames_of_its_time),
        cmocka_unit_test(a_band_outside_the_span_is_a_reason),
        cmocka_unit_test(a_band_as_wide_as_the_rate_is_the_span),
        cmocka_unit_test(a_ring_shorter_than_a_line_is_a_reason_and_the_line_decides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
