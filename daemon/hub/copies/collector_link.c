/* collector_link.c - connects to the broker, sends requests and passes replies on. */
#include "daemon/hub/copies/collector_link.h"
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
#include "daemon/hub/link_requests.h"
#include "daemon/nats/link_broker.h"
#include "daemon/nats/link_retry.h"

enum { SUBJECT_MAX = 256 };

struct collector_link {
    struct collector_link_config config;
    char reply[LINK_REPLY], subject[LINK_REPLY + 2]; /* of all connections */
    struct link_broker *broker;
    uv_thread_t thread;
    bool running;
    atomic_bool stop, up;

    /* used by the thread only */
    bool refused;
    char refusal[LINK_REASON];
    struct link_retry retry;
};

/* ---- numbers in subjects ----------------------------------------------------------------- */

/* ".NUMBER" */
static bool read_number(const char *at, char end, uint32_t *out)
{
    char *rest;
    if (at[0] != '.' || at[1] < '0' || at[1] > '9')
        return false;
    const unsigned long long value = strtoull(at + 1, &rest, 10);
    *out = (uint32_t)value;
    return *rest == end && value <= UINT32_MAX;
}

bool collector_link_read_subject(const char *subject, uint32_t *owner, uint32_t *number)
{
    const char *last = strrchr(subject, '.');
    const char *before = last ? memrchr(subject, '.', (size_t)(last - subject)) : NULL;
    return before && read_number(before, '.', owner) && read_number(last, '\0', number);
}

/* ---- the connection ---------------------------------------------------------------------- */

static void set_up(struct collector_link *l, bool up)
{
    atomic_store(&l->up, up);
    l->config.changed(l->config.user);
}

bool collector_link_is_up(struct collector_link *l)
{
    return atomic_load(&l->up);
}

bool collector_link_ask(struct collector_link *l, const char *site, const char *radio,
                        uint32_t owner, uint32_t number, const char *text)
{
    char subject[SUBJECT_MAX], reply[LINK_REPLY + 24];
    snprintf(subject, sizeof subject, "%s.%s.%s.archive", l->config.options->prefix, site, radio);
    snprintf(reply, sizeof reply, "%s.%u.%u", l->reply, owner, number);
    return link_broker_publish(l->broker, LINK_FRAME_PUBLISH, subject, reply, text, strlen(text));
}

static bool is_over(void *user)
{
    const struct collector_link *l = user;
    return atomic_load(&l->stop);
}

static void take_frame(struct collector_link *l, const struct link_frame *f)
{
    if (f->kind == LINK_FRAME_REFUSED) {
        snprintf(l->refusal, sizeof l->refusal, "%.*s",
                 (int)(f->size < LINK_REASON ? f->size : LINK_REASON - 1), (const char *)f->data);
        l->refused = true;
    } else if (f->kind == LINK_FRAME_MESSAGE && f->size > 0) {
        inbox_put(l->config.replies, f->subject, f->data, f->size);
        l->config.changed(l->config.user);
    }
}

/* Passes replies on until the connection ends. A broker that does not answer shows in time-outs. */
static void read_replies(struct collector_link *l)
{
    int got = 0;
    struct link_frame f;
    set_up(l, true);
    while (got >= 0 && !l->refused && !atomic_load(&l->stop)) {
        got = link_broker_next(l->broker, LINK_POLL_MS, &f);
        if (got > 0)
            take_frame(l, &f);
        const uint64_t dropped = link_broker_take_dropped(l->broker);
        if (dropped > 0)
            inbox_count_dropped(l->config.replies, dropped);
    }
    set_up(l, false);
}

static void serve(struct collector_link *l)
{
    l->refused = false;
    const bool up = link_broker_connect(l->broker, is_over, l);
    if (link_broker_accepted(l->broker))
        link_retry_opened(&l->retry);
    if (up)
        read_replies(l);
    link_broker_disconnect(l->broker);
    if (up && !l->refused)
        link_retry_report(&l->retry, NULL); /* link_reader.c says that the broker is away */
    else if (!atomic_load(&l->stop))
        link_retry_report(&l->retry, l->refused ? l->refusal : link_broker_why(l->broker));
    link_retry_wait(&l->retry, l->refused || link_broker_crashed(l->broker), &l->stop);
}

static void run(void *user)
{
    struct collector_link *l = user;
    pthread_setname_np(pthread_self(), "nats-archives");
    while (!atomic_load(&l->stop))
        serve(l);
}

/* ---- start and end ----------------------------------------------------------------------- */

static int create_broker(struct collector_link *l)
{
    const struct link_broker_config config = {.options = l->config.options,
                                              .name = "fftd hub archives",
                                              .subject = {l->subject},
                                              .subjects = 1,
                                              .ping = true};
    const int err = link_reply_create(l->reply);
    snprintf(l->subject, sizeof l->subject, "%s.>", l->reply);
    return err < 0 ? err : link_broker_create(&l->broker, &config);
}

int collector_link_start(struct collector_link **out, const struct collector_link_config *config,
                         struct reason *why)
{
    struct collector_link *l = calloc(1, sizeof *l);
    *out = NULL;
    if (!l)
        return -ENOMEM;
    l->config = *config;
    l->retry = (struct link_retry){
        .who = "hub: archives", .url = config->options->url, .then = "fftd tries again"};
    int err = link_check(config->options, why);
    if (err == 0)
        err = create_broker(l);
    if (err == 0)
        err = uv_thread_create(&l->thread, run, l);
    l->running = err == 0;
    if (err < 0) {
        collector_link_destroy(l);
        return err;
    }
    *out = l;
    return 0;
}

void collector_link_stop(struct collector_link *l)
{
    if (!l || !l->running)
        return;
    atomic_store(&l->stop, true);
    uv_thread_join(&l->thread);
    l->running = false;
}

void collector_link_destroy(struct collector_link *l)
{
    if (!l)
        return;
    collector_link_stop(l);
    link_broker_destroy(l->broker);
    free(l);
}
