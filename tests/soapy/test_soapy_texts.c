/* test_soapy_texts.c - the arguments of a radio, and its time stamps. Needs no radio. */
#include "tests/support/cmocka_all.h"

#include <SoapySDR/Logger.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/base/reason.h"
#include "daemon/source/soapy/soapy_args.h"
#include "daemon/source/soapy/soapy_clock.h"
#include "daemon/source/soapy/soapy_device.h"

static struct soapy_pairs pairs;
static struct soapy_gain gain;
static struct reason why;

static void assert_pairs_refused(const char *text, const char *words)
{
    assert_int_equal(soapy_pairs_parse(text, &pairs, &why), -EINVAL);
    assert_non_null(strstr(why.sentence, words));
}

static void assert_gain_refused(const char *text, const char *words)
{
    assert_int_equal(soapy_gain_parse(text, &gain, &why), -EINVAL);
    assert_non_null(strstr(why.sentence, words));
}

static void pairs_are_read_in_order_without_their_spaces(void **state)
{
    (void)state;
    assert_int_equal(soapy_pairs_parse("driver=remote, remote = tcp://[::1]:5 ,x=", &pairs, &why),
                     0);
    assert_int_equal(pairs.count, 3);
    assert_string_equal(pairs.pair[0].key, "driver");
    assert_string_equal(pairs.pair[1].key, "remote");
    assert_string_equal(pairs.pair[1].value, "tcp://[::1]:5");
    assert_string_equal(pairs.pair[2].value, "");
}

static void a_value_may_hold_an_equals_sign(void **state)
{
    (void)state;
    assert_int_equal(soapy_pairs_parse("a=b=c", &pairs, &why), 0);
    assert_string_equal(pairs.pair[0].value, "b=c");
}

static void an_empty_text_has_no_pairs(void **state)
{
    (void)state;
    assert_int_equal(soapy_pairs_parse(NULL, &pairs, &why), 0);
    assert_int_equal(soapy_pairs_parse("  ", &pairs, &why), 0);
    assert_int_equal(pairs.count, 0);
}

static void bad_pairs_are_named(void **state)
{
    (void)state;
    char many[200] = "", longest[400];
    assert_pairs_refused("driver=a,rtlsdr", "'rtlsdr' is not key=value");
    assert_pairs_refused("a=1,,b=2", "'' is not key=value");
    assert_pairs_refused("a=1,", "is not key=value");
    assert_pairs_refused("=5", "'=5' has no key");
    assert_pairs_refused("a=1,b=2,a=3", "'a=3' has a key that was given before");
    for (int i = 0; i <= SOAPY_PAIRS; i++)
        snprintf(many + strlen(many), sizeof many - strlen(many), "%sk%d=1", i ? "," : "", i);
    assert_pairs_refused(many, "'k24=1' is one too many");
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    memcpy(longest, "key=", 4);
    assert_pairs_refused(longest, "is too long");
}

static void gains_are_automatic_total_or_by_element(void **state)
{
    (void)state;
    assert_int_equal(soapy_gain_parse("", &gain, &why), 0);
    assert_int_equal(gain.kind, SOAPY_GAIN_LEAVE);
    assert_int_equal(soapy_gain_parse(" Auto ", &gain, &why), 0);
    assert_int_equal(gain.kind, SOAPY_GAIN_AUTO);
    assert_int_equal(soapy_gain_parse("-3.5 dB", &gain, &why), 0);
    assert_int_equal(gain.kind, SOAPY_GAIN_TOTAL);
    assert_near(gain.total_db, -3.5, 0);
    assert_int_equal(soapy_gain_parse("LNA=20, TIA=8dB", &gain, &why), 0);
    assert_int_equal(gain.kind, SOAPY_GAIN_ELEMENTS);
    assert_int_equal(gain.elements, 2);
    assert_string_equal(gain.element[1].name, "TIA");
    assert_near(gain.element[1].db, 8, 0);
}

static void bad_gains_are_named(void **state)
{
    (void)state;
    assert_gain_refused("loud", "'loud' is not \"auto\"");
    assert_gain_refused("20x", "'20x'");
    assert_gain_refused("nan", "'nan'");
    assert_gain_refused("LNA=20,TIA", "'TIA' is not key=value");
    assert_gain_refused("LNA=high", "'high' is not a gain in dB");
    assert_gain_refused("LNA=inf", "'inf'");
    assert_gain_refused("a=1,b=1,c=1,d=1,e=1,f=1,g=1,h=1,i=1", "'i' is one gain too many");
}

/* Blocks of 1000 samples at 1 MS/s: 1 ms each. */
static struct soapy_clock clock_at(int64_t stamp_ns, int64_t host_ns)
{
    struct soapy_clock c;
    soapy_clock_init(&c, 1e6);
    assert_int_equal(soapy_clock_stamp(&c, stamp_ns, host_ns), 0);
    soapy_clock_count(&c, 1000);
    return c;
}

static void a_steady_clock_loses_nothing(void **state)
{
    (void)state;
    struct soapy_clock c;
    soapy_clock_init(&c, 61.44e6);
    for (int64_t i = 0; i < 100000; i++) {
        const int64_t stamp = (int64_t)((long double)i * 1000 * 1e9L / 61.44e6L);
        assert_int_equal(soapy_clock_stamp(&c, stamp, stamp), 0);
        soapy_clock_count(&c, 1000);
    }
}

static void a_gap_is_counted_in_samples(void **state)
{
    (void)state;
    struct soapy_clock c = clock_at(0, 0);
    assert_int_equal(soapy_clock_stamp(&c, 1000000 + 77000, 1000000), 77);
    soapy_clock_count(&c, 500);
    soapy_clock_count(&c, 500); /* a fragment without a stamp of its own */
    assert_int_equal(soapy_clock_stamp(&c, 2077000, 2000000), 0);
}

static void a_clock_that_runs_backwards_is_trusted_less(void **state)
{
    (void)state;
    struct soapy_clock c = clock_at(0, 0);
    assert_int_equal(soapy_clock_stamp(&c, 1000000 - 20000, 1000000), 0);
    soapy_clock_count(&c, 1000);
    assert_int_equal(soapy_clock_stamp(&c, 2000000 + 15000, 2000000), 0); /* 35 us late */
    soapy_clock_count(&c, 1000);
    assert_int_equal(soapy_clock_stamp(&c, 3015000 + 50000, 3000000), 50);
}

static void a_clock_that_was_set_shows_no_losses(void **state)
{
    (void)state;
    const int64_t today = 1700000000000000000;
    struct soapy_clock c = clock_at(5000000, 0);
    assert_int_equal(soapy_clock_stamp(&c, today, 1000000), SOAPY_CLOCK_ASIDE);
    soapy_clock_count(&c, 1000);
    assert_int_equal(soapy_clock_stamp(&c, today + 1000000, 2000000), SOAPY_CLOCK_SET);
    soapy_clock_count(&c, 1000);
    assert_int_equal(soapy_clock_stamp(&c, 0, 3000000), SOAPY_CLOCK_ASIDE);
    soapy_clock_count(&c, 1000);
    assert_int_equal(soapy_clock_stamp(&c, 1000000, 4000000), SOAPY_CLOCK_SET);
    assert_int_equal(soapy_clock_absurd(&c), 0);
}

static void one_absurd_stamp_is_not_the_time(void **state)
{
    (void)state;
    struct soapy_clock c = clock_at(0, 0);
    for (int64_t i = 1; i < 1000; i++) {
        const int64_t stamp_ns = i % 5 == 3 ? 5403559341571466134 + i : i * 1000000;
        const int64_t expected = i % 5 == 3 ? SOAPY_CLOCK_ASIDE : 0;
        assert_int_equal(soapy_clock_stamp(&c, stamp_ns, i * 1000000), expected);
        soapy_clock_count(&c, 1000);
    }
    assert_int_equal(soapy_clock_absurd(&c), 5);
    assert_true(soapy_clock_wrong_rate(&c) == 0);
    assert_int_equal(soapy_clock_stamp(&c, 1000000000 + 77000, 1000000000), 77);
}

/* Reads of 10 ms come up to 20 ms late, and a fifth of a second late for a start. */
static double measured_rate(double stamps, double host, double seconds)
{
    struct soapy_clock c;
    soapy_clock_init(&c, 1e6);
    srand(1);
    for (int64_t i = 0; i < seconds * 100; i++) {
        const double ns = (double)i * 1e7;
        const int64_t late_ns = rand() % 20000000 + (i < 3 ? 200000000 : 0);
        soapy_clock_stamp(&c, (int64_t)(ns * stamps), (int64_t)(ns * host) + late_ns);
        soapy_clock_count(&c, 10000);
    }
    return soapy_clock_wrong_rate(&c);
}

static void stamps_of_another_rate_are_found(void **state)
{
    static const double rates[] = {2, 0.5, 10, 1.25, 1.01};
    (void)state;
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++)
        assert_near(measured_rate(rates[i], 1, 60), rates[i], 0.001 * rates[i]);
    assert_near(measured_rate(2, 1, 1), 2, 0.001);
}

/* Two crystals of 200 ppm each, for a day; a radio that loses a third of its samples. */
static void stamps_that_agree_with_a_clock_are_right(void **state)
{
    (void)state;
    assert_true(measured_rate(1, 1, 60) == 0);
    assert_true(measured_rate(1, 1.0004, 86400) == 0);
    assert_true(measured_rate(1.0002, 0.9998, 86400) == 0);
    assert_true(measured_rate(1.5, 1.5, 60) == 0);
}

static void a_long_absence_is_a_gap_if_the_host_clock_agrees(void **state)
{
    (void)state;
    struct soapy_clock c = clock_at(0, 0);
    assert_int_equal(soapy_clock_stamp(&c, 30000000000, 30000000000), 30000000 - 1000);
}

/* SoapyRemote repeats its complaint about avahi at each search. */
static void equal_lines_of_a_module_are_logged_once(void **state)
{
    (void)state;
    char text[4096] = "";
    FILE *devices = fopen("/dev/null", "w"), *log = tmpfile();
    assert_non_null(log);
    soapy_device_list(devices); /* installs the log handler */
    fclose(devices);
    const int keep = dup(STDERR_FILENO);
    dup2(fileno(log), STDERR_FILENO);
    for (int i = 0; i < 5; i++)
        SoapySDR_log(SOAPY_SDR_ERROR, "avahi_client_new() failed: -26");
    SoapySDR_log(SOAPY_SDR_DEBUG, "a detail");
    dup2(keep, STDERR_FILENO);
    close(keep);
    rewind(log);
    text[fread(text, 1, sizeof text - 1, log)] = '\0';
    fclose(log);
    assert_string_equal(text, "fftd: SoapySDR: avahi_client_new() failed: -26\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_read_in_order_without_their_spaces),
        cmocka_unit_test(a_value_may_hold_an_equals_sign),
        cmocka_unit_test(an_empty_text_has_no_pairs),
        cmocka_unit_test(bad_pairs_are_named),
        cmocka_unit_test(gains_are_automatic_total_or_by_element),
        cmocka_unit_test(bad_gains_are_named),
        cmocka_unit_test(a_steady_clock_loses_nothing),
        cmocka_unit_test(a_gap_is_counted_in_samples),
        cmocka_unit_test(a_clock_that_runs_backwards_is_trusted_less),
        cmocka_unit_test(a_clock_that_was_set_shows_no_losses),
        cmocka_unit_test(one_absurd_stamp_is_not_the_time),
        cmocka_unit_test(stamps_of_another_rate_are_found),
        cmocka_unit_test(stamps_that_agree_with_a_clock_are_right),
        cmocka_unit_test(a_long_absence_is_a_gap_if_the_host_clock_agrees),
        cmocka_unit_test(equal_lines_of_a_module_are_logged_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
