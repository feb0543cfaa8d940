/* test_archive_read.c - what the archive keeps of lines, and what is read of it at any zoom. */
#include "tests/archive/archive_fixture.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "daemon/archive/facts.h"

static const struct fixture_levels noise = {-90, -80, -110};

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

/* A row of the archive is a line where both have the same duration. */
static void the_finest_rows_are_the_lines(void **state)
{
    struct archive_fixture *r = *state;
    for (uint32_t i = 0; i < 40; i++)
        archive_fixture_add(r, &noise, i,
                            &(struct fixture_levels){-30.0 - i, -20.0 - i, -40.0 - i});
    archive_fixture_stop(r);
    const double expected[][2] = {{-30, -90}, {-20, -80}, {-40, -110}};
    const double tolerance[] = {0.051, 0.101, 0.9}; /* of steps of 0.1 dB, as block.h states */
    for (unsigned d = 0; d < 3; d++) {
        const struct archive_query q = archive_fixture_query(d, 4000, 8000);
        struct archive_picture p = archive_fixture_read(r, &q);
        assert_int_equal(p.rows, 40);
        assert_int_equal(p.columns, FIXTURE_BINS);
        assert_true(p.start_ns == fixture_start_ns && p.row_ns == 100000000);
        assert_near(p.low_hz, 100e6 - 32500, 1e-3);
        assert_near(p.column_hz, 1000, 1e-9);
        assert_non_null(strstr(p.facts, "\"fft_size\":64"));
        for (uint32_t i = 0; i < p.rows; i++)
            for (uint32_t k = 0; k < FIXTURE_BINS; k++)
                assert_near(archive_fixture_level(&p, i, k),
                            k == i ? expected[d][0] - i : expected[d][1], tolerance[d]);
        archive_picture_finish(&p);
    }
}

/* A burst of one line in 20 minutes shows at its level in every tier, and in one column of one row.
 */
static void a_peak_stays_in_every_tier_and_column(void **state)
{
    struct archive_fixture *r = *state;
    for (uint32_t i = 0; i < 12000; i++)
        archive_fixture_add(r, &noise, 41,
                            i == 7777 ? &(struct fixture_levels){-60, -10, -70} : NULL);
    archive_fixture_stop(r);
    const uint32_t rows[] = {1, 2, 7, 60, 100, 1200, 2000, 4000};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (uint32_t columns = 1; columns <= 64; columns *= 4) {
            const struct archive_query q = archive_fixture_query(1, rows[i], columns);
            struct archive_picture p = archive_fixture_read(r, &q);
            uint32_t found = 0;
            assert_true(p.rows <= rows[i] && p.columns == columns);
            for (uint32_t y = 0; y < p.rows; y++)
                for (uint32_t x = 0; x < p.columns; x++)
                    found += archive_fixture_level(&p, y, x) > -11;
            assert_int_equal(found, 1);
            const int64_t at = fixture_start_ns + INT64_C(7777) * r->line_ns - p.start_ns;
            assert_near(archive_fixture_level(&p, (uint32_t)(at / p.row_ns), 41 * columns / 64),
                        -10, 0.101);
            archive_picture_finish(&p);
        }
    }
}

/* Of 10 rows with one 10 dB stronger: 10 log10((9 + 10) / 10) = 2.79 dB above the others. */
static void the_mean_is_one_of_powers(void **state)
{
    struct archive_fixture *r = *state;
    for (uint32_t i = 0; i < 200; i++)
        archive_fixture_add(r, i % 10 == 3 ? &(struct fixture_levels){-80, -80, -80} : &noise, 0,
                            NULL);
    archive_fixture_stop(r);
    const struct archive_query q = archive_fixture_query(0, 20, 1);
    struct archive_picture p = archive_fixture_read(r, &q);
    assert_int_equal(p.rows, 20);
    assert_true(p.row_ns == 1000000000);
    for (uint32_t i = 0; i < p.rows; i++)
        assert_near(archive_fixture_level(&p, i, 0), -90 + 10 * log10(1.9), 0.06);
    archive_picture_finish(&p);
}

/* Bins become columns by the same rule as lines become rows. */
static void columns_combine_bins(void **state)
{
    struct archive_fixture *r = *state;
    archive_fixture_stop(r);
    r->options.columns = 16;
    archive_fixture_start(r);
    archive_fixture_add(r, &noise, 5, &(struct fixture_levels){-80, -20, -130});
    archive_fixture_stop(r);
    const double expected[] = {-90 + 10 * log10(13.0 / 4), -20, -130};
    for (unsigned d = 0; d < 3; d++) {
        const struct archive_query q = archive_fixture_query(d, 10, 100);
        struct archive_picture p = archive_fixture_read(r, &q);
        assert_int_equal(p.columns, 16);
        assert_near(p.column_hz, 4000, 1e-9);
        assert_near(archive_fixture_level(&p, 0, 1), expected[d], d == 2 ? 1.7 : 0.11);
        assert_near(archive_fixture_level(&p, 0, 2),
                    d == 0   ? -90
                    : d == 1 ? -80
                             : -110,
                    d == 2 ? 0.9 : 0.11);
        archive_picture_finish(&p);
    }
}

static void a_part_of_time_and_frequency_is_read(void **state)
{
    struct archive_fixture *r = *state;
    for (uint32_t i = 0; i < 100; i++)
        archive_fixture_add(r, &noise, i % 64, &(struct fixture_levels){-30, -20, -40});
    archive_fixture_stop(r);
    struct archive_query q = archive_fixture_query(1, 100, 100);
    q.from.ns = fixture_start_ns + 20 * r->line_ns;
    q.to.ns = fixture_start_ns + 25 * r->line_ns;
    q.low_hz = 100e6 - 500 - 12000; /* bins 20 to 29 */
    q.high_hz = q.low_hz + 10000;
    struct archive_picture p = archive_fixture_read(r, &q);
    assert_int_equal(p.rows, 5);
    assert_int_equal(p.columns, 10);
    for (uint32_t y = 0; y < 5; y++)
        for (uint32_t x = 0; x < 10; x++)
            assert_near(archive_fixture_level(&p, y, x), x == y ? -20 : -80, 0.11);
    archive_picture_finish(&p);
    q.low_hz = 200e6; /* nothing was received there */
    q.high_hz = 201e6;
    p = archive_fixture_read(r, &q);
    assert_true(isnan(archive_fixture_level(&p, 0, 0)));
    archive_picture_finish(&p);
    q.from.ns = fixture_start_ns + 1000 * r->line_ns;
    q.to.ns = q.from.ns + r->line_ns;
    assert_int_equal(archive_read(r->folder, &q, &p), -ENODATA);
    assert_int_equal(archive_read("/nonexistent", &q, &p), -ENOENT);
}

/* The time between two runs is empty, not filled. */
static void gaps_stay_empty(void **state)
{
    struct archive_fixture *r = *state;
    archive_fixture_add_noise(r, 20);
    archive_fixture_stop(r);
    r->next = 50;
    archive_fixture_start(r);
    archive_fixture_add_noise(r, 20);
    archive_fixture_stop(r);
    const struct archive_query q = archive_fixture_query(1, 1000, 1);
    struct archive_picture p = archive_fixture_read(r, &q);
    assert_int_equal(p.rows, 70);
    for (uint32_t y = 0; y < 70; y++)
        assert_int_equal(isnan(archive_fixture_level(&p, y, 0)), y >= 20 && y < 50);
    archive_picture_finish(&p);
}

/* 100 ms rows are kept for 10 s: what is older comes from the rows of 1 s. */
static void old_rows_are_coarser(void **state)
{
    struct archive_fixture *r = *state;
    archive_fixture_stop(r);
    r->options.tiers = "10/s:10s,1/s:1y";
    archive_fixture_start(r);
    for (uint32_t i = 0; i < 900; i++)
        archive_fixture_add(r, &noise, 9,
                            i == 107 ? &(struct fixture_levels){-60, -10, -70} : NULL);
    archive_fixture_stop(r);
    const struct archive_query q = archive_fixture_query(1, 4000, 64);
    struct archive_picture p = archive_fixture_read(r, &q);
    assert_int_equal(p.rows, 900);
    assert_true(p.row_ns == 100000000);
    for (uint32_t y = 0; y < p.rows; y++)
        assert_near(archive_fixture_level(&p, y, 9), y >= 100 && y < 110 ? -10 : -80, 0.11);
    archive_picture_finish(&p);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

/* Whatever the facts have of a line, a change of it is in the text, and nothing else is. */
static void facts_follow_each_change_of_a_line(void **state)
{
    (void)state;
    struct line line = {.n = 64,
                        .hop = 32,
                        .tuning = {.center_hz = NAN, .rate_hz = 1e6},
                        .gain_db = NAN,
                        .enbw_bins = 1.5,
                        .window = "hann",
                        .serial = "1"};
    struct facts facts = {0};
    char expected[ARCHIVE_FACTS];
    double *const numbers[] = {&line.tuning.center_hz, &line.tuning.rate_hz, &line.tuning.ppm,
                               &line.gain_db,          &line.enbw_bins,      &line.usable_percent};
    char *const texts[] = {line.tuning.gain, line.tuning.antenna, line.tuning.settings, line.window,
                           line.serial};
    for (size_t i = 0; i < 14; i++) {
        char before[ARCHIVE_FACTS];
        snprintf(before, sizeof before, "%s", facts_of(&facts, &line, NULL));
        line.number++; /* is not in the facts */
        line.time_ns += 100;
        assert_string_equal(facts_of(&facts, &line, NULL), before);
        if (i < 6)
            *numbers[i] = 12.5 + (double)i;
        else if (i < 11)
            memcpy(texts[i - 6], "x", 2);
        else if (i == 11)
            line.hop = 16;
        else if (i == 12)
            line.simulated = true;
        else
            line.rate_assumed = true;
        facts_write(&line, NULL, expected);
        assert_string_not_equal(expected, before);
        assert_string_equal(facts_of(&facts, &line, NULL), expected);
    }
    facts_finish(&facts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(facts_follow_each_change_of_a_line),
        TEST(the_finest_rows_are_the_lines),
        TEST(a_peak_stays_in_every_tier_and_column),
        TEST(the_mean_is_one_of_powers),
        TEST(columns_combine_bins),
        TEST(a_part_of_time_and_frequency_is_read),
        TEST(gaps_stay_empty),
        TEST(old_rows_are_coarser),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
