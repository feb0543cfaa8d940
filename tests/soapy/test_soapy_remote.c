/*
 * test_soapy_remote.c - the test radio behind a SoapySDRServer on loopback. Run by with_mdns.sh.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/support/soapy/soapy_support.h"

static struct test_radio r;
static pid_t server;
static uint16_t port;

/* ---- the server ------------------------------------------------------------------------- */

static struct sockaddr_in loopback(uint16_t number)
{
    return (struct sockaddr_in){.sin_family = AF_INET,
                                .sin_port = htons(number),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static uint16_t free_port(void)
{
    struct sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, size), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &size), 0);
    close(fd);
    return ntohs(address.sin_port);
}

static bool listens(void)
{
    const struct sockaddr_in address = loopback(port);
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const bool yes = connect(fd, (const struct sockaddr *)&address, sizeof address) == 0;
    close(fd);
    return yes;
}

static bool server_start(void)
{
    char name[] = "SoapySDRServer", bind_to[64], *argv[] = {name, bind_to, NULL};
    snprintf(bind_to, sizeof bind_to, "--bind=tcp://127.0.0.1:%u", port);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", 1 /* O_WRONLY */, 0);
    const int err = posix_spawnp(&server, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    for (int tries = 0; err == 0 && tries < 600; tries++) {
        if (listens())
            return true;
        nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    }
    return false;
}

static void server_kill(void)
{
    if (server > 0) {
        kill(server, SIGKILL);
        waitpid(server, NULL, 0);
    }
    server = 0;
}

static int begin(void **state)
{
    port = free_port();
    return support_begin(state) || !server_start();
}

static int end(void **state)
{
    server_kill();
    return support_end(state);
}

/* ---- the radio behind it ---------------------------------------------------------------- */

static void remote_init(const char *protocol, const char *more)
{
    static char device[256], stream_args[64];
    faults("");
    radio_init(&r, "");
    snprintf(device, sizeof device,
             "driver=remote,remote=tcp://127.0.0.1:%u,remote:driver=fftdtest%s", port, more);
    snprintf(stream_args, sizeof stream_args, "remote:prot=%s", protocol);
    r.config.device = device;
    r.config.stream_args = stream_args;
    r.counting = strstr(more, "counter") != NULL;
}

/* The driver allows a busy server 0.1 s to answer; the daemon would retry too. */
static void remote_must_open(void)
{
    for (int tries = 0; tries < 60 && radio_open(&r) == -ENODEV; tries++)
        nanosleep(&(struct timespec){.tv_nsec = 500000000}, NULL);
    if (!r.source)
        fail_msg("cannot open: %s", r.why.sentence);
}

static void tone_and_settings_pass_through_the_server(void **state)
{
    (void)state;
    remote_init("udp", "");
    strcpy(r.config.tuning.gain, "LNA=20,TIA=8");
    strcpy(r.config.tuning.antenna, "RX2");
    remote_must_open();
    assert_near(r.source->stream.full_scale, 2048, 0);
    assert_string_equal(r.source->stream.tuning.gain, "LNA=20,TIA=8");
    assert_string_equal(r.source->stream.tuning.antenna, "RX2");
    assert_near(radio_level(&r, 250e3), -6.02, 0.02);
    struct tuning want = r.config.tuning;
    want.center_hz = 100.5e6;
    assert_int_equal(source_soapy.tune(r.source, &want), 0);
    radio_read_until(&r, LOSS_RETUNE);
    assert_near(radio_level(&r, -250e3), -6.02, 0.02);
    radio_close(&r);
}

/* A slow machine loses samples and must count them. */
static void is_read_and_accounted_for(const char *protocol, double rate_hz)
{
    remote_init(protocol, ",remote:signal=counter");
    r.config.tuning.rate_hz = rate_hz;
    remote_must_open();
    /* The server reads as soon as the stream is set up, so it may have started earlier. */
    r.counting = false;
    radio_read_all(&r, 1);
    const uint16_t *iq = (const uint16_t *)(const void *)r.block;
    r.next = (iq[0] | (uint32_t)iq[1] << 16) + (uint32_t)r.delivered;
    r.counting = true;
    radio_read_all(&r, (uint64_t)(1.5 * rate_hz));
    print_message("%s %.2f MS/s: %llu samples, lost %llu by overflow, %llu by gaps\n", protocol,
                  rate_hz / 1e6, (unsigned long long)r.delivered,
                  (unsigned long long)r.lost[LOSS_OVERFLOW], (unsigned long long)r.lost[LOSS_GAP]);
    radio_close(&r);
}

static void every_sample_over_udp_is_accounted_for(void **state)
{
    (void)state;
    is_read_and_accounted_for("udp", 2.4e6);
    is_read_and_accounted_for("udp", 20e6);
    is_read_and_accounted_for("udp", 61.44e6);
}

static void every_sample_over_tcp_is_accounted_for(void **state)
{
    (void)state;
    is_read_and_accounted_for("tcp", 2.4e6);
    is_read_and_accounted_for("tcp", 20e6);
}

static void an_overflow_at_the_far_end_is_counted(void **state)
{
    (void)state;
    remote_init("udp", "");
    remote_must_open();
    radio_read_all(&r, 100000);
    faults("code -4 240000");
    radio_read_until(&r, LOSS_OVERFLOW);
    assert_true(r.lost[LOSS_OVERFLOW] >= 240000);
    radio_close(&r);
}

static void a_killed_server_is_lost_and_reconnected(void **state)
{
    (void)state;
    remote_init("udp", "");
    remote_must_open();
    radio_read_all(&r, 100000);
    server_kill();
    const time_t until = time(NULL) + 60;
    int64_t got;
    do
        got = radio_read(&r, BLOCK, 100);
    while (got >= 0 && time(NULL) < until);
    assert_int_equal(got, -EIO); /* starting the silent stream again fails */
    radio_close(&r);
    assert_int_equal(radio_open(&r), -ENODEV);
    assert_true(server_start());
    remote_must_open();
    radio_read_all(&r, 100000);
    radio_close(&r);
}

static struct test_radio stuck;
static atomic_bool returned;

static void *read_for_ever(void *unused)
{
    (void)unused;
    while (radio_read(&stuck, BLOCK, 100) >= 0)
        ;
    returned = true;
    return NULL;
}

/*
 * Over TCP the driver may loop in recv() for ever after its server has died. Its reader is then
 * abandoned. SoapySDR has one object for each radio, so the next source gets the dead connection
 * too: it must report that and not hang.
 */
static void a_server_killed_over_tcp_does_not_block_other_sources(void **state)
{
    (void)state;
    pthread_t thread;
    remote_init("tcp", "");
    remote_must_open();
    radio_read_all(&r, 100000);
    stuck = r;
    assert_int_equal(pthread_create(&thread, NULL, read_for_ever, NULL), 0);
    pthread_detach(thread);
    server_kill();
    nanosleep(&(struct timespec){.tv_sec = 3}, NULL);
    assert_true(server_start());
    const bool abandoned = !returned;
    if (!abandoned)
        radio_close(&stuck);
    r.source = NULL;
    int err = radio_open(&r);
    for (int tries = 0; tries < 60 && err == -ENODEV; tries++) {
        nanosleep(&(struct timespec){.tv_nsec = 500000000}, NULL);
        err = radio_open(&r);
    }
    print_message("the reader %s; the next one: %s\n", abandoned ? "is stuck" : "returned",
                  err ? r.why.sentence : "opened");
    if (!abandoned)
        assert_int_equal(err, 0);
    else if (err)
        assert_int_equal(err, -EBUSY);
    radio_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tone_and_settings_pass_through_the_server),
        cmocka_unit_test(every_sample_over_udp_is_accounted_for),
        cmocka_unit_test(every_sample_over_tcp_is_accounted_for),
        cmocka_unit_test(an_overflow_at_the_far_end_is_counted),
        cmocka_unit_test(a_killed_server_is_lost_and_reconnected),
        cmocka_unit_test(a_server_killed_over_tcp_does_not_block_other_sources),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
