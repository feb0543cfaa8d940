/* test_receiver.c - a receiver is that of the channel and the line that it is given. */
#include <stdlib.h>
#include <string.h>

#include "daemon/measure/types/receiver.h"
#include "tests/support/measure/measure_fixture.h"

enum { COUNT = 150000 };
static const struct fixture slow = {64, 32, "hann", 100e6, 1e6},
                            fast = {64, 32, "hann", 100e6, 1.5e6};

/* One follows the other: each differs from the one before in one thing. */
static const struct {
    const struct fixture *fixture;
    struct receiver_channel channel;
} runs[] = {{&slow, {100.05e6, 20e3, DDC_GAUSS}}, {&slow, {100.05e6, 20e3, DDC_FLAT}},
            {&slow, {100.05e6, 50e3, DDC_FLAT}},  {&slow, {99.9e6, 50e3, DDC_FLAT}},
            {&fast, {99.9e6, 50e3, DDC_FLAT}},    {&fast, {99.9e6, 0, DDC_FLAT}},
            {&fast, {99.9e6, 50e3, DDC_GAUSS}},   {&slow, {99.9e6, 50e3, DDC_GAUSS}}};
enum { RUNS = sizeof runs / sizeof runs[0] };

static void receive(struct receiver *r, unsigned run, const struct fft_iq *iq)
{
    struct line *line = fixture_flat_line(runs[run].fixture, 1);
    struct measure_input in = fixture_input(line);
    struct measure_result out = {.reason = ""};
    in.iq = iq;
    in.iq_count = COUNT;
    assert_int_equal(receiver_run(r, &runs[run].channel, &in, 1, &out), 0);
    line_destroy(line);
}

static void each_run_is_that_of_a_receiver_of_its_own(void **state)
{
    (void)state;
    struct fft_iq *iq = fixture_silence(COUNT);
    struct receiver r = {0};
    fixture_add_tone(iq, COUNT, 0.5, 0.05);
    fixture_add_tone(iq, COUNT, 0.25, -0.101);
    for (unsigned i = 0; i < RUNS; i++) {
        struct receiver own = {0};
        receive(&r, i, iq);
        receive(&own, i, iq);
        assert_int_equal(r.count, own.count);
        assert_memory_equal(r.out, own.out, own.count * sizeof *own.out);
        assert_true(r.rate_hz == own.rate_hz);
        assert_true(r.center_hz == own.center_hz);
        assert_true(r.delay_s == own.delay_s);
        receiver_finish(&own);
    }
    receiver_finish(&r);
    free(iq);
}

/* Output i is at delay_s + i / rate_hz: the phase of a tone beside the centre says when. */
static void outputs_have_the_time_and_phase_of_their_samples(void **state)
{
    (void)state;
    const double pi = 3.14159265358979323846, tone_hz = 51012.3; /* from the line's centre */
    struct fft_iq *iq = fixture_silence(COUNT);
    fixture_add_tone(iq, COUNT, 0.5, tone_hz / 1e6);
    for (unsigned run = 0; run < 2; run++) {
        struct receiver r = {0};
        receive(&r, run, iq);
        assert_true(r.count > 500);
        for (size_t i = 0; i < r.count; i++) {
            const double at_s = r.delay_s + (double)i / r.rate_hz;
            const double offset_hz = slow.center_hz + tone_hz - r.center_hz;
            const double angle = 2 * pi * offset_hz * at_s;
            const double level = hypot(r.out[i].re, r.out[i].im);
            assert_true(level > 0.495 && level < 0.501);
            assert_true(fabs(r.out[i].re - level * cos(angle)) < 1e-5);
            assert_true(fabs(r.out[i].im - level * sin(angle)) < 1e-5);
        }
        receiver_finish(&r);
    }
    free(iq);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_run_is_that_of_a_receiver_of_its_own),
        cmocka_unit_test(outputs_have_the_time_and_phase_of_their_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
