/*
 * test_soapy_read.c - the samples of a radio, and every event between them.
 *
 * The counter in the samples is the reference: radio_read() fails if a sample is not the successor
 * of the last one plus the loss in the marks.
 */
#include <SoapySDR/Errors.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/support/soapy/soapy_support.h"

static struct test_radio r;

static int64_t unix_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void open_counter(const char *more)
{
    char arguments[256];
    snprintf(arguments, sizeof arguments, "signal=counter%s%s", *more ? "," : "", more);
    faults("");
    radio_init(&r, arguments);
    radio_must_open(&r);
}

/* Reads until it fails; returns the error. */
static int64_t read_error(void)
{
    const time_t until = time(NULL) + 60;
    int64_t got;
    do
        got = radio_read(&r, BLOCK, 100);
    while (got >= 0 && time(NULL) < until);
    return got;
}

static void samples_are_consecutive(void **state)
{
    (void)state;
    open_counter("paced=0");
    radio_read_all(&r, 5000000);
    for (int cause = 0; cause < LOSS_CAUSES; cause++)
        assert_int_equal(r.events[cause], 0);
    radio_close(&r);
}

static void no_more_samples_than_requested_are_written(void **state)
{
    (void)state;
    open_counter("paced=0");
    memset(r.block, 0xa5, sizeof r.block);
    assert_int_equal(radio_read(&r, 100, 100), 100);
    for (size_t i = 400; i < sizeof r.block; i++)
        assert_int_equal(r.block[i], 0xa5);
    radio_close(&r);
}

static void the_first_samples_carry_the_radio_s_time(void **state)
{
    (void)state;
    const int64_t before = unix_now();
    open_counter("");
    radio_read_all(&r, 1000);
    assert_true(r.source->stream.hardware_time);
    assert_true(r.mark.set && r.mark.has_time);
    assert_int_equal(r.mark.cause, LOSS_CAUSES);
    assert_true(r.source->stream.start_ns >= before);
    assert_true(r.mark.time_ns >= before && r.mark.time_ns <= unix_now());
    radio_close(&r);
}

/* A caller may wait between opening and reading. */
static void nothing_is_lost_before_the_first_read(void **state)
{
    (void)state;
    open_counter("");
    assert_setting(&r, "activations", ""); /* it does not run yet */
    radio_read_all(&r, 1000);              /* and starts with its first sample */
    assert_setting(&r, "activations", "1");
    assert_int_equal(r.events[LOSS_OVERFLOW], 0);
    radio_close(&r);
}

static void the_clock_of_the_radio_measures_between_marks(void **state)
{
    (void)state;
    open_counter("paced=0");
    radio_read_all(&r, 1000);
    const int64_t first = r.mark.time_ns;
    faults("gap 1200000");
    radio_read_until(&r, LOSS_GAP);
    assert_near((double)(r.mark.time_ns - first) * 1e-9 * 2.4e6, r.mark_at, 0.01);
    radio_close(&r);
}

static void a_radio_without_time_uses_the_host_clock(void **state)
{
    (void)state;
    const int64_t before = unix_now();
    open_counter("time=0");
    radio_read_all(&r, 1000);
    assert_false(r.source->stream.hardware_time);
    assert_true(r.mark.set && r.mark.has_time);
    assert_int_equal(r.mark.cause, LOSS_CAUSES);
    assert_true(r.mark.time_ns >= before && r.mark.time_ns <= unix_now());
    radio_close(&r);
}

static void an_overflow_is_counted_by_the_time_gap(void **state)
{
    (void)state;
    open_counter("paced=0");
    faults("overflow-every 100000 5000");
    radio_read_all(&r, 3000000);
    assert_true(r.events[LOSS_OVERFLOW] >= 25);
    assert_int_equal(r.lost[LOSS_OVERFLOW], 5000 * r.events[LOSS_OVERFLOW]);
    assert_int_equal(r.events[LOSS_GAP], 0);
    radio_close(&r);
}

static void an_overflow_reported_with_the_samples_before_it_is_counted(void **state)
{
    (void)state;
    open_counter("paced=0");
    radio_read_all(&r, 1000);
    faults("abrupt 4321");
    radio_read_until(&r, LOSS_OVERFLOW);
    assert_int_equal(r.mark.lost, 4321);
    radio_close(&r);
}

static void an_overflow_before_the_first_samples_is_an_event(void **state)
{
    (void)state;
    open_counter("paced=0");
    r.next = 500; /* the loss cannot be known */
    faults("code -4 500");
    radio_read_all(&r, 1000);
    assert_int_equal(r.events[LOSS_OVERFLOW], 1);
    assert_true(r.mark.has_time);
    radio_close(&r);
}

static void an_overflow_without_time_is_of_unknown_length(void **state)
{
    (void)state;
    open_counter("paced=0,time=0");
    radio_read_all(&r, 1000);
    r.counting = false;
    faults("code -4 5000");
    radio_read_until(&r, LOSS_OVERFLOW);
    assert_int_equal(r.mark.lost, 0);
    assert_true(
        r.mark.has_time); /* host time: counting samples from the last mark would be wrong */
    assert_true(llabs(unix_now() - r.mark.time_ns) < 60000000000);
    radio_close(&r);
}

static void a_sleeping_reader_loses_what_the_clock_shows(void **state)
{
    (void)state;
    open_counter("buffer=0.25");
    radio_read_all(&r, 1000);
    nanosleep(&(struct timespec){.tv_nsec = 600000000}, NULL);
    radio_read_until(&r, LOSS_OVERFLOW);
    assert_true(r.lost[LOSS_OVERFLOW] >
                600000); /* 350 ms of 2.4 MS/s, and more where it slept longer */
    radio_close(&r);
}

static void an_unreported_gap_is_detected(void **state)
{
    (void)state;
    open_counter("paced=0");
    radio_read_all(&r, 1000);
    faults("gap 777");
    radio_read_until(&r, LOSS_GAP);
    assert_int_equal(r.lost[LOSS_GAP], 777);
    assert_int_equal(r.events[LOSS_OVERFLOW], 0);
    assert_true(r.mark.has_time);
    radio_close(&r);
}

static void a_clock_that_is_set_is_marked_without_losses(void **state)
{
    (void)state;
    open_counter("paced=0");
    radio_read_all(&r, 1000);
    faults("clock 1000000000000000");
    radio_read_until(&r, LOSS_GAP);
    assert_int_equal(r.lost[LOSS_GAP], 0);
    assert_true(llabs(unix_now() - r.mark.time_ns) < 60000000000);
    radio_close(&r);
}

static void stamps_at_another_rate_are_ignored(void **state)
{
    (void)state;
    open_counter("stamps=2");
    r.counting = false; /* the losses that they show are none */
    const time_t until = time(NULL) + 60;
    while (!r.source->warning[0] && time(NULL) < until)
        radio_read_all(&r, 1000);
    assert_non_null(
        strstr(r.source->warning,
               "Test generator T1: its time stamps run 2 times as fast as its samples"));
    assert_false(r.source->stream.hardware_time);
    assert_true(r.mark.has_time);
    assert_true(llabs(unix_now() - r.mark.time_ns) < 60000000000);
    const uint64_t events = r.events[LOSS_GAP];
    radio_read_all(&r, 1000000);
    assert_int_equal(r.events[LOSS_GAP], events);
    radio_close(&r);
}

static void absurd_stamps_are_told_and_not_used(void **state)
{
    (void)state;
    open_counter("absurd=5,paced=0");
    radio_read_all(&r, 5000000);
    assert_non_null(strstr(r.source->warning,
                           "Test generator T1: about one in 5 of its time stamps is absurd"));
    for (int cause = 0; cause < LOSS_CAUSES; cause++)
        assert_int_equal(r.events[cause], 0);
    assert_true(r.source->stream.hardware_time);
    radio_close(&r);
}

static void is_survived(int code, enum loss cause)
{
    char command[32];
    open_counter("paced=0");
    radio_read_all(&r, 1000);
    snprintf(command, sizeof command, "code %d 333", code);
    faults(command);
    radio_read_until(&r, cause);
    assert_int_equal(r.mark.lost, 333);
    radio_read_all(&r, 100000);
    radio_close(&r);
}

static void transient_errors_do_not_end_the_stream(void **state)
{
    (void)state;
    is_survived(SOAPY_SDR_OVERFLOW, LOSS_OVERFLOW);
    is_survived(SOAPY_SDR_CORRUPTION, LOSS_GAP);
    is_survived(SOAPY_SDR_TIME_ERROR, LOSS_GAP);
    is_survived(SOAPY_SDR_UNDERFLOW, LOSS_GAP);
}

static void ends_the_stream(const char *command, int err, const char *words)
{
    open_counter("paced=0");
    radio_read_all(&r, 1000);
    faults(command);
    assert_int_equal(read_error(), err);
    if (!strstr(r.source->why.sentence, words))
        fail_msg("\"%s\" does not say \"%s\"", r.source->why.sentence, words);
    radio_close(&r);
}

static void persistent_errors_end_the_stream(void **state)
{
    (void)state;
    ends_the_stream("code -2 0", -EIO, "SoapySDR -2 STREAM_ERROR");
    ends_the_stream("code -5 0", -ENOTSUP, "SoapySDR -5 NOT_SUPPORTED");
    ends_the_stream("code -99 0", -EIO, "SoapySDR -99");
    ends_the_stream("throw", -EIO, "siggen was set to throw");
}

static void silence_is_neither_samples_nor_an_error(void **state)
{
    (void)state;
    open_counter("");
    faults("mute");
    assert_int_equal(radio_read(&r, BLOCK, 20), 0);
    assert_int_equal(radio_read(&r, BLOCK, 20), 0);
    radio_close(&r);
}

static void a_silent_stream_is_restarted(void **state)
{
    (void)state;
    open_counter("");
    radio_read_all(&r, 1000);
    faults("mute");
    const time_t until = time(NULL) + 60;
    while (!has_setting(&r, "activations", "2") && time(NULL) < until)
        assert_int_equal(radio_read(&r, BLOCK, 100), 0);
    assert_setting(&r, "activations", "2");
    faults("");
    radio_read_until(&r, LOSS_GAP);
    radio_read_all(&r, 1000);
    radio_close(&r);
}

static void an_unplugged_radio_is_lost_and_reopened(void **state)
{
    (void)state;
    open_counter("");
    radio_read_all(&r, 1000);
    faults("unplug");
    assert_int_equal(read_error(), -EIO);
    radio_close(&r);
    assert_refused(&r, -ENODEV, "no SoapySDR device matches driver=fftdtest");
    faults("");
    r.next = 0;
    radio_must_open(&r);
    radio_read_all(&r, 100000);
    radio_close(&r);
}

/* ---- real rates ------------------------------------------------------------------------- */

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
static const double read_seconds = 0.3;
#else
static const double read_seconds = 1.5;
#endif

/* A slow machine loses samples and must count them. */
static void is_read_and_accounted_for(double rate_hz)
{
    open_counter("buffer=0.25");
    radio_close(&r);
    r.config.tuning.rate_hz = rate_hz;
    r.next = 0;
    radio_must_open(&r);
    const int64_t before = unix_now();
    radio_read_all(&r, (uint64_t)(read_seconds * rate_hz));
    print_message("%.2f MS/s: %llu samples in %.2f s, %llu lost in %llu overflows\n", rate_hz / 1e6,
                  (unsigned long long)r.delivered, (double)(unix_now() - before) * 1e-9,
                  (unsigned long long)r.lost[LOSS_OVERFLOW],
                  (unsigned long long)r.events[LOSS_OVERFLOW]);
    assert_int_equal((uint32_t)(r.delivered + r.lost[LOSS_OVERFLOW] + r.lost[LOSS_GAP]), r.next);
    assert_int_equal(r.events[LOSS_GAP], 0);
    radio_close(&r);
}

static void every_sample_of_2_4_20_and_61_44_ms_per_s_is_accounted_for(void **state)
{
    (void)state;
    is_read_and_accounted_for(2.4e6);
    is_read_and_accounted_for(20e6);
    is_read_and_accounted_for(61.44e6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_are_consecutive),
        cmocka_unit_test(no_more_samples_than_requested_are_written),
        cmocka_unit_test(the_first_samples_carry_the_radio_s_time),
        cmocka_unit_test(nothing_is_lost_before_the_first_read),
        cmocka_unit_test(the_clock_of_the_radio_measures_between_marks),
        cmocka_unit_test(a_radio_without_time_uses_the_host_clock),
        cmocka_unit_test(an_overflow_is_counted_by_the_time_gap),
        cmocka_unit_test(an_overflow_reported_with_the_samples_before_it_is_counted),
        cmocka_unit_test(an_overflow_before_the_first_samples_is_an_event),
        cmocka_unit_test(an_overflow_without_time_is_of_unknown_length),
        cmocka_unit_test(a_sleeping_reader_loses_what_the_clock_shows),
        cmocka_unit_test(an_unreported_gap_is_detected),
        cmocka_unit_test(a_clock_that_is_set_is_marked_without_losses),
        cmocka_unit_test(stamps_at_another_rate_are_ignored),
        cmocka_unit_test(absurd_stamps_are_told_and_not_used),
        cmocka_unit_test(transient_errors_do_not_end_the_stream),
        cmocka_unit_test(persistent_errors_end_the_stream),
        cmocka_unit_test(silence_is_neither_samples_nor_an_error),
        cmocka_unit_test(a_silent_stream_is_restarted),
        cmocka_unit_test(an_unplugged_radio_is_lost_and_reopened),
        cmocka_unit_test(every_sample_of_2_4_20_and_61_44_ms_per_s_is_accounted_for),
    };
    return cmocka_run_group_tests(tests, support_begin, support_end);
}
