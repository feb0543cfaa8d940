/* sensor_link.c - connects to the broker, sends, and waits for echoes. */
#include "daemon/sensor/sensor_link.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/nats/link.h"
#include "daemon/sensor/sensor_service.h"

enum {
    ECHO_EACH_MS = 1000,
    ECHO_MESSAGES = 16, /* earlier, if this many wait for it */
    ECHO_FIRST_MS = 2000,
    ECHO_LATE_MS = 5000,
    SUBJECT_MAX = 256,
    ECHO_TEXT = 40
};

struct sensor_link {
    struct sensor_link_config config;
    char subject[1 + SENSOR_SERVICES][SUBJECT_MAX]; /* of echoes, and of each service */
    struct link link;
    atomic_ullong stop_ns; /* when the thread gives up what waits */

    /* used by the thread only */
    bool greeted;                     /* the first echo came */
    bool late;                        /* no echo came */
    uint64_t sent, echoed, confirmed; /* ids: of the last message, of those asked for, confirmed */
    uint64_t echo_ns;                 /* when the last echo was asked for */
};

/* ---- what the broker forbids ------------------------------------------------------------- */

/*
 * What a requester may cause is no reason to end the connection: a reply to a subject that is not
 * the sensor's, or a broker without rights for requests.
 */
static bool bears(void *user, const char *text)
{
    const struct sensor_link *l = user;
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

/* ---- echoes ------------------------------------------------------------------------------ */

static void make_echo(const struct sensor_link *l, uint64_t id, char into[ECHO_TEXT])
{
    snprintf(into, ECHO_TEXT, "%u %llu", l->config.run, (unsigned long long)id);
}

static bool publish_echo(struct sensor_link *l, uint64_t id)
{
    char text[ECHO_TEXT];
    make_echo(l, id, text);
    return link_broker_publish(l->link.broker, LINK_FRAME_PUBLISH, l->subject[0], "", text,
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
    l->greeted = l->greeted || is_echo(l, f, 0);
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
    const bool soon = atomic_load(&l->link.ends) || l->sent - l->confirmed >= ECHO_MESSAGES;
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

static bool is_done(void *user)
{
    const struct sensor_link *l = user;
    return !has_waiting(l) || clock_now_ns() >= atomic_load(&l->stop_ns);
}

static void take(void *user, const struct link_frame *f)
{
    struct sensor_link *l = user;
    if (f->kind != LINK_FRAME_MESSAGE)
        return;
    if (f->id == 0)
        read_echo(l, f);
    else if (f->id <= l->config.services)
        sensor_service_take(&l->config.service[f->id - 1], f);
}

/* The first echo shows that the broker accepts this client, and what it needs to publish. */
static bool wait_for_echo(struct sensor_link *l)
{
    const uint64_t until = clock_after_ms(ECHO_FIRST_MS);
    bool up = true;
    while (up && !l->greeted && clock_now_ns() < until && !link_is_over(&l->link))
        up = link_read(&l->link, LINK_POLL_MS);
    l->late = up && !l->greeted;
    return up && l->greeted;
}

static const char *why_ended(void *user, const char *broker)
{
    const struct sensor_link *l = user;
    return l->late ? "no echo from the broker" : broker;
}

static void prepare(void *user)
{
    struct sensor_link *l = user;
    l->late = l->greeted = false;
}

static bool opened(void *user)
{
    struct sensor_link *l = user;
    if (!publish_echo(l, 0) || !wait_for_echo(l))
        return false;
    if (link_retry_connected(&l->link.retry))
        log_info("nats: publishing %s.> at %s", l->config.subject, l->config.options->url);
    l->echoed = l->confirmed;
    outbox_set_up(l->config.outbox, true);
    return true;
}

static void closed(void *user)
{
    const struct sensor_link *l = user;
    outbox_set_up(l->config.outbox, false);
}

/* ---- sending and receiving --------------------------------------------------------------- */

static bool send_waiting(struct sensor_link *l, int timeout_ms)
{
    char subject[SUBJECT_MAX];
    const struct outbox_message *m;
    bool up = true;
    while (up && (m = outbox_next(l->config.outbox, timeout_ms))) {
        snprintf(subject, sizeof subject, "%s.%s", l->config.subject, outbox_kind_name(m->kind));
        up = link_broker_publish(l->link.broker, LINK_FRAME_PUBLISH, subject, "", m->data, m->size);
        l->sent = m->id;
        timeout_ms = 0;
    }
    return up;
}

static bool send_replies(struct sensor_link *l)
{
    bool up = true;
    for (unsigned i = 0; up && i < l->config.services; i++)
        up = sensor_service_send(l->link.broker, l->config.service[i].replies);
    return up;
}

static bool step(void *user)
{
    struct sensor_link *l = user;
    return send_waiting(l, LINK_POLL_MS) && ask_for_echo(l) && link_read(&l->link, 0) &&
           send_replies(l);
}

static const struct link_ops ops = {.prepare = prepare,
                                    .opened = opened,
                                    .step = step,
                                    .closed = closed,
                                    .take = take,
                                    .bears = bears,
                                    .why = why_ended,
                                    .is_done = is_done};

/* ---- start and end ----------------------------------------------------------------------- */

static int start_link(struct sensor_link *l, struct reason *why)
{
    struct link_config config = {
        .thread = "nats",
        .who = "nats",
        .then = "fftd tries again, and folds lines meanwhile",
        .broker = {.options = l->config.options,
                   .name = l->config.subject,
                   .subjects = 1 + l->config.services},
        .ops = &ops,
        .user = l,
    };
    for (unsigned i = 0; i < config.broker.subjects; i++) {
        snprintf(l->subject[i], sizeof l->subject[i], "%s.%s", l->config.subject,
                 i == 0 ? "echo" : l->config.service[i - 1].name);
        config.broker.subject[i] = l->subject[i];
    }
    return link_start(&l->link, &config, why);
}

int sensor_link_start(struct sensor_link **out, const struct sensor_link_config *config,
                      struct reason *why)
{
    struct sensor_link *l = calloc(1, sizeof *l);
    *out = NULL;
    if (!l)
        return -ENOMEM;
    l->config = *config;
    const int err = start_link(l, why);
    if (err < 0) {
        sensor_link_destroy(l);
        return err;
    }
    *out = l;
    return 0;
}

void sensor_link_stop(struct sensor_link *l, int patience_ms)
{
    if (!l || !l->link.running)
        return;
    atomic_store(&l->stop_ns, clock_after_ms(patience_ms));
    link_end(&l->link);
    outbox_wake(l->config.outbox);
    link_stop(&l->link);
}

void sensor_link_destroy(struct sensor_link *l)
{
    if (!l)
        return;
    sensor_link_stop(l, 0);
    link_finish(&l->link);
    free(l);
}
