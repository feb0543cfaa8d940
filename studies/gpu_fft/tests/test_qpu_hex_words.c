/* test_qpu_hex_words.c - tests the reader of published programs' .hex files. */
#include <errno.h>
#include <string.h>

#include "studies/gpu_fft/tests/hex_words.h"
#include "tests/support/cmocka_all.h"

static int read_text(const char *text, uint32_t *words, int max)
{
    FILE *file = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    assert_non_null(file);
    const int count = hex_words_read(file, words, max);
    fclose(file);
    return count;
}

static void words_are_read_between_comments(void **state)
{
    (void)state;
    static const char text[] = "// 0x11111111, a heading\n"
                               "0x00000040, 0xe00217a7, // mov rb_0x40, 0x40\n"
                               "\n"
                               "0x009e7000, 0x300009e7 // nop; nop; thrend\n"
                               "  0x0,0xffffffff//the end";
    static const uint32_t want[] = {0x40, 0xe00217a7, 0x009e7000, 0x300009e7, 0, 0xffffffff};
    uint32_t words[8] = {0};
    assert_int_equal(read_text(text, words, 8), 6);
    assert_memory_equal(words, want, sizeof want);
}

static void other_text_and_too_many_words_are_refused(void **state)
{
    (void)state;
    uint32_t words[2];
    assert_int_equal(read_text("0x1, 0x2 // 0x3\n", words, 2), 2);
    assert_int_equal(read_text("0x1, 0x2, 0x3\n", words, 2), -E2BIG);
    assert_int_equal(read_text("0x1 / 0x2\n", words, 2), -EINVAL);
    assert_int_equal(read_text("0x1, label:\n", words, 2), -EINVAL);
    assert_int_equal(read_text("// nothing", words, 2), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_read_between_comments),
        cmocka_unit_test(other_text_and_too_many_words_are_refused),
    };
    return cmocka_run_group_tests_name("the reader of .hex files", tests, NULL, NULL);
}
