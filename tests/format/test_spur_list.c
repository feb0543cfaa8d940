/* test_spur_list.c - the text of a spur list: its rows, its mistakes, and what is written. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "tests/support/cmocka_all.h"

#include "daemon/base/reason.h"
#include "daemon/format/spur_list.h"

static struct spur_list parse(const char *text)
{
    struct spur_list list;
    struct reason why = {0};
    if (spur_list_parse(&list, text, strlen(text), "t", &why) < 0)
        fail_msg("%s", why.sentence);
    return list;
}

static void the_header_and_the_rows_are_read(void **state)
{
    (void)state;
    struct spur_list list = parse("# of the receiver on the roof\r\n"
                                  "serial = RTL-SDR 00000001\ndate=2026-05-04\n\n"
                                  "center       0    DC spike  # of every tuning\r\n"
                                  "center+1.2M  10k  image of the clock\n"
                                  "\tcenter-1.2MHz\t10kHz\n"
                                  "28.8M 2k crystal");
    static const struct spur rows[] = {{0, 0, true, "DC spike"},
                                       {1.2e6, 10e3, true, "image of the clock"},
                                       {-1.2e6, 10e3, true, ""},
                                       {28.8e6, 2e3, false, "crystal"}};
    assert_string_equal(list.serial, "RTL-SDR 00000001");
    assert_string_equal(list.date, "2026-05-04");
    assert_int_equal(list.count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_near(list.spur[i].hz, rows[i].hz, 1e-6);
        assert_near(list.spur[i].width_hz, rows[i].width_hz, 1e-9);
        assert_int_equal(list.spur[i].relative, rows[i].relative);
        assert_string_equal(list.spur[i].note, rows[i].note);
    }
    spur_list_finish(&list);
    list = parse("");
    assert_int_equal(list.count, 0);
    spur_list_finish(&list);
}

static void a_mistake_names_its_line_and_word(void **state)
{
    (void)state;
    static const struct {
        const char *text, *error;
    } table[] = {
        {"100M", "t:1: a row is: frequency width note"},
        {"# x\n100X 0",
         "t:2: frequency: '100X' is neither a number from 0 to 1T Hz, nor center, nor "
         "a distance from it as in center+1.2M"},
        {"-5M 0", "t:1: frequency: '-5M' is neither"},
        {"nan 0", "t:1: frequency: 'nan' is neither"},
        {"centre 0", "t:1: frequency: 'centre' is neither"},
        {"center1M 0", "t:1: frequency: 'center1M' is neither"},
        {"center+ 0", "t:1: frequency: 'center+' is neither"},
        {"center+20G 0", "t:1: frequency: 'center+20G' is neither"},
        {"100M wide", "t:1: width: 'wide' is not a number from 0 to 10G Hz"},
        {"100M -1", "t:1: width: '-1' is not a number from 0 to 10G Hz"},
        {"center + 1M", "t:1: width: '+' is not a number"},
        {"gain = 20", "t:1: unknown key 'gain': one of serial, date"},
        {"date =", "t:1: date has no value"},
        {"date = a\ndate = b", "t:2: date is given twice"},
        {"1M 0 a note of more than sixty-three characters, which is longer than any other",
         "t:1: note: more than 63 characters"},
        {"1M 0 a\tb", "t:1: note: a control character"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct spur_list list;
        struct reason why = {0};
        const int err = spur_list_parse(&list, table[i].text, strlen(table[i].text), "t", &why);
        assert_int_equal(err, -EINVAL);
        if (strncmp(why.sentence, table[i].error, strlen(table[i].error)) != 0)
            fail_msg("\"%s\": \"%s\", expected \"%s\"", table[i].text, why.sentence,
                     table[i].error);
        assert_null(list.spur);
    }
}

static void a_list_has_a_limit(void **state)
{
    (void)state;
    struct text text = {0};
    struct spur_list list;
    struct reason why = {0};
    for (int i = 0; i < SPURS_MAX; i++)
        text_add(&text, "%dk 0\n", i);
    assert_int_equal(spur_list_parse(&list, text.data, text.length, "t", &why), 0);
    assert_int_equal(list.count, SPURS_MAX);
    spur_list_finish(&list);
    text_add(&text, "5M 0\n");
    assert_int_equal(spur_list_parse(&list, text.data, text.length, "t", &why), -EINVAL);
    assert_string_equal(why.sentence, "t:1025: more than 1024 rows");
    text_finish(&text);
}

static void what_is_written_is_read_again(void **state)
{
    (void)state;
    static const struct spur spurs[] = {{0, 0, true, "DC spike"},
                                        {-1234567.8, 1500, true, ""},
                                        {250e3, 12.5, true, "a \"clock\""},
                                        {868954321.1, 2e3, false, "learnt 2026-05-04"}};
    for (size_t i = 0; i < sizeof spurs / sizeof spurs[0]; i++) {
        struct text text = {0};
        spur_add_row(&text, &spurs[i]);
        text_add_bytes(&text, "", 1);
        struct spur_list list = parse(text.data);
        assert_int_equal(list.count, 1);
        assert_near(list.spur[0].hz, spurs[i].hz, 0.05);
        assert_near(list.spur[0].width_hz, spurs[i].width_hz, 0.05);
        assert_int_equal(list.spur[0].relative, spurs[i].relative);
        assert_string_equal(list.spur[0].note, spurs[i].note);
        spur_list_finish(&list);
        text_finish(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_header_and_the_rows_are_read),
        cmocka_unit_test(a_mistake_names_its_line_and_word),
        cmocka_unit_test(a_list_has_a_limit),
        cmocka_unit_test(what_is_written_is_read_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
