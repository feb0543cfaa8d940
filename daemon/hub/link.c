/* link.c - connects to the broker, sends, and waits for echoes. */
#include "daemon/hub/link.h"

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
#include "daemon/hub/link_service.h"

enum {
    ECHO_EACH_MS = 1000,
    ECHO_MESSAGES = 16, /* earlier, if so many wait for it */
    ECHO_LATE_MS = 5000,
    SUBJECT_MAX = 256,
    ECHO_TEXT = 40
};

struct link {
    struct link_config config;
    natsOptions *options;
    uv_thread_t thread;
    bool running;
    atomic_bool stop;
    atomic_ullong stop_ns; /* when the thread gives up what waits */
    atomic_bool refused;   /* set by a thread of the library */

    /* used by the thread only */
    natsConnection *connection;
    natsSubscription *echoes, *requests[LINK_SERVICES];
    uint64_t sent, echoed, confirmed; /* ids: of the last message, of those asked for, confirmed */
    uint64_t echo_ns;                 /* when the last echo was asked for */
    struct link_retry retry;
};

/* ---- threads of the library -------------------------------------------------------------- */

static void on_closed(natsConnection *connection, void *user)
{
    const struct link *l = user;
    (void)connection;
    outbox_wake(l->config.outbox);
}

/*
 * What a requester may cause is no reason to end the connection: a reply to a subject that is not
 * the sensor's, or a broker without rights for requests.
 */
static bool is_of_service(const struct link *l, natsConnection *connection)
{
    const char *text = NULL;
    natsConnection_GetLastError(connection, &text);
    if (l->config.services == 0 || !text || !strstr(text, "ermissions"))
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

static void on_error(natsConnection *connection, natsSubscription *subscription, natsStatus status,
                     void *user)
{
    struct link *l = user;
    (void)subscription;
    if (status == NATS_NOT_PERMITTED && !is_of_service(l, connection))
        atomic_store(&l->refused, true);
    outbox_wake(l->config.outbox);
}

/* ---- the connection ---------------------------------------------------------------------- */

static void make_subject(const struct link *l, const char *last, char into[SUBJECT_MAX])
{
    snprintf(into, SUBJECT_MAX, "%s.%s", l->config.subject, last);
}

static void disconnect(struct link *l)
{
    outbox_set_up(l->config.outbox, false);
    natsSubscription_Destroy(l->echoes);
    for (unsigned i = 0; i < LINK_SERVICES; i++) {
        natsSubscription_Destroy(l->requests[i]);
        l->requests[i] = NULL;
    }
    natsConnection_Destroy(l->connection);
    l->echoes = NULL;
    l->connection = NULL;
}

static void make_echo(const struct link *l, uint64_t id, char into[ECHO_TEXT])
{
    snprintf(into, ECHO_TEXT, "%u %llu", l->config.run, (unsigned long long)id);
}

static natsStatus publish_echo(struct link *l, uint64_t id)
{
    char subject[SUBJECT_MAX], text[ECHO_TEXT];
    make_subject(l, "echo", subject);
    make_echo(l, id, text);
    return natsConnection_PublishString(l->connection, subject, text);
}

/*
 * What comes may be another client's: only what was asked for is an echo. Others would confirm what
 * the broker does not have.
 */
static bool is_echo(const struct link *l, const natsMsg *m, uint64_t id)
{
    char text[ECHO_TEXT];
    make_echo(l, id, text);
    return natsMsg_GetDataLength(m) == (int)strlen(text) &&
           memcmp(natsMsg_GetData(m), text, strlen(text)) == 0;
}

/* The first echo shows that the broker accepts this client, and what it needs to publish. */
static natsStatus wait_for_echo(struct link *l)
{
    const uint64_t until = clock_after_ms(LINK_CONNECT_MS);
    natsStatus s = NATS_TIMEOUT;
    while (s == NATS_TIMEOUT && clock_now_ns() < until && !atomic_load(&l->refused)) {
        natsMsg *m = NULL;
        s = natsSubscription_NextMsg(&m, l->echoes, LINK_POLL_MS);
        if (s == NATS_OK && !is_echo(l, m, 0))
            s = NATS_TIMEOUT;
        natsMsg_Destroy(m);
    }
    return s == NATS_TIMEOUT && atomic_load(&l->refused) ? NATS_NOT_PERMITTED : s;
}

static natsStatus subscribe_requests(struct link *l)
{
    char subject[SUBJECT_MAX];
    natsStatus s = NATS_OK;
    for (unsigned i = 0; s == NATS_OK && i < l->config.services; i++) {
        make_subject(l, l->config.service[i].name, subject);
        s = natsConnection_SubscribeSync(&l->requests[i], l->connection, subject);
    }
    return s;
}

static natsStatus connect_once(struct link *l)
{
    char subject[SUBJECT_MAX];
    make_subject(l, "echo", subject);
    atomic_store(&l->refused, false);
    natsStatus s = link_connect(&l->connection, l->options, l->config.options->url);
    if (s == NATS_OK)
        s = natsConnection_SubscribeSync(&l->echoes, l->connection, subject);
    if (s == NATS_OK)
        s = subscribe_requests(l);
    if (s == NATS_OK)
        s = publish_echo(l, 0);
    return s == NATS_OK ? wait_for_echo(l) : s;
}

static bool connect_link(struct link *l)
{
    const natsStatus s = connect_once(l);
    if (s != NATS_OK) {
        link_retry_report(&l->retry, l->connection, s);
        disconnect(l);
        link_retry_wait(s, &l->stop);
        return false;
    }
    log_info("nats: publishing %s.> at %s", l->config.subject, l->config.options->url);
    link_retry_connected(&l->retry);
    l->echoed = l->confirmed;
    outbox_set_up(l->config.outbox, true);
    return true;
}

/* ---- sending ----------------------------------------------------------------------------- */

static natsStatus send_waiting(struct link *l, int timeout_ms)
{
    char subject[SUBJECT_MAX];
    const struct outbox_message *m;
    natsStatus s = NATS_OK;
    while (s == NATS_OK && (m = outbox_next(l->config.outbox, timeout_ms))) {
        make_subject(l, outbox_kind_name(m->kind), subject);
        s = natsConnection_Publish(l->connection, subject, m->data, (int)m->size);
        if (s == NATS_MAX_PAYLOAD) { /* and would be again */
            log_warn("nats: %s has %zu bytes, more than the broker accepts", subject, m->size);
            s = NATS_OK;
        }
        l->sent = m->id;
        timeout_ms = 0;
    }
    return s;
}

static bool is_echo_late(const struct link *l, uint64_t now)
{
    return l->echoed > l->confirmed && now > l->echo_ns + ECHO_LATE_MS * 1000000ULL;
}

static natsStatus ask_for_echo(struct link *l)
{
    const uint64_t now = clock_now_ns();
    const bool soon = atomic_load(&l->stop) || l->sent - l->confirmed >= ECHO_MESSAGES;
    if (l->echoed > l->confirmed)
        return is_echo_late(l, now) ? NATS_TIMEOUT : NATS_OK;
    if (l->sent <= l->confirmed || (!soon && now < l->echo_ns + ECHO_EACH_MS * 1000000ULL))
        return NATS_OK;
    l->echoed = l->sent;
    l->echo_ns = now;
    return publish_echo(l, l->sent);
}

static void read_echo(struct link *l, const natsMsg *m)
{
    if (l->echoed <= l->confirmed || !is_echo(l, m, l->echoed))
        return;
    l->confirmed = l->echoed;
    outbox_confirm(l->config.outbox, l->confirmed);
}

static natsStatus read_echoes(struct link *l)
{
    uint64_t queued = 0;
    natsStatus s = natsSubscription_QueuedMsgs(l->echoes, &queued);
    for (; s == NATS_OK && queued > 0; queued--) {
        natsMsg *m = NULL;
        s = natsSubscription_NextMsg(&m, l->echoes, LINK_POLL_MS);
        if (s == NATS_OK)
            read_echo(l, m);
        natsMsg_Destroy(m);
    }
    return s;
}

static natsStatus serve_requests(struct link *l)
{
    natsStatus s = NATS_OK;
    for (unsigned i = 0; s == NATS_OK && i < l->config.services; i++) {
        s = link_read_requests(l->requests[i], &l->config.service[i]);
        if (s == NATS_OK)
            s = link_send_replies(l->connection, l->config.service[i].replies);
    }
    return s;
}

static natsStatus serve_once(struct link *l)
{
    natsStatus s = send_waiting(l, LINK_POLL_MS);
    if (s == NATS_OK)
        s = ask_for_echo(l);
    if (s == NATS_OK)
        s = read_echoes(l);
    if (s == NATS_OK)
        s = serve_requests(l);
    if (s == NATS_OK && atomic_load(&l->refused))
        s = NATS_NOT_PERMITTED;
    return s == NATS_OK && natsConnection_IsClosed(l->connection) ? NATS_CONNECTION_CLOSED : s;
}

/* ---- the thread -------------------------------------------------------------------------- */

static bool has_waiting(const struct link *l)
{
    struct outbox_state state;
    outbox_state(l->config.outbox, &state);
    return state.waiting > 0;
}

static bool is_over(const struct link *l)
{
    return atomic_load(&l->stop) && (!has_waiting(l) || clock_now_ns() >= atomic_load(&l->stop_ns));
}

static void serve(struct link *l)
{
    natsStatus s = NATS_OK;
    while (s == NATS_OK && !is_over(l))
        s = serve_once(l);
    if (s != NATS_OK)
        link_retry_report(&l->retry, l->connection, s);
    disconnect(l);
    link_retry_wait(s, &l->stop);
}

static void run(void *user)
{
    struct link *l = user;
    pthread_setname_np(pthread_self(), "nats");
    while (!is_over(l)) {
        if (connect_link(l))
            serve(l);
        if (atomic_load(&l->stop))
            break; /* one try is enough for the last messages */
    }
}

/* ---- start and end ----------------------------------------------------------------------- */

static int set_callbacks(struct link *l)
{
    natsStatus s = natsOptions_SetClosedCB(l->options, on_closed, l);
    if (s == NATS_OK)
        s = natsOptions_SetErrorHandler(l->options, on_error, l);
    return s == NATS_OK ? 0 : -ENOMEM;
}

int link_check(const struct nats_options *options, char *error, size_t error_size)
{
    natsOptions *made = NULL;
    const int err = link_options_create(&made, options, "check", error, error_size);
    natsOptions_Destroy(made);
    return err;
}

int link_start(struct link **out, const struct link_config *config, char *error, size_t error_size)
{
    struct link *l = calloc(1, sizeof *l);
    *out = NULL;
    if (!l)
        return -ENOMEM;
    l->config = *config;
    l->retry = (struct link_retry){.who = "nats",
                                   .url = config->options->url,
                                   .then = "fftd tries again, and folds lines meanwhile"};
    int err = link_options_create(&l->options, config->options, config->subject, error, error_size);
    if (err == 0)
        err = set_callbacks(l);
    if (err == 0)
        err = uv_thread_create(&l->thread, run, l);
    l->running = err == 0;
    if (err < 0) {
        link_destroy(l);
        return err;
    }
    *out = l;
    return 0;
}

void link_stop(struct link *l, int patience_ms)
{
    if (!l || !l->running)
        return;
    atomic_store(&l->stop_ns, clock_after_ms(patience_ms));
    atomic_store(&l->stop, true);
    outbox_wake(l->config.outbox);
    uv_thread_join(&l->thread);
    l->running = false;
}

void link_destroy(struct link *l)
{
    enum { END_MS = 2000 };
    if (!l)
        return;
    link_stop(l, 0);
    natsOptions_Destroy(l->options);
    nats_CloseAndWait(END_MS); /* its threads may still call on_closed */
    free(l);
}
