/* link_reader.c - connects to the broker and passes its messages on. */
#include "daemon/hub/link_reader.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/hub/link_connect.h"
#include "daemon/hub/link_options.h"
#include "daemon/hub/link_requests.h"
#include "daemon/hub/link_retry.h"
#include "daemon/hub/link_subscription.h"
#include "daemon/hub/message.h"

enum { SUBJECT_MAX = 256 };

struct link_reader {
    struct link_reader_config config;
    natsOptions *options;
    uv_thread_t thread;
    bool running;
    atomic_bool stop;
    atomic_bool closed, refused; /* set by threads of the library */
    atomic_int open;             /* subscriptions */
    uv_mutex_t lock;
    struct link_reader_state state; /* under lock */

    /* used by the thread only */
    natsConnection *connection;
    natsSubscription *subscriptions[HUB_KINDS];
    struct link_requests requests;
    struct link_retry retry;
};

/* ---- threads of the library -------------------------------------------------------------- */

static void on_message(natsConnection *connection, natsSubscription *subscription, natsMsg *m,
                       void *user)
{
    struct link_reader *l = user;
    const int size = natsMsg_GetDataLength(m);
    (void)connection;
    (void)subscription;
    inbox_put(l->config.inbox, natsMsg_GetSubject(m), natsMsg_GetData(m),
              size > 0 ? (size_t)size : 0);
    natsMsg_Destroy(m);
    l->config.changed(l->config.user);
}

static void on_closed(natsConnection *connection, void *user)
{
    struct link_reader *l = user;
    (void)connection;
    atomic_store(&l->closed, true);
}

static void on_error(natsConnection *connection, natsSubscription *subscription, natsStatus status,
                     void *user)
{
    struct link_reader *l = user;
    const char *text = NULL;
    (void)subscription;
    natsConnection_GetLastError(connection, &text);
    if (status == NATS_NOT_PERMITTED && !(text && link_requests_refused(&l->requests, text)))
        atomic_store(&l->refused, true);
}

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

static void disconnect(struct link_reader *l)
{
    set_state(l, false);
    link_requests_close(&l->requests);
    for (int i = 0; i < HUB_KINDS; i++) {
        natsSubscription_Destroy(l->subscriptions[i]);
        l->subscriptions[i] = NULL;
    }
    natsConnection_Destroy(l->connection);
    l->connection = NULL;
}

static natsStatus subscribe(struct link_reader *l, enum hub_kind kind)
{
    char subject[SUBJECT_MAX];
    natsSubscription **s = &l->subscriptions[kind];
    snprintf(subject, sizeof subject, "%s.*.*.%s", l->config.options->prefix, hub_kind_name(kind));
    return link_subscribe(s, l->connection, subject, on_message, l, &l->open);
}

static natsStatus connect_once(struct link_reader *l)
{
    atomic_store(&l->closed, false);
    atomic_store(&l->refused, false);
    natsStatus s = link_connect(&l->connection, l->options, l->config.options->url);
    for (int i = 0; s == NATS_OK && i < HUB_KINDS; i++)
        s = subscribe(l, (enum hub_kind)i);
    if (s == NATS_OK)
        s = link_requests_open(&l->requests, l->connection);
    return s == NATS_OK ? natsConnection_FlushTimeout(l->connection, LINK_CONNECT_MS) : s;
}

static natsStatus serve_requests(struct link_reader *l)
{
    natsStatus s = NATS_OK;
    while (s == NATS_OK && !atomic_load(&l->stop) && !atomic_load(&l->closed) &&
           !atomic_load(&l->refused)) {
        uv_sleep(LINK_POLL_MS);
        s = link_requests_send(&l->requests, l->connection);
    }
    return s;
}

static void serve(struct link_reader *l)
{
    natsStatus s = connect_once(l);
    if (s == NATS_OK) {
        log_info("hub: reading %s.> at %s", l->config.options->prefix, l->config.options->url);
        link_retry_connected(&l->retry);
        set_state(l, true);
        s = serve_requests(l);
        s = atomic_load(&l->refused) ? NATS_NOT_PERMITTED
            : s == NATS_OK           ? NATS_CONNECTION_CLOSED
                                     : s;
    }
    if (!atomic_load(&l->stop))
        link_retry_report(&l->retry, l->connection, s);
    disconnect(l);
    link_retry_wait(s, &l->stop);
}

static void run(void *user)
{
    struct link_reader *l = user;
    pthread_setname_np(pthread_self(), "nats");
    while (!atomic_load(&l->stop))
        serve(l);
}

/* ---- start and end ----------------------------------------------------------------------- */

/* One thread of the library calls on_message for all subscriptions, so that the order stays. */
static int set_options(struct link_reader *l)
{
    natsStatus s = natsOptions_SetClosedCB(l->options, on_closed, l);
    if (s == NATS_OK)
        s = natsOptions_SetErrorHandler(l->options, on_error, l);
    if (s == NATS_OK)
        s = natsOptions_UseGlobalMessageDelivery(l->options, true);
    if (s == NATS_OK)
        s = link_options_set_ping(l->options);
    return s == NATS_OK ? 0 : -ENOMEM;
}

int link_reader_start(struct link_reader **out, const struct link_reader_config *config,
                      char *error, size_t error_size)
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
    l->requests.open = &l->open;
    int err = link_options_create(&l->options, config->options, "fftd hub", error, error_size);
    if (err == 0)
        err = set_options(l);
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
    enum { END_MS = 2000 };
    if (!l || !l->running)
        return;
    atomic_store(&l->stop, true);
    uv_thread_join(&l->thread);
    natsOptions_Destroy(l->options);
    l->options = NULL;
    link_subscriptions_wait(&l->open);
    nats_CloseAndWait(END_MS); /* its threads may still call on_message */
    l->running = false;
}

void link_reader_destroy(struct link_reader *l)
{
    if (!l)
        return;
    link_reader_stop(l);
    natsOptions_Destroy(l->options);
    uv_mutex_destroy(&l->lock);
    free(l);
}
