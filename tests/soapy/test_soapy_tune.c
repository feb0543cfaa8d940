/* test_soapy_tune.c - changing a radio while its samples flow. */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "tests/support/soapy/soapy_support.h"

static struct test_radio r;

static void open_counter(void)
{
    faults("");
    radio_init(&r, "signal=counter,paced=0");
    radio_must_open(&r);
}

static void a_retuned_radio_settles_before_its_samples_count(void **state)
{
    (void)state;
    open_counter();
    struct tuning want = r.config.tuning;
    radio_read_all(&r, 1000);
    want.center_hz = 200e6;
    assert_int_equal(source_soapy.tune(r.source, &want), 0);
    assert_near(r.source->stream.tuning.center_hz, 200e6, 0);
    radio_read_until(&r, LOSS_RETUNE);
    assert_true(r.mark.tuning_changed && r.mark.has_time);
    /* 20 ms at 2.4 MS/s after at most 1 s: this unpaced radio always has samples. */
    assert_int_equal(r.lost[LOSS_RETUNE], 48000 + 2400000);
    assert_int_equal(r.events[LOSS_RETUNE], 1);
    radio_read_all(&r, 100000);
    radio_close(&r);
}

static void queued_samples_are_discarded_after_retuning(void **state)
{
    (void)state;
    faults("");
    radio_init(&r, "signal=counter");
    radio_must_open(&r);
    radio_read_all(&r, 1000);
    nanosleep(&(struct timespec){.tv_nsec = 150000000}, NULL);
    struct tuning want = r.config.tuning;
    want.center_hz = 200e6;
    assert_int_equal(source_soapy.tune(r.source, &want), 0);
    radio_read_until(&r, LOSS_RETUNE);
    const uint64_t lost = r.lost[LOSS_RETUNE];
    assert_true(lost >= 48000 + 360000 && lost <= 48000 + 2400000); /* at most a second of it */
    radio_close(&r);
}

static void the_tone_moves_when_the_radio_is_tuned(void **state)
{
    (void)state;
    faults("");
    radio_init(&r, "");
    radio_must_open(&r);
    assert_near(radio_level(&r, 250e3), -6.02, 0.02);
    struct tuning want = r.config.tuning;
    want.center_hz = 100.75e6;
    assert_int_equal(source_soapy.tune(r.source, &want), 0);
    assert_near(radio_level(&r, -500e3), -6.02, 0.02);
    radio_close(&r);
}

/* The generator's tone is at 100.25 MHz at its input; the radio takes 24 MHz to 1.8 GHz. */
static void frequencies_are_those_before_a_converter(void **state)
{
    (void)state;
    faults("");
    radio_init(&r, "");
    r.config.tuning.converter_hz = 9.75e9; /* an LNB */
    r.config.tuning.center_hz = 9.85e9;
    radio_must_open(&r);
    assert_near(r.source->stream.tuning.center_hz, 9.85e9, 0.01);
    assert_near(radio_level(&r, 250e3), -6.02, 0.02); /* as at 100 MHz without it */
    struct tuning want = r.config.tuning;
    want.center_hz = 9.85075e9;
    assert_int_equal(source_soapy.tune(r.source, &want), 0);
    assert_near(radio_level(&r, -500e3), -6.02, 0.02);
    want.converter_hz = -125e6; /* an up-converter, while it runs: the radio goes to 132.75 MHz */
    want.center_hz = 7.75e6;
    assert_int_equal(source_soapy.tune(r.source, &want), 0);
    assert_near(r.source->stream.tuning.center_hz, 7.75e6, 0.01);
    want.converter_hz = -92.9e6; /* the same centre, another radio frequency: 100.65 MHz */
    assert_int_equal(source_soapy.tune(r.source, &want), 0);
    assert_near(radio_level(&r, -400e3), -6.02, 0.02);
    want.center_hz = 2e9;
    assert_int_equal(source_soapy.tune(r.source, &want), -EINVAL);
    assert_string_equal(r.source->why.sentence,
                        "center 2G: Test generator T1 takes -68.9M to 1.7071G");
    radio_close(&r);
}

static void gain_antenna_filter_and_ppm_change_live(void **state)
{
    (void)state;
    faults("");
    radio_init(&r, "crystal=30");
    radio_must_open(&r);
    struct tuning want = r.config.tuning;
    strcpy(want.gain, "LNA=7,TIA=3");
    strcpy(want.antenna, "RX2");
    want.bandwidth_hz = 3e6;
    want.ppm = 30;
    assert_int_equal(source_soapy.tune(r.source, &want), 0);
    const struct stream *s = &r.source->stream;
    assert_string_equal(s->tuning.gain, "LNA=7,TIA=3");
    assert_near(s->gain_db, 10, 0);
    assert_string_equal(s->tuning.antenna, "RX2");
    assert_near(s->tuning.bandwidth_hz, 3e6, 0);
    assert_near(s->tuning.ppm, 30, 0);
    assert_near(s->tuning.center_hz, 100e6, 0.01);
    assert_near(radio_level(&r, 250e3), -6.02, 0.02);
    radio_close(&r);
}

static void tuning_to_the_same_values_costs_nothing(void **state)
{
    (void)state;
    open_counter();
    assert_int_equal(source_soapy.tune(r.source, &r.config.tuning), 0);
    struct tuning want = r.config.tuning;
    want.center_hz = NAN;
    assert_int_equal(source_soapy.tune(r.source, &want), 0);
    radio_read_all(&r, 100000);
    assert_int_equal(r.events[LOSS_RETUNE], 0);
    radio_close(&r);
}

static void another_rate_needs_a_new_stream(void **state)
{
    (void)state;
    open_counter();
    struct tuning want = r.config.tuning;
    want.rate_hz = 1e6;
    assert_int_equal(source_soapy.tune(r.source, &want), -EAGAIN);
    radio_read_all(&r, 1000);
    radio_close(&r);
}

static void a_refused_tuning_changes_nothing(void **state)
{
    (void)state;
    open_counter();
    struct tuning want = r.config.tuning;
    want.center_hz = 200e6;
    strcpy(want.gain, "VGA=1");
    assert_int_equal(source_soapy.tune(r.source, &want), -EINVAL);
    assert_non_null(strstr(r.source->why.sentence, "gain element VGA"));
    assert_near(r.source->stream.tuning.center_hz, 100e6, 0);
    radio_read_all(&r, 100000);
    assert_int_equal(r.events[LOSS_RETUNE], 0);
    radio_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_retuned_radio_settles_before_its_samples_count),
        cmocka_unit_test(queued_samples_are_discarded_after_retuning),
        cmocka_unit_test(the_tone_moves_when_the_radio_is_tuned),
        cmocka_unit_test(frequencies_are_those_before_a_converter),
        cmocka_unit_test(gain_antenna_filter_and_ppm_change_live),
        cmocka_unit_test(tuning_to_the_same_values_costs_nothing),
        cmocka_unit_test(another_rate_needs_a_new_stream),
        cmocka_unit_test(a_refused_tuning_changes_nothing),
    };
    return cmocka_run_group_tests(tests, support_begin, support_end);
}
