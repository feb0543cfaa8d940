/* link_reader.c - connects to the broker and passes its messages on. */
#include "daemon/hub/link_reader.h"
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
#include "daemon/nats/message.h"

enum { SUBJECT_MAX = 256, FRAMES_AT_ONCE = 256 };

struct link_reader {
    struct link_reader_config config;
    char subject[HUB_KINDS][SUBJECT_MAX];
    struct link_broker *broker;
    uv_thread_t thread;
    bool running;
    atomic_bool stop;
    uv_mutex_t lock;
    struct link_reader_state state; /* under lock */

    /* used by the thread only */
    bool refused; /* by the broker: the rights to what a hub reads */
    char refusal[LINK_REASON];
    struct link_requests requests;
    struct link_retry retry;
};

/* ---- the connection ---------------------------------------------------------------------- */

static void set_state(struct link_reader *l, bool connected)
{
    uv_mutex_lock(&l->lock);
    const bool changed = l->state.connected != connected;
    if (changed)
        l->state.since_ns = clock_unix_ns();
    l->state.links += connected;
    l->state.connected = connected;
    uv_mutex_unlock(&l->lock);
    if (changed)
        l->config.changed(l->config.user);
}

static bool is_over(void *user)
{
    const struct link_reader *l = user;
    return atomic_load(&l->stop);
}

static void note_refusal(struct link_reader *l, const struct link_frame *f)
{
    char text[LINK_REASON];
    snprintf(text, sizeof text, "%.*s", (int)(f->size < sizeof text ? f->size : sizeof text - 1),
             (const char *)f->data);
    if (link_requests_refused(&l->requests, text))
        return;
    l->refused = true;
    memcpy(l->refusal, text, sizeof text);
}

static void take_frame(struct link_reader *l, const struct link_frame *f)
{
    if (f->kind == LINK_FRAME_REFUSED)
        note_refusal(l, f);
    else if (f->id == HUB_KINDS)
        link_requests_take_answer(&l->requests, f);
    else if (f->id < HUB_KINDS && f->kind == LINK_FRAME_MESSAGE)
        inbox_put(l->config.inbox, f->subject, f->data, f->size);
}

/* What waits, and for at most LINK_POLL_MS what comes. False: the connection is over. */
static bool read_frames(struct link_reader *l)
{
    struct link_frame f;
    int got = link_broker_next(l->broker, LINK_POLL_MS, &f);
    const bool any = got > 0;
    for (int count = 1; got > 0 && count <= FRAMES_AT_ONCE; count++) {
        take_frame(l, &f);
        got = count < FRAMES_AT_ONCE ? link_broker_next(l->broker, 0, &f) : 0;
    }
    const uint64_t dropped = link_broker_take_dropped(l->broker);
    if (dropped > 0)
        inbox_count_dropped(l->config.inbox, dropped);
    if (any || dropped > 0)
        l->config.changed(l->config.user);
    return got >= 0;
}

static void read_broker(struct link_reader *l)
{
    bool up = true;
    if (link_retry_connected(&l->retry))
        log_info("hub: reading %s.> at %s", l->config.options->prefix, l->config.options->url);
    set_state(l, true);
    while (up && !l->refused && !atomic_load(&l->stop)) {
        up = read_frames(l) && link_requests_send(&l->requests, l->broker);
        link_retry_holds(&l->retry);
    }
    set_state(l, false);
}

static void serve(struct link_reader *l)
{
    l->refused = false;
    link_requests_open(&l->requests);
    const bool up = link_broker_connect(l->broker, is_over, l);
    if (link_broker_accepted(l->broker))
        link_retry_opened(&l->retry);
    if (up)
        read_broker(l);
    link_broker_disconnect(l->broker);
    if (!atomic_load(&l->stop))
        link_retry_report(&l->retry, l->refused ? l->refusal : link_broker_why(l->broker));
    link_retry_wait(&l->retry, l->refused || link_broker_crashed(l->broker), &l->stop);
}

static void run(void *user)
{
    struct link_reader *l = user;
    pthread_setname_np(pthread_self(), "nats");
    while (!atomic_load(&l->stop))
        serve(l);
}

/* ---- start and end ----------------------------------------------------------------------- */

static int create_broker(struct link_reader *l)
{
    struct link_broker_config config = {
        .options = l->config.options, .name = "fftd hub", .subjects = HUB_KINDS + 1, .ping = true};
    const int err = link_requests_init(&l->requests);
    for (int i = 0; i < HUB_KINDS; i++) {
        snprintf(l->subject[i], sizeof l->subject[i], "%s.*.*.%s", l->config.options->prefix,
                 hub_kind_name((enum hub_kind)i));
        config.subject[i] = l->subject[i];
    }
    config.subject[HUB_KINDS] = l->requests.subject;
    return err < 0 ? err : link_broker_create(&l->broker, &config);
}

int link_reader_start(struct link_reader **out, const struct link_reader_config *config,
                      struct reason *why)
{
    struct link_reader *l = calloc(1, sizeof *l);
    *out = NULL;
    if (!l || uv_mutex_init(&l->lock) < 0) {
        free(l);
        return -ENOMEM;
    }
    l->config = *config;
    l->retry =
        (struct link_retry){.who = "hub", .url = config->options->url, .then = "fftd tries again"};
    l->requests.out = config->requests;
    l->requests.in = config->answers;
    l->requests.changed = config->changed;
    l->requests.user = config->user;
    int err = link_check(config->options, why);
    if (err == 0)
        err = create_broker(l);
    if (err == 0)
        err = uv_thread_create(&l->thread, run, l);
    l->running = err == 0;
    if (err < 0) {
        link_reader_destroy(l);
        return err;
    }
    *out = l;
    return 0;
}

void link_reader_state(struct link_reader *l, struct link_reader_state *out)
{
    uv_mutex_lock(&l->lock);
    *out = l->state;
    uv_mutex_unlock(&l->lock);
    out->no_answers = atomic_load(&l->requests.no_answers);
}

void link_reader_stop(struct link_reader *l)
{
    if (!l || !l->running)
        return;
    atomic_store(&l->stop, true);
    uv_thread_join(&l->thread);
    l->running = false;
}

void link_reader_destroy(struct link_reader *l)
{
    if (!l)
        return;
    link_reader_stop(l);
    link_broker_destroy(l->broker);
    uv_mutex_destroy(&l->lock);
    free(l);
}
