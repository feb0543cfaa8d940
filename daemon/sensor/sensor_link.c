/* sensor_link.c - connects to the broker, sends, and waits for echoes. */
#include "daemon/sensor/sensor_link.h"
#include "daemon/base/reason.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/nats/link_broker.h"
#include "daemon/nats/link_retry.h"
#include "daemon/sensor/sensor_service.h"

enum {
    ECHO_EACH_MS = 1000,
    ECHO_MESSAGES = 16, /* earlier, if this many wait for it */
    ECHO_FIRST_MS = 2000,
    ECHO_LATE_MS = 5000,
    SUBJECT_MAX = 256,
    ECHO_TEXT = 40,
    FRAMES_AT_ONCE = 256
};

struct sensor_link {
    struct sensor_link_config config;
    char subject[1 + SENSOR_SERVICES][SUBJECT_MAX]; /* of echoes, and of each service */
    struct link_broker *broker;
    uv_thread_t thread;
    bool running;
    atomic_bool stop;
    atomic_ullong stop_ns; /* when the thread gives up what waits */

    /* used by the thread only */
    bool refused; /* by the broker: a right that the sensor needs */
    char refusal[LINK_REASON];
    bool late;                        /* no echo came */
    uint64_t sent, echoed, confirmed; /* ids: of the last message, of those asked for, confirmed */
    uint64_t echo_ns;                 /* when the last echo was asked for */
    struct link_retry retry;
};

/* ---- what the broker forbids ------------------------------------------------------------- */

/*
 * What a requester may cause is no reason to end the connection: a reply to a subject that is not
 * the sensor's, or a broker without rights for requests.
 */
static bool is_of_service(const struct sensor_link *l, const char *text)
{
    if (l->config.services == 0 || !strstr(text, "ermissions"))
        return false;
    const char *found = strstr(text, l->config.subject);
    const char *rest = found ? found + strlen(l->config.subject) : NULL;
    bool is = !found;
    for (unsigned i = 0; !is && i < l->config.services; i++) {
        const char *name = l->config.service[i].name;
        is = rest[0] == '.' && strncmp(rest + 1, name, strlen(name)) == 0;
    }
    return is;
}

static void note_refusal(struct sensor_link *l, const struct link_frame *f)
{
    char text[LINK_REASON];
    snprintf(text, sizeof text, "%.*s", (int)(f->size < sizeof text ? f->size : sizeof text - 1),
             (const char *)f->data);
    if (is_of_service(l, text))
        return;
    l->refused = true;
    memcpy(l->refusal, text, sizeof text);
}

/* ---- echoes ------------------------------------------------------------------------------ */

static void make_echo(const struct sensor_link *l, uint64_t id, char into[ECHO_TEXT])
{
    snprintf(into, ECHO_TEXT, "%u %llu", l->config.run, (unsigned long long)id);
}

static bool publish_echo(struct sensor_link *l, uint64_t id)
{
    char text[ECHO_TEXT];
    make_echo(l, id, text);
    return link_broker_publish(l->broker, LINK_FRAME_PUBLISH, l->subject[0], "", text,
                               strlen(text));
}

/*
 * What comes may be another client's: only what was asked for is an echo. Others would confirm what
 * the broker does not have.
 */
static bool is_echo(const struct sensor_link *l, const struct link_frame *f, uint64_t id)
{
    char text[ECHO_TEXT];
    make_echo(l, id, text);
    return f->size == strlen(text) && memcmp(f->data, text, f->size) == 0;
}

static void read_echo(struct sensor_link *l, const struct link_frame *f)
{
    if (l->echoed <= l->confirmed || !is_echo(l, f, l->echoed))
        return;
    l->confirmed = l->echoed;
    outbox_confirm(l->config.outbox, l->confirmed);
}

static bool is_echo_late(const struct sensor_link *l, uint64_t now)
{
    return l->echoed > l->confirmed && now > l->echo_ns + ECHO_LATE_MS * 1000000ULL;
}

static bool ask_for_echo(struct sensor_link *l)
{
    const uint64_t now = clock_now_ns();
    const bool soon = atomic_load(&l->stop) || l->sent - l->confirmed >= ECHO_MESSAGES;
    if (l->echoed > l->confirmed) {
        l->late = is_echo_late(l, now);
        return !l->late;
    }
    if (l->sent <= l->confirmed || (!soon && now < l->echo_ns + ECHO_EACH_MS * 1000000ULL))
        return true;
    l->echoed = l->sent;
    l->echo_ns = now;
    return publish_echo(l, l->sent);
}

/* ---- the connection ---------------------------------------------------------------------- */

static bool has_waiting(const struct sensor_link *l)
{
    struct outbox_state state;
    outbox_state(l->config.outbox, &state);
    return state.waiting > 0;
}

static bool is_over(void *user)
{
    const struct sensor_link *l = user;
    return atomic_load(&l->stop) && (!has_waiting(l) || clock_now_ns() >= atomic_load(&l->stop_ns));
}

static void take_frame(struct sensor_link *l, const struct link_frame *f)
{
    if (f->kind == LINK_FRAME_REFUSED)
        note_refusal(l, f);
    else if (f->kind != LINK_FRAME_MESSAGE)
        return;
    else if (f->id == 0)
        read_echo(l, f);
    else if (f->id <= l->config.services)
        sensor_service_take(&l->config.service[f->id - 1], f);
}

/* The first echo shows that the broker accepts this client, and what it needs to publish. */
static bool wait_for_echo(struct sensor_link *l)
{
    const uint64_t until = clock_after_ms(ECHO_FIRST_MS);
    struct link_frame f;
    int got = 0;
    while (got >= 0 && clock_now_ns() < until && !l->refused && !is_over(l)) {
        got = link_broker_next(l->broker, LINK_POLL_MS, &f);
        if (got > 0 && f.kind == LINK_FRAME_MESSAGE && f.id == 0 && is_echo(l, &f, 0))
            return true;
        if (got > 0)
            take_frame(l, &f);
    }
    l->late = got >= 0;
    return false;
}

static const char *why(const struct sensor_link *l)
{
    return l->refused ? l->refusal
           : l->late  ? "no echo from the broker"
                      : link_broker_why(l->broker);
}

static bool connect_link(struct sensor_link *l)
{
    l->refused = l->late = false;
    const bool up = link_broker_connect(l->broker, is_over, l);
    if (link_broker_accepted(l->broker))
        link_retry_opened(&l->retry);
    if (!up || !publish_echo(l, 0) || !wait_for_echo(l))
        return false;
    if (link_retry_connected(&l->retry))
        log_info("nats: publishing %s.> at %s", l->config.subject, l->config.options->url);
    l->echoed = l->confirmed;
    outbox_set_up(l->config.outbox, true);
    return true;
}

/* ---- sending and receiving --------------------------------------------------------------- */

static bool send_waiting(struct sensor_link *l, int timeout_ms)
{
    char subject[SUBJECT_MAX];
    const struct outbox_message *m;
    bool up = true;
    while (up && (m = outbox_next(l->config.outbox, timeout_ms))) {
        snprintf(subject, sizeof subject, "%s.%s", l->config.subject, outbox_kind_name(m->kind));
        up = link_broker_publish(l->broker, LINK_FRAME_PUBLISH, subject, "", m->data, m->size);
        l->sent = m->id;
        timeout_ms = 0;
    }
    return up;
}

static bool read_frames(struct sensor_link *l)
{
    struct link_frame f;
    int got = 1;
    for (int count = 0; got > 0 && count < FRAMES_AT_ONCE; count++) {
        got = link_broker_next(l->broker, 0, &f);
        if (got > 0)
            take_frame(l, &f);
    }
    return got >= 0 && !l->refused;
}

static bool send_replies(struct sensor_link *l)
{
    bool up = true;
    for (unsigned i = 0; up && i < l->config.services; i++)
        up = sensor_service_send(l->broker, l->config.service[i].replies);
    return up;
}

static bool serve_once(struct sensor_link *l)
{
    return send_waiting(l, LINK_POLL_MS) && ask_for_echo(l) && read_frames(l) && send_replies(l);
}

/* ---- the thread -------------------------------------------------------------------------- */

static void serve(struct sensor_link *l)
{
    bool up = connect_link(l);
    while (up && !is_over(l)) {
        up = serve_once(l);
        link_retry_holds(&l->retry);
    }
    outbox_set_up(l->config.outbox, false);
    link_broker_disconnect(l->broker);
    if (!up)
        link_retry_report(&l->retry, why(l));
    link_retry_wait(&l->retry, l->refused || link_broker_crashed(l->broker), &l->stop);
}

static void run(void *user)
{
    struct sensor_link *l = user;
    pthread_setname_np(pthread_self(), "nats");
    while (!is_over(l)) {
        serve(l);
        if (atomic_load(&l->stop))
            break; /* one try is enough for the last messages */
    }
}

/* ---- start and end ----------------------------------------------------------------------- */

static int create_broker(struct sensor_link *l)
{
    struct link_broker_config config = {.options = l->config.options,
                                        .name = l->config.subject,
                                        .subjects = 1 + l->config.services};
    for (unsigned i = 0; i < config.subjects; i++) {
        snprintf(l->subject[i], sizeof l->subject[i], "%s.%s", l->config.subject,
                 i == 0 ? "echo" : l->config.service[i - 1].name);
        config.subject[i] = l->subject[i];
    }
    return link_broker_create(&l->broker, &config);
}

int sensor_link_start(struct sensor_link **out, const struct sensor_link_config *config,
                      struct reason *why)
{
    struct sensor_link *l = calloc(1, sizeof *l);
    *out = NULL;
    if (!l)
        return -ENOMEM;
    l->config = *config;
    l->retry = (struct link_retry){.who = "nats",
                                   .url = config->options->url,
                                   .then = "fftd tries again, and folds lines meanwhile"};
    int err = link_check(config->options, why);
    if (err == 0)
        err = create_broker(l);
    if (err == 0)
        err = uv_thread_create(&l->thread, run, l);
    l->running = err == 0;
    if (err < 0) {
        sensor_link_destroy(l);
        return err;
    }
    *out = l;
    return 0;
}

void sensor_link_stop(struct sensor_link *l, int patience_ms)
{
    if (!l || !l->running)
        return;
    atomic_store(&l->stop_ns, clock_after_ms(patience_ms));
    atomic_store(&l->stop, true);
    outbox_wake(l->config.outbox);
    uv_thread_join(&l->thread);
    l->running = false;
}

void sensor_link_destroy(struct sensor_link *l)
{
    if (!l)
        return;
    sensor_link_stop(l, 0);
    link_broker_destroy(l->broker);
    free(l);
}
