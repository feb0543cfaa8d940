/* test_token.c - tests the control token and the file that it may be in. */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/access/token.h"
#include "daemon/base/reason.h"

static char token_path[] = "/tmp/fftd-test-token-XXXXXX";

static void write_token(const char *bytes, size_t size)
{
    FILE *f = fopen(token_path, "w");
    assert_non_null(f);
    fwrite(bytes, 1, size, f);
    fclose(f);
}

static void only_the_exact_token_matches(void **state)
{
    (void)state;
    struct token t;
    struct reason why = {0};
    assert_int_equal(token_load(&t, "correct horse", NULL, &why), 0);
    assert_true(token_matches(&t, "correct horse"));
    assert_false(token_matches(&t, "correct hors"));
    assert_false(token_matches(&t, "correct horse "));
    assert_false(token_matches(&t, ""));
}

static void without_a_token_nothing_matches(void **state)
{
    (void)state;
    struct token t;
    struct reason why = {0};
    assert_int_equal(token_load(&t, NULL, NULL, &why), 0);
    assert_false(t.set);
    assert_false(token_matches(&t, ""));
    assert_int_equal(token_load(&t, "", NULL, &why), -EINVAL);
}

static void a_token_file_overrides_the_option_without_its_newline(void **state)
{
    (void)state;
    struct token t;
    struct reason why = {0};
    write_token("from file\r\n", 11);
    assert_int_equal(token_load(&t, "from option", token_path, &why), 0);
    assert_true(token_matches(&t, "from file"));
    assert_false(token_matches(&t, "from option"));
}

static void token_file_refused(const char *bytes, size_t size, const char *because)
{
    struct token t;
    struct reason why = {0};
    write_token(bytes, size);
    assert_int_equal(token_load(&t, NULL, token_path, &why), -EINVAL);
    assert_non_null(strstr(why.sentence, token_path));
    assert_non_null(strstr(why.sentence, because));
    assert_false(t.set);
}

static void a_bad_token_file_is_named(void **state)
{
    (void)state;
    char longest[1100];
    memset(longest, 'x', sizeof longest);
    token_file_refused("", 0, "empty");
    token_file_refused("\n", 1, "empty");
    token_file_refused("ab\0cd\n", 6, "NUL");
    token_file_refused(longest, sizeof longest, "longer");
    struct token t;
    struct reason why = {0};
    assert_int_equal(token_load(&t, NULL, "/nowhere/token", &why), -ENOENT);
    assert_non_null(strstr(why.sentence, "/nowhere/token"));
    assert_int_equal(token_load(&t, NULL, "/tmp", &why), -EISDIR);
}

/* The server and the link to a broker load it, each for itself. */
static void a_token_from_a_pipe_is_known_a_second_time(void **state)
{
    int ends[2];
    struct reason why = {0};
    char path[32];
    (void)state;
    assert_int_equal(pipe(ends), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    assert_int_equal(write(ends[1], "from a pipe\n", 12), 12);
    close(ends[1]);
    for (int i = 0; i < 2; i++) {
        struct token t;
        assert_int_equal(token_load(&t, NULL, path, &why), 0);
        assert_true(token_matches(&t, "from a pipe"));
    }
    close(ends[0]);
}

static int make_token_file(void **state)
{
    (void)state;
    const int fd = mkstemp(token_path);
    return fd < 0 ? -1 : close(fd);
}

static int remove_token_file(void **state)
{
    (void)state;
    return unlink(token_path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_the_exact_token_matches),
        cmocka_unit_test(without_a_token_nothing_matches),
        cmocka_unit_test(a_token_file_overrides_the_option_without_its_newline),
        cmocka_unit_test(a_bad_token_file_is_named),
        cmocka_unit_test(a_token_from_a_pipe_is_known_a_second_time),
    };
    return cmocka_run_group_tests(tests, make_token_file, remove_token_file);
}
