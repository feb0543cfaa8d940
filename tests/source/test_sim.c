/* test_sim.c - the simulated radio: period, seed, counter, pace, tuning and faults. */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemon/base/clock.h"
#include "tests/support/source/source_support.h"

#include "daemon/source/pacer.h"
#include "fft/iq.h"

enum { PERIOD = 65536 }; /* of every rate below 131072 */

static struct source_config sim(const char *device, double rate_hz)
{
    return (struct source_config){
        .source = "sim", .device = device, .tuning = {.center_hz = NAN, .rate_hz = rate_hz}};
}

static struct bytes sim_bytes(struct source_config config, uint64_t samples)
{
    struct source *s = open_source(&config);
    int err = 0;
    struct bytes out = read_samples(s, samples, 999, &err);
    assert_int_equal(err, 0);
    source_destroy(s);
    return out;
}

static void the_default_is_2_4_msps_cs16_at_100_mhz(void **state)
{
    (void)state;
    const struct source_config config = sim(NULL, 0);
    struct source *s = open_source(&config);
    assert_true(s->stream.simulated);
    assert_int_equal(s->stream.format, FFT_IQ_CS16);
    assert_true(s->stream.full_scale == 32768);
    assert_true(s->stream.tuning.rate_hz == 2.4e6);
    assert_true(s->stream.tuning.center_hz == 100e6);
    assert_int_equal(s->stream.start_ns, 0); /* not realtime: the same on every run */
    source_destroy(s);
}

static void the_block_repeats_without_a_seam_in_every_format(void **state)
{
    (void)state;
    static const char *const formats[] = {"cu8", "cs8", "cs16", "cf32"};
    for (int i = 0; i < 4; i++) {
        struct source_config config = sim("", 48000);
        config.format = formats[i];
        struct bytes out = sim_bytes(config, 2 * PERIOD + 10);
        const size_t period = out.size / (2 * PERIOD + 10) * PERIOD;
        assert_memory_equal(out.at, out.at + period, period);
        drop(&out);
    }
}

/* The phase of a tone advances by the same angle at every sample, also across the seam. */
static void a_tone_crosses_the_seam_with_its_phase(void **state)
{
    (void)state;
    struct source_config config = sim("scene=tone,offset=1k", 48000);
    config.format = "cf32";
    struct bytes out = sim_bytes(config, PERIOD + 100);
    const double cycles = round(1000.0 / 48000 * PERIOD) / PERIOD;
    for (uint32_t i = PERIOD - 100; i < PERIOD + 100; i++) {
        float x[2];
        memcpy(x, out.at + 8 * (size_t)i, sizeof x);
        assert_true(fabs(x[0] - cos(2 * M_PI * cycles * i)) < 1e-6);
        assert_true(fabs(x[1] - sin(2 * M_PI * cycles * i)) < 1e-6);
    }
    drop(&out);
}

static void the_same_seed_gives_the_same_bytes_and_another_does_not(void **state)
{
    (void)state;
    struct bytes a = sim_bytes(sim("seed=7", 48000), PERIOD);
    struct bytes b = sim_bytes(sim("seed=7", 48000), PERIOD);
    struct bytes c = sim_bytes(sim("seed=8", 48000), PERIOD);
    assert_memory_equal(a.at, b.at, a.size);
    assert_memory_not_equal(a.at, c.at, a.size);
    drop(&a);
    drop(&b);
    drop(&c);
}

/* The period's samples are offered to the ring; read writes nothing and counts them. */
static void without_copies_the_scene_is_a_cycle(void **state)
{
    (void)state;
    struct bytes scene = sim_bytes(sim("seed=7", 48000), PERIOD);
    const struct source_config config = sim("seed=7,copy=off", 48000);
    struct source *s = open_source(&config);
    uint8_t raw[4 * 1000] = {0}, untouched[4 * 1000] = {0};
    assert_int_equal(s->stream.cycle_samples, PERIOD);
    assert_memory_equal(s->stream.cycle, scene.at, scene.size);
    assert_int_equal(s->ops->read(s, raw, 1000, 10), 1000);
    assert_memory_equal(raw, untouched, sizeof raw);
    drop(&scene);
    source_destroy(s);
}

static void silence_is_zero(void **state)
{
    (void)state;
    struct bytes out = sim_bytes(sim("scene=silence", 48000), 1000);
    for (size_t i = 0; i < out.size; i++)
        assert_int_equal(out.at[i], 0);
    drop(&out);
}

static uint32_t counter_at(const uint8_t *raw)
{
    return raw[0] | (uint32_t)raw[1] << 8 | (uint32_t)raw[2] << 16 | (uint32_t)raw[3] << 24;
}

static void the_counter_counts_every_sample(void **state)
{
    (void)state;
    struct bytes out = sim_bytes(sim("scene=counter", 2.4e6), 200000);
    for (uint32_t i = 0; i < 200000; i++)
        assert_int_equal(counter_at(out.at + 4 * (size_t)i), i);
    drop(&out);
}

static void an_overflow_is_reported_with_the_samples_it_lost(void **state)
{
    (void)state;
    const struct source_config config =
        sim("scene=counter,overflow_every=0.01,overflow_lost=50", 100e3);
    struct source *s = open_source(&config);
    uint8_t raw[4 * 300];
    uint64_t expected = 0, marks = 0;
    for (int i = 0; i < 100; i++) {
        const int64_t got = s->ops->read(s, raw, 300, 10);
        assert_in_range(got, 1, 300);
        if (s->mark.set) {
            assert_int_equal(s->mark.cause, LOSS_OVERFLOW);
            assert_int_equal(s->mark.lost, 50);
            assert_int_equal(expected - 50 * marks, 1000 * (marks + 1));
            expected += 50;
            marks++;
        }
        assert_int_equal(counter_at(raw), expected);
        assert_int_equal(counter_at(raw + 4 * (got - 1)), expected + (uint64_t)got - 1);
        expected += (uint64_t)got;
        memset(&s->mark, 0, sizeof s->mark);
    }
    assert_int_equal(marks, 24); /* 4 reads each 1000 samples */
    source_destroy(s);
}

static void a_vanished_radio_can_be_reopened(void **state)
{
    (void)state;
    const struct source_config config = sim("vanish_after=0.1", 48000);
    for (int round = 0; round < 2; round++) {
        struct source *s = open_source(&config);
        int err = 0;
        assert_true(s->ops->live);
        struct bytes out = read_samples(s, UINT64_MAX, 1000, &err);
        assert_int_equal(err, -EIO);
        assert_int_equal(out.size, 4 * 4800);
        assert_non_null(strstr(s->why.sentence, "vanished"));
        drop(&out);
        source_destroy(s);
    }
}

static void a_stalled_radio_only_times_out(void **state)
{
    (void)state;
    const struct source_config config = sim("stall_after=0.01", 48000);
    struct source *s = open_source(&config);
    uint8_t raw[4 * 1000];
    assert_int_equal(s->ops->read(s, raw, 1000, 10), 480);
    for (int i = 0; i < 3; i++)
        assert_int_equal(s->ops->read(s, raw, 1000, 1), 0);
    source_destroy(s);
}

/* In a process of its own, because only killing it ends the call. */
static void a_hung_radio_never_returns(void **state)
{
    (void)state;
    const struct source_config config = sim("hang_after=0.01", 48000);
    struct source *s = open_source(&config);
    uint8_t raw[4 * 1000];
    assert_int_equal(s->ops->read(s, raw, 1000, 1), 480);
    const pid_t child = fork();
    if (child == 0) {
        s->ops->read(s, raw, 1000, 1);
        _exit(0);
    }
    usleep(50000);
    assert_int_equal(waitpid(child, NULL, WNOHANG), 0);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    source_destroy(s);
}

static void a_new_centre_is_reported_with_a_mark_and_a_new_rate_needs_reopening(void **state)
{
    (void)state;
    const struct source_config config = sim("", 48000);
    struct source *s = open_source(&config);
    struct tuning want = {.center_hz = NAN};
    assert_int_equal(s->ops->tune(s, &want), 0);
    assert_false(s->mark.set);
    want = (struct tuning){.center_hz = 433e6, .rate_hz = 48000, .gain = "20"};
    assert_int_equal(s->ops->tune(s, &want), 0);
    assert_true(s->mark.set && s->mark.tuning_changed);
    assert_int_equal(s->mark.cause, LOSS_RETUNE);
    assert_true(s->stream.tuning.center_hz == 433e6);
    assert_true(s->stream.tuning.rate_hz == 48000);
    assert_string_equal(s->stream.tuning.gain, "20");
    want.rate_hz = 96000;
    assert_int_equal(s->ops->tune(s, &want), -EAGAIN);
    assert_true(s->stream.tuning.rate_hz == 48000);
    want = (struct tuning){.center_hz = INFINITY};
    assert_int_equal(s->ops->tune(s, &want), -ENOTSUP);
    source_destroy(s);
}

/* Only the lower bound is certain under load: samples are never early. */
static void in_real_time_samples_are_never_early_and_arrive(void **state)
{
    (void)state;
    struct source_config config = sim("scene=counter", 1e6);
    config.realtime = true;
    int err = 0;
    const uint64_t start_ns = clock_now_ns();
    struct source *s = open_source(&config);
    assert_true(s->stream.start_ns > 1700000000LL * 1000000000);
    struct bytes out = read_samples(s, 300000, 65536, &err);
    assert_true(clock_now_ns() - start_ns >= 300000000U);
    for (uint32_t i = 0; i < 300000; i++)
        assert_int_equal(counter_at(out.at + 4 * (size_t)i), i);
    assert_int_equal(s->ops->read(s, out.at, 65536, 0) >= 0, 1);
    drop(&out);
    source_destroy(s);
}

/* Creating the ring between init and the first read takes some time. */
static void the_clock_starts_with_the_first_read(void **state)
{
    (void)state;
    struct source_config config = sim("scene=counter", 1e6);
    uint8_t raw[4 * 1000];
    int64_t got = 0;
    config.realtime = true;
    struct source *s = open_source(&config);
    usleep(100000); /* 100,000 samples, were it running */
    const uint64_t start_ns = clock_now_ns();
    const int64_t opened_ns = s->stream.start_ns;
    for (int i = 0; i < 50; i++)
        got += s->ops->read(s, raw, 1000, 100);
    assert_true((double)got <= (double)(clock_now_ns() - start_ns) * 1e-3 + 1);
    assert_true(s->mark.set && s->mark.cause == LOSS_CAUSES && s->mark.has_time);
    assert_true(s->mark.time_ns - opened_ns >= 90000000);
    source_destroy(s);
}

static void bad_arguments_are_refused_by_name(void **state)
{
    (void)state;
    static const struct {
        const char *device, *format;
        double rate_hz;
        const char *piece;
    } table[] = {
        {"nosuch=1", NULL, 48000, "no argument \"nosuch\""},
        {"seed", NULL, 48000, "seed=: not a valid value"},
        {"seed=-1", NULL, 48000, "seed=-1: not a valid value"},
        {"seed=1.5", NULL, 48000, "seed=1.5: not a valid value"},
        {"scene=nowhere", NULL, 48000,
         "scene=nowhere: not a valid value: expected one of show, tone"},
        {"scean=tone", NULL, 48000, "no argument \"scean\": did you mean scene?"},
        {"scene=tone,level=nan", NULL, 48000, "level=nan: not a valid value"},
        {"scene=tone,offset=30k", NULL, 48000, "offset=30000: beyond half the rate"},
        {"vanish_after=-1", NULL, 48000,
         "vanish_after=-1: not a valid value: expected a number from 0 to 1e+06"},
        {"seed=1111111111111111111111111111111111111111111111111111111111111111111111", NULL, 48000,
         "too long"},
        {"scene=counter", "cu8", 48000, "scene=counter is cs16 only"},
        {"scene=counter,copy=no", NULL, 48000, "a scene that repeats, not the counter"},
        {"copy=maybe", NULL, 48000, "copy=maybe: not a valid value"},
        {"", "cs12", 48000, "--format cs12"},
        {"", NULL, NAN, "rate of nan"},
        {"", NULL, -1, "rate of -1"},
        {"", NULL, INFINITY, "rate of inf"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct source_config config = sim(table[i].device, table[i].rate_hz);
        config.format = table[i].format;
        expect_refused(&config, -EINVAL, table[i].piece);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_default_is_2_4_msps_cs16_at_100_mhz),
        cmocka_unit_test(the_block_repeats_without_a_seam_in_every_format),
        cmocka_unit_test(a_tone_crosses_the_seam_with_its_phase),
        cmocka_unit_test(the_same_seed_gives_the_same_bytes_and_another_does_not),
        cmocka_unit_test(without_copies_the_scene_is_a_cycle),
        cmocka_unit_test(silence_is_zero),
        cmocka_unit_test(the_counter_counts_every_sample),
        cmocka_unit_test(an_overflow_is_reported_with_the_samples_it_lost),
        cmocka_unit_test(a_vanished_radio_can_be_reopened),
        cmocka_unit_test(a_stalled_radio_only_times_out),
        cmocka_unit_test(a_hung_radio_never_returns),
        cmocka_unit_test(a_new_centre_is_reported_with_a_mark_and_a_new_rate_needs_reopening),
        cmocka_unit_test(in_real_time_samples_are_never_early_and_arrive),
        cmocka_unit_test(the_clock_starts_with_the_first_read),
        cmocka_unit_test(bad_arguments_are_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
