/* test_rtl_tcp.c - the source rtl_tcp against servers that keep the protocol, and that do not. */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "daemon/source/rtl_tcp/rtl_tcp_protocol.h"
#include "daemon/source/source.h"
#include "tests/support/source/server_support.h"

extern const struct source_ops source_rtl_tcp;

enum { SAMPLES = 10000 };
static struct test_server server;
static struct source_config config;
static struct source *source;
static struct reason why;
static uint8_t block[2 * SAMPLES];

static const uint8_t r820t[] = {'R', 'T', 'L', '0', 0, 0, 0, 5, 0, 0, 0, 29};

/* Sample n has the bytes n and n >> 8; they come in parts of 1001 bytes. */
static void serve_counter(struct test_server *s, int fd)
{
    uint8_t part[1001];
    uint64_t at = 0;
    bool more = server_send(s, fd, r820t, sizeof r820t);
    while (more && server_take(s, fd, 0)) {
        for (size_t i = 0; i < sizeof part; i++, at++)
            part[i] = (uint8_t)(at / 2 >> (at % 2 ? 8 : 0));
        more = server_send(s, fd, part, sizeof part);
    }
}

static void serve_http(struct test_server *s, int fd)
{
    static const char text[] = "HTTP/1.1 400 Bad Request\r\n\r\n";
    (void)server_send(s, fd, text, strlen(text));
}

static void serve_banner(struct test_server *s, int fd)
{
    (void)server_send(s, fd, "SSH-2.0\r\n", 9);
}

/* It waits for the client, as servers of mail and of files do. */
static void serve_short_banner(struct test_server *s, int fd)
{
    (void)server_send(s, fd, "220 x\r\n", 7);
    while (server_take(s, fd, 20))
        continue;
}

static void serve_nothing(struct test_server *s, int fd)
{
    (void)server_send(s, fd, r820t, 7);
}

static void serve_a_little(struct test_server *s, int fd)
{
    static const uint8_t zeros[1000000];
    (void)server_send(s, fd, r820t, sizeof r820t);
    (void)server_send(s, fd, zeros, sizeof zeros);
    while (s->bytes < 5 * RTL_TCP_COMMAND && server_take(s, fd, 20))
        continue; /* unread commands would reset the connection */
}

static void begin(void (*serve)(struct test_server *s, int fd))
{
    server_start(&server, serve);
    config = (struct source_config){.source = "rtl_tcp", .device = server.address};
    config.tuning.rate_hz = 2.4e6;
    config.tuning.center_hz = 100.5e6;
    strcpy(config.tuning.gain, "29.7");
    why = (struct reason){0};
}

static void must_open(void)
{
    if (source_create(&source, &source_rtl_tcp, &config, &why) < 0)
        fail_msg("cannot open: %s", why.sentence);
}

static void end(void)
{
    source_destroy(source);
    source = NULL;
    server_stop(&server);
}

static int64_t read_samples(void)
{
    int64_t got = 0;
    for (int tries = 0; tries < 600 && got == 0; tries++)
        got = source_rtl_tcp.read(source, block, SAMPLES, 100);
    return got;
}

static uint16_t number_of(int64_t sample)
{
    return (uint16_t)(block[2 * sample] | block[2 * sample + 1] << 8);
}

static void assert_command(enum rtl_tcp_command command, uint32_t value)
{
    const uint8_t bytes[] = {(uint8_t)command, (uint8_t)(value >> 24), (uint8_t)(value >> 16),
                             (uint8_t)(value >> 8), (uint8_t)value};
    if (!server_received(&server, bytes, sizeof bytes))
        fail_msg("no command %d with %u", command, (unsigned)value);
}

static void every_sample_arrives_in_order(void **state)
{
    (void)state;
    begin(serve_counter);
    must_open();
    assert_string_equal(strchr(source->stream.about, '('), "(R820T)");
    assert_int_equal(source->stream.format, FFT_IQ_CU8);
    assert_near(source->stream.full_scale, 127.5, 0);
    int64_t got = read_samples();
    assert_true(source->mark.set && source->mark.has_time);
    assert_int_equal(source->mark.lost, 0);
    uint16_t next = number_of(0);
    for (int blocks = 0; blocks < 200; blocks++, got = read_samples()) {
        assert_true(got > 0);
        for (int64_t i = 0; i < got; i++)
            assert_int_equal(number_of(i), next++);
    }
    end();
}

static void all_values_are_sent_at_the_start(void **state)
{
    (void)state;
    begin(serve_counter);
    config.tuning.ppm = 20;
    config.tuning.converter_hz = -125e6;
    strcpy(config.tuning.settings, "direct_samp=2,offset_tune=false");
    config.bias_tee = true;
    must_open();
    assert_command(RTL_TCP_RATE, 2400000);
    assert_command(RTL_TCP_CORRECTION, 0);
    assert_command(RTL_TCP_DIRECT, 2);
    assert_command(RTL_TCP_OFFSET, 0);
    assert_command(RTL_TCP_GAIN_MODE, 1);
    assert_command(RTL_TCP_GAIN, 297);
    assert_command(RTL_TCP_BIAS_TEE, 1);
    assert_command(RTL_TCP_CENTER, 225495490); /* 225.5 MHz / 1.00002 */
    assert_near(source->stream.tuning.center_hz, 100.5e6, 0);
    assert_near(source->stream.gain_db, 29.7, 0);
    source_destroy(source);
    source = NULL;
    assert_command(RTL_TCP_BIAS_TEE, 0);
    server_stop(&server);
}

static void a_new_centre_is_a_mark_after_which_samples_settle(void **state)
{
    (void)state;
    begin(serve_counter);
    must_open();
    assert_true(read_samples() > 0);
    source->mark = (struct source_mark){0};
    struct tuning want = config.tuning;
    want.center_hz = 433.92e6;
    strcpy(want.gain, "auto");
    assert_int_equal(source_rtl_tcp.tune(source, &want), 0);
    assert_command(RTL_TCP_CENTER, 433920000);
    assert_command(RTL_TCP_GAIN_MODE, 0);
    assert_true(read_samples() > 0);
    assert_true(source->mark.set && source->mark.tuning_changed && source->mark.has_time);
    assert_int_equal(source->mark.cause, LOSS_RETUNE);
    assert_true(source->mark.lost >= 480000); /* 0.2 s */
    assert_near(source->stream.tuning.center_hz, 433.92e6, 0);
    assert_true(isnan(source->stream.gain_db));
    want.rate_hz = 1.024e6;
    assert_int_equal(source_rtl_tcp.tune(source, &want), -EAGAIN);
    end();
}

static void assert_refused(int err, const char *words)
{
    assert_int_equal(source_create(&source, &source_rtl_tcp, &config, &why), err);
    if (!strstr(why.sentence, words))
        fail_msg("\"%s\" does not say \"%s\"", why.sentence, words);
}

static void values_that_the_radio_has_not_are_refused(void **state)
{
    (void)state;
    begin(serve_counter);
    config.tuning.rate_hz = 500e3;
    assert_refused(-EINVAL, "rate 500k: an RTL-SDR takes whole numbers from 225001 to 300000");
    config.tuning.rate_hz = 2.4e6;
    strcpy(config.tuning.gain, "60");
    assert_refused(-EINVAL, "gain 60 dB: the R820T of 127.0.0.1:");
    strcpy(config.tuning.gain, "LNA=20");
    assert_refused(-EINVAL, "gain LNA=20: rtl_tcp takes auto or dB");
    strcpy(config.tuning.gain, "auto");
    config.tuning.center_hz = 5e9;
    assert_refused(-EINVAL, "center 5G: rtl_tcp takes 0 to 4294967295 Hz");
    config.tuning.center_hz = 100e6;
    strcpy(config.tuning.settings, "direct=1");
    assert_refused(-EINVAL, "setting direct: rtl_tcp has digital_agc, direct_samp");
    strcpy(config.tuning.settings, "direct_samp=3");
    assert_refused(-EINVAL, "setting direct_samp=3: rtl_tcp takes 0 to 2");
    config.tuning.settings[0] = '\0';
    config.format = "cs16";
    assert_refused(-EINVAL, "format cs16: rtl_tcp has cu8");
    config.format = NULL;
    config.device = "driver=rtlsdr";
    assert_refused(-EINVAL, "device 'driver=rtlsdr': source rtl_tcp takes HOST:PORT");
    server_stop(&server);
}

static void servers_that_are_none_are_named(void **state)
{
    char closed[32];
    (void)state;
    begin(serve_http);
    assert_refused(-EPROTO, "is no rtl_tcp server: it begins with 'HTTP/1.1 400' instead of RTL0");
    server_stop(&server);
    begin(serve_banner);
    assert_refused(-EPROTO, "it begins with 'SSH-2.0\\x0d\\x0a' instead of RTL0");
    server_stop(&server);
    begin(serve_short_banner);
    assert_refused(-EPROTO, "it begins with '220 x\\x0d\\x0a' instead of RTL0");
    server_stop(&server);
    begin(serve_nothing);
    assert_refused(-ECONNRESET, "ended the connection");
    server_stop(&server);
    strcpy(closed, server.address);
    config.device = closed;
    assert_refused(-ECONNREFUSED, "127.0.0.1:");
    assert_non_null(strstr(why.sentence, ": Connection refused"));
}

static void a_server_that_ends_is_an_error_after_its_samples(void **state)
{
    (void)state;
    begin(serve_a_little);
    config.tuning.rate_hz = 225001;
    must_open();
    int64_t got, all = 0;
    while ((got = read_samples()) > 0)
        all += got;
    assert_true(all > 0);
    assert_int_equal(got, -ECONNRESET);
    assert_non_null(strstr(source->why.sentence, "ended the connection"));
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_sample_arrives_in_order),
        cmocka_unit_test(all_values_are_sent_at_the_start),
        cmocka_unit_test(a_new_centre_is_a_mark_after_which_samples_settle),
        cmocka_unit_test(values_that_the_radio_has_not_are_refused),
        cmocka_unit_test(servers_that_are_none_are_named),
        cmocka_unit_test(a_server_that_ends_is_an_error_after_its_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
