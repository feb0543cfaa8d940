/* collector_link.c - connects to the broker, sends requests and passes replies on. */
#include "daemon/hub/collector_link.h"

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
#include "daemon/hub/link_retry.h"

enum { SUBJECT_MAX = 256 };

struct collector_link {
    struct collector_link_config config;
    natsOptions *options;
    uv_thread_t thread;
    bool running;
    atomic_bool stop;
    atomic_bool refused; /* set by threads of the library */
    uv_mutex_t lock;
    natsConnection *connection; /* under lock; NULL: it is down */

    /* used by the thread only */
    natsSubscription *subscription;
    natsInbox *inbox; /* of all connections */
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

static void on_error(natsConnection *connection, natsSubscription *subscription, natsStatus status,
                     void *user)
{
    struct collector_link *l = user;
    (void)connection;
    (void)subscription;
    if (status == NATS_NOT_PERMITTED)
        atomic_store(&l->refused, true);
}

static void set_connection(struct collector_link *l, natsConnection *connection)
{
    uv_mutex_lock(&l->lock);
    l->connection = connection;
    uv_mutex_unlock(&l->lock);
    l->config.changed(l->config.user);
}

bool collector_link_is_up(struct collector_link *l)
{
    uv_mutex_lock(&l->lock);
    const bool up = l->connection != NULL;
    uv_mutex_unlock(&l->lock);
    return up;
}

bool collector_link_ask(struct collector_link *l, const char *site, const char *radio,
                        uint32_t owner, uint32_t number, const char *text)
{
    char subject[SUBJECT_MAX], reply[SUBJECT_MAX];
    snprintf(subject, sizeof subject, "%s.%s.%s.archive", l->config.options->prefix, site, radio);
    snprintf(reply, sizeof reply, "%s.%u.%u", l->inbox, owner, number);
    uv_mutex_lock(&l->lock);
    const bool sent = l->connection && natsConnection_PublishRequestString(l->connection, subject,
                                                                           reply, text) == NATS_OK;
    uv_mutex_unlock(&l->lock);
    return sent;
}

static natsStatus subscribe(struct collector_link *l, natsConnection *connection)
{
    char subject[SUBJECT_MAX];
    snprintf(subject, sizeof subject, "%s.>", l->inbox);
    const natsStatus s = natsConnection_SubscribeSync(&l->subscription, connection, subject);
    return s == NATS_OK ? natsConnection_FlushTimeout(connection, LINK_CONNECT_MS) : s;
}

/* Passes replies on until the connection ends. That nobody answers is told by the time it takes. */
static natsStatus read_replies(struct collector_link *l, natsConnection *connection)
{
    natsStatus s = NATS_OK;
    while (!atomic_load(&l->stop) && !atomic_load(&l->refused)) {
        natsMsg *m = NULL;
        s = natsSubscription_NextMsg(&m, l->subscription, LINK_POLL_MS);
        if (s == NATS_OK && natsMsg_GetDataLength(m) > 0) {
            inbox_put(l->config.replies, natsMsg_GetSubject(m), natsMsg_GetData(m),
                      (size_t)natsMsg_GetDataLength(m));
            l->config.changed(l->config.user);
        }
        natsMsg_Destroy(m);
        if (natsConnection_IsClosed(connection))
            return NATS_CONNECTION_CLOSED;
    }
    return atomic_load(&l->refused) ? NATS_NOT_PERMITTED : NATS_OK;
}

static void serve(struct collector_link *l)
{
    natsConnection *connection = NULL;
    atomic_store(&l->refused, false);
    natsStatus s = link_connect(&connection, l->options, l->config.options->url);
    if (s == NATS_OK)
        s = subscribe(l, connection);
    if (s == NATS_OK) {
        set_connection(l, connection);
        s = read_replies(l, connection);
        set_connection(l, NULL);
    }
    if (s == NATS_OK || s == NATS_CONNECTION_CLOSED)
        link_retry_connected(&l->retry); /* link_reader.c says that the broker is away */
    else if (!atomic_load(&l->stop))
        link_retry_report(&l->retry, connection, s);
    natsSubscription_Destroy(l->subscription);
    l->subscription = NULL;
    natsConnection_Destroy(connection);
    link_retry_wait(s, &l->stop);
}

static void run(void *user)
{
    struct collector_link *l = user;
    pthread_setname_np(pthread_self(), "nats-archives");
    while (!atomic_load(&l->stop))
        serve(l);
}

/* ---- start and end ----------------------------------------------------------------------- */

static int set_options(struct collector_link *l)
{
    natsStatus s = natsOptions_SetErrorHandler(l->options, on_error, l);
    if (s == NATS_OK)
        s = link_options_set_ping(l->options);
    if (s == NATS_OK)
        s = natsInbox_Create(&l->inbox);
    return s == NATS_OK ? 0 : -ENOMEM;
}

int collector_link_start(struct collector_link **out, const struct collector_link_config *config,
                         char *error, size_t error_size)
{
    struct collector_link *l = calloc(1, sizeof *l);
    *out = NULL;
    if (!l || uv_mutex_init(&l->lock) < 0) {
        free(l);
        return -ENOMEM;
    }
    l->config = *config;
    l->retry = (struct link_retry){
        .who = "hub: archives", .url = config->options->url, .then = "fftd tries again"};
    int err =
        link_options_create(&l->options, config->options, "fftd hub archives", error, error_size);
    if (err == 0)
        err = set_options(l);
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
    natsOptions_Destroy(l->options);
    l->options = NULL;
}

void collector_link_destroy(struct collector_link *l)
{
    if (!l)
        return;
    collector_link_stop(l);
    natsOptions_Destroy(l->options);
    natsInbox_Destroy(l->inbox);
    uv_mutex_destroy(&l->lock);
    free(l);
}
