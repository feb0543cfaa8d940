/* test_si.c - parses and formats numbers with k, M and G. */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "tests/support/cmocka_all.h"

#include "daemon/base/si.h"

static void numbers_are_parsed_exactly(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } table[] = {
        {"433.92M", 433920000.0}, {"1.024k", 1024.0},
        {"1.024K", 1024.0},       {"2.4e6", 2400000.0},
        {"250k", 250000.0},       {"1G", 1e9},
        {"868.95M", 868950000.0}, {"0", 0.0},
        {"-1.5k", -1500.0},       {"+3", 3.0},
        {".5M", 500000.0},        {"5.k", 5000.0},
        {"1e-3", 0.001},          {"2E3k", 2e6},
        {"61.44M", 61440000.0},   {"1.1M", 1100000.0},
        {"100.3M", 100300000.0},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        double value = NAN;
        assert_int_equal(si_parse(table[i].text, &value), 0);
        assert_true(value == table[i].value);
    }
}

static void other_texts_are_refused(void **state)
{
    (void)state;
    static const char *const table[] = {
        "",
        " 1",
        "1 ",
        "nan",
        "NaN",
        "inf",
        "-inf",
        "0x10",
        "1m",
        "1kk",
        "1Mx",
        "M",
        ".",
        "-",
        "1e",
        "1e+",
        "1e99999",
        "1e400",
        "1,5M",
        "1.2.3",
        "--1",
        "1e3.5",
        "1T",
        "k1",
        "1e308M",
        "11111111111111111111111111111111111111111111111111111111111111111111111111111111",
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        double value = 7;
        assert_int_equal(si_parse(table[i], &value), -EINVAL);
        assert_true(value == 7);
    }
}

/* Keys of quantities.json, which the test of the page reads too. */
static const struct {
    const char *key;
    enum si_unit unit;
} quantities[] = {
    {"plain", SI_PLAIN}, {"hz", SI_HZ},           {"rate", SI_RATE},
    {"size", SI_BINARY}, {"percent", SI_PERCENT}, {"db", SI_DB},
    {"ppm", SI_PPM},     {"lines", SI_LINES},     {"seconds", SI_SECONDS},
};

static void assert_texts(const json_t *texts, enum si_unit unit)
{
    size_t i;
    const char *text;
    json_t *want;
    double value = 7;
    json_object_foreach(json_object_get(texts, "good"), text, want)
    {
        if (si_parse_unit(text, unit, &value) != 0 || value != json_number_value(want))
            fail_msg("'%s' is %.17g", text, value);
    }
    json_array_foreach(json_object_get(texts, "bad"), i, want)
    {
        value = 7;
        if (si_parse_unit(json_string_value(want), unit, &value) != -EINVAL || value != 7)
            fail_msg("'%s' was read as %.17g", json_string_value(want), value);
    }
}

static void quantities_are_read_with_their_units(void **state)
{
    (void)state;
    json_t *table = json_load_file(FFTD_SOURCE_DIR "/tests/golden/quantities.json", 0, NULL);
    assert_int_equal(json_object_size(table), sizeof quantities / sizeof quantities[0]);
    for (size_t i = 0; i < sizeof quantities / sizeof quantities[0]; i++)
        assert_texts(json_object_get(table, quantities[i].key), quantities[i].unit);
    json_decref(table);
}

static void numbers_are_formatted_with_suffixes(void **state)
{
    (void)state;
    static const struct {
        double value;
        int digits;
        const char *text;
    } table[] = {
        {433920000, 9, "433.92M"},
        {250000, 6, "250k"},
        {2.4e6, 6, "2.4M"},
        {1e9, 3, "1G"},
        {999, 6, "999"},
        {1024, 6, "1.024k"},
        {0, 6, "0"},
        {-1500, 6, "-1.5k"},
        {0.25, 6, "0.25"},
        {999999.9, 6, "1M"},
        {433920000, 2, "430M"},
        {1e12, 6, "1000G"},
        {868950123, 9, "868.950123M"},
        {NAN, 6, "nan"},
        {INFINITY, 6, "inf"},
        {100, 3, "100"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char text[64];
        assert_string_equal(si_format(table[i].value, table[i].digits, text, sizeof text),
                            table[i].text);
    }
}

static void formatting_and_parsing_round_trip(void **state)
{
    (void)state;
    static const double values[] = {868950000.0, 61440000.0, 1023.0, -0.1,
                                    1e12,        1.0 / 3,    1e-5,   123456789.25};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        char text[512];
        double value = 0;
        assert_int_equal(si_parse(si_format(values[i], 17, text, sizeof text), &value), 0);
        assert_true(value == values[i]);
    }
}

static void a_port_is_digits_alone_up_to_65535(void **state)
{
    static const char *const bad[] = {"", "65536", "99999", "080808", "+80", " 80", "80 ", "0x50"};
    uint16_t port = 1;
    (void)state;
    assert_true(si_parse_port("0", 1, &port) && port == 0);
    assert_true(si_parse_port("00080", 5, &port) && port == 80);
    assert_true(si_parse_port("65535", 5, &port) && port == 65535);
    assert_true(si_parse_port("8080/path", 4, &port) && port == 8080);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(si_parse_port(bad[i], strlen(bad[i]), &port));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_port_is_digits_alone_up_to_65535),
        cmocka_unit_test(numbers_are_parsed_exactly),
        cmocka_unit_test(other_texts_are_refused),
        cmocka_unit_test(quantities_are_read_with_their_units),
        cmocka_unit_test(numbers_are_formatted_with_suffixes),
        cmocka_unit_test(formatting_and_parsing_round_trip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
