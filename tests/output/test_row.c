/*
 * test_row.c - CSV and JSON rows: rtl_power's columns, exact numbers, valid JSON.
 */
#include "tests/support/cmocka_all.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "daemon/base/level.h"
#include "daemon/output/row.h"

static struct line *example(void)
{
    struct line *line = line_create(&(struct line_shape){.n = 64, .detectors = FFT_DETECTOR_MAX});
    assert_non_null(line);
    line->number = 3;
    line->time_ns = 1700000000123456789;
    line->first_sample = 5000;
    line->sample_count = 640;
    line->tuning = (struct tuning){.center_hz = 433.92e6, .rate_hz = 250000};
    line->gain_db = NAN;
    line->hop = 32;
    line->frames = 19;
    line->enbw_bins = 1.5;
    line->engine = "cpu";
    line->ledger.lost[LOSS_GAP] = 12;
    strcpy(line->window, "hann");
    for (int k = 0; k < 64; k++)
        line->detector[1][k] = powf(10, (float)(k - 70) / 10);
    line->detector[1][0] = 0;
    return line;
}

static struct row row_of(const struct line *line)
{
    return (struct row){.line = line,
                        .power = line->detector[1],
                        .detector_index = 1,
                        .first_sample = line->first_sample,
                        .sample_count = line->sample_count,
                        .frames = line->frames,
                        .time_ns = line->time_ns,
                        .merged = 1};
}

static void a_csv_row_has_rtl_powers_columns(void **state)
{
    (void)state;
    struct line *line = example();
    struct text text = {0};
    const struct row row = row_of(line);
    row_csv(&text, &row);
    text_add_bytes(&text, "", 1);
    const char *head =
        "2023-11-14, 22:13:20.123456, 433795000, 434045000, 3906.25, 640, -300.00, -69.00, -68.00";
    assert_memory_equal(text.data, head, strlen(head));
    const char *tail = ", -8.00, -7.00\n";
    assert_string_equal(text.data + strlen(text.data) - strlen(tail), tail);
    int commas = 0;
    for (const char *at = text.data; *at; at++)
        commas += *at == ',';
    assert_int_equal(commas, 6 + 64 - 1);
    text_finish(&text);
    line_destroy(line);
}

/* Rows of hackrf_sweep: "date, time, hz_low, hz_high, hz_bin_width, num_samples, dB, dB, ...". */
static void hackrf_sweeps_rows_are_5_mhz_of_one_time(void **state)
{
    (void)state;
    struct line *line = example();
    struct text text = {0};
    const struct row row = row_of(line);
    line->tuning = (struct tuning){.center_hz = 100e6, .rate_hz = 12.8e6}; /* bins of 200 kHz */
    row_csv_hackrf(&text, &row);
    text_add_bytes(&text, "", 1);
    static const char *const heads[] = {
        "2023-11-14, 22:13:20.123456, 93600000, 98600000, 200000.00, 640, -300.00, -69.00, ",
        "2023-11-14, 22:13:20.123456, 98600000, 103600000, 200000.00, 640, -45.00, -44.00, ",
        "2023-11-14, 22:13:20.123456, 103600000, 106400000, 200000.00, 640, -20.00, -19.00, ",
    };
    const int levels[] = {25, 25, 14};
    const char *at = text.data;
    for (int i = 0; i < 3; i++) {
        assert_memory_equal(at, heads[i], strlen(heads[i]));
        int commas = 0;
        for (; *at != '\n'; at++)
            commas += *at == ',';
        assert_int_equal(commas, 6 + levels[i] - 1);
        at++;
    }
    assert_int_equal(*at, '\0');
    text_finish(&text);
    line_destroy(line);
}

/* What planners of wireless microphones import: "MHz,dBm", a sweep from low to high. */
static void a_planners_sweep_is_two_columns_from_low_to_high(void **state)
{
    (void)state;
    struct line *line = example();
    struct text text = {0};
    const struct row row = row_of(line);
    row_csv_mhz(&text, &row);
    text_add_bytes(&text, "", 1);
    const char *head = "433.795000,-300.00\n433.798906,-69.00\n433.802813,-68.00\n";
    assert_memory_equal(text.data, head, strlen(head));
    int rows = 0;
    for (const char *at = text.data; *at; at++)
        rows += *at == '\n';
    assert_int_equal(rows, 64);
    text_finish(&text);
    line_destroy(line);
}

/* keenerd's heatmap.py reads the time with strptime and "%Y-%m-%d %H:%M:%S". */
static void time_in_seconds_is_read_by_strptime_without_a_rest(void **state)
{
    (void)state;
    static const struct {
        int64_t time_ns;
        const char *begins;
    } table[] = {
        {1700000000123456789,
         "2023-11-14, 22:13:20, 433795000, 434045000, 3906.25, 640, -300.00, "},
        {1700000000999999999, "2023-11-14, 22:13:20, "},
        {-1, "1969-12-31, 23:59:59, "},
    };
    struct line *line = example();
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct text text = {0};
        struct row row = row_of(line);
        struct tm tm;
        row.time_ns = table[i].time_ns;
        row_csv_seconds(&text, &row);
        text_add_bytes(&text, "", 1);
        assert_memory_equal(text.data, table[i].begins, strlen(table[i].begins));
        const char *rest = strptime(text.data, "%Y-%m-%d, %H:%M:%S", &tm);
        assert_non_null(rest);
        assert_int_equal(*rest, ',');
        text_finish(&text);
    }
    line_destroy(line);
}

/* heatmap.py and flatten.py of keenerd read both edges with int(). */
static void the_edges_of_a_csv_row_are_whole_hertz(void **state)
{
    (void)state;
    struct line *line = example();
    struct text text = {0};
    const struct row row = row_of(line);
    line->tuning.rate_hz = 1000001;
    row_csv(&text, &row);
    text_add_bytes(&text, "", 1);
    const char *head = "2023-11-14, 22:13:20.123456, 433420000, 434420000, 15625.015625, 640, ";
    assert_memory_equal(text.data, head, strlen(head));
    text_finish(&text);
    line_destroy(line);
}

/* An assumed rate gives no hertz: -0.5 to 0.5 of it, in steps of 1/64. */
static void an_assumed_rate_gives_no_hertz(void **state)
{
    (void)state;
    struct line *line = example();
    struct text csv = {0}, json = {0};
    const struct row row = row_of(line);
    line->rate_assumed = true;
    row_csv(&csv, &row);
    const char *head = "2023-11-14, 22:13:20.123456, -0.5, 0.5, 0.015625, 640, -300.00";
    assert_memory_equal(csv.data, head, strlen(head));
    row_json(&json, &row);
    json_t *object = json_loadb(json.data, json.length, 0, NULL);
    assert_true(json_is_true(json_object_get(object, "rate_assumed")));
    static const char *const hertz[] = {"rate_hz", "low_hz", "high_hz", "column_hz", "rbw_hz"};
    for (int i = 0; i < 5; i++)
        assert_true(json_is_null(json_object_get(object, hertz[i])));
    assert_true(json_number_value(json_object_get(object, "center_hz")) == 433.92e6);
    json_decref(object);
    text_finish(&csv);
    text_finish(&json);
    line_destroy(line);
}

static void times_before_1970_round_down(void **state)
{
    (void)state;
    struct line *line = example();
    struct text text = {0};
    struct row row = row_of(line);
    row.time_ns = -1;
    row_csv(&text, &row);
    const char *head = "1969-12-31, 23:59:59.999999, ";
    assert_memory_equal(text.data, head, strlen(head));
    text_finish(&text);
    line_destroy(line);
}

static void a_json_row_is_one_valid_object_with_every_level(void **state)
{
    (void)state;
    struct line *line = example();
    struct text text = {0};
    const struct row row = row_of(line);
    row_json(&text, &row);
    assert_int_equal(text.data[text.length - 1], '\n');
    json_error_t error;
    json_t *object = json_loadb(text.data, text.length, 0, &error);
    assert_non_null(object);
    const json_t *levels = json_object_get(object, "levels");
    assert_int_equal(json_array_size(levels), 64);
    assert_near(json_number_value(json_array_get(levels, 63)), -7, 0.001);
    assert_string_equal(json_string_value(json_object_get(object, "time")),
                        "2023-11-14T22:13:20.123456Z");
    assert_true(json_is_null(json_object_get(object, "gain_db")));
    assert_string_equal(json_string_value(json_object_get(object, "unit")), "dBFS");
    /* 250 kS/s / 64; the outer edges are those of bins 0 and 63 */
    const double center_hz = line->tuning.center_hz;
    const double edge_hz = 3906.25 / 2;
    assert_near(json_number_value(json_object_get(object, "column_hz")), 3906.25, 0);
    assert_near(json_number_value(json_object_get(object, "low_hz")), center_hz - 125000 - edge_hz,
                0);
    assert_near(json_number_value(json_object_get(object, "high_hz")), center_hz + 125000 - edge_hz,
                0);
    const json_t *lost = json_object_get(json_object_get(object, "ledger"), "lost");
    assert_int_equal(json_integer_value(json_object_get(lost, "gap")), 12);
    json_decref(object);
    text_finish(&text);
    line_destroy(line);
}

/* 64 bins around bin 32; 50 % are bins 16 to 48, of -54 to -22 dB. */
static void rows_leave_out_the_edges_beyond_the_usable_band(void **state)
{
    (void)state;
    static const struct {
        row_writer *write;
        const char *head, *tail;
        int separators;
    } cases[] = {
        {row_csv,
         "2023-11-14, 22:13:20.123456, 433857500, 433986406, 3906.25, 640, -54.00, -53.00, ",
         ", -23.00, -22.00\n", 6 + 33 - 1},
        {row_csv_hackrf,
         "2023-11-14, 22:13:20.123456, 433857500, 433986406, 3906.25, 640, -54.00, -53.00, ",
         ", -23.00, -22.00\n", 6 + 33 - 1},
        {row_csv_mhz, "433.857500,-54.00\n433.861406,-53.00\n", "\n433.982500,-22.00\n", 33},
        {row_json, "{", "-23.00,-22.00]}\n", -1},
    };
    struct line *line = example();
    line->usable_percent = 50;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct text text = {0};
        const struct row row = row_of(line);
        cases[i].write(&text, &row);
        text_add_bytes(&text, "", 1);
        assert_memory_equal(text.data, cases[i].head, strlen(cases[i].head));
        assert_string_equal(text.data + strlen(text.data) - strlen(cases[i].tail), cases[i].tail);
        int commas = 0;
        for (const char *at = text.data; *at; at++)
            commas += *at == ',';
        if (cases[i].separators >= 0)
            assert_int_equal(commas, cases[i].separators);
        text_finish(&text);
    }
    line_destroy(line);
}

static void a_json_row_has_the_edges_of_the_usable_band(void **state)
{
    (void)state;
    struct line *line = example();
    struct text text = {0};
    const struct row row = row_of(line);
    line->usable_percent = 50;
    row_json(&text, &row);
    json_t *object = json_loadb(text.data, text.length, 0, NULL);
    assert_int_equal(json_array_size(json_object_get(object, "levels")), 33);
    assert_int_equal(json_integer_value(json_object_get(object, "fft_size")), 64);
    assert_near(json_number_value(json_object_get(object, "low_hz")), 433.92e6 - 16.5 * 3906.25, 0);
    assert_near(json_number_value(json_object_get(object, "high_hz")), 433.92e6 + 16.5 * 3906.25,
                0);
    json_decref(object);
    text_finish(&text);
    line_destroy(line);
}

/* What adds up comes from the row, the rest from its newest line. */
static void a_row_of_several_lines_shows_their_sums(void **state)
{
    (void)state;
    struct line *line = example();
    struct text text = {0};
    struct row row = row_of(line);
    row.merged = 7;
    row.first_sample = 4000;
    row.sample_count = 1640;
    row.frames = 50;
    row_csv(&text, &row);
    text_add_bytes(&text, "", 1);
    assert_non_null(strstr(text.data, ", 1640, -300.00"));
    text_clear(&text);
    row_json(&text, &row);
    json_t *object = json_loadb(text.data, text.length, 0, NULL);
    static const struct {
        const char *key;
        int value;
    } expected[] = {
        {"merged", 7}, {"first_sample", 4000}, {"samples", 1640}, {"frames", 50}, {"line", 3},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_int_equal(json_integer_value(json_object_get(object, expected[i].key)),
                         expected[i].value);
    json_decref(object);
    text_finish(&text);
    line_destroy(line);
}

static void levels_are_written_as_printf_writes_them(void **state)
{
    (void)state;
    static const double levels[] = {0,     -0.001, 0.004,  -0.006, 3.0103,   -3.0103,
                                    59.99, -300,   99.999, -9.995, 12345.678};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        struct text text = {0};
        char got[32] = "";
        text_add_level(&text, levels[i]);
        memcpy(got, text.data, text.length);
        assert_near(strtod(got, NULL), levels[i], 0.00501);
        const char *dot = strchr(got, '.');
        assert_non_null(dot);
        assert_int_equal(strlen(dot), 3);
        assert_true(strcmp(got, "-0.00") != 0);
        text_finish(&text);
    }
}

static void powers_that_are_no_numbers_stay_in_the_range_of_levels(void **state)
{
    (void)state;
    assert_near(level_dbfs(1), 0, 0);
    assert_near(level_dbfs(0.5F), -3.0103, 0.0001);
    assert_near(level_dbfs(0), -300, 0);
    assert_near(level_dbfs(-1), -300, 0);
    assert_near(level_dbfs(NAN), -300, 0);
    assert_near(level_dbfs(INFINITY), 385.32, 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_csv_row_has_rtl_powers_columns),
        cmocka_unit_test(hackrf_sweeps_rows_are_5_mhz_of_one_time),
        cmocka_unit_test(a_planners_sweep_is_two_columns_from_low_to_high),
        cmocka_unit_test(time_in_seconds_is_read_by_strptime_without_a_rest),
        cmocka_unit_test(an_assumed_rate_gives_no_hertz),
        cmocka_unit_test(the_edges_of_a_csv_row_are_whole_hertz),
        cmocka_unit_test(times_before_1970_round_down),
        cmocka_unit_test(a_json_row_is_one_valid_object_with_every_level),
        cmocka_unit_test(rows_leave_out_the_edges_beyond_the_usable_band),
        cmocka_unit_test(a_json_row_has_the_edges_of_the_usable_band),
        cmocka_unit_test(powers_that_are_no_numbers_stay_in_the_range_of_levels),
        cmocka_unit_test(a_row_of_several_lines_shows_their_sums),
        cmocka_unit_test(levels_are_written_as_printf_writes_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
