/* test_band_plan.c - band plans of SDR++ and gqrx, gqrx's bookmarks, and their mistakes. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/cmocka_all.h"

#include "daemon/base/reason.h"
#include "daemon/base/text.h"
#include "daemon/format/band_plan.h"

static int add(struct band_plan *plan, const char *text, struct reason *why)
{
    *why = (struct reason){0};
    return band_plan_add(plan, text, strlen(text), "t", why);
}

static void sdrpp_s_bands_are_read(void **state)
{
    (void)state;
    struct band_plan plan = {0};
    struct reason why = {0};
    assert_int_equal(add(&plan,
                         "\xef\xbb\xbf\n{\"name\": \"France\", \"bands\": ["
                         "{\"name\": \"13 m\xc3\xa8tres\", \"type\": \"broadcast\", "
                         "\"start\": 21450000, \"end\": 21850000},\n"
                         "{\"name\": \"1mm\", \"start\": 241e9, \"end\": 250000000000}]}",
                         &why),
                     0);
    assert_int_equal(plan.band_count, 2);
    assert_string_equal(plan.band[0].name, "13 m\xc3\xa8tres");
    assert_string_equal(plan.band[0].kind, "broadcast");
    assert_near(plan.band[0].low_hz, 21.45e6, 0);
    assert_near(plan.band[0].high_hz, 21.85e6, 0);
    assert_string_equal(plan.band[1].kind, "");
    assert_near(plan.band[1].low_hz, 241e9, 0);
    band_plan_finish(&plan);
}

/* Rows as in the bandplan.csv that gqrx installs. */
static void gqrx_s_bands_are_read(void **state)
{
    (void)state;
    struct band_plan plan = {0};
    struct reason why = {0};
    assert_int_equal(
        add(&plan,
            "# minFrequency,maxFrequency,mode,step,color,name,iaruRegion,country,use\r\n"
            ",,,,,,,,\r\n"
            "135700,137800,CW-U,10,cyan,UK LF CW Ham Band,1,UK,Amateur\r\n"
            "3750000,3600000,USB,10,yellow,80m UK Data Ham Band,1,UK,Amateur\r\n"
            "144100000,148000000,Narrow FM,10,#90009470,2m USA Ham Band,2,USA,Amateur\r\n"
            "88000000 , 108000000 , WFM, 100, #Ff0000, Broadcast\r\n",
            &why),
        0);
    assert_int_equal(plan.band_count, 3);
    assert_string_equal(plan.band[0].color, "cyan");
    assert_string_equal(plan.band[0].kind, "Amateur");
    assert_string_equal(plan.band[1].name, "2m USA Ham Band");
    assert_string_equal(plan.band[1].color, "#009470");
    assert_near(plan.band[1].high_hz, 148e6, 0);
    assert_string_equal(plan.band[2].color, "#Ff0000");
    assert_string_equal(plan.left_out, "t:4: the band ends below its start: left out");
    band_plan_finish(&plan);
}

static void bookmarks_have_the_colour_of_their_first_tag_with_one(void **state)
{
    (void)state;
    struct band_plan plan = {0};
    struct reason why = {0};
    assert_int_equal(
        add(&plan,
            "# Tag name          ;  color\n"
            "Marine VHF          ; #00ffff\n"
            "Untagged            ; #c0c0c0\n\n"
            "# Frequency ; Name                     ; Modulation          ;  Bandwidth; Tags\n"
            "   156800000; Channel 16               ; Narrow FM           ;      10000; Marine "
            "VHF\n"
            "     7074000; FT8, 40 m                ; USB                 ;          0; "
            "digi,Untagged\n"
            "    14100000; beacons                  ;                     ;           ;",
            &why),
        0);
    assert_int_equal(plan.bookmark_count, 3);
    assert_near(plan.bookmark[0].hz, 156.8e6, 0);
    assert_near(plan.bookmark[0].width_hz, 10e3, 0);
    assert_string_equal(plan.bookmark[0].name, "Channel 16");
    assert_string_equal(plan.bookmark[0].mode, "Narrow FM");
    assert_string_equal(plan.bookmark[0].tags, "Marine VHF");
    assert_string_equal(plan.bookmark[0].color, "#00ffff");
    assert_string_equal(plan.bookmark[1].name, "FT8, 40 m");
    assert_string_equal(plan.bookmark[1].color, "#c0c0c0");
    assert_string_equal(plan.bookmark[2].color, "");
    band_plan_finish(&plan);
}

static void files_add_up(void **state)
{
    (void)state;
    struct band_plan plan = {0};
    struct reason why = {0};
    assert_int_equal(add(&plan, "1M,2M,AM,1,red,one", &why), 0);
    assert_int_equal(add(&plan, "", &why), 0);
    assert_int_equal(
        add(&plan, "{\"bands\": [{\"name\": \"two\", \"start\": 2, \"end\": 3}]}", &why), 0);
    assert_int_equal(plan.band_count, 2);
    assert_string_equal(plan.band[1].name, "two");
    band_plan_finish(&plan);
}

static void a_mistake_names_its_place_and_value(void **state)
{
    (void)state;
    static const struct {
        const char *text, *error;
    } table[] = {
        {"1M;2M;AM", "t:1: a row is: frequency ; name ; modulation ; bandwidth ; tags, or low"},
        {"\n1M,2M,AM", "t:2: a row is: "},
        {"1M;;AM;0;", "t:1: the name is empty"},
        {"1X;a;AM;0;", "t:1: frequency: '1X' is not a number of Hz from 0 to 1T"},
        {"-1;a;AM;0;", "t:1: frequency: '-1' is not"},
        {"1M;a;AM;wide;", "t:1: bandwidth: 'wide' is not"},
        {"tag ; #12345", "t:1: color: '#12345' is neither #rrggbb nor a name"},
        {"tag ; url(x)", "t:1: color: 'url(x)' is neither"},
        {"1M,2M,AM,1,red,", "t:1: the name is empty"},
        {"1M,nan,AM,1,red,x", "t:1: high: 'nan' is not"},
        {"{\"bands\": [\n{,", "t:2: no JSON: "},
        {"[]", "t: not a band plan: \"bands\" is not a list"},
        {"{\"bands\": {}}", "t: not a band plan: \"bands\" is not a list"},
        {"{\"bands\": [7]}", "t: band 1: the row: 7 is not an object"},
        {"{\"bands\": [{\"start\": 1, \"end\": 2}]}", "t: band 1: name: nothing is not a text of"},
        {"{\"bands\": [{\"name\": \"a\", \"start\": \"1\", \"end\": 2}]}",
         "t: band 1: start: \"1\" is not a number of Hz"},
        {"{\"bands\": [{\"name\": \"a\", \"start\": 2, \"end\": 2}]}",
         "t: band 1: end: 2 is not above the start"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct band_plan plan = {0};
        struct reason why = {0};
        assert_int_equal(add(&plan, table[i].text, &why), -EINVAL);
        if (strncmp(why.sentence, table[i].error, strlen(table[i].error)) != 0)
            fail_msg("'%s' says '%s', not '%s'", table[i].text, why.sentence, table[i].error);
        assert_null(strchr(why.sentence, '\n'));
        band_plan_finish(&plan);
    }
}

/* A row too long, a byte 0, and one row more than there may be. */
static void sizes_have_limits(void **state)
{
    (void)state;
    struct band_plan plan = {0};
    struct text text = {0};
    struct reason why = {0};
    for (int i = 0; i < 600; i++)
        text_add(&text, "x");
    assert_int_equal(band_plan_add(&plan, text.data, text.length, "t", &why), -EINVAL);
    assert_string_equal(why.sentence, "t:1: the line has more than 511 bytes");
    assert_int_equal(band_plan_add(&plan, "#\n1M\0x", 7, "t", &why), -EINVAL);
    assert_string_equal(why.sentence, "t:2: this is no text");
    text_clear(&text);
    for (int i = 0; i < BOOKMARKS_MAX; i++)
        text_add(&text, "%d;b;;;\n", i);
    assert_int_equal(band_plan_add(&plan, text.data, text.length, "t", &why), 0);
    assert_int_equal(plan.bookmark_count, BOOKMARKS_MAX);
    assert_near(plan.bookmark[BOOKMARKS_MAX - 1].hz, BOOKMARKS_MAX - 1, 0);
    assert_int_equal(add(&plan, "1;one more;;;", &why), -EINVAL);
    assert_string_equal(why.sentence, "t:1: more than 4096 bookmarks");
    text_finish(&text);
    band_plan_finish(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sdrpp_s_bands_are_read),
        cmocka_unit_test(gqrx_s_bands_are_read),
        cmocka_unit_test(bookmarks_have_the_colour_of_their_first_tag_with_one),
        cmocka_unit_test(files_add_up),
        cmocka_unit_test(a_mistake_names_its_place_and_value),
        cmocka_unit_test(sizes_have_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
