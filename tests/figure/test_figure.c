/* test_figure.c - rows of figures as JSON and in both formats of metrics. */
#include "tests/support/cmocka_all.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/figure/figure_report.h"

struct example {
    bool up;
    uint32_t now;
    uint64_t all;
    double seconds;
    char failure[8];
    int64_t oldest_ns;
    uint64_t lost[2];
};

static const char *cause(unsigned part)
{
    return part == 0 ? "late" : "early";
}

static const struct figure rows[] = {
    FIGURE_GAUGE(struct example, up, "up", "x_up", "It is up."),
    FIGURE_GAUGE(struct example, now, NULL, "x_now", "Now."),
    FIGURE_COUNTER(struct example, all, "all", "x_all", "All."),
    FIGURE_GAUGE(struct example, seconds, "seconds", "x_seconds", "Seconds."),
    FIGURE_GAUGE(struct example, failure, "failure", "x_failing", "It fails."),
    FIGURE_ISO(struct example, oldest_ns, "oldest"),
    FIGURE_EACH(struct example, lost, "lost", "x_lost", "Lost.", "cause", cause),
    FIGURE_KEY(struct example, now, "hidden"),
    FIGURE_END,
};

static const struct example full = {.up = true,
                                    .now = UINT32_MAX,
                                    .all = 9007199254740993, /* no double */
                                    .seconds = 1.5,
                                    .failure = "\xff!",
                                    .oldest_ns = 1700000000000000000,
                                    .lost = {3, 4}};

static void a_row_gives_a_key_and_each_type_its_value(void **state)
{
    (void)state;
    json_t *json = figures_to_json(rows, &full);
    json_t *expected =
        json_pack("{sb sI sf ss ss s{si si} sI}", "up", 1, "all", (json_int_t)9007199254740993,
                  "seconds", 1.5, "failure", "?!", "oldest", "2023-11-14T22:13:20.000000Z", "lost",
                  "late", 3, "early", 4, "hidden", (json_int_t)UINT32_MAX);
    char *text = json_dumps(json, 0), *wanted = json_dumps(expected, 0); /* also their order */
    assert_string_equal(text, wanted);
    free(text);
    free(wanted);
    json_decref(json);
    json_decref(expected);
}

static void what_is_not_known_is_null_or_empty(void **state)
{
    (void)state;
    const struct example none = {.seconds = NAN};
    json_t *json = figures_to_json(rows, &none);
    assert_true(json_is_null(json_object_get(json, "seconds")));
    assert_string_equal(json_string_value(json_object_get(json, "oldest")), "");
    assert_true(json_is_false(json_object_get(json, "up")));
    json_decref(json);
    json = figures_to_json_if(false, rows, &full);
    assert_true(json_is_null(json));
    json_decref(json);
    json = figures_to_json_if(true, rows, &full);
    assert_int_equal(json_object_size(json), 7);
    json_decref(json);
}

static void keys_are_added_to_those_of_an_object(void **state)
{
    (void)state;
    json_t *json = json_pack("{si}", "first", 1);
    figures_add_json(json, rows, &full);
    assert_int_equal(json_object_size(json), 8);
    json_decref(json);
}

static void check_text(enum metrics_format format, const struct example *of, const char *expected)
{
    struct metric_writer m;
    size_t size;
    metrics_open(&m, format);
    figures_write(&m, rows, of);
    char *text = metrics_close(&m, &size);
    assert_string_equal(text, expected);
    free(text);
}

/* Prometheus, "Exposition formats", and OpenMetrics 1.0: where the suffix of a counter stands. */
static void a_row_gives_a_family_in_both_formats(void **state)
{
    (void)state;
    check_text(METRICS_TEXT, &full,
               "# TYPE x_up gauge\n# HELP x_up It is up.\nx_up 1\n"
               "# TYPE x_now gauge\n# HELP x_now Now.\nx_now 4294967295\n"
               "# TYPE x_all_total counter\n# HELP x_all_total All.\nx_all_total "
               "9007199254740993\n"
               "# TYPE x_seconds gauge\n# HELP x_seconds Seconds.\nx_seconds 1.5\n"
               "# TYPE x_failing gauge\n# HELP x_failing It fails.\nx_failing 1\n"
               "# TYPE x_lost_total counter\n# HELP x_lost_total Lost.\n"
               "x_lost_total{cause=\"late\"} 3\nx_lost_total{cause=\"early\"} 4\n");
    const struct example none = {.seconds = NAN};
    check_text(METRICS_OPENMETRICS, &none,
               "# TYPE x_up gauge\n# HELP x_up It is up.\nx_up 0\n"
               "# TYPE x_now gauge\n# HELP x_now Now.\nx_now 0\n"
               "# TYPE x_all counter\n# HELP x_all All.\nx_all_total 0\n"
               "# TYPE x_seconds gauge\n# HELP x_seconds Seconds.\nx_seconds NaN\n"
               "# TYPE x_failing gauge\n# HELP x_failing It fails.\nx_failing 0\n"
               "# TYPE x_lost counter\n# HELP x_lost Lost.\n"
               "x_lost_total{cause=\"late\"} 0\nx_lost_total{cause=\"early\"} 0\n# EOF\n");
}

static void items_share_a_family_and_those_without_a_name_are_left_out(void **state)
{
    (void)state;
    static const struct figure two[] = {
        FIGURE_COUNTER(struct example, all, "all", "x_all", "All."),
        FIGURE_KEY(struct example, now, "now"),
        FIGURE_GAUGE(struct example, seconds, "seconds", "x_seconds", "Seconds."),
        FIGURE_END,
    };
    const struct example other = {.all = 2, .seconds = 3};
    const struct figure_item items[] = {{"a", &full}, {NULL, NULL}, {"b", &other}};
    struct metric_writer m;
    size_t size;
    metrics_open(&m, METRICS_TEXT);
    figures_write_items(&m, two, "item", items, 3);
    char *text = metrics_close(&m, &size);
    assert_string_equal(text, "# TYPE x_all_total counter\n# HELP x_all_total All.\n"
                              "x_all_total{item=\"a\"} 9007199254740993\n"
                              "x_all_total{item=\"b\"} 2\n"
                              "# TYPE x_seconds gauge\n# HELP x_seconds Seconds.\n"
                              "x_seconds{item=\"a\"} 1.5\nx_seconds{item=\"b\"} 3\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_gives_a_key_and_each_type_its_value),
        cmocka_unit_test(what_is_not_known_is_null_or_empty),
        cmocka_unit_test(keys_are_added_to_those_of_an_object),
        cmocka_unit_test(a_row_gives_a_family_in_both_formats),
        cmocka_unit_test(items_share_a_family_and_those_without_a_name_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
