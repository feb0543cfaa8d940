/*
 * test_control.c - tests which messages of browsers are accepted, the errors for the others, and
 * the control token.
 */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/client/control.h"
#include "daemon/server/token.h"

static int parse(struct control *m, const char *text, char *error, size_t size)
{
    error[0] = '\0';
    return control_parse(m, text, strlen(text), error, size);
}

static void refused(const char *text, const char *because)
{
    struct control m;
    char error[200];
    assert_int_equal(parse(&m, text, error, sizeof error), -EINVAL);
    if (!strstr(error, because))
        fail_msg("%s was refused with \"%s\", expected \"%s\"", text, error, because);
    assert_null(strchr(error, '\n'));
    control_finish(&m);
}

static struct control accepted(const char *text)
{
    struct control m;
    char error[200];
    if (parse(&m, text, error, sizeof error))
        fail_msg("%s was refused: %s", text, error);
    return m;
}

/* ---- messages --------------------------------------------------------------------------- */

static void a_view_is_accepted_with_all_fields(void **state)
{
    (void)state;
    struct control m = accepted("{\"type\":\"view\",\"id\":4294967295,\"low_hz\":1e8,"
                                "\"high_hz\":1.01e8,\"columns\":1200,\"detector\":\"max\"}");
    assert_int_equal(m.kind, CONTROL_VIEW);
    assert_int_equal(m.view_id, 4294967295U);
    assert_near(m.view.low_hz, 1e8, 0);
    assert_near(m.view.high_hz, 1.01e8, 0);
    assert_int_equal(m.view.columns, 1200);
    assert_int_equal(m.view.detector, 1);
    control_finish(&m);
}

static void a_view_without_edges_is_the_mean_of_the_whole_span(void **state)
{
    (void)state;
    struct control m = accepted("{\"type\":\"view\",\"id\":0,\"columns\":1}");
    assert_true(isnan(m.view.low_hz) && isnan(m.view.high_hz));
    assert_int_equal(m.view.detector, 0);
    control_finish(&m);
}

static void measurements_are_wanted_set_and_removed(void **state)
{
    (void)state;
    struct control m = accepted("{\"type\":\"measure\",\"want\":true}");
    assert_int_equal(m.kind, CONTROL_MEASURE);
    assert_int_equal(m.measure, MEASURE_WANT);
    control_finish(&m);
    m = accepted("{\"type\":\"measure\",\"want\":false}");
    assert_int_equal(m.measure, MEASURE_UNWANT);
    control_finish(&m);
    m = accepted("{\"type\":\"measure\",\"set\":{\"name\":\"a\"}}");
    assert_int_equal(m.measure, MEASURE_SET);
    assert_true(json_is_object(m.measure_setup));
    control_finish(&m);
    m = accepted("{\"type\":\"measure\",\"remove\":\"a\"}");
    assert_int_equal(m.measure, MEASURE_REMOVE);
    assert_string_equal(m.measure_name, "a");
    control_finish(&m);
    refused("{\"type\":\"measure\"}", "measure needs one of want, set and remove");
    refused("{\"type\":\"measure\",\"want\":true,\"remove\":\"a\"}", "measure needs one of");
    refused("{\"type\":\"measure\",\"whant\":true}", "measure needs one of");
    refused("{\"type\":\"measure\",\"want\":1}", "want: 1 is not true or false");
    refused("{\"type\":\"measure\",\"remove\":7}", "remove: 7 is not a name");
    refused("{\"type\":\"measure\",\"set\":[]}", "set: [] is not an object");
}

static void bad_views_are_refused(void **state)
{
    (void)state;
    refused("{\"type\":\"view\",\"columns\":10}", "needs id and columns");
    refused("{\"type\":\"view\",\"id\":1}", "needs id and columns");
    refused("{\"type\":\"view\",\"id\":1,\"columns\":9,\"trace\":\"max\"}",
            "trace: \"max\" is a detector");
    refused("{\"type\":\"view\",\"id\":1,\"columns\":9,\"trace\":\"hold\"}",
            "clear-write, max-hold, min-hold, average");
    refused("{\"type\":\"view\",\"id\":1,\"columns\":9,\"trace\":\"average\",\"count\":1.5}",
            "count: 1.5 is not");
    refused("{\"type\":\"view\",\"id\":1,\"columns\":9,\"restart\":1}",
            "restart: 1 is not true or false");
    refused("{\"type\":\"view\",\"id\":-1,\"columns\":10}", "id: -1 is not");
    refused("{\"type\":\"view\",\"id\":4294967296,\"columns\":10}", "id: 4294967296 is not");
    refused("{\"type\":\"view\",\"id\":1.5,\"columns\":10}", "id: 1.5 is not");
    refused("{\"type\":\"view\",\"id\":\"1\",\"columns\":10}", "id: \"1\" is not");
    refused("{\"type\":\"view\",\"id\":1,\"columns\":0}", "columns: 0 is not");
    refused("{\"type\":\"view\",\"id\":1,\"columns\":8193}", "from 1 to 8192");
    refused("{\"type\":\"view\",\"id\":1,\"columns\":9,\"detector\":\"peak\"}",
            "detector: \"peak\"");
    refused("{\"type\":\"view\",\"id\":1,\"columns\":9,\"detector\":7}", "detector: 7");
    refused("{\"type\":\"view\",\"id\":1,\"columns\":9,\"low_hz\":\"1M\"}", "low_hz: \"1M\"");
    refused("{\"type\":\"view\",\"id\":1,\"columns\":9,\"low_hz\":2,\"high_hz\":2}",
            "above low_hz");
    refused("{\"type\":\"view\",\"id\":1,\"columns\":9,\"high_hz\":1e300}", "high_hz: 1");
}

static void credit_is_one_or_two_frames(void **state)
{
    (void)state;
    struct control m = accepted("{\"type\":\"credit\"}");
    assert_int_equal(m.credit, 1);
    control_finish(&m);
    m = accepted("{\"type\":\"credit\",\"count\":2}");
    assert_int_equal(m.credit, 2);
    control_finish(&m);
    refused("{\"type\":\"credit\",\"count\":0}", "count: 0");
    refused("{\"type\":\"credit\",\"count\":3}", "count: 3");
}

static void hello_may_contain_a_token(void **state)
{
    (void)state;
    struct control m = accepted("{\"type\":\"hello\"}");
    assert_null(m.token);
    control_finish(&m);
    m = accepted("{\"type\":\"hello\",\"token\":\"let me in\"}");
    assert_string_equal(m.token, "let me in");
    control_finish(&m);
    refused("{\"type\":\"hello\",\"token\":5}", "token");
}

static void other_texts_are_refused(void **state)
{
    (void)state;
    refused("", "not JSON");
    refused("{", "not JSON");
    refused("{\"a\\u\nb\":0}", "not JSON"); /* the reason quotes it */
    refused("[1,2]", "object with a type");
    refused("{\"kind\":\"view\"}", "object with a type");
    refused("{\"type\":3}", "object with a type");
    refused("{\"type\":\"reboot\"}", "type: \"reboot\" is not");
    refused("{\"type\":\"credit\",\"type\":\"set\"}", "not JSON"); /* a key that occurs twice */
    refused("{\"type\":\"credit\"} x", "not JSON");
    char deep[4096];
    memset(deep, '[', sizeof deep - 1);
    deep[sizeof deep - 1] = '\0';
    refused(deep, "not JSON");
}

static void a_long_value_is_cut_in_the_error(void **state)
{
    (void)state;
    char text[1000];
    char error[200];
    struct control m;
    snprintf(text, sizeof text, "{\"type\":\"%0500d\"}", 0);
    assert_int_equal(parse(&m, text, error, sizeof error), -EINVAL);
    assert_true(strlen(error) < 120 && strstr(error, "..."));
    control_finish(&m);
}

/* ---- set -------------------------------------------------------------------------------- */

static struct settings before(void)
{
    return (struct settings){.tuning = {.center_hz = 100e6, .rate_hz = 2.4e6, .gain = "auto"},
                             .n = 1024,
                             .overlap = 50,
                             .window = {FFT_WINDOW_HANN, 0},
                             .average = 0,
                             .line_rate_hz = 20};
}

static int set(const char *fields, struct settings *want, char *error, size_t size)
{
    json_t *message = json_loads(fields, 0, NULL);
    assert_non_null(message);
    struct setting_change change;
    const int err = setting_change_read(message, &change, error, size);
    if (err == 0)
        setting_change_apply(&change, want);
    json_decref(message);
    return err;
}

static void a_set_changes_its_fields_and_no_others(void **state)
{
    (void)state;
    struct settings w = before();
    char error[200];
    assert_int_equal(set("{\"type\":\"set\",\"center_hz\":433.92e6,\"gain\":\"LNA=20,TIA=8\","
                         "\"fft_size\":8192,\"window\":\"kaiser(9)\",\"overlap\":75}",
                         &w, error, sizeof error),
                     0);
    assert_near(w.tuning.center_hz, 433.92e6, 0);
    assert_string_equal(w.tuning.gain, "LNA=20,TIA=8");
    assert_int_equal(w.n, 8192);
    assert_int_equal(w.window.kind, FFT_WINDOW_KAISER);
    assert_near(w.window.parameter, 9, 0);
    assert_near(w.overlap, 75, 0);
    assert_near(w.tuning.rate_hz, 2.4e6, 0);
    assert_near(w.line_rate_hz, 20, 0);

    assert_int_equal(set("{\"average\":7,\"line_rate\":25,\"rate_hz\":1e6,\"ppm\":-1.5,"
                         "\"bandwidth_hz\":8e5,\"antenna\":\"RX\",\"gain\":32.5}",
                         &w, error, sizeof error),
                     0);
    assert_int_equal(w.average, 7);
    assert_near(w.line_rate_hz, 25, 0);
    assert_near(w.tuning.rate_hz, 1e6, 0);
    assert_near(w.tuning.ppm, -1.5, 0);
    assert_near(w.tuning.bandwidth_hz, 8e5, 0);
    assert_string_equal(w.tuning.antenna, "RX");
    assert_string_equal(w.tuning.gain, "32.5");
    assert_int_equal(w.n, 8192);

    /* A line rate alone replaces a number of frames. */
    assert_int_equal(set("{\"line_rate\":30}", &w, error, sizeof error), 0);
    assert_int_equal(w.average, 0);
    assert_near(w.line_rate_hz, 30, 0);
}

static void set_refused(const char *fields, const char *because)
{
    const struct settings was = before();
    struct settings w = before();
    char error[200] = "";
    assert_int_equal(set(fields, &w, error, sizeof error), -EINVAL);
    if (!strstr(error, because))
        fail_msg("%s was refused with \"%s\", expected \"%s\"", fields, error, because);
    assert_memory_equal(&w, &was, sizeof w);
}

static void a_bad_field_is_named_and_changes_nothing(void **state)
{
    (void)state;
    set_refused("{\"center_hz\":1e8,\"fft_size\":1000}", "fft_size: 1000 is not a power of two");
    set_refused("{\"center_hz\":1e8,\"fft_size\":32}", "fft_size: 32");
    set_refused("{\"center_hz\":1e8,\"fft_size\":8388608}", "fft_size: 8388608");
    set_refused("{\"center_hz\":1e8,\"fft_size\":4294967296}", "fft_size: 4294967296");
    set_refused("{\"overlap\":100}", "overlap: 100");
    set_refused("{\"overlap\":-1}", "overlap: -1");
    set_refused("{\"overlap\":null}", "overlap: null");
    set_refused("{\"window\":\"brick\"}", "window: \"brick\" is not one of rect, hann");
    set_refused("{\"window\":\"kaiser(999)\"}", "window");
    set_refused("{\"rate_hz\":0}", "rate_hz: 0 is not a number from 1");
    set_refused("{\"rate_hz\":-5}", "rate_hz: -5");
    set_refused("{\"rate_hz\":\"2.4M\"}", "rate_hz: \"2.4M\"");
    set_refused("{\"center_hz\":-1}", "center_hz: -1");
    set_refused("{\"center_hz\":true}", "center_hz: true");
    set_refused("{\"line_rate\":0}", "line_rate: 0");
    set_refused("{\"average\":1.5}", "average: 1.5");
    set_refused("{\"average\":-1}", "average: -1");
    set_refused("{\"antenna\":\"0123456789012345678901234567890123\"}", "antenna");
    set_refused("{\"antenna\":\"RX\\n\"}", "antenna");
    set_refused("{\"rate_hz\":5e10}", "rate_hz: ");
    set_refused("{\"gain\":[1]}", "gain: [1] is not auto, dB");
    set_refused("{\"gain\":\"very loud\"}", "gain: \"very loud\" is not auto, dB");
    set_refused("{\"centre_hz\":1e8}", "\"centre_hz\": there is no such field");
    set_refused("{\"a\\nb\":1}", "\"a\\nb\": there is no such field");
}

static void a_set_is_checked_when_it_is_parsed(void **state)
{
    (void)state;
    struct control m = accepted("{\"type\":\"set\",\"fft_size\":64}");
    assert_int_equal(m.kind, CONTROL_SET);
    control_finish(&m);
    refused("{\"type\":\"set\",\"fft_size\":65}", "fft_size: 65");
}

/* ---- the token -------------------------------------------------------------------------- */

static char token_path[] = "/tmp/fftd-test-token-XXXXXX";

static void write_token(const char *bytes, size_t size)
{
    FILE *f = fopen(token_path, "w");
    assert_non_null(f);
    fwrite(bytes, 1, size, f);
    fclose(f);
}

static void only_the_exact_token_matches(void **state)
{
    (void)state;
    struct token t;
    char error[200];
    assert_int_equal(token_load(&t, "correct horse", NULL, error, sizeof error), 0);
    assert_true(token_matches(&t, "correct horse"));
    assert_false(token_matches(&t, "correct hors"));
    assert_false(token_matches(&t, "correct horse "));
    assert_false(token_matches(&t, ""));
}

static void without_a_token_nothing_matches(void **state)
{
    (void)state;
    struct token t;
    char error[200];
    assert_int_equal(token_load(&t, NULL, NULL, error, sizeof error), 0);
    assert_false(t.set);
    assert_false(token_matches(&t, ""));
    assert_int_equal(token_load(&t, "", NULL, error, sizeof error), -EINVAL);
}

static void a_token_file_overrides_the_option_without_its_newline(void **state)
{
    (void)state;
    struct token t;
    char error[200];
    write_token("from file\r\n", 11);
    assert_int_equal(token_load(&t, "from option", token_path, error, sizeof error), 0);
    assert_true(token_matches(&t, "from file"));
    assert_false(token_matches(&t, "from option"));
}

static void token_file_refused(const char *bytes, size_t size, const char *because)
{
    struct token t;
    char error[200] = "";
    write_token(bytes, size);
    assert_int_equal(token_load(&t, NULL, token_path, error, sizeof error), -EINVAL);
    assert_non_null(strstr(error, token_path));
    assert_non_null(strstr(error, because));
    assert_false(t.set);
}

static void a_bad_token_file_is_named(void **state)
{
    (void)state;
    char longest[1100];
    memset(longest, 'x', sizeof longest);
    token_file_refused("", 0, "empty");
    token_file_refused("\n", 1, "empty");
    token_file_refused("ab\0cd\n", 6, "NUL");
    token_file_refused(longest, sizeof longest, "longer");
    struct token t;
    char error[200];
    assert_int_equal(token_load(&t, NULL, "/nowhere/token", error, sizeof error), -ENOENT);
    assert_non_null(strstr(error, "/nowhere/token"));
    assert_int_equal(token_load(&t, NULL, "/tmp", error, sizeof error), -EISDIR);
}

static int make_token_file(void **state)
{
    (void)state;
    const int fd = mkstemp(token_path);
    return fd < 0 ? -1 : close(fd);
}

static int remove_token_file(void **state)
{
    (void)state;
    return unlink(token_path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_view_is_accepted_with_all_fields),
        cmocka_unit_test(a_view_without_edges_is_the_mean_of_the_whole_span),
        cmocka_unit_test(measurements_are_wanted_set_and_removed),
        cmocka_unit_test(bad_views_are_refused),
        cmocka_unit_test(credit_is_one_or_two_frames),
        cmocka_unit_test(hello_may_contain_a_token),
        cmocka_unit_test(other_texts_are_refused),
        cmocka_unit_test(a_long_value_is_cut_in_the_error),
        cmocka_unit_test(a_set_changes_its_fields_and_no_others),
        cmocka_unit_test(a_bad_field_is_named_and_changes_nothing),
        cmocka_unit_test(a_set_is_checked_when_it_is_parsed),
        cmocka_unit_test(only_the_exact_token_matches),
        cmocka_unit_test(without_a_token_nothing_matches),
        cmocka_unit_test(a_token_file_overrides_the_option_without_its_newline),
        cmocka_unit_test(a_bad_token_file_is_named),
    };
    return cmocka_run_group_tests(tests, make_token_file, remove_token_file);
}
