/* test_report.c - results as JSON, as rows and as text for people. */
#include "tests/support/cmocka_all.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/json.h"
#include "daemon/measure/report_json.h"

static const struct measure_ops ops = {.name = "mask"};

/* Ten seconds after 2024-01-01; one value of each unit, a row with an unknown level. */
static struct measure_snapshot *example(bool rate_assumed)
{
    const struct line line = {
        .number = 1234567890123, .time_ns = 1704067210000001000, .rate_assumed = rate_assumed};
    struct measure_snapshot *s = measure_snapshot_create(&line, 1, NULL);
    assert_non_null(s);
    s->report[0] = (struct measure_report){.name = "voice",
                                           .ops = &ops,
                                           .detector = {.index = 1},
                                           .function = TRACE_MAX_HOLD,
                                           .lines = 7,
                                           .vbw_hz = 2.5,
                                           .verdict = MEASURE_PASS,
                                           .values = 5,
                                           .value = {{"power", MEASURE_DBFS, -20.12349, 0},
                                                     {"density", MEASURE_DBFS_HZ, -64, 0},
                                                     {"width", MEASURE_HZ, 25000.5, 0},
                                                     {"occupied", MEASURE_PERCENT, 12.34567891, 0},
                                                     {"carriers", MEASURE_COUNT, 3, 0}},
                                           .columns = 2,
                                           .rows = 1,
                                           .column = {{"center", MEASURE_HZ}, {"x", MEASURE_DB}}};
    s->report[0].cell = calloc(2, sizeof(double));
    assert_non_null(s->report[0].cell);
    s->report[0].cell[0] = 433.92e6;
    s->report[0].cell[1] = NAN;
    return s;
}

static void a_row_is_one_object_with_units_in_its_keys(void **state)
{
    (void)state;
    struct measure_snapshot *s = example(false);
    struct text out = {0};
    snapshot_add_rows(&out, s);
    text_add_bytes(&out, "", 1);
    assert_string_equal(
        out.data,
        "{\"time\":\"2024-01-01T00:00:10.000001Z\",\"line\":1234567890123,\"name\":\"voice\","
        "\"type\":\"mask\",\"detector\":\"max\",\"trace\":\"max-hold\",\"trace_lines\":7,\"vbw_"
        "hz\":2.5,"
        "\"rate_assumed\":false,\"simulated\":false,\"reason\":null,\"note\":null,\"verdict\":"
        "\"pass\","
        "\"calibrated\":false,"
        "\"values\":{\"power_dbfs\":-20.123,\"density_dbfs_hz\":-64.0,\"width_hz\":25000.5,"
        "\"occupied_percent\":12.34567891,\"carriers\":3.0},"
        "\"rows\":[{\"center_hz\":433920000.0,\"x_db\":null}]}\n");
    text_finish(&out);
    measure_snapshot_unref(s);
}

static struct calibration_table *table_of(const char *rows)
{
    static const char header[] = "serial = -\ndate = -\nuncertainty = -\n";
    struct calibration_table *table = calloc(1, sizeof *table);
    char text[256];
    snprintf(text, sizeof text, "%s%s", header, rows);
    assert_non_null(table);
    atomic_init(&table->refs, 1);
    assert_int_equal(calibration_parse(&table->calibration, text, strlen(text), "t", NULL), 0);
    return table;
}

/* Levels at 100 MHz and 500 MHz, in a value and in two rows; a ratio and a width. */
static struct measure_snapshot *levels_of(struct calibration_table *table, bool rate_assumed)
{
    const struct line line = {
        .gain_db = 20, .tuning = {.gain = "20"}, .rate_assumed = rate_assumed};
    struct measure_snapshot *s = measure_snapshot_create(&line, 1, table);
    calibration_table_unref(table);
    s->report[0] =
        (struct measure_report){.name = "a",
                                .ops = &ops,
                                .values = 3,
                                .value = {{"power", MEASURE_DBFS, -20, 100e6},
                                          {"density", MEASURE_DBFS_HZ, -60, 100e6},
                                          {"margin", MEASURE_DB, 3, 100e6}},
                                .columns = 2,
                                .rows = 2,
                                .hz_column = 1,
                                .column = {{"level", MEASURE_DBFS}, {"frequency", MEASURE_HZ}}};
    static const double cells[] = {-30, 100e6, -40, 500e6};
    s->report[0].cell = malloc(sizeof cells);
    memcpy(s->report[0].cell, cells, sizeof cells);
    return s;
}

static void assert_json(struct measure_snapshot *s, const char *want)
{
    json_t *object = report_to_json(s, &s->report[0]), *part = json_object();
    static const char *const keys[] = {"calibrated", "values", "rows"};
    for (int i = 0; i < 3; i++)
        json_object_set(part, keys[i], json_object_get(object, keys[i]));
    char *text = json_text(part, JSON_COMPACT);
    assert_string_equal(text, want);
    free(text);
    json_decref(part);
    json_decref(object);
    measure_snapshot_unref(s);
}

static void each_level_has_the_offset_of_its_frequency(void **state)
{
    (void)state;
    assert_json(levels_of(table_of("100M 20 - -7\n500M 20 - 9\n"), false),
                "{\"calibrated\":true,\"values\":{\"power_dbm\":-27.0,\"density_dbm_hz\":-67.0,"
                "\"margin_db\":3.0},\"rows\":[{\"level_dbm\":-37.0,\"frequency_hz\":100000000.0},"
                "{\"level_dbm\":-31.0,\"frequency_hz\":500000000.0}]}");
}

static void a_level_without_an_offset_is_uncal(void **state)
{
    (void)state;
    assert_json(levels_of(table_of("100M 20 - -7\n"), false),
                "{\"calibrated\":false,\"values\":{\"power_dbm\":-27.0,\"density_dbm_hz\":-67.0,"
                "\"margin_db\":3.0},\"rows\":[{\"level_dbm\":-37.0,\"frequency_hz\":100000000.0},"
                "{\"level_dbfs\":-40.0,\"frequency_hz\":500000000.0}]}");
    const char *uncal = "{\"calibrated\":false,\"values\":{\"power_dbfs\":-20.0,"
                        "\"density_dbfs_hz\":-60.0,\"margin_db\":3.0},"
                        "\"rows\":[{\"level_dbfs\":-30.0,\"frequency_hz\":100000000.0},"
                        "{\"level_dbfs\":-40.0,\"frequency_hz\":500000000.0}]}";
    assert_json(levels_of(table_of("100M 30 - -7\n"), false), uncal);
    assert_json(levels_of(table_of(""), false), uncal);
}

/* Frequencies are not known: no row of the table is the right one. */
static void an_assumed_rate_is_uncal(void **state)
{
    (void)state;
    assert_json(levels_of(table_of("100M 20 - -7\n500M 20 - 9\n"), true),
                "{\"calibrated\":false,\"values\":{\"power_dbfs\":-20.0,\"density_dbfs_hz\":null,"
                "\"margin_db\":3.0},\"rows\":[{\"level_dbfs\":-30.0,\"frequency_hz\":null},"
                "{\"level_dbfs\":-40.0,\"frequency_hz\":null}]}");
}

static void ratios_alone_are_neither_calibrated_nor_uncal(void **state)
{
    (void)state;
    struct measure_snapshot *s = levels_of(table_of("100M 20 - -7\n"), false);
    s->report[0].value[0] = s->report[0].value[2];
    s->report[0].values = 1;
    s->report[0].rows = 0;
    assert_json(s, "{\"calibrated\":null,\"values\":{\"margin_db\":3.0},\"rows\":[]}");
}

static void nothing_looks_like_hz_if_the_rate_is_assumed(void **state)
{
    (void)state;
    struct measure_snapshot *s = example(true);
    json_t *object = report_to_json(s, &s->report[0]);
    const json_t *values = json_object_get(object, "values");
    assert_true(json_is_null(json_object_get(values, "width_hz")));
    assert_true(json_is_null(json_object_get(values, "density_dbfs_hz")));
    assert_true(json_is_real(json_object_get(values, "power_dbfs")));
    const json_t *row = json_array_get(json_object_get(object, "rows"), 0);
    assert_true(json_is_null(json_object_get(row, "center_hz")));
    json_decref(object);
    measure_snapshot_unref(s);
}

static void a_reason_is_in_the_place_of_values(void **state)
{
    (void)state;
    struct measure_snapshot *s = example(false);
    struct measure_result refused = {0};
    free(s->report[0].cell);
    measure_refuse(&refused, "a \"reason\"");
    measure_report_set(&s->report[0], &refused);
    json_t *object = report_to_json(s, &s->report[0]);
    assert_string_equal(json_string_value(json_object_get(object, "reason")), "a \"reason\"");
    assert_true(json_is_null(json_object_get(object, "verdict")));
    assert_int_equal(json_object_size(json_object_get(object, "values")), 0);
    assert_int_equal(json_array_size(json_object_get(object, "rows")), 0);
    json_decref(object);
    measure_snapshot_unref(s);
}

static void a_result_and_a_set_up_without_result_have_the_same_keys(void **state)
{
    (void)state;
    struct measure_snapshot *s = example(false);
    const struct measure_setup setup = {.text = {.name = (char *)"voice"}, .ops = &ops};
    json_t *result = report_to_json(s, &s->report[0]), *none = setup_to_json(&setup);
    assert_non_null(none);
    void *a = json_object_iter(result), *b = json_object_iter(none);
    for (; a && b; a = json_object_iter_next(result, a), b = json_object_iter_next(none, b))
        assert_string_equal(json_object_iter_key(a), json_object_iter_key(b));
    assert_true(!a && !b);
    json_decref(result);
    json_decref(none);
    measure_snapshot_unref(s);
}

static void text_for_people_has_units_and_the_verdict(void **state)
{
    (void)state;
    struct measure_snapshot *s = example(false);
    struct text out = {0};
    report_add_text(&out, s, &s->report[0]);
    text_add_bytes(&out, "", 1);
    assert_string_equal(out.data,
                        "voice (mask): pass; power -20.12 dBFS, density -64.00 dBFS/Hz, width "
                        "25.0005 kHz, occupied 12.3457 %, carriers 3; center 433.92 MHz");
    text_finish(&out);
    measure_snapshot_unref(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_is_one_object_with_units_in_its_keys),
        cmocka_unit_test(each_level_has_the_offset_of_its_frequency),
        cmocka_unit_test(a_level_without_an_offset_is_uncal),
        cmocka_unit_test(an_assumed_rate_is_uncal),
        cmocka_unit_test(ratios_alone_are_neither_calibrated_nor_uncal),
        cmocka_unit_test(nothing_looks_like_hz_if_the_rate_is_assumed),
        cmocka_unit_test(a_reason_is_in_the_place_of_values),
        cmocka_unit_test(a_result_and_a_set_up_without_result_have_the_same_keys),
        cmocka_unit_test(text_for_people_has_units_and_the_verdict),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
