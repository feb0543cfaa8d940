/* test_text.c - tests that a buffer of text has all that was added, however long. */
#include "tests/support/cmocka_all.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formatted_text_of_any_length_is_added_whole),
        cmocka_unit_test(texts_follow_one_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
