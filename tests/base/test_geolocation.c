/* test_geolocation.c - tests that places are read and written, and that wrong ones are refused. */
#include "tests/support/cmocka_all.h"

#include <math.h>

#include "daemon/base/geolocation.h"

static void texts_of_latitude_and_longitude_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double latitude, longitude, altitude_m;
    } table[] = {{"48.21,16.37", 48.21, 16.37, NAN},
                 {"-33.86,151.21,58", -33.86, 151.21, 58},
                 {"+90,-180", 90, -180, NAN},
                 {"31.5,35.5,-430.5", 31.5, 35.5, -430.5}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct geolocation g;
        assert_true(geolocation_parse(table[i].text, &g));
        assert_true(g.known && g.latitude == table[i].latitude);
        assert_true(g.longitude == table[i].longitude);
        assert_true(g.altitude_m == table[i].altitude_m ||
                    (isnan(g.altitude_m) && isnan(table[i].altitude_m)));
    }
}

static void texts_that_are_no_place_are_refused(void **state)
{
    (void)state;
    static const char *const table[] = {"",       "48",     "48,",       "48,16,",     "48,16,1,2",
                                        "91,0",   "0,181",  "nan,0",     "0,inf",      "48.2 N,16",
                                        "48;16",  ",16",    "48,16,1e7", "48,16,-501", "a,b",
                                        "48,,16", "48,16x", " 48,16"};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct geolocation g = {.known = true};
        assert_false(geolocation_parse(table[i], &g));
        assert_false(g.known);
    }
}

static bool read_json(const char *text, struct geolocation *out)
{
    json_t *value = json_loads(text, JSON_DECODE_ANY, NULL);
    const bool read = geolocation_from_json(value, out);
    json_decref(value);
    return read;
}

/* The example of the SigMF specification: longitude is first. */
static void points_have_their_longitude_first(void **state)
{
    (void)state;
    struct geolocation g;
    assert_true(
        read_json("{\"type\":\"Point\",\"coordinates\":[-107.6183682,34.0787916,2120.0]}", &g));
    assert_true(g.longitude == -107.6183682 && g.latitude == 34.0787916);
    assert_true(g.altitude_m == 2120);
    assert_true(read_json("{\"coordinates\":[16,48],\"type\":\"Point\"}", &g));
    assert_true(g.latitude == 48 && isnan(g.altitude_m));
}

static void json_that_is_no_point_is_refused(void **state)
{
    (void)state;
    static const char *const table[] = {
        "null",
        "[16,48]",
        "{\"coordinates\":[16,48]}",
        "{\"type\":\"LineString\",\"coordinates\":[[16,48],[17,48]]}",
        "{\"type\":\"Point\",\"coordinates\":[16]}",
        "{\"type\":\"Point\",\"coordinates\":[\"16\",48]}",
        "{\"type\":\"Point\",\"coordinates\":[16,91]}",
        "{\"type\":\"Point\",\"coordinates\":[16,48,null]}",
        "{\"type\":1,\"coordinates\":[16,48]}",
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct geolocation g = {.known = true};
        assert_false(read_json(table[i], &g));
        assert_false(g.known);
    }
}

static void a_place_is_written_as_a_point(void **state)
{
    (void)state;
    const struct geolocation places[] = {{true, 48.25, 16.5, NAN}, {true, -1.5, 0.25, 100}, {0}};
    static const char *const texts[] = {"{\"type\":\"Point\",\"coordinates\":[16.5,48.25]}",
                                        "{\"type\":\"Point\",\"coordinates\":[0.25,-1.5,100.0]}"};
    for (int i = 0; i < 2; i++) {
        json_t *written = geolocation_to_json(&places[i]);
        json_t *expected = json_loads(texts[i], 0, NULL);
        assert_true(json_equal(written, expected));
        json_decref(written);
        json_decref(expected);
    }
    assert_null(geolocation_to_json(&places[2]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_of_latitude_and_longitude_are_read),
        cmocka_unit_test(texts_that_are_no_place_are_refused),
        cmocka_unit_test(points_have_their_longitude_first),
        cmocka_unit_test(json_that_is_no_point_is_refused),
        cmocka_unit_test(a_place_is_written_as_a_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
