/*
 * test_control.c - tests which messages of browsers are accepted, and the errors for the others.
 */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/client/control.h"
#include "daemon/control/setting_change.h"
#include "tests/client/messages.h"

/* ---- messages --------------------------------------------------------------------------- */

static void a_view_is_accepted_with_all_fields(void **state)
{
    (void)state;
    struct control m = message_accepted("{\"type\":\"view\",\"id\":4294967295,\"low_hz\":1e8,"
                                        "\"high_hz\":1.01e8,\"columns\":1200,\"detector\":\"max\","
                                        "\"reduction\":\"normal\"}");
    assert_int_equal(m.kind, CONTROL_VIEW);
    assert_int_equal(m.view_id, 4294967295U);
    assert_near(m.view.low_hz, 1e8, 0);
    assert_near(m.view.high_hz, 1.01e8, 0);
    assert_int_equal(m.view.columns, 1200);
    assert_int_equal(m.view.detector, 1);
    assert_int_equal(m.view.reduction, REDUCTION_NORMAL);
    control_finish(&m);
}

static void a_view_without_edges_is_the_mean_of_the_whole_span(void **state)
{
    (void)state;
    struct control m = message_accepted("{\"type\":\"view\",\"id\":0,\"columns\":1}");
    assert_true(isnan(m.view.low_hz) && isnan(m.view.high_hz));
    assert_int_equal(m.view.detector, 0);
    assert_int_equal(m.view.reduction, REDUCTION_PEAK);
    control_finish(&m);
}

static void subscriptions_have_a_topic_an_id_and_a_rate(void **state)
{
    (void)state;
    static const char *const topics[TOPICS] = {"status",     "measurements", "events", "density",
                                               "recordings", "lease",        "presets"};
    for (int i = 0; i < TOPICS; i++) {
        char text[96];
        snprintf(text, sizeof text, "{\"id\":%d,\"subscribe\":\"%s\",\"rate\":2.5}", i, topics[i]);
        struct control m = message_accepted(text);
        assert_int_equal(m.kind, CONTROL_SUBSCRIBE);
        assert_true(m.subscription.on);
        assert_int_equal(m.subscription.topic, i);
        assert_int_equal(json_integer_value(m.id), i);
        assert_near(m.subscription.rate_hz, 2.5, 0);
        control_finish(&m);
        snprintf(text, sizeof text, "{\"id\":\"a\",\"unsubscribe\":\"%s\"}", topics[i]);
        m = message_accepted(text);
        assert_false(m.subscription.on);
        assert_near(m.subscription.rate_hz, 0, 0);
        control_finish(&m);
    }
    struct control m =
        message_accepted("{\"id\":1,\"subscribe\":\"density\",\"coding\":\"range\",\"step_db\":2}");
    assert_int_equal(m.subscription.form.coding, WIRE_RANGE);
    assert_near(m.subscription.form.step_db, 2, 0);
    control_finish(&m);
    message_refused("{\"id\":1,\"subscribe\":\"lines\"}",
                    "subscribe: \"lines\" is not status, measurements, events, density, "
                    "recordings, lease, presets, channels or settings");
    message_refused("{\"id\":1,\"subscribe\":7}", "subscribe: 7 is not");
    message_refused("{\"subscribe\":\"events\"}", "has an id");
    message_refused("{\"id\":1,\"subscribe\":\"events\",\"rate\":0}", "rate: 0 is not");
    message_refused("{\"id\":1,\"subscribe\":\"events\",\"rate\":\"1\"}", "rate: \"1\" is not");
    message_refused("{\"id\":1,\"subscribe\":\"events\",\"coding\":\"range\"}",
                    "coding: a subscription has no such key");
    message_refused("{\"id\":1,\"unsubscribe\":\"events\",\"rate\":1}",
                    "rate: a subscription has no such key");
}

static void bad_views_are_refused(void **state)
{
    (void)state;
    message_refused("{\"type\":\"view\",\"columns\":10}", "needs id and columns");
    message_refused("{\"type\":\"view\",\"id\":1}", "needs id and columns");
    message_refused("{\"type\":\"view\",\"id\":1,\"columns\":9,\"trace\":\"max\"}",
                    "trace: \"max\" is a detector");
    message_refused("{\"type\":\"view\",\"id\":1,\"columns\":9,\"reduction\":\"max\"}",
                    "reduction: \"max\" is not peak, normal, min, mean or sample");
    message_refused("{\"type\":\"view\",\"id\":1,\"columns\":9,\"trace\":\"hold\"}",
                    "clear-write, max-hold, min-hold, average");
    message_refused(
        "{\"type\":\"view\",\"id\":1,\"columns\":9,\"trace\":\"average\",\"count\":1.5}",
        "count: 1.5 is not");
    message_refused("{\"type\":\"view\",\"id\":1,\"columns\":9,\"restart\":1}",
                    "restart: 1 is not true or false");
    message_refused("{\"type\":\"view\",\"id\":-1,\"columns\":10}", "id: -1 is not");
    message_refused("{\"type\":\"view\",\"id\":4294967296,\"columns\":10}",
                    "id: 4294967296 is not");
    message_refused("{\"type\":\"view\",\"id\":1.5,\"columns\":10}", "id: 1.5 is not");
    message_refused("{\"type\":\"view\",\"id\":\"1\",\"columns\":10}", "id: \"1\" is not");
    message_refused("{\"type\":\"view\",\"id\":1,\"columns\":0}", "columns: 0 is not");
    message_refused("{\"type\":\"view\",\"id\":1,\"columns\":8193}", "from 1 to 8192");
    message_refused("{\"type\":\"view\",\"id\":1,\"columns\":9,\"detector\":\"peak\"}",
                    "detector: \"peak\"");
    message_refused("{\"type\":\"view\",\"id\":1,\"columns\":9,\"detector\":7}", "detector: 7");
    message_refused("{\"type\":\"view\",\"id\":1,\"columns\":9,\"low_hz\":\"1M\"}",
                    "low_hz: \"1M\"");
    message_refused("{\"type\":\"view\",\"id\":1,\"columns\":9,\"low_hz\":2,\"high_hz\":2}",
                    "above low_hz");
    message_refused("{\"type\":\"view\",\"id\":1,\"columns\":9,\"high_hz\":1e300}", "high_hz: 1");
}

static void a_view_has_a_slot_and_can_be_removed(void **state)
{
    (void)state;
    struct control m = message_accepted("{\"type\":\"view\",\"id\":1,\"columns\":9}");
    assert_int_equal(m.slot, 0);
    assert_false(m.off);
    control_finish(&m);
    m = message_accepted("{\"type\":\"view\",\"id\":1,\"columns\":9,\"slot\":6,\"off\":false}");
    assert_int_equal(m.slot, 6);
    assert_false(m.off);
    control_finish(&m);
    m = message_accepted("{\"type\":\"view\",\"slot\":3,\"off\":true}");
    assert_int_equal(m.slot, 3);
    assert_true(m.off);
    control_finish(&m);
    message_refused("{\"type\":\"view\",\"id\":1,\"columns\":9,\"slot\":7}",
                    "slot: 7 is not a whole number from 0 to 6");
    message_refused("{\"type\":\"view\",\"slot\":-1,\"off\":true}", "slot: -1 is not");
    message_refused("{\"type\":\"view\",\"slot\":1,\"off\":1}", "off: 1 is not true or false");
    message_refused("{\"type\":\"view\",\"slot\":1}", "needs id and columns");
}

static void credit_is_one_or_two_frames(void **state)
{
    (void)state;
    struct control m = message_accepted("{\"type\":\"credit\"}");
    assert_int_equal(m.credit, 1);
    control_finish(&m);
    m = message_accepted("{\"type\":\"credit\",\"count\":2}");
    assert_int_equal(m.credit, 2);
    control_finish(&m);
    message_refused("{\"type\":\"credit\",\"count\":0}", "count: 0");
    message_refused("{\"type\":\"credit\",\"count\":3}", "count: 3");
}

static void other_texts_are_refused(void **state)
{
    (void)state;
    message_refused("", "not JSON");
    message_refused("{", "not JSON");
    message_refused("{\"a\\u\nb\":0}", "not JSON"); /* the reason quotes it */
    message_refused("{\"type\":\"\\u0000\"}", "not JSON: a text contains the character NUL");
    message_refused("[1,2]", "object with a type");
    message_refused("{\"kind\":\"view\"}", "object with a type");
    message_refused("{\"type\":3}", "object with a type");
    message_refused("{\"type\":\"reboot\"}", "type: \"reboot\" is not");
    message_refused("{\"type\":\"credit\",\"type\":\"set\"}",
                    "not JSON"); /* a key that occurs twice */
    message_refused("{\"type\":\"credit\"} x", "not JSON");
    char deep[4096];
    memset(deep, '[', sizeof deep - 1);
    deep[sizeof deep - 1] = '\0';
    message_refused(deep, "not JSON");
}

static void a_long_value_is_cut_in_the_error(void **state)
{
    (void)state;
    char text[1000];
    struct reason why = {0};
    struct control m;
    snprintf(text, sizeof text, "{\"type\":\"%0500d\"}", 0);
    assert_int_equal(message_parse(&m, text, &why), -EINVAL);
    assert_true(strlen(why.sentence) < 220 &&
                strstr(why.sentence, "...")); /* most of it lists the types */
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

static int set(const char *fields, struct settings *want, struct reason *why)
{
    json_t *message = json_loads(fields, 0, NULL);
    assert_non_null(message);
    struct setting_change change;
    const int err = setting_change_read(message, &change, why);
    if (err == 0)
        setting_change_apply(&change, want);
    json_decref(message);
    return err;
}

static void a_set_changes_its_fields_and_no_others(void **state)
{
    (void)state;
    struct settings w = before();
    struct reason why = {0};
    assert_int_equal(set("{\"center_hz\":\"433.92M\",\"gain\":\"LNA=20,TIA=8\","
                         "\"fft_size\":8192,\"window\":\"kaiser(9)\",\"overlap\":75}",
                         &w, &why),
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
                         "\"bandwidth_hz\":8e5,\"antenna\":\"RX\",\"gain\":32.5,"
                         "\"usable_band\":80,\"dc_spur\":\"no\"}",
                         &w, &why),
                     0);
    assert_int_equal(w.average, 7);
    assert_near(w.line_rate_hz, 25, 0);
    assert_near(w.tuning.rate_hz, 1e6, 0);
    assert_near(w.tuning.ppm, -1.5, 0);
    assert_near(w.tuning.bandwidth_hz, 8e5, 0);
    assert_string_equal(w.tuning.antenna, "RX");
    assert_string_equal(w.tuning.gain, "32.5");
    assert_near(w.usable_percent, 80, 0);
    assert_int_equal(w.dc_spur, DC_SPUR_NO);
    assert_int_equal(w.n, 8192);

    w.average = 7;
    assert_int_equal(set("{\"span\":\"88M:108M\",\"dwell\":0.02}", &w, &why), 0);
    assert_true(w.sweep.span.low_hz == 88e6 && w.sweep.span.high_hz == 108e6 && w.average == 0);
    assert_near(w.sweep.dwell_s, 0.02, 0);
    /* A line rate alone replaces a number of frames. */
    assert_int_equal(set("{\"line_rate\":30}", &w, &why), 0);
    assert_int_equal(w.average, 0);
    assert_near(w.line_rate_hz, 30, 0);
}

static void set_refused(const char *fields, const char *because)
{
    const struct settings was = before();
    struct settings w = before();
    struct reason why = {0};
    assert_int_equal(set(fields, &w, &why), -EINVAL);
    if (!strstr(why.sentence, because))
        fail_msg("%s was refused with \"%s\", expected \"%s\"", fields, why.sentence, because);
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
    set_refused("{\"rate_hz\":\"2.4 dB\"}", "rate_hz: \"2.4 dB\"");
    set_refused("{\"center_hz\":-1}", "center_hz: -1");
    set_refused("{\"center_hz\":true}", "center_hz: true");
    set_refused("{\"span\":\"2G:1G\"}", "span: \"2G:1G\" is not two frequencies");
    set_refused("{\"dwell\":0}", "dwell: 0");
    set_refused("{\"dc_spur\":\"maybe\"}", "dc_spur: \"maybe\" is not one of auto, yes, no");
    set_refused("{\"dc_spur\":2}", "dc_spur: 2 is not one of auto, yes, no");
    set_refused("{\"line_rate\":0}", "line_rate: 0");
    set_refused("{\"average\":1.5}", "average: 1.5");
    set_refused("{\"average\":-1}", "average: -1");
    set_refused("{\"antenna\":\"0123456789012345678901234567890123\"}", "antenna");
    set_refused("{\"antenna\":\"RX\\n\"}", "antenna");
    set_refused("{\"rate_hz\":5e10}", "rate_hz: ");
    set_refused("{\"gain\":[1]}", "gain: [1] is not a text or a number");
    set_refused("{\"gain\":\"very loud\"}", "gain: \"very loud\" is not auto, dB");
    set_refused("{\"centre_hz\":1e8}", "\"centre_hz\": there is no such field");
    set_refused("{\"a\\nb\":1}", "\"a\\nb\": there is no such field");
}

/* ---- calls ------------------------------------------------------------------------------ */

static void expect_call(const char *text, const char *verb, const char *path, const char *values)
{
    struct control m = message_accepted(text);
    char *found = json_dumps(m.call.values, JSON_COMPACT | JSON_SORT_KEYS);
    assert_int_equal(m.kind, CONTROL_CALL);
    assert_string_equal(m.call.verb, verb);
    assert_string_equal(m.call.path, path);
    assert_string_equal(found, values);
    free(found);
    control_finish(&m);
}

static void a_call_has_an_id_a_path_and_a_body(void **state)
{
    (void)state;
    expect_call("{\"id\":7,\"put\":\"/api/v1/measurements/voice\",\"body\":{\"type\":\"obw\"}}",
                "put", "/api/v1/measurements/voice", "{\"type\":\"obw\"}");
    expect_call("{\"id\":\"a\",\"delete\":\"/api/v1/lease\"}", "delete", "/api/v1/lease", "{}");
    struct control m = message_accepted("{\"id\":7,\"get\":\"/api/v1/status\"}");
    assert_int_equal(json_integer_value(m.id), 7);
    control_finish(&m);
    message_refused("{\"put\":\"/api/v1/settings\"}", "a call has an id");
    message_refused("{\"id\":[],\"put\":\"/api/v1/settings\"}", "a call has an id");
    message_refused("{\"id\":1,\"put\":5}", "put: 5 is not the path of a resource");
    message_refused("{\"id\":1,\"get\":\"\"}", "get: \"\" is not the path of a resource");
    message_refused("{\"id\":1,\"put\":\"/a\",\"body\":[]}", "body: [] is not an object");
    message_refused("{\"id\":1,\"put\":\"/a\",\"get\":\"/a\"}", "put: a call has no such key");
    message_refused("{\"id\":1,\"put\":\"/a\",\"values\":{}}", "values: a call has no such key");
}

static void all_else_is_a_call(void **state)
{
    (void)state;
    static const char *const older[] = {"set",         "measure", "replay",  "lease",    "preset",
                                        "record",      "trigger", "events",  "density",  "name",
                                        "own_measure", "markers", "history", "reference"};
    for (size_t i = 0; i < sizeof older / sizeof older[0]; i++) {
        char text[64];
        snprintf(text, sizeof text, "{\"type\":\"%s\"}", older[i]);
        message_refused(text, "all else is a call: get, put");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_view_is_accepted_with_all_fields),
        cmocka_unit_test(a_view_without_edges_is_the_mean_of_the_whole_span),
        cmocka_unit_test(subscriptions_have_a_topic_an_id_and_a_rate),
        cmocka_unit_test(bad_views_are_refused),
        cmocka_unit_test(a_view_has_a_slot_and_can_be_removed),
        cmocka_unit_test(credit_is_one_or_two_frames),
        cmocka_unit_test(other_texts_are_refused),
        cmocka_unit_test(a_long_value_is_cut_in_the_error),
        cmocka_unit_test(a_set_changes_its_fields_and_no_others),
        cmocka_unit_test(a_bad_field_is_named_and_changes_nothing),
        cmocka_unit_test(a_call_has_an_id_a_path_and_a_body),
        cmocka_unit_test(all_else_is_a_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
