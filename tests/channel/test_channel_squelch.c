/* test_channel_squelch.c - openings and their ends, and noise that opens nothing. */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "daemon/channel/channel_squelch.h"

#define BLOCK_S 0.006

static struct channel_squelch make(const char *text, double independent)
{
    struct channel_squelch s;
    struct squelch_rule rule = {.hysteresis_db = SQUELCH_HYSTERESIS_DB, .hang_s = SQUELCH_HANG_S};
    assert_int_equal(squelch_parse(text, &rule), 0);
    channel_squelch_init(&s, &rule, independent);
    return s;
}

static bool add_db(struct channel_squelch *s, double level_db, double noise_db)
{
    return channel_squelch_add(s, pow(10, level_db / 10), pow(10, noise_db / 10), BLOCK_S);
}

static void it_opens_in_the_second_block_at_the_threshold(void **state)
{
    (void)state;
    struct channel_squelch s = make("6", 100);
    assert_false(add_db(&s, -80, -80));
    assert_false(add_db(&s, -73.9, -80)); /* one alone is none */
    assert_false(add_db(&s, -80, -80));
    assert_false(add_db(&s, -73.9, -80));
    assert_true(add_db(&s, -73.9, -80));
    assert_int_equal(channel_squelch_reach(&s), 1);
    s = make("6", 100);
    for (int i = 0; i < 100; i++)
        assert_false(add_db(&s, -74.1, -80));
}

static void it_shuts_after_the_hang_time_below_the_hysteresis(void **state)
{
    (void)state;
    struct channel_squelch s = make("6", 100);
    add_db(&s, -60, -80);
    assert_true(add_db(&s, -60, -80));
    for (int i = 0; i < 1000; i++)
        assert_true(add_db(&s, -75.9, -80)); /* 4.1 dB above the noise */
    int blocks = 0;
    while (add_db(&s, -76.1, -80))
        blocks++;
    assert_int_equal(blocks, 33); /* of 6 ms: 200 ms are exceeded with the 34th */
    for (int i = 0; i < 40; i++)
        assert_false(add_db(&s, -75.9, -80));
}

static void a_pause_shorter_than_the_hang_time_is_none(void **state)
{
    (void)state;
    struct channel_squelch s = make("6", 100);
    add_db(&s, -60, -80);
    add_db(&s, -60, -80);
    for (int i = 0; i < 20; i++) {
        for (int k = 0; k < 32; k++)
            assert_true(add_db(&s, -80, -80));
        assert_true(add_db(&s, -60, -80));
    }
}

static void a_level_needs_no_noise_and_a_ratio_does(void **state)
{
    (void)state;
    struct channel_squelch s = make("level -60", 100);
    assert_false(channel_squelch_add(&s, 1.1e-6, NAN, BLOCK_S));
    assert_true(channel_squelch_add(&s, 1.1e-6, NAN, BLOCK_S));
    s = make("6", 100);
    for (int i = 0; i < 10; i++)
        assert_false(channel_squelch_add(&s, 1, NAN, BLOCK_S));
    s = make("off", 100);
    assert_true(channel_squelch_add(&s, 0, NAN, BLOCK_S));
    assert_true(channel_squelch_add(&s, NAN, NAN, BLOCK_S));
}

/* A block that is completed with zeros has no level. */
static void a_block_without_a_level_changes_nothing(void **state)
{
    (void)state;
    struct channel_squelch s = make("6", 100);
    add_db(&s, -60, -80);
    assert_false(channel_squelch_add(&s, NAN, 1e-8, BLOCK_S));
    assert_true(add_db(&s, -60, -80));
}

/* ---- noise -------------------------------------------------------------------------------- */

static uint64_t seed;

static double uniform(void) /* ]0, 1] */
{
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    return (double)((seed >> 11) + 1) / 9007199254740992.0;
}

/* The mean of so many independent powers of noise, each with a mean of 1. */
static double noise_level(int values)
{
    double sum = 0;
    while (values > 0) {
        double product = 1;
        for (int i = 0; i < 16 && values > 0; i++, values--)
            product *= uniform();
        sum -= log(product);
    }
    return sum;
}

/* values: about those of 25 kS/s, 12 kS/s and 8 kS/s. An hour of blocks each. */
static void an_hour_of_noise_opens_nothing_at_3_db(void **state)
{
    (void)state;
    static const int values[] = {79, 25, 12};
    for (int i = 0; i < 3; i++) {
        struct channel_squelch s = make("3", values[i]);
        unsigned above = 0;
        seed = 88172645463325252U + (uint64_t)i;
        for (int block = 0; block < 600000; block++) {
            assert_false(channel_squelch_add(&s, noise_level(values[i]) / values[i], 1, BLOCK_S));
            above += s.above > 0;
        }
        assert_true(above <= 2); /* not one mean, mostly */
    }
}

static void a_narrow_channel_still_opens_for_a_carrier(void **state)
{
    (void)state;
    struct channel_squelch s = make("3", 12);
    int blocks = 0;
    seed = 1;
    for (int i = 0; i < 100; i++)
        assert_false(channel_squelch_add(&s, noise_level(12) / 12, 1, BLOCK_S));
    while (!channel_squelch_add(&s, 4 + noise_level(12) / 12, 1, BLOCK_S))
        blocks++;
    assert_true(blocks <= 12 && (uint32_t)blocks <= channel_squelch_reach(&s));
}

/* ---- as text ------------------------------------------------------------------------------- */

static void texts_are_read_and_written(void **state)
{
    (void)state;
    static const struct {
        const char *text, *written;
    } rows[] = {{"off", "off"},
                {"6", "6"},
                {"6 dB", "6"},
                {"4.5", "4.5"},
                {"level -60", "level -60"},
                {"LEVEL -60 dB", "level -60"},
                {"level=-72.5", "level -72.5"}};
    static const char *const wrong[] = {"",        "on",        "-3",         "0",      "level",
                                        "level 3", "levels -6", "level -60x", "6 dBFS", "nan"};
    char text[40];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct squelch_rule rule = {.hang_s = 1};
        assert_int_equal(squelch_parse(rows[i].text, &rule), 0);
        assert_string_equal(squelch_format(&rule, text, sizeof text), rows[i].written);
        assert_true(fabs(rule.hang_s - 1) < 1e-9);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct squelch_rule rule = {.open_db = 7};
        assert_int_equal(squelch_parse(wrong[i], &rule), -EINVAL);
        assert_true(fabs(rule.open_db - 7) < 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_opens_in_the_second_block_at_the_threshold),
        cmocka_unit_test(it_shuts_after_the_hang_time_below_the_hysteresis),
        cmocka_unit_test(a_pause_shorter_than_the_hang_time_is_none),
        cmocka_unit_test(a_level_needs_no_noise_and_a_ratio_does),
        cmocka_unit_test(a_block_without_a_level_changes_nothing),
        cmocka_unit_test(an_hour_of_noise_opens_nothing_at_3_db),
        cmocka_unit_test(a_narrow_channel_still_opens_for_a_carrier),
        cmocka_unit_test(texts_are_read_and_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
