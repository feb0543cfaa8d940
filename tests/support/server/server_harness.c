/*
 * server_harness.c - runs the real server and line ring without a radio, for tests in JavaScript.
 *
 *     server_harness [listen=127.0.0.1:0] [n=1024] [max_clients=8] [token=...] ...
 *
 * A thread makes lines in place of the dsp thread. Line k has 0 dB in bin k % n of every detector
 * and -90 dB in the other bins. With noise=1 a line is noise, which does not compress. The program
 * writes these lines to standard output:
 *
 *     url http://127.0.0.1:41000/    once it listens (else an error on standard error and exit 1)
 *     ok                             after each command
 *     apply CENTER N GAIN            after a browser changed a setting
 *
 * Commands on standard input:
 *
 *     lines COUNT      publishes COUNT lines; "ok" follows when the server has read them
 *     rate HZ          publishes lines at this rate; 0 stops
 *     tune HZ          gives the following lines this centre and a new epoch
 *     state NUMBER     sets the state, a value of enum source_state
 *     close            closes the line ring
 *     drained          prints "drained 0" or "drained 1" before "ok"
 *     stop, or the end of the input    ends the program
 */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/base/reason.h"
#include "daemon/server/server.h"
#include "tests/support/server/lines.h"

struct harness {
    uv_loop_t loop;
    uv_async_t wake_up;
    uv_poll_t input;
    struct server *server;
    struct radio_control control;
    struct server_options options;
    struct status status;
    char input_text[4096];
    size_t input_size;

    struct line_ring *ring;
    uv_thread_t thread;
    uv_mutex_t lock; /* protects the members below */
    uv_cond_t changed;
    uint32_t n, detectors, noise, lease_s, epoch;
    uint64_t requested, started, published; /* lines: requested, started, published */
    double rate_hz, center_hz;
    bool stop;
};

static struct harness h;

/* ---- the thread that makes lines -------------------------------------------------------- */

static void make_line(uint64_t number, double center_hz, uint32_t epoch)
{
    struct line *line = line_ring_acquire(h.ring, 1000);
    if (!line)
        return; /* no free block: the line is lost, as in real time */
    describe_line(line, number);
    line->tuning.center_hz = center_hz;
    line->epoch = epoch;
    if (h.noise) {
        fill_with_noise(line, (unsigned)number);
    } else {
        fill_line(line, 1e-9F);
        add_tone(line, (uint32_t)(number % line->n), 1);
    }
    line_reset_pyramids(line);
    line_ring_publish(h.ring, line);
}

/* Waits until a line is due. Returns false to stop. The caller holds the lock. */
static bool wait_for_work(void)
{
    while (!h.stop && h.started == h.requested) {
        if (h.rate_hz <= 0) {
            uv_cond_wait(&h.changed, &h.lock);
        } else if (uv_cond_timedwait(&h.changed, &h.lock, (uint64_t)(1e9 / h.rate_hz)) ==
                   UV_ETIMEDOUT) {
            h.requested++;
        }
    }
    return !h.stop;
}

static void make_lines(void *unused)
{
    (void)unused;
    uv_mutex_lock(&h.lock);
    while (wait_for_work()) {
        const uint64_t number = h.started++;
        const double center_hz = h.center_hz;
        const uint32_t epoch = h.epoch;
        uv_mutex_unlock(&h.lock);
        make_line(number, center_hz, epoch);
        uv_mutex_lock(&h.lock);
        h.published = h.started;
        uv_cond_broadcast(&h.changed);
    }
    uv_mutex_unlock(&h.lock);
}

/* ---- callbacks of the server ------------------------------------------------------------ */

static void on_status(void *user, struct status *out)
{
    (void)user;
    *out = h.status;
}

static int on_apply(void *user, const struct settings *wanted, struct reason *why)
{
    (void)user;
    if (wanted->tuning.center_hz > 6e9) {
        snprintf(why->sentence, sizeof why->sentence, "center_hz: the radio ends at 6 GHz");
        return -EINVAL;
    }
    h.status.settings = *wanted;
    printf("apply %.0f %u %s\n", wanted->tuning.center_hz, wanted->n, wanted->tuning.gain);
    return 0;
}

static void on_wake_up(uv_async_t *wake_up)
{
    (void)wake_up;
    server_on_lines(h.server);
}

static void wake_loop(void *user)
{
    (void)user;
    uv_async_send(&h.wake_up);
}

/* ---- commands --------------------------------------------------------------------------- */

static void stop_all(void)
{
    uv_mutex_lock(&h.lock);
    h.stop = true;
    uv_cond_broadcast(&h.changed);
    uv_mutex_unlock(&h.lock);
    uv_close((uv_handle_t *)&h.input, NULL);
    uv_close((uv_handle_t *)&h.wake_up, NULL);
    server_stop(h.server);
}

/* Waits until all requested lines are published, and lets the server read them. */
static void wait_for_lines(void)
{
    uv_mutex_lock(&h.lock);
    while (h.published < h.requested)
        uv_cond_wait(&h.changed, &h.lock);
    uv_mutex_unlock(&h.lock);
    server_on_lines(h.server);
}

static void run_command(const char *command)
{
    char word[16];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(command, " "), command);
    const double number = strtod(command + strlen(word), NULL);
    uv_mutex_lock(&h.lock);
    if (strcmp(word, "lines") == 0)
        h.requested += (uint64_t)number;
    else if (strcmp(word, "rate") == 0)
        h.rate_hz = number;
    else if (strcmp(word, "state") == 0)
        h.status.state = (enum source_state)number;
    else if (strcmp(word, "tune") == 0) {
        h.center_hz = number;
        h.epoch++;
    }
    uv_cond_broadcast(&h.changed);
    uv_mutex_unlock(&h.lock);
    if (strcmp(word, "lines") == 0)
        wait_for_lines();
    if (strcmp(word, "close") == 0)
        line_ring_close(h.ring);
    if (strcmp(word, "drained") == 0)
        printf("drained %d\n", server_drained(h.server));
    printf("ok\n");
    if (strcmp(word, "stop") == 0)
        stop_all();
}

static void on_input(uv_poll_t *input, int status, int events)
{
    (void)status;
    (void)events;
    const ssize_t got =
        read(0, h.input_text + h.input_size, sizeof h.input_text - 1 - h.input_size);
    if (got <= 0) {
        stop_all();
        return;
    }
    h.input_size += (size_t)got;
    h.input_text[h.input_size] = '\0';
    char *end;
    while (!uv_is_closing((uv_handle_t *)input) && (end = strchr(h.input_text, '\n'))) {
        *end = '\0';
        run_command(h.input_text);
        h.input_size -= (size_t)(end + 1 - h.input_text);
        memmove(h.input_text, end + 1, h.input_size + 1);
    }
}

/* ---- start and end ---------------------------------------------------------------------- */

static void parse_argument(const char *argument)
{
    struct server_options *o = &h.options;
    const char *value = strchr(argument, '=');
    const size_t length = value ? (size_t)(value - argument) : 0;
    const struct {
        const char *name;
        const char **text;
        uint32_t *number;
    } names[] = {
        {"listen", &o->listen, NULL},
        {"socket_group", &o->socket_group, NULL},
        {"socket_mode", &o->socket_mode, NULL},
        {"token", &o->token, NULL},
        {"token_file", &o->token_file, NULL},
        {"web_root", &o->web_root, NULL},
        {"allow_origin", &o->allow_origin, NULL},
        {"allow_host", &o->allow_host, NULL},
        {"max_clients", NULL, &o->max_clients},
        {"max_views", NULL, &o->max_views},
        {"ping_s", NULL, &o->ping_s},
        {"handshake_s", NULL, &o->handshake_s},
        {"n", NULL, &h.n},
        {"detectors", NULL, &h.detectors},
        {"noise", NULL, &h.noise},
        {"lease_s", NULL, &h.lease_s},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strlen(names[i].name) != length || strncmp(argument, names[i].name, length) != 0)
            continue;
        if (names[i].text)
            *names[i].text = value + 1;
        else
            *names[i].number = (uint32_t)strtoul(value + 1, NULL, 10);
        return;
    }
    fprintf(stderr, "server_harness: unknown argument %s\n", argument);
    exit(2);
}

static void parse_arguments(int argc, char **argv)
{
    h.options = (struct server_options){
        .enabled = true, .listen = "127.0.0.1:0", .max_clients = 8, .max_views = 4};
    h.n = 1024;
    h.detectors = all_detectors;
    for (int i = 1; i < argc; i++)
        parse_argument(argv[i]);
    h.center_hz = 100e6;
    h.status = (struct status){
        .state = SOURCE_RUNNING,
        .source = "none",
        .stream = {.tuning = {.center_hz = 100e6, .rate_hz = 2.4e6}, .gain_db = NAN},
        .dsp = {.engine = "none",
                .window = "hann",
                .n = h.n,
                .hop = h.n / 2,
                .enbw_bins = 1.5,
                .line_rate_hz = 20},
        .settings = {.tuning = {.center_hz = 100e6, .rate_hz = 2.4e6, .gain = "auto"},
                     .n = h.n,
                     .overlap = 50,
                     .window = {FFT_WINDOW_HANN, 0},
                     .line_rate_hz = 20,
                     .detectors_unread = FFT_DETECTOR_SAMPLE}};
}

static int start(void)
{
    struct reason why = {0};
    if (uv_loop_init(&h.loop) || uv_mutex_init(&h.lock) || uv_cond_init(&h.changed) ||
        line_ring_create(&h.ring, wake_loop, NULL) ||
        line_ring_configure(h.ring, &(struct line_shape){.n = h.n, .detectors = h.detectors}))
        return 2;
    const struct radio_hooks radio = {.status = on_status, .apply = on_apply};
    const struct server_hooks hooks = {.loop = &h.loop, .lines = h.ring, .control = &h.control};
    if (radio_control_init(&h.control, &radio, h.lease_s, NULL))
        return 2;
    if (server_start(&h.server, &h.options, &hooks, &why)) {
        fprintf(stderr, "%s\n", why.sentence);
        line_ring_destroy(h.ring);
        radio_control_finish(&h.control);
        return uv_loop_close(&h.loop) ? 3 : 1; /* 3: a handle was left open */
    }
    uv_async_init(&h.loop, &h.wake_up, on_wake_up);
    uv_poll_init(&h.loop, &h.input, 0);
    uv_poll_start(&h.input, UV_READABLE, on_input);
    uv_thread_create(&h.thread, make_lines, NULL);
    return 0;
}

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    signal(SIGPIPE, SIG_IGN);
    parse_arguments(argc, argv);
    const int err = start();
    if (err)
        return err;
    printf("url %s\n", server_url(h.server));
    uv_run(&h.loop, UV_RUN_DEFAULT);
    uv_thread_join(&h.thread);
    server_destroy(h.server);
    radio_control_finish(&h.control);
    line_ring_destroy(h.ring);
    uv_cond_destroy(&h.changed);
    uv_mutex_destroy(&h.lock);
    return uv_loop_close(&h.loop) ? 3 : 0; /* 3: a handle was left open */
}
