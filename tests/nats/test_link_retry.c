/* test_link_retry.c - a broker that ends each connection at once neither fills the log nor the
 * machine. */
#include "tests/support/cmocka_all.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "daemon/nats/link_retry.h"

static uint64_t now_ns;
static unsigned lines;
static char last[512];

uint64_t __wrap_clock_now_ns(void);
uint64_t __wrap_clock_now_ns(void)
{
    return now_ns;
}

static void note(const char *format, va_list values)
{
    lines++;
    vsnprintf(last, sizeof last, format, values);
}

void __wrap_log_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
void __wrap_log_warn(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    note(format, values);
    va_end(values);
}

void __wrap_log_info(const char *format, ...) __attribute__((format(printf, 1, 2)));
void __wrap_log_info(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    note(format, values);
    va_end(values);
}

static struct link_retry begin(void)
{
    now_ns = UINT64_C(1000000000000);
    lines = 0;
    return (struct link_retry){.who = "hub", .url = "nats://a", .then = "fftd tries again"};
}

/* One connection of so many ms, or none, and the pause after it. Returns the pause. */
static unsigned live(struct link_retry *r, int ms, const char *why)
{
    if (ms >= 0) {
        lines += link_retry_connected(r);
        for (int at = 0; at < ms; at += LINK_POLL_MS) {
            link_retry_holds(r);
            now_ns += LINK_POLL_MS * UINT64_C(1000000);
        }
    }
    link_retry_report(r, why);
    const unsigned delay_ms = link_retry_delay_ms(r, false);
    now_ns += delay_ms * UINT64_C(1000000);
    return delay_ms;
}

static void connections_that_end_at_once_are_a_few_lines_then_one_a_minute(void **state)
{
    static const char *const why[] = {"closed", "stale connection", "closed", "crashed"};
    (void)state;
    for (int kind = 0; kind < 3; kind++) { /* the same reason; others; in between no connection */
        struct link_retry r = begin();
        const uint64_t start = now_ns, hour_ns = UINT64_C(3600000000000);
        unsigned tries = 0;
        for (; now_ns - start < hour_ns; tries++)
            live(&r, kind == 2 && tries % 2 ? -1 : 100, why[kind ? tries % 4 : 0]);
        assert_in_range(lines, 60, 70);
        assert_in_range(tries, 600, 1000); /* every 5 s */
        assert_non_null(strstr(last, "more failures since the last line"));
    }
}

static void pauses_grow_up_to_five_seconds_and_a_connection_that_holds_ends_that(void **state)
{
    static const unsigned want_ms[] = {250, 250, 500, 1000, 2000, 4000, 5000, 5000};
    struct link_retry r = begin();
    (void)state;
    for (size_t i = 1; i < sizeof want_ms / sizeof want_ms[0]; i++)
        assert_int_equal(live(&r, 0, "closed"), want_ms[i]);
    assert_int_equal(link_retry_delay_ms(&r, true), 5000);
    lines = 0;
    last[0] = '\0';
    assert_int_equal(live(&r, LINK_HOLDS_MS + 1000, "closed"), 250);
    assert_int_equal(lines, 2); /* it holds; it is closed */
    assert_int_equal(live(&r, LINK_HOLDS_MS + 1000, "closed"), 250);
    assert_int_equal(lines, 4);
}

static void a_broker_that_is_away_is_one_line_and_tried_four_times_a_second(void **state)
{
    struct link_retry r = begin();
    (void)state;
    assert_int_equal(live(&r, LINK_HOLDS_MS + 1000, "closed"), 250);
    lines = 0;
    for (int i = 0; i < 1000; i++)
        assert_int_equal(live(&r, -1, "refused"), 250);
    assert_int_equal(lines, 1);
    assert_int_equal(live(&r, LINK_HOLDS_MS + 1000, "closed"), 250);
    assert_int_equal(lines, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(connections_that_end_at_once_are_a_few_lines_then_one_a_minute),
        cmocka_unit_test(pauses_grow_up_to_five_seconds_and_a_connection_that_holds_ends_that),
        cmocka_unit_test(a_broker_that_is_away_is_one_line_and_tried_four_times_a_second),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
