/* test_sim_world.c - the world of the simulated radio: tones at absolute frequencies. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "tests/support/source/source_support.h"

#include "daemon/source/sim/world.h"

enum { COUNT = 20000 };

static struct source_config world(const char *device, double center_hz, double rate_hz)
{
    return (struct source_config){.source = "sim",
                                  .device = device,
                                  .format = "cf32",
                                  .sweeps = true,
                                  .tuning = {.center_hz = center_hz, .rate_hz = rate_hz}};
}

/* Level of a tone in dBFS: a direct sum with a Hann window, whose sidelobes fall fast. */
static double level_dbfs(const struct bytes *raw, double hz, double center_hz, double rate_hz)
{
    double re = 0, im = 0, sum = 0;
    for (int i = 0; i < COUNT; i++) {
        float x[2];
        memcpy(x, raw->at + sizeof x * (size_t)i, sizeof x);
        const double angle = 2 * M_PI * (hz - center_hz) / rate_hz * i;
        const double w = 0.5 - 0.5 * cos(2 * M_PI * i / COUNT), c = cos(angle), s = sin(angle);
        re += w * ((double)x[0] * c + (double)x[1] * s);
        im += w * ((double)x[1] * c - (double)x[0] * s);
        sum += w;
    }
    return 10 * log10((re * re + im * im) / sum / sum + 1e-30);
}

static double received_dbfs(struct source *s, double hz)
{
    int err = 0;
    struct bytes raw = read_samples(s, COUNT, 777, &err);
    const double level = level_dbfs(&raw, hz, s->stream.tuning.center_hz, s->stream.tuning.rate_hz);
    drop(&raw);
    return level;
}

static void retune(struct source *s, double center_hz)
{
    struct tuning want = s->stream.tuning;
    want.center_hz = center_hz;
    assert_int_equal(s->ops->tune(s, &want), 0);
}

static void tones_stay_where_they_are_when_the_radio_is_tuned(void **state)
{
    (void)state;
    const struct source_config config =
        world("noise=-150,tones=100.3M@-20/101.2M@-31.5/250M@-3", 100e6, 2e6);
    struct source *s = open_source(&config);
    assert_near(received_dbfs(s, 100.3e6), -20, 0.01);
    assert_true(received_dbfs(s, 100.9e6) < -100);
    retune(s, 101e6);
    assert_near(received_dbfs(s, 100.3e6), -20, 0.01);
    assert_near(received_dbfs(s, 101.2e6), -31.5, 0.01);
    retune(s, 250.7e6);
    assert_near(received_dbfs(s, 250e6), -3, 0.01);
    retune(s, 251.1e6); /* beyond half the rate: no alias */
    assert_true(received_dbfs(s, 250e6) < -100);
    assert_true(received_dbfs(s, 252e6) < -100);
    source_destroy(s);
}

static void without_tones_there_is_a_carrier_at_each_10_mhz(void **state)
{
    (void)state;
    static const struct {
        double hz, dbfs;
    } carriers[] = {{10e6, -25}, {60e6, -50}, {70e6, -20}, {430e6, -25}, {1e9, -30}};
    const struct source_config config = world("noise=-150", 10e6, 2e6);
    struct source *s = open_source(&config);
    for (size_t i = 0; i < sizeof carriers / sizeof carriers[0]; i++) {
        retune(s, carriers[i].hz - 123e3);
        assert_near(received_dbfs(s, carriers[i].hz), carriers[i].dbfs, 0.01);
    }
    retune(s, 0);
    assert_true(received_dbfs(s, 0) < -100);
    source_destroy(s);
}

static void the_noise_has_its_total_power_at_any_centre(void **state)
{
    (void)state;
    const struct source_config config = world("noise=-12,tones=1G@0", 100e6, 2e6);
    struct source *s = open_source(&config);
    for (int tuning = 0; tuning < 3; tuning++) {
        int err = 0;
        double power = 0;
        struct bytes raw = read_samples(s, COUNT, COUNT, &err);
        for (size_t i = 0; i < (size_t)2 * COUNT; i++) {
            float x;
            memcpy(&x, raw.at + sizeof x * i, sizeof x);
            power += (double)x * (double)x / COUNT;
        }
        drop(&raw);
        /* 20000 samples: a standard deviation of 4.34 dB / sqrt(20000) = 0.03 dB */
        assert_near(10 * log10(power), -12, 0.15);
        retune(s, 200e6 + 100e6 * tuning);
    }
    source_destroy(s);
}

static void settling_loses_its_samples_at_each_change_of_the_centre(void **state)
{
    (void)state;
    const struct source_config config = world("settle=0.001", 100e6, 2e6);
    struct source *s = open_source(&config);
    retune(s, 101e6);
    assert_true(s->mark.set && s->mark.tuning_changed);
    assert_int_equal(s->mark.cause, LOSS_RETUNE);
    assert_int_equal(s->mark.lost, 2000);
    s->mark = (struct source_mark){0};
    retune(s, 101e6);
    assert_false(s->mark.set);
    source_destroy(s);
}

static void a_list_of_tones_is_checked(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",          "100M",  "100M@",        "@-20",
                                        "100M@-20/", "x@-20", "100M@-20 MHz", "100M@-20@-20",
                                        "1e13@0",    "1M@900"};
    struct sim_world w;
    char many[1024] = "1M@0";
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        if (sim_world_parse(wrong[i], &w) != -EINVAL)
            fail_msg("\"%s\" is accepted", wrong[i]);
    }
    for (int i = 1; i < SIM_TONES; i++)
        strncat(many, "/2M@-1", sizeof many - strlen(many) - 1);
    assert_int_equal(sim_world_parse(many, &w), 0);
    assert_int_equal(w.tones, SIM_TONES);
    strncat(many, "/2M@-1", sizeof many - strlen(many) - 1);
    assert_int_equal(sim_world_parse(many, &w), -EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tones_stay_where_they_are_when_the_radio_is_tuned),
        cmocka_unit_test(without_tones_there_is_a_carrier_at_each_10_mhz),
        cmocka_unit_test(the_noise_has_its_total_power_at_any_centre),
        cmocka_unit_test(settling_loses_its_samples_at_each_change_of_the_centre),
        cmocka_unit_test(a_list_of_tones_is_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
