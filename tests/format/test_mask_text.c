/* test_mask_text.c - the file of a mask: its points, its units and its mistakes. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/cmocka_all.h"

#include "daemon/base/reason.h"
#include "daemon/base/text.h"
#include "daemon/format/mask_text.h"

static int parse(struct mask_text *out, const char *text, struct reason *why)
{
    *why = (struct reason){0};
    return mask_text_parse(out, text, strlen(text), "t", why);
}

static void points_and_units_are_read(void **state)
{
    (void)state;
    struct mask_text mask;
    struct reason why = {0};
    assert_int_equal(parse(&mask,
                           "# EN 300 220\r\nfrequency = offset\nlevel=dBc\n\n"
                           "upper -200k -60  # far off\nlower -10k -20\nupper -25kHz -36dB\n"
                           "upper -25k 0\nlower 10k -20.5",
                           &why),
                     0);
    assert_true(mask.offset);
    assert_int_equal(mask.level, MASK_DBC);
    assert_int_equal(mask.upper.count, 3);
    assert_int_equal(mask.lower.count, 2);
    assert_near(mask.upper.point[0].hz, -200e3, 0);
    assert_near(mask.upper.point[1].db, -36, 0);
    assert_near(mask.upper.point[2].hz, -25e3, 0);
    assert_near(mask.lower.point[1].db, -20.5, 0);
    assert_int_equal(parse(&mask, "upper 1M -60\nupper 2M -60", &why), 0);
    assert_false(mask.offset);
    assert_int_equal(mask.level, MASK_DBFS);
    assert_int_equal(parse(&mask, "level = dBm\nlower 1M -60\nlower 2M -60", &why), 0);
    assert_int_equal(mask.level, MASK_DBM);
}

static void a_mistake_names_its_line_and_word(void **state)
{
    (void)state;
    static const struct {
        const char *text, *error;
    } table[] = {
        {"", "t:0: there is no point"},
        {"# only\n\n", "t:2: there is no point"},
        {"upper 1M -60", "t:1: the upper limit needs points at two frequencies"},
        {"upper 1M -60\nupper 1M -50", "t:2: the upper limit needs points at two frequencies"},
        {"upper 1M 0\nupper 2M 0\nlower 1M 0",
         "t:3: the lower limit needs points at two frequencies"},
        {"upper 2M -60\nupper 1M -60", "t:2: the frequency is below that of the point before"},
        {"uper 1M -60", "t:1: 'uper' is neither upper nor lower"},
        {"upper 1M", "t:1: a point is: upper or lower, frequency, level"},
        {"upper 1M -60 dB", "t:1: a point is: upper or lower, frequency, level"},
        {"upper 1X -60", "t:1: frequency: '1X' is not a number of Hz up to 1T"},
        {"upper inf -60", "t:1: frequency: 'inf' is not"},
        {"upper 1M low", "t:1: level: 'low' is not a number from -400 to 400"},
        {"upper 1M -401", "t:1: level: '-401' is not a number from -400 to 400"},
        {"level = dB", "t:1: level: 'dB' is none of dBFS, dBc, dBm"},
        {"level =", "t:1: level: '' is none of dBFS, dBc, dBm"},
        {"frequency = relative", "t:1: frequency: 'relative' is none of absolute, offset"},
        {"level = dBm\nlevel = dBm", "t:2: level is given twice"},
        {"center = 100M", "t:1: unknown key 'center': one of frequency, level"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct mask_text mask;
        struct reason why = {0};
        assert_int_equal(parse(&mask, table[i].text, &why), -EINVAL);
        if (strncmp(why.sentence, table[i].error, strlen(table[i].error)) != 0)
            fail_msg("\"%s\": \"%s\", expected \"%s\"", table[i].text, why.sentence,
                     table[i].error);
    }
}

static void a_limit_has_at_most_128_points(void **state)
{
    (void)state;
    struct text text = {0};
    struct mask_text mask;
    struct reason why = {0};
    for (int i = 0; i < MASK_POINTS_MAX; i++)
        text_add(&text, "upper %dk 0\n", i);
    text_add_bytes(&text, "", 1);
    assert_int_equal(parse(&mask, text.data, &why), 0);
    text.length--;
    text_add(&text, "upper 1M 0\n");
    text_add_bytes(&text, "", 1);
    assert_int_equal(parse(&mask, text.data, &why), -EINVAL);
    assert_string_equal(why.sentence, "t:129: more than 128 points");
    text_finish(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_and_units_are_read),
        cmocka_unit_test(a_mistake_names_its_line_and_word),
        cmocka_unit_test(a_limit_has_at_most_128_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
