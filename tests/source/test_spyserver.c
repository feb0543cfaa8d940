/* test_spyserver.c - the source spyserver against servers that keep the protocol, and that do not.
 */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "daemon/source/source.h"
#include "daemon/source/spyserver/spyserver_protocol.h"
#include "tests/support/source/server_support.h"

extern const struct source_ops source_spyserver;

enum { SAMPLES = 10000, PART = 3000, PROTOCOL = 2 << 24 | 1700 };
static struct test_server server;
static struct source_config config;
static struct source *source;
static struct reason why;
static uint32_t block[SAMPLES];

/* What the next server does. */
static struct script {
    uint32_t protocol, digital_gain, forced_format, may_control, type, size;
    uint32_t skip_every;      /* messages; 0: none is missing */
    uint32_t other_center_hz; /* another client tunes after 2000 messages */
    uint32_t other_rate_hz;   /* the radio is exchanged after 2000 messages */
    uint32_t sync_bytes;      /* 0: as many as there are */
    bool silent;
} script;

static void put_32(uint8_t *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static bool send_header(struct test_server *s, int fd, uint32_t type, uint32_t sequence,
                        uint32_t size)
{
    uint8_t head[SPYSERVER_HEADER];
    const uint32_t numbers[] = {script.protocol, type, 1, sequence, size};
    for (size_t i = 0; i < 5; i++)
        put_32(head + 4 * i, numbers[i]);
    return server_send(s, fd, head, sizeof head);
}

static bool send_message(struct test_server *s, int fd, uint32_t type, uint32_t sequence,
                         const void *body, uint32_t size)
{
    return send_header(s, fd, type, sequence, size) && server_send(s, fd, body, size);
}

/* An Airspy of 10 MS/s, with 4 stages of decimation and 21 steps of gain. */
static bool send_device(struct test_server *s, int fd, uint32_t rate_hz)
{
    const uint32_t numbers[] = {1,  0xABCD1234, rate_hz,    8000000, 4, 1,
                                21, 24000000,   1800000000, 12,      0, script.forced_format};
    uint8_t body[SPYSERVER_DEVICE];
    for (size_t i = 0; i < 12; i++)
        put_32(body + 4 * i, numbers[i]);
    return send_message(s, fd, SPYSERVER_MESSAGE_DEVICE, 0, body, sizeof body);
}

static bool send_sync(struct test_server *s, int fd, uint32_t center_hz)
{
    const uint32_t numbers[] = {script.may_control, 3,         center_hz, center_hz, center_hz,
                                96000000,           104000000, 96000000,  104000000};
    uint8_t body[SPYSERVER_SYNC];
    for (size_t i = 0; i < 9; i++)
        put_32(body + 4 * i, numbers[i]);
    return send_message(s, fd, SPYSERVER_MESSAGE_SYNC, 0, body,
                        script.sync_bytes ? script.sync_bytes : sizeof body);
}

/* Sample n is n, in parts of PART samples; of a missing message the samples are missing. */
static bool send_samples(struct test_server *s, int fd, uint32_t message)
{
    static uint8_t body[4 * PART];
    const uint32_t skip = script.skip_every;
    if (skip && message % skip == skip - 1)
        return true;
    for (uint32_t i = 0; i < PART; i++)
        put_32(body + 4 * i, message * PART + i);
    const uint32_t type = script.type | script.digital_gain << 16;
    if (script.size) { /* more than the protocol allows, and none of them comes */
        send_header(s, fd, type, message, script.size);
        return server_take(s, fd, 100);
    }
    return send_message(s, fd, type, message, body, sizeof body);
}

static void serve(struct test_server *s, int fd)
{
    bool more = send_device(s, fd, 10000000) && send_sync(s, fd, 100000000);
    while (script.silent && more)
        more = server_take(s, fd, 10);
    for (uint32_t message = 0; more && server_take(s, fd, 0); message++) {
        more = send_samples(s, fd, message);
        if (more && script.other_center_hz && message == 2000)
            more = send_sync(s, fd, script.other_center_hz);
        if (more && script.other_rate_hz && message == 2000)
            more = send_device(s, fd, script.other_rate_hz);
    }
}

static void serve_text(struct test_server *s, int fd)
{
    static const char text[] = "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n";
    (void)server_send(s, fd, text, strlen(text));
}

static void serve_banner(struct test_server *s, int fd)
{
    (void)server_send(s, fd, "SSH-2.0-x\r\n", 11);
}

static void serve_nobody(struct test_server *s, int fd)
{
    (void)server_take(s, fd, 1000);
}

static const struct script honest = {
    .protocol = PROTOCOL, .may_control = 1, .type = SPYSERVER_MESSAGE_INT16};

static void begin(void (*what)(struct test_server *s, int fd))
{
    server_start(&server, what);
    config = (struct source_config){.source = "spyserver", .device = server.address};
    config.tuning.rate_hz = 2.5e6;
    config.tuning.center_hz = 101e6;
    why = (struct reason){0};
}

static void must_open(void)
{
    if (source_create(&source, &source_spyserver, &config, &why) < 0)
        fail_msg("cannot open: %s", why.sentence);
}

static void end(void)
{
    source_destroy(source);
    source = NULL;
    server_stop(&server);
    script = honest;
}

static int64_t read_samples(void)
{
    int64_t got = 0;
    for (int tries = 0; tries < 600 && got == 0; tries++)
        got = source_spyserver.read(source, block, SAMPLES, 100);
    return got;
}

static void assert_setting(enum spyserver_setting setting, uint32_t value)
{
    uint8_t bytes[16];
    put_32(bytes, 2);
    put_32(bytes + 4, 8);
    put_32(bytes + 8, setting);
    put_32(bytes + 12, value);
    if (!server_received(&server, bytes, sizeof bytes))
        fail_msg("setting %d was not set to %u", setting, (unsigned)value);
}

/* Reads blocks; each sample follows the one before it and the losses of the marks. */
static uint64_t read_counted(int blocks)
{
    uint32_t next = 0;
    uint64_t lost = 0;
    for (int i = 0; i < blocks; i++) {
        const int64_t got = read_samples();
        if (got <= 0)
            fail_msg("%s", source->why.sentence);
        if (i > 0 && source->mark.set) {
            assert_int_equal(source->mark.cause, LOSS_OVERFLOW);
            next += (uint32_t)source->mark.lost;
            lost += source->mark.lost;
        }
        next = i == 0 ? block[0] : next;
        source->mark = (struct source_mark){0};
        for (int64_t k = 0; k < got; k++)
            assert_int_equal(block[k], next++);
    }
    return lost;
}

static void every_sample_arrives_in_order(void **state)
{
    static const uint8_t hello[] = {0, 0, 0, 0, 8, 0, 0, 0, 0xa4, 6, 0, 2, 'f', 'f', 't', 'd'};
    (void)state;
    begin(serve);
    must_open();
    assert_true(server_received(&server, hello, sizeof hello));
    assert_setting(SPYSERVER_STREAMING_MODE, 1);
    assert_setting(SPYSERVER_FORMAT, SPYSERVER_INT16);
    assert_setting(SPYSERVER_DECIMATION, 2);
    assert_setting(SPYSERVER_CENTER, 101000000);
    assert_setting(SPYSERVER_STREAMING, 1);
    assert_non_null(strstr(source->stream.about, "(Airspy)"));
    assert_string_equal(source->stream.serial, "ABCD1234");
    assert_int_equal(source->stream.format, FFT_IQ_CS16);
    assert_near(source->stream.full_scale, 32768, 0);
    assert_int_equal(read_counted(300), 0);
    end();
}

/* Messages 9, 19... are missing. The losses are many, and the line is one in 10 s. */
static void assert_one_line_of_a_loss(const char *text)
{
    char begins[64];
    unsigned came, expected;
    snprintf(begins, sizeof begins, "fftd: %s: message ", server.address);
    if (strncmp(text, begins, strlen(begins)) != 0 ||
        sscanf(text + strlen(begins), "%u came instead of %u", &came, &expected) != 2)
        fail_msg("no line of a loss: \"%s\"", text);
    assert_non_null(strstr(text, ": those between are lost; 1 since the last such message\n"));
    assert_int_equal(came, expected + 1);
    assert_int_equal(expected % 10, 9);
}

static void a_missing_message_is_a_loss_of_its_samples(void **state)
{
    (void)state;
    char text[4096] = "";
    FILE *log = tmpfile();
    assert_non_null(log);
    script.skip_every = 10;
    begin(serve);
    must_open();
    const int keep = dup(STDERR_FILENO);
    dup2(fileno(log), STDERR_FILENO);
    const uint64_t lost = read_counted(300);
    dup2(keep, STDERR_FILENO);
    close(keep);
    rewind(log);
    text[fread(text, 1, sizeof text - 1, log)] = '\0';
    fclose(log);
    assert_true(lost >= 10 * PART);
    assert_one_line_of_a_loss(text);
    end();
}

static void the_digital_gain_of_a_server_is_taken_off(void **state)
{
    (void)state;
    script.digital_gain = 20;
    begin(serve);
    must_open();
    assert_near(source->stream.full_scale, 327680, 0.01);
    end();
}

static void a_server_s_format_is_used(void **state)
{
    (void)state;
    script.forced_format = SPYSERVER_FLOAT;
    script.type = SPYSERVER_MESSAGE_FLOAT;
    begin(serve);
    must_open();
    assert_int_equal(source->stream.format, FFT_IQ_CF32);
    assert_near(source->stream.full_scale, 1, 0);
    end();
}

static void assert_refused(int err, const char *words)
{
    assert_int_equal(source_create(&source, &source_spyserver, &config, &why), err);
    if (!strstr(why.sentence, words))
        fail_msg("\"%s\" does not say \"%s\"", why.sentence, words);
}

static void values_that_the_server_has_not_are_refused(void **state)
{
    (void)state;
    begin(serve);
    config.tuning.rate_hz = 2.4e6;
    assert_refused(-EINVAL, "(Airspy) takes 10M, 5M, 2.5M, 1.25M, 625k");
    config.tuning.rate_hz = 2.5e6;
    config.tuning.center_hz = 2e9;
    assert_refused(-EINVAL, "(Airspy) takes 24M to 1.8G");
    config.tuning.center_hz = 100e6;
    strcpy(config.tuning.gain, "22");
    assert_refused(-EINVAL, "(Airspy) takes auto or steps, 0 to 21");
    config.tuning.gain[0] = '\0';
    config.format = "cs8";
    assert_refused(-EINVAL, "format cs8: a SpyServer has cu8, cs16, cf32");
    server_stop(&server);
    script.forced_format = SPYSERVER_FLOAT;
    begin(serve);
    config.format = "cs16";
    assert_refused(-EINVAL, "is set to format 4 of its protocol");
    server_stop(&server);
    script = honest;
}

static void a_client_without_control_tunes_within_the_band(void **state)
{
    (void)state;
    script.may_control = 0;
    begin(serve);
    config.tuning.center_hz = 433e6;
    assert_refused(-EINVAL, "takes 96M to 104M: another client controls the radio");
    config.tuning.center_hz = 103e6;
    strcpy(config.tuning.gain, "3");
    assert_refused(-EINVAL, "another client of SpyServer 127.0.0.1:");
    config.tuning.gain[0] = '\0';
    must_open();
    assert_setting(SPYSERVER_CENTER, 103000000);
    end();
}

static void a_new_centre_is_a_mark_after_which_samples_settle(void **state)
{
    (void)state;
    begin(serve);
    must_open();
    assert_true(read_samples() > 0);
    source->mark = (struct source_mark){0};
    struct tuning want = config.tuning;
    want.center_hz = 433.92e6;
    strcpy(want.gain, "5");
    assert_int_equal(source_spyserver.tune(source, &want), 0);
    assert_setting(SPYSERVER_CENTER, 433920000);
    assert_setting(SPYSERVER_GAIN, 5);
    assert_true(read_samples() > 0);
    assert_true(source->mark.set && source->mark.tuning_changed && source->mark.has_time);
    assert_int_equal(source->mark.cause, LOSS_RETUNE);
    assert_true(source->mark.lost >= 500000); /* 0.2 s */
    want.rate_hz = 5e6;
    assert_int_equal(source_spyserver.tune(source, &want), -EAGAIN);
    end();
}

static void the_centre_of_another_client_is_followed(void **state)
{
    (void)state;
    script.other_center_hz = 102500000;
    begin(serve);
    must_open();
    for (int i = 0; i < 100000 && !source->mark.tuning_changed; i++)
        assert_true(source_spyserver.read(source, block, SAMPLES, 100) >= 0);
    assert_true(source->mark.tuning_changed);
    assert_near(source->stream.tuning.center_hz, 102.5e6, 0);
    end();
}

/* What fftd does with the samples is not the server's to undo. */
static void an_inverted_spectrum_stays_so_when_another_client_tunes(void **state)
{
    (void)state;
    script.other_center_hz = 102500000;
    begin(serve);
    must_open();
    struct tuning want = config.tuning;
    want.invert = true;
    assert_int_equal(source_tune(source, &want), 0);
    config.tuning = want;
    source->mark = (struct source_mark){0};
    int64_t got = 0;
    for (int i = 0; i < 100000 && !source->mark.tuning_changed; i++) {
        got = source_read(source, block, SAMPLES, 100);
        assert_true(got >= 0);
    }
    assert_near(source->stream.tuning.center_hz, 102.5e6, 0);
    assert_true(source->stream.tuning.invert && got > 1);
    for (int64_t i = 1; i < got; i++) /* sample n is n: its halves are exchanged */
        assert_int_equal(
            (block[i] << 16 | block[i] >> 16) - (block[i - 1] << 16 | block[i - 1] >> 16), 1);
    end();
}

static void a_radio_that_is_exchanged_ends_the_stream(void **state)
{
    (void)state;
    for (int same = 0; same < 2; same++) {
        script.other_rate_hz = same ? 10000000 : 80000000;
        begin(serve);
        must_open();
        int64_t got = 0;
        for (int i = 0; i < (same ? 3000 : 100000) && got >= 0; i++)
            got = read_samples();
        if (same)
            assert_true(got > 0);
        else
            assert_int_equal(got, -EIO);
        assert_true(same || strstr(source->why.sentence, " has another radio now"));
        end();
    }
}

static void servers_that_lie_are_named(void **state)
{
    (void)state;
    begin(serve_text);
    assert_refused(-EPROTO, "is no SpyServer of protocol 2.0: a message of protocol 80.84");
    server_stop(&server);
    begin(serve_banner);
    assert_refused(-EPROTO, "is no SpyServer: it begins with 'SSH-2.0-x\\x0d\\x0a'");
    server_stop(&server);
    begin(serve_nobody);
    assert_refused(-ECONNRESET, "ended the connection at once: it may have all its clients");
    server_stop(&server);
    script.size = SPYSERVER_BODY_MAX + 1;
    begin(serve);
    assert_refused(-EPROTO, "a message of protocol 2.0 and 1048577 bytes");
    server_stop(&server);
    script = honest;
    script.type = SPYSERVER_MESSAGE_INT24;
    begin(serve);
    assert_refused(-EIO, "sends samples of another format (message 102)");
    server_stop(&server);
    script = honest;
    script.silent = true;
    begin(serve);
    assert_refused(-ETIMEDOUT, "sent no samples within 3 s");
    server_stop(&server);
    script = honest;
    script.digital_gain = 200;
    begin(serve);
    assert_refused(-EPROTO, "names a digital gain of 200 dB, which cannot be");
    server_stop(&server);
    script = honest;
    script.sync_bytes = 8;
    begin(serve);
    assert_refused(-EPROTO, "sent a state message of 8 bytes instead of 36");
    server_stop(&server);
    script = honest;
}

int main(void)
{
    script = honest;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_sample_arrives_in_order),
        cmocka_unit_test(a_missing_message_is_a_loss_of_its_samples),
        cmocka_unit_test(the_digital_gain_of_a_server_is_taken_off),
        cmocka_unit_test(a_server_s_format_is_used),
        cmocka_unit_test(values_that_the_server_has_not_are_refused),
        cmocka_unit_test(a_client_without_control_tunes_within_the_band),
        cmocka_unit_test(a_new_centre_is_a_mark_after_which_samples_settle),
        cmocka_unit_test(the_centre_of_another_client_is_followed),
        cmocka_unit_test(an_inverted_spectrum_stays_so_when_another_client_tunes),
        cmocka_unit_test(a_radio_that_is_exchanged_ends_the_stream),
        cmocka_unit_test(servers_that_lie_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
