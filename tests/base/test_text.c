/* test_text.c - tests that a buffer of text has all that was added, however long. */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/text.h"

enum { LONGEST = 5000 };

static void formatted_text_of_any_length_is_added_whole(void **state)
{
    (void)state;
    static char word[LONGEST + 1];
    for (size_t length = 0; length <= LONGEST; length++) {
        struct text t = {0};
        text_add(&t, "<%s>%d", word, 7);
        assert_false(t.failed);
        assert_int_equal(t.length, length + 3);
        assert_int_equal(t.data[0], '<');
        assert_memory_equal(t.data + 1, word, length);
        assert_memory_equal(t.data + 1 + length, ">7", 2);
        text_finish(&t);
        word[length] = (char)('a' + length % 26);
    }
}

static void texts_follow_one_another(void **state)
{
    (void)state;
    char word[LONGEST + 1];
    struct text t = {0};
    memset(word, 'x', LONGEST);
    word[LONGEST] = 0;
    text_add(&t, "%s", "first ");
    text_add(&t, "%s", word);
    text_add(&t, "%s", " last");
    assert_int_equal(t.length, 6 + LONGEST + 5);
    assert_memory_equal(t.data, "first x", 7);
    assert_memory_equal(t.data + t.length - 6, "x last", 6);
    text_finish(&t);
}

static void a_number_is_the_shortest_text_that_reads_back_as_the_same(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } table[] = {
        {0, "0"},
        {-20.5, "-20.5"},
        {0.1, "0.1"},
        {0.3, "0.3"},
        {0.1 + 0.2, "0.30000000000000004"},
        {1e300, "1e+300"},
        {433920000, "433920000"},
        {1e10 + 1.0 / 8, "10000000000.125"},
        {1e10 + 1.0 / 524288, "10000000000.000002"},
        {5e-324, "4.94065645841247e-324"},
    };
    char text[NUMBER_TEXT];
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        assert_string_equal(number_text(table[i].value, text), table[i].text);
    for (double value = 1e10; value < 1e10 + 1; value = nextafter(value + 1e-3, 1e11))
        for (int sign = -1; sign <= 1; sign += 2) {
            const double read = strtod(number_text(sign * value, text), NULL), want = sign * value;
            assert_memory_equal(&read, &want, sizeof read);
        }
}

static void a_switch_has_four_words_for_each_of_its_states(void **state)
{
    (void)state;
    static const char *const words[][2] = {
        {"yes", "no"}, {"true", "false"}, {"on", "off"}, {"1", "0"}};
    static const char *const others[] = {"", "y", "2", "Yes", "yes ", "nope", "-1"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        for (int off = 0; off < 2; off++) {
            bool on = off;
            assert_int_equal(flag_parse(words[i][off], &on), 0);
            assert_int_equal(on, !off);
        }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        bool on = true;
        assert_int_equal(flag_parse(others[i], &on), -EINVAL);
        assert_true(on);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formatted_text_of_any_length_is_added_whole),
        cmocka_unit_test(texts_follow_one_another),
        cmocka_unit_test(a_switch_has_four_words_for_each_of_its_states),
        cmocka_unit_test(a_number_is_the_shortest_text_that_reads_back_as_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
