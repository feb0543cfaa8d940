/*
 * test_choices.c - tests that the offered choices are the values that "set" and "view" accept.
 *
 *     test_choices --write     renews tests/browser/choices.json, which mock servers offer
 */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/client/control.h"
#include "daemon/config/config.h"
#include "daemon/config/option_table.h"
#include "daemon/control/choices.h"
#include "daemon/control/setting_change.h"
#include "daemon/status/status_json.h"

/* True if the field accepts the value. Takes over the reference to `value`. */
static bool is_accepted(const char *field, json_t *value)
{
    struct control m = {.message = NULL};
    struct setting_change change;
    struct reason why = {0};
    const bool is_view = strcmp(field, "detector") == 0;
    json_t *message =
        is_view ? json_pack("{ss si si so}", "type", "view", "id", 1, "columns", 1, field, value)
                : json_pack("{so}", field, value);
    char *text = json_dumps(message, JSON_COMPACT);
    const int err = is_view ? control_parse(&m, text, strlen(text), &why)
                            : setting_change_read(message, &change, &why);
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
    json_t *choices = choices_to_json(NULL);
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
    assert_true(values > 17 + 9 + 4); /* sizes, windows, detectors, and more */
    json_decref(choices);
}

static void values_beyond_the_bounds_are_refused(void **state)
{
    (void)state;
    static const char *const numbers[] = {"center_hz", "rate_hz",   "ppm",        "bandwidth_hz",
                                          "average",   "line_rate", "usable_band"};
    json_t *choices = choices_to_json(NULL);
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
    json_t *choices = choices_to_json(NULL);
    json_t *overlap = choice(choices, "overlap");
    const double min = json_number_value(json_object_get(overlap, "min"));
    const double below = json_number_value(json_object_get(overlap, "below"));
    assert_true(is_accepted("overlap", json_real(min)));
    assert_false(is_accepted("overlap", json_real(min - 0.001)));
    assert_true(is_accepted("overlap", json_real(below - 0.001)));
    assert_false(is_accepted("overlap", json_real(below)));
    json_decref(choices);
}

static void the_corrections_of_the_front_end_are_on_or_off(void **state)
{
    (void)state;
    static const char *const fields[] = {"dc_removal", "iq_correction"};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        assert_true(is_accepted(fields[i], json_string("on")));
        assert_true(is_accepted(fields[i], json_string("off")));
        assert_false(is_accepted(fields[i], json_string("auto")));
        assert_false(is_accepted(fields[i], json_string("")));
        assert_false(is_accepted(fields[i], json_integer(2)));
        assert_true(is_accepted(fields[i], json_true())); /* the other words for yes and no */
        assert_true(is_accepted(fields[i], json_string("no")));
    }
}

static void a_correction_is_switched_alone(void **state)
{
    (void)state;
    struct settings settings = {.n = 512};
    struct setting_change change = {0};
    struct reason why = {0};
    assert_int_equal(setting_change_add(&change, "iq_correction", "on", &why), 0);
    setting_change_apply(&change, &settings);
    assert_int_equal(settings.dc_removal, 0);
    assert_int_equal(settings.iq_correction, 1);
    assert_int_equal(settings.n, 512);
}

static void no_other_fft_sizes_are_accepted(void **state)
{
    (void)state;
    json_t *choices = choices_to_json(NULL);
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
    json_t *choices = choices_to_json(NULL);
    for (size_t i = 0; i < setting_count(); i++) {
        const json_t *object = choice(choices, setting_at(i)->api);
        assert_true(json_string_length(json_object_get(object, "expected")) > 0);
        assert_true(json_string_length(json_object_get(object, "help")) > 0);
        /* A name for people, not that of the wire. */
        const char *label = json_string_value(json_object_get(object, "label"));
        assert_non_null(label);
        assert_null(strpbrk(label, "_-"));
        assert_true(label[0] >= 'A' && label[0] <= 'Z');
    }
    assert_int_equal(json_object_size(choices), setting_count() + 1); /* and the detector */
    json_decref(choices);
}

static void a_number_names_its_unit(void **state)
{
    (void)state;
    static const char *const units[][2] = {{"center_hz", "Hz"}, {"rate_hz", "S/s"},
                                           {"ppm", "ppm"},      {"overlap", "%"},
                                           {"dwell", "s"},      {"line_rate", "lines/s"}};
    static const char *const none[] = {"fft_size", "average", "window", "gain", "antenna", "span"};
    json_t *choices = choices_to_json(NULL);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        assert_string_equal(
            json_string_value(json_object_get(choice(choices, units[i][0]), "unit")), units[i][1]);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_null(json_object_get(choice(choices, none[i]), "unit"));
    json_decref(choices);
}

/* ---- the status ------------------------------------------------------------------------- */

/* Reads what the status says of the setting as if a client had sent it. */
static void assert_reads_back(const struct config_option *o, const struct config *config)
{
    struct config read = *config, none = {.server.enabled = false};
    struct setting_change change;
    struct reason why = {0};
    json_t *status = settings_to_json(&config->settings);
    json_t *value = json_object_get(status, o->api);
    if (!value)
        fail_msg("the status lacks %s", o->api);
    memcpy((char *)&read + o->offset, (const char *)&none + o->offset, o->size);
    if (!json_is_null(value)) { /* not given */
        json_t *message = json_pack("{sO}", o->api, value);
        if (setting_change_read(message, &change, &why) < 0)
            fail_msg("%s", why.sentence);
        setting_change_apply(&change, &read.settings);
        json_decref(message);
        if (!option_is_same(o, &read, config))
            fail_msg("the status says another %s", o->api);
    }
    json_decref(status);
}

static void the_status_has_every_setting_as_requests_have_it(void **state)
{
    (void)state;
    static const char *const others[][2] = {
        {"center", "433.92M"},   {"rate", "2.4M"},  {"gain", "LNA=20,TIA=8"}, {"dc-spur", "no"},
        {"window", "kaiser(9)"}, {"vbw", "12.5"},   {"dc-removal", "yes"},    {"span", "88M:108M"},
        {"fft-size", "8192"},    {"antenna", "RX2"}};
    struct config config = {.server.enabled = false};
    const struct config_option *o;
    assert_in_range(setting_count(), 20, 64);
    for (size_t i = 0; (o = setting_at(i)); i++)
        assert_int_equal(option_parse(o, o->fallback, &config), 0);
    for (size_t i = 0; (o = setting_at(i)); i++)
        if (*o->fallback || o->kind != OPTION_NUMBER) /* that is given */
            assert_reads_back(o, &config);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        o = option_find(NULL, others[i][0]);
        assert_int_equal(option_parse(o, others[i][1], &config), 0);
        assert_reads_back(o, &config);
    }
}

/* ---- mock servers ----------------------------------------------------------------------- */

#define COMMITTED FFTD_SOURCE_DIR "/tests/browser/choices.json"

static void mock_servers_offer_the_same(void **state)
{
    (void)state;
    json_t *choices = choices_to_json(NULL), *committed = json_load_file(COMMITTED, 0, NULL);
    if (!committed || !json_equal(choices, committed))
        fail_msg("%s is not what the options say: run this test with --write", COMMITTED);
    json_decref(choices);
    json_decref(committed);
}

static int write_choices(void)
{
    json_t *choices = choices_to_json(NULL);
    FILE *out = fopen(COMMITTED, "w");
    const bool written = out && json_dumpf(choices, out, JSON_INDENT(1)) == 0;
    if (written)
        fputc('\n', out);
    json_decref(choices);
    return out && fclose(out) == 0 && written ? 0 : 1;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_offered_value_is_accepted),
        cmocka_unit_test(values_beyond_the_bounds_are_refused),
        cmocka_unit_test(the_overlap_excludes_its_upper_bound),
        cmocka_unit_test(the_corrections_of_the_front_end_are_on_or_off),
        cmocka_unit_test(a_correction_is_switched_alone),
        cmocka_unit_test(no_other_fft_sizes_are_accepted),
        cmocka_unit_test(every_field_describes_its_values),
        cmocka_unit_test(a_number_names_its_unit),
        cmocka_unit_test(the_status_has_every_setting_as_requests_have_it),
        cmocka_unit_test(mock_servers_offer_the_same),
    };
    if (argc > 1 && strcmp(argv[1], "--write") == 0)
        return write_choices();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
