/* test_rtl_tcp_settings.c - commands of clients, whole, cut and wrong. */
#include "tests/support/cmocka_all.h"

#include <math.h>
#include <string.h>

#include "daemon/rtl_tcp/rtl_tcp_settings.h"
#include "daemon/source/rtl_tcp/rtl_tcp_protocol.h"

static struct rtl_tcp_settings s;

static int begin(void **state)
{
    (void)state;
    rtl_tcp_settings_init(&s, 100e6, 2.048e6);
    return 0;
}

static void send(unsigned command, uint32_t value)
{
    const uint8_t bytes[] = {(uint8_t)command, (uint8_t)(value >> 24), (uint8_t)(value >> 16),
                             (uint8_t)(value >> 8), (uint8_t)value};
    rtl_tcp_settings_take(&s, bytes, sizeof bytes);
}

/* What rtl_433 22.11 sends: the rate, an automatic gain, the frequency. */
static void the_commands_of_rtl_433_set_the_channel(void **state)
{
    (void)state;
    send(0x02, 250000);
    send(0x03, 0);
    send(0x01, 433920000);
    assert_near(s.rate_hz, 250e3, 1e-6);
    assert_near(rtl_tcp_settings_center_hz(&s), 433.92e6, 1e-6);
    assert_true(s.automatic);
    assert_int_equal(s.ignored, 0);
}

/* What gr-osmosdr 0.2.4 sends. */
static void the_commands_of_gr_osmosdr_set_the_gain_of_the_channel(void **state)
{
    (void)state;
    static const uint32_t commands[][2] = {{0x03, 1},         {0x08, 0},  {0x09, 0},
                                           {0x0a, 0},         {0x0e, 0},  {0x02, 1024000},
                                           {0x01, 145500000}, {0x04, 297}};
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        send(commands[i][0], commands[i][1]);
    assert_false(s.automatic);
    assert_near(s.gain_db, 29.7, 1e-6);
    assert_false(s.biased);
    assert_int_equal(s.commands, 8);
    assert_int_equal(s.ignored, 2); /* direct sampling, offset tuning */
}

static void gains_come_in_tenths_of_a_db_or_as_a_number_of_the_r820ts_list(void **state)
{
    (void)state;
    send(0x0d, 28);
    assert_near(s.gain_db, 49.6, 1e-6);
    send(0x04, (uint32_t)-30);
    assert_near(s.gain_db, -3, 1e-6);
    send(0x0d, 29); /* there is none */
    send(0x04, 100000);
    assert_near(s.gain_db, -3, 1e-6);
    assert_int_equal(s.ignored, 2);
    send(0x04, 0);
    assert_true(s.automatic);
}

static void a_correction_tunes_lower_by_as_many_millionths(void **state)
{
    (void)state;
    send(0x05, 20);
    assert_near(rtl_tcp_settings_center_hz(&s), 100e6 - 2000, 1e-6);
    send(0x05, (uint32_t)-50);
    assert_near(rtl_tcp_settings_center_hz(&s), 100e6 + 5000, 1e-6);
    send(0x05, 5000);
    assert_near(rtl_tcp_settings_center_hz(&s), 100e6 + 5000, 1e-6);
}

static void commands_may_be_cut_anywhere(void **state)
{
    (void)state;
    const uint8_t bytes[] = {0x02, 0, 3, 0xd0, 0x90, 0x01, 0x19, 0xdd, 0x1a, 0x00, 0x03, 0};
    for (size_t i = 0; i < sizeof bytes; i++)
        rtl_tcp_settings_take(&s, bytes + i, 1);
    assert_near(s.rate_hz, 250e3, 1e-6);
    assert_near(s.frequency_hz, 433920512, 1e-6);
    assert_int_equal(s.commands, 2);
    assert_int_equal(s.have, 2);
}

static void the_bias_tee_and_nonsense_change_nothing(void **state)
{
    (void)state;
    const struct rtl_tcp_settings before = s;
    static const uint8_t text[] = "GET / HTTP/1.1\r\nHost: example.org\r\n\r";
    rtl_tcp_settings_take(&s, text, 35);
    send(0x02, 0);
    send(0xff, 0xffffffff);
    send(0x0e, 1);
    assert_true(s.biased);
    assert_int_equal(s.commands, 10);
    assert_int_equal(s.ignored, 10);
    assert_near(s.rate_hz, before.rate_hz, 1e-6);
    assert_near(s.frequency_hz, before.frequency_hz, 1e-6);
    assert_true(s.automatic);
    send(0x02, 0xffffffff);
    assert_near(s.rate_hz, 4e6, 1e-6);
}

/* The client's side reads what the server's writes. */
static void a_greeting_is_that_of_an_r820t_with_29_gains(void **state)
{
    (void)state;
    static const uint8_t expected[] = {'R', 'T', 'L', '0', 0, 0, 0, 5, 0, 0, 0, 29};
    uint8_t bytes[RTL_TCP_GREETING];
    struct rtl_tcp_greeting greeting;
    rtl_tcp_write_greeting(bytes, RTL_TCP_R820T, RTL_TCP_GAINS);
    assert_memory_equal(bytes, expected, sizeof expected);
    assert_true(rtl_tcp_read_greeting(bytes, &greeting));
    assert_string_equal(greeting.tuner->name, "R820T");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(the_commands_of_rtl_433_set_the_channel, begin),
        cmocka_unit_test_setup(the_commands_of_gr_osmosdr_set_the_gain_of_the_channel, begin),
        cmocka_unit_test_setup(gains_come_in_tenths_of_a_db_or_as_a_number_of_the_r820ts_list,
                               begin),
        cmocka_unit_test_setup(a_correction_tunes_lower_by_as_many_millionths, begin),
        cmocka_unit_test_setup(commands_may_be_cut_anywhere, begin),
        cmocka_unit_test_setup(the_bias_tee_and_nonsense_change_nothing, begin),
        cmocka_unit_test_setup(a_greeting_is_that_of_an_r820t_with_29_gains, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
