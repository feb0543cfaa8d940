/* test_marker_request.c - tests which requests of readings are accepted, and their values. */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/client/marker_request.h"

static int read_request(const char *text, struct readout_choice *out, struct reason *why)
{
    json_t *values = json_loads(text, 0, NULL);
    assert_non_null(values);
    const int err = marker_request_read(values, out, why);
    json_decref(values);
    return err;
}

static struct readout_choice accepted(const char *text)
{
    struct readout_choice out;
    struct reason why = {0};
    if (read_request(text, &out, &why) < 0)
        fail_msg("%s was refused: %s", text, why.sentence);
    return out;
}

static void refused(const char *text, const char *because)
{
    struct readout_choice out;
    struct reason why = {0};
    assert_int_equal(read_request(text, &out, &why), -EINVAL);
    if (!strstr(why.sentence, because))
        fail_msg("%s was refused with \"%s\", expected \"%s\"", text, why.sentence, because);
}

static void markers_are_read_with_their_widths_and_the_rule_of_peaks(void **state)
{
    (void)state;
    const struct readout_choice r =
        accepted("{\"id\":4294967295,\"markers\":[{\"hz\":1e8},{\"hz\":2,\"width_hz\":10,"
                 "\"noise\":true}],\"peaks\":{\"threshold\":-90}}");
    assert_int_equal(r.count, 2);
    assert_int_equal(r.id, UINT32_MAX);
    assert_near(r.marker[0].hz, 1e8, 0);
    assert_false(r.marker[0].noise);
    assert_near(r.marker[1].width_hz, 10, 0);
    assert_true(r.marker[1].noise);
    assert_near(r.peaks.threshold_db, -90, 0);
    assert_near(r.peaks.excursion_db, 6, 0);
    assert_int_equal(r.peaks.most, 10);
    assert_int_equal(r.per_second, 0);
    assert_false(r.spurs);
}

static void without_values_only_the_peak_of_the_view_is_read(void **state)
{
    (void)state;
    const struct readout_choice r = accepted("{}");
    assert_int_equal(r.count, 0);
    assert_int_equal(r.peaks.most, 0);
    assert_int_equal(accepted("{\"per_second\":4}").per_second, 4);
    assert_true(accepted("{\"spurs\":true}").spurs);
}

static void wrong_values_are_named(void **state)
{
    (void)state;
    refused("{\"markers\":1}", "markers: not an array of at most 16");
    refused("{\"markers\":[1]}", "a marker is an object with hz");
    refused("{\"markers\":[{\"hz\":1,\"with\":2}]}", "unknown field with");
    refused("{\"markers\":[{\"hz\":1,\"width_hz\":-2}]}", "width_hz: -2 is not");
    refused("{\"peaks\":{\"count\":101}}", "count: 101 is not");
    refused("{\"peaks\":7}", "peaks: 7 is not an object");
    refused("{\"spurs\":1}", "spurs: 1 is not true or false");
    refused("{\"per_second\":0}", "per_second: 0 is not");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(markers_are_read_with_their_widths_and_the_rule_of_peaks),
        cmocka_unit_test(without_values_only_the_peak_of_the_view_is_read),
        cmocka_unit_test(wrong_values_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
