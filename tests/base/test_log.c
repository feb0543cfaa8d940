/* test_log.c - lines of the log that repeat, and those of libraries, are limited. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/base/log.h"
#include "daemon/base/log_limit.h"
#include "tests/support/cmocka_all.h"

static const uint64_t second_ns = 1000000000;

static void assert_admitted(struct log_limit *l, const char *text, uint64_t second, bool admitted,
                            uint64_t repeats)
{
    uint64_t got = 99;
    assert_int_equal(log_limit_admits(l, 3, text, second * second_ns, &got), admitted);
    if (admitted)
        assert_int_equal(got, repeats);
}

static void line_is_admitted_once_in_ten_minutes(void **state)
{
    (void)state;
    struct log_limit l = {0};
    assert_admitted(&l, "avahi", 1, true, 0);
    for (uint64_t second = 2; second < 39; second++)
        assert_admitted(&l, "avahi", second, false, 0);
    assert_admitted(&l, "other", 39, true, 0);
    assert_admitted(&l, "avahi", 600, false, 0);
    assert_admitted(&l, "avahi", 601, true, 39); /* seconds 2 to 38, 600 and 601 */
    assert_admitted(&l, "avahi", 602, false, 0);
    assert_admitted(&l, "avahi", 1201, true, 2);
}

static void lines_differ_by_text_and_priority(void **state)
{
    (void)state;
    struct log_limit l = {0};
    uint64_t repeats;
    assert_true(log_limit_admits(&l, 3, "a", second_ns, &repeats));
    assert_true(log_limit_admits(&l, 4, "a", second_ns, &repeats));
    assert_true(log_limit_admits(&l, 3, "b", second_ns, &repeats));
    assert_false(log_limit_admits(&l, 4, "a", second_ns, &repeats));
}

static void line_that_was_not_seen_longest_is_forgotten_first(void **state)
{
    (void)state;
    struct log_limit l = {0};
    char text[16];
    for (unsigned i = 0; i < LOG_LIMIT_LINES; i++) {
        snprintf(text, sizeof text, "line %u", i);
        assert_admitted(&l, text, 1 + i, true, 0);
    }
    assert_admitted(&l, "line 0", 30, false, 0);
    assert_admitted(&l, "one more", 31, true, 0);
    assert_admitted(&l, "line 0", 32, false, 0);
    assert_admitted(&l, "line 1", 33, true, 0); /* forgotten */
}

/* Standard error while `write` runs. The caller frees it. */
static char *log_of(void (*write)(void))
{
    FILE *file = tmpfile();
    assert_non_null(file);
    fflush(stderr);
    const int keep = dup(STDERR_FILENO);
    dup2(fileno(file), STDERR_FILENO);
    write();
    fflush(stderr);
    dup2(keep, STDERR_FILENO);
    close(keep);
    char *text = calloc(1, 4096);
    rewind(file);
    assert_non_null(text);
    text[fread(text, 1, 4095, file)] = '\0';
    fclose(file);
    return text;
}

static void repeat_lines(void)
{
    for (int i = 0; i < 38; i++) {
        log_limited(LOG_PRIORITY_ERROR, "SoapySDR: %s", "avahi_client_new failed");
        log_limited(LOG_PRIORITY_WARN, "SoapySDR: no server %d", i / 37);
    }
    log_error("not limited");
    log_error("not limited");
    log_finish();
    log_finish();
}

static void repeated_lines_are_counted_at_the_end(void **state)
{
    (void)state;
    char *text = log_of(repeat_lines);
    assert_string_equal(text, "fftd: SoapySDR: avahi_client_new failed\n"
                              "fftd: SoapySDR: no server 0\n"
                              "fftd: SoapySDR: no server 1\n"
                              "fftd: not limited\n"
                              "fftd: not limited\n"
                              "fftd: SoapySDR: avahi_client_new failed (repeated 37 times)\n"
                              "fftd: SoapySDR: no server 0 (repeated 36 times)\n");
    free(text);
}

static void flood_from_library(void)
{
    for (int i = 0; i < 100; i++)
        log_capped("lws", "bad request\nmore\n");
}

/* A minute may end meanwhile. */
static void a_library_writes_ten_lines_a_minute(void **state)
{
    (void)state;
    static const char line[] = "fftd: lws: bad request\n";
    char *text = log_of(flood_from_library);
    const size_t lines = strlen(text) / (sizeof line - 1);
    assert_true(lines >= 10 && lines <= 20);
    for (size_t i = 0; i < lines; i++)
        assert_memory_equal(text + i * (sizeof line - 1), line, sizeof line - 1);
    assert_int_equal(text[lines * (sizeof line - 1)], '\0');
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(line_is_admitted_once_in_ten_minutes),
        cmocka_unit_test(lines_differ_by_text_and_priority),
        cmocka_unit_test(line_that_was_not_seen_longest_is_forgotten_first),
        cmocka_unit_test(repeated_lines_are_counted_at_the_end),
        cmocka_unit_test(a_library_writes_ten_lines_a_minute),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
