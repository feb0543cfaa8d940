/* test_choices.c - tests that the offered choices are the values that "set" and "view" accept. */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <string.h>

#include "daemon/client/choices.h"
#include "daemon/client/control.h"

/* True if the field accepts the value. Takes over the reference to `value`. */
static bool is_accepted(const char *field, json_t *value)
{
    struct control m;
    char error[200];
    json_t *message =
        strcmp(field, "detector") == 0
            ? json_pack("{ss si si so}", "type", "view", "id", 1, "columns", 1, field, value)
            : json_pack("{ss so}", "type", "set", field, value);
    char *text = json_dumps(message, JSON_COMPACT);
    const int err = control_parse(&m, text, strlen(text), error, sizeof error);
    control_finish(&m);
    free(text);
    json_decref(message);
    return err == 0;
}

static json_t *choice(json_t *choices, const char *field)
{
    json_t *object = json_object_get(choices, field);
    if (!object)
        fail_msg("there are no choices for %s", field);
    return object;
}

static void every_offered_value_is_accepted(void **state)
{
    (void)state;
    json_t *choices = choices_to_json();
    const char *field;
    json_t *object;
    size_t values = 0;
    json_object_foreach(choices, field, object)
    {
        size_t i;
        json_t *value;
        json_array_foreach(json_object_get(object, "values"), i, value)
        {
            values++;
            if (!is_accepted(field, json_incref(value)))
                fail_msg("%s: value %zu is not accepted", field, i);
        }
    }
    assert_int_equal(values, 17 + 9 + 4); /* sizes, windows, detectors */
    json_decref(choices);
}

static void values_beyond_the_bounds_are_refused(void **state)
{
    (void)state;
    static const char *const numbers[] = {"center_hz",    "rate_hz", "ppm",
                                          "bandwidth_hz", "average", "line_rate"};
    json_t *choices = choices_to_json();
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        json_t *object = choice(choices, numbers[i]);
        const double min = json_number_value(json_object_get(object, "min"));
        const double max = json_number_value(json_object_get(object, "max"));
        assert_true(min < max);
        assert_true(is_accepted(numbers[i], json_real(min)));
        assert_true(is_accepted(numbers[i], json_real(max)));
        assert_false(is_accepted(numbers[i], json_real(min - 1)));
        assert_false(is_accepted(numbers[i], json_real(max + 1)));
    }
    json_decref(choices);
}

static void the_overlap_excludes_its_upper_bound(void **state)
{
    (void)state;
    json_t *choices = choices_to_json();
    json_t *overlap = choice(choices, "overlap");
    const double min = json_number_value(json_object_get(overlap, "min"));
    const double below = json_number_value(json_object_get(overlap, "below"));
    assert_true(is_accepted("overlap", json_real(min)));
    assert_false(is_accepted("overlap", json_real(min - 0.001)));
    assert_true(is_accepted("overlap", json_real(below - 0.001)));
    assert_false(is_accepted("overlap", json_real(below)));
    json_decref(choices);
}

static void no_other_fft_sizes_are_accepted(void **state)
{
    (void)state;
    json_t *choices = choices_to_json();
    const json_t *sizes = json_object_get(choice(choices, "fft_size"), "values");
    const json_int_t first = json_integer_value(json_array_get(sizes, 0));
    const json_int_t last = json_integer_value(json_array_get(sizes, json_array_size(sizes) - 1));
    assert_int_equal(last, first << (json_array_size(sizes) - 1));
    assert_false(is_accepted("fft_size", json_integer(first / 2)));
    assert_false(is_accepted("fft_size", json_integer(last * 2)));
    assert_false(is_accepted("fft_size", json_integer(first * 3)));
    json_decref(choices);
}

static void every_field_describes_its_values(void **state)
{
    (void)state;
    json_t *choices = choices_to_json();
    for (size_t i = 0; i < setting_field_count; i++) {
        const json_t *object = choice(choices, setting_fields[i].name);
        assert_true(json_string_length(json_object_get(object, "expected")) > 0);
    }
    assert_int_equal(json_object_size(choices), setting_field_count + 1); /* and the detector */
    json_decref(choices);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_offered_value_is_accepted),
        cmocka_unit_test(values_beyond_the_bounds_are_refused),
        cmocka_unit_test(the_overlap_excludes_its_upper_bound),
        cmocka_unit_test(no_other_fft_sizes_are_accepted),
        cmocka_unit_test(every_field_describes_its_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
