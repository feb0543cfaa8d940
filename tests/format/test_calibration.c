/* test_calibration.c - calibration tables: their text, the offset between rows, and new rows. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "tests/support/cmocka_all.h"

#include "daemon/base/reason.h"
#include "daemon/format/calibration.h"

#define HEADER "serial = 00000001\ndate = 2026-05-04\nuncertainty = 1.5 dB\n"

static struct calibration parse(const char *text)
{
    struct calibration c;
    struct reason why = {0};
    if (calibration_parse(&c, text, strlen(text), "t", &why) < 0)
        fail_msg("%s", why.sentence);
    return c;
}

static double offset(const struct calibration *c, double hz, const char *gain, const char *antenna)
{
    const struct calibration_gain g = {.gain_db = NAN, .gain = gain, .antenna = antenna};
    return calibration_offset_db(c, hz, &g);
}

static void the_header_and_the_rows_are_read(void **state)
{
    (void)state;
    struct calibration c =
        parse("# a comment\r\n" HEADER "impedance=50\nppm = -1.25 # of the crystal\n\n"
              "100M  20 RX -23.5\t# a row\n 433.92MHz 7dB \"Tuner 1 #50 ohm\" +3dB\n"
              "1e9 LNA=20,TIA=8 - 0");
    assert_string_equal(c.serial, "00000001");
    assert_string_equal(c.date, "2026-05-04");
    assert_near(c.uncertainty_db, 1.5, 0);
    assert_near(c.ppm, -1.25, 0);
    assert_int_equal(c.count, 3);
    assert_near(offset(&c, 100e6, "20", "RX"), -23.5, 0);
    assert_near(offset(&c, 433.92e6, "7", "Tuner 1 #50 ohm"), 3, 0);
    assert_near(offset(&c, 1e9, "LNA=20,TIA=8", "any"), 0, 0);
    calibration_finish(&c);
}

static void offsets_are_linear_in_db_between_two_frequencies(void **state)
{
    (void)state;
    struct calibration c = parse(HEADER "200M 20 RX -26\n100M 20 RX -20\n400M 20 RX -16\n");
    static const struct {
        double hz, offset_db;
    } table[] = {{100e6, -20}, {125e6, -21.5}, {150e6, -23},
                 {200e6, -26}, {240e6, -24},   {400e6, -16}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        assert_near(offset(&c, table[i].hz, "20", "RX"), table[i].offset_db, 1e-9);
    calibration_finish(&c);
}

/* 5 % of the last frequency, and at least 1 MHz. */
static void an_end_reaches_5_percent_beyond_it_and_1_mhz(void **state)
{
    (void)state;
    struct calibration c = parse(HEADER "100M 20 - -20\n200M 20 - -26\n3M 30 - -5\n");
    assert_near(offset(&c, 95.1e6, "20", ""), -20, 0);
    assert_true(isnan(offset(&c, 94.9e6, "20", "")));
    assert_near(offset(&c, 209.9e6, "20", ""), -26, 0);
    assert_true(isnan(offset(&c, 210.1e6, "20", "")));
    assert_near(offset(&c, 2.1e6, "30", ""), -5, 0);
    assert_near(offset(&c, 3.9e6, "30", ""), -5, 0);
    assert_true(isnan(offset(&c, 1.9e6, "30", "")));
    assert_true(isnan(offset(&c, 4.1e6, "30", "")));
    assert_true(isnan(offset(&c, NAN, "20", "")));
    calibration_finish(&c);
}

static void rows_of_another_gain_or_antenna_do_not_count(void **state)
{
    (void)state;
    struct calibration c =
        parse(HEADER "100M 20 RX -20\n100M 30 RX -30\n100M LNA=20,TIA=8 RX -28\n");
    assert_near(offset(&c, 100e6, "20 dB", "RX"), -20, 0);
    assert_near(offset(&c, 100e6, "29.97", "RX"), -30, 0); /* as a driver rounds it */
    assert_near(offset(&c, 100e6, "LNA=20, TIA=8", "RX"), -28, 0);
    assert_true(isnan(offset(&c, 100e6, "25", "RX")));
    assert_true(isnan(offset(&c, 100e6, "LNA=8,TIA=20", "RX")));
    assert_true(isnan(offset(&c, 100e6, "20", "TX/RX")));
    assert_true(isnan(offset(&c, 100e6, "auto", "RX")));
    const struct calibration_gain reported = {.gain_db = 30, .gain = "auto", .antenna = "RX"};
    assert_near(calibration_offset_db(&c, 100e6, &reported), -30, 0);
    calibration_finish(&c);
}

static void a_row_that_names_gain_and_antenna_precedes_one_for_any(void **state)
{
    (void)state;
    struct calibration c = parse(HEADER "100M - - -1\n100M - RX -2\n100M 20 - -3\n100M 20 RX -4\n"
                                        "100M A=20 - -5\n1G - - -6\n");
    assert_near(offset(&c, 100e6, "10", "X"), -1, 0);
    assert_near(offset(&c, 100e6, "10", "RX"), -2, 0);
    assert_near(offset(&c, 100e6, "20", "X"), -3, 0);
    assert_near(offset(&c, 100e6, "20", "RX"), -4, 0);
    assert_near(offset(&c, 100e6, "A=20", "RX"), -5, 0);
    assert_near(offset(&c, 1e9, "20", "RX"), -6, 0); /* the others do not reach it */
    calibration_finish(&c);
}

static void mistakes_are_named_with_their_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *error;
    } table[] = {
        {"", "t:0: the header has no serial"},
        {"serial = 1\nuncertainty = 1\n", "t:2: the header has no date"},
        {"serial = 1\ndate = x\n100M - - 1\n", "t:3: the header has no uncertainty"},
        {"seriel = 1\n",
         "t:1: unknown key 'seriel': one of serial, date, uncertainty, impedance, ppm"},
        {"serial = 1\n\nserial = 2\n", "t:3: serial is given in line 1 already"},
        {"date =\n", "t:1: date has no value"},
        {"uncertainty = x\n", "t:1: uncertainty: 'x' is not a number of dB from 0 to 100, or -"},
        {"impedance = 75\n", "t:1: impedance: '75': fftd knows 50 ohm only"},
        {"ppm = 2000\n", "t:1: ppm: '2000' is not a number from -1000 to 1000"},
        {HEADER "100M 20 RX\n", "t:4: a row is: frequency gain antenna offset"},
        {HEADER "100M 20 \"RX -3\n", "t:4: a row is: frequency gain antenna offset"},
        {HEADER "100M 20 RX -3 4\n", "t:4: '4' after the offset"},
        {HEADER "100m 20 RX -3\n", "t:4: frequency: '100m' is not a number from 0 to 1T Hz"},
        {HEADER "100M auto RX -3\n", "t:4: gain: 'auto' is neither -, dB, nor dB for each element"},
        {HEADER "100M 20 0123456789012345678901234567890X -3\n",
         "t:4: antenna: more than 31 characters"},
        {HEADER "100M 20 RX nan\n", "t:4: offset: 'nan' is not a number of dB from -1000 to 1000"},
        {HEADER "100M 20 RX 1\n0.1G 20.0 RX 2\n",
         "t:5: the same frequency, gain and antenna as in line 4"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct calibration c;
        struct reason why = {0};
        assert_int_equal(calibration_parse(&c, table[i].text, strlen(table[i].text), "t", &why),
                         -EINVAL);
        assert_string_equal(why.sentence, table[i].error);
    }
}

static void a_header_may_not_know_serial_date_and_uncertainty(void **state)
{
    (void)state;
    struct calibration c = parse("serial = -\ndate = -\nuncertainty = -\n");
    assert_string_equal(c.serial, "");
    assert_string_equal(c.date, "");
    assert_true(isnan(c.uncertainty_db) && isnan(c.ppm));
    assert_int_equal(c.count, 0);
    assert_true(isnan(offset(&c, 100e6, "20", "RX")));
    calibration_finish(&c);
}

/* ---- new rows --------------------------------------------------------------------------- */

static void assert_set(const char *old, const struct calibration_entry *entry, const char *want)
{
    struct text out = {0};
    struct reason why = {0};
    if (calibration_set_row(&out, old, strlen(old), entry, &why) < 0)
        fail_msg("%s", why.sentence);
    text_add_bytes(&out, "", 1);
    assert_string_equal(out.data, want);
    text_finish(&out);
}

static struct calibration_entry entry_of(double hz, const char *gain, const char *antenna)
{
    return (struct calibration_entry){.hz = hz,
                                      .offset_db = -12.3456,
                                      .gain = {.gain_db = NAN, .gain = gain, .antenna = antenna},
                                      .serial = "7",
                                      .date = "2026-06-01",
                                      .name = "t"};
}

static void a_new_row_is_added_and_comments_stay(void **state)
{
    (void)state;
    const struct calibration_entry entry = entry_of(433.92e6, "20", "RX");
    assert_set("# mine\n" HEADER "100M 20 RX 1 # first", &entry,
               "# mine\nserial = 00000001\ndate = 2026-06-01\nuncertainty = 1.5 dB\n"
               "100M 20 RX 1 # first\n433.92M 20 RX -12.346\n");
}

static void a_row_of_the_same_frequency_gain_and_antenna_is_replaced(void **state)
{
    (void)state;
    const struct calibration_entry entry = entry_of(100e6, "20.0", "RX");
    assert_set(HEADER "100M 20 - 1\n0.1GHz 20 RX 2 # old\n200M 20 RX 3\n", &entry,
               "serial = 00000001\ndate = 2026-06-01\nuncertainty = 1.5 dB\n"
               "100M 20 - 1\n100M 20 RX -12.346\n200M 20 RX 3\n");
}

static void an_empty_text_gets_a_header(void **state)
{
    (void)state;
    const struct calibration_entry entry = entry_of(100e6, "LNA=20, TIA=8", "Tuner 1");
    assert_set("", &entry,
               "# Calibration table of fftd: dBm = dBFS + offset.\nserial = 7\ndate = 2026-06-01\n"
               "uncertainty = -\nimpedance = 50\n\n# frequency gain antenna offset_db\n"
               "100M LNA=20,TIA=8 \"Tuner 1\" -12.346\n");
}

static void assert_ppm(const char *old, double ppm, const char *want)
{
    const struct calibration_entry entry = {
        .ppm = ppm, .serial = "7", .date = "2026-06-01", .name = "t"};
    struct text out = {0};
    struct reason why = {0};
    if (calibration_set_ppm(&out, old, strlen(old), &entry, &why) < 0)
        fail_msg("%s", why.sentence);
    text_add_bytes(&out, "", 1);
    assert_string_equal(out.data, want);
    text_finish(&out);
}

static void the_ppm_is_replaced_or_added_and_rows_stay(void **state)
{
    (void)state;
    static const char set[] = "# mine\nserial = 00000001\ndate = 2026-06-01\n"
                              "uncertainty = 1\nppm = -1.250\n100M 20 RX 1 # first\n";
    assert_ppm("# mine\nserial = 00000001\ndate = x\nuncertainty = 1\nppm=3 # old\n"
               "100M 20 RX 1 # first",
               -1.25, set);
    assert_ppm("serial = 1\ndate = x\nuncertainty = 1\n100M 20 RX 1", 20,
               "serial = 1\ndate = 2026-06-01\nppm = 20.000\nuncertainty = 1\n100M 20 RX 1\n");
    assert_ppm("", 0.5,
               "# Calibration table of fftd: dBm = dBFS + offset.\nserial = 7\ndate = 2026-06-01\n"
               "ppm = 0.500\nuncertainty = -\nimpedance = 50\n\n"
               "# frequency gain antenna offset_db\n");
}

static void a_row_is_found_again_where_it_was_made(void **state)
{
    (void)state;
    static const char *const gains[] = {"20", "LNA=20, TIA=8", "auto", ""};
    static const char *const antennas[] = {"RX", "Tuner 1 #2", ""};
    for (size_t g = 0; g < 4; g++) {
        for (size_t a = 0; a < 3; a++) {
            const struct calibration_entry entry = entry_of(123456789, gains[g], antennas[a]);
            struct text out = {0};
            assert_int_equal(calibration_set_row(&out, "", 0, &entry, NULL), 0);
            text_add_bytes(&out, "", 1);
            struct calibration c = parse(out.data);
            assert_near(offset(&c, 123456789, gains[g], antennas[a]), -12.346, 1e-9);
            calibration_finish(&c);
            text_finish(&out);
        }
    }
}

static void a_table_with_a_mistake_is_not_edited(void **state)
{
    (void)state;
    const struct calibration_entry entry = entry_of(100e6, "20", "RX");
    struct text out = {0};
    struct reason why = {0};
    assert_int_equal(calibration_set_row(&out, "x\n", 2, &entry, &why), -EINVAL);
    assert_string_equal(why.sentence, "t:1: the header has no serial");
    assert_int_equal(out.length, 0);
    text_finish(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_header_and_the_rows_are_read),
        cmocka_unit_test(offsets_are_linear_in_db_between_two_frequencies),
        cmocka_unit_test(an_end_reaches_5_percent_beyond_it_and_1_mhz),
        cmocka_unit_test(rows_of_another_gain_or_antenna_do_not_count),
        cmocka_unit_test(a_row_that_names_gain_and_antenna_precedes_one_for_any),
        cmocka_unit_test(mistakes_are_named_with_their_line),
        cmocka_unit_test(a_header_may_not_know_serial_date_and_uncertainty),
        cmocka_unit_test(a_new_row_is_added_and_comments_stay),
        cmocka_unit_test(a_row_of_the_same_frequency_gain_and_antenna_is_replaced),
        cmocka_unit_test(an_empty_text_gets_a_header),
        cmocka_unit_test(the_ppm_is_replaced_or_added_and_rows_stay),
        cmocka_unit_test(a_row_is_found_again_where_it_was_made),
        cmocka_unit_test(a_table_with_a_mistake_is_not_edited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
