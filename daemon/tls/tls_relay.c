/* tls_relay.c - moves bytes between a connection of TLS and a socket pair. */
#include "daemon/tls/tls_relay.h"

#include <assert.h>
#include <errno.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "daemon/base/clock.h"

const struct figure tls_figures[] = {
    FIGURE_GAUGE(struct tls_counts, open, NULL, "fftd_tls_connections", "Encrypted connections."),
    FIGURE_COUNTER(struct tls_counts, handshakes_total, NULL, "fftd_tls_handshakes",
                   "Handshakes of TLS that were completed."),
    FIGURE_COUNTER(struct tls_counts, failures_total, NULL, "fftd_tls_handshake_failures",
                   "Handshakes of TLS that failed or took too long."),
    FIGURE_GAUGE(struct tls_counts, not_after_s, NULL, "fftd_tls_certificate_not_after_seconds",
                 "Unix time at which the certificate ends."),
    FIGURE_END,
};

enum {
    TO_SERVER = 4 << 10,  /* bytes at a time: requests */
    TO_CLIENT = 16 << 10, /* a record of TLS */
    PAIR_BYTES = 128 << 10,
    REST_S = 30,  /* for a client to take something of what the server left */
    LINGER_S = 5, /* for a client to end after the server has */
    HANDLES = 2,
};

struct piece {
    size_t from, to;
};

struct tls_link {
    struct tls_link *next, **at;
    struct tls_relay *relay;
    struct address from;
    SSL *ssl;
    int net, inner, outer; /* sockets: the client's, this end of the pair, and until it is done that
                              of the server; -1: none */
    uv_poll_t poll_net, poll_inner;
    int watched_net, watched_inner; /* events of libuv */
    unsigned handles;               /* that are not closed yet */
    uint64_t deadline_ns;           /* of the handshake, or of the end; 0: none */
    bool shaken;                    /* the handshake is done */
    bool wants_write;               /* TLS waits for the socket to take more */
    bool net_ended, inner_ended, inner_shut, said_end, closing;
    struct piece in, out;
    unsigned char to_server[TO_SERVER], to_client[TO_CLIENT];
};

struct tls_relay {
    struct tls_relay_config config;
    struct tls_context *context;
    struct tls_link *first;
    uv_timer_t tick;
    uint32_t open, shaking;
    uint64_t handshakes_total, failures_total;
    bool stopped;
};

/* ---- life of a link ------------------------------------------------------------------------- */

static void on_closed(uv_handle_t *handle)
{
    struct tls_link *l = handle->data;
    if (--l->handles > 0)
        return;
    close(l->net);
    close(l->inner);
    if (l->outer >= 0)
        close(l->outer);
    SSL_free(l->ssl);
    free(l);
}

static void end_link(struct tls_link *l)
{
    struct tls_relay *r = l->relay;
    if (l->closing)
        return;
    l->closing = true;
    *l->at = l->next;
    if (l->next)
        l->next->at = l->at;
    r->open--;
    r->shaking -= !l->shaken;
    r->failures_total += !l->shaken && !r->stopped;
    uv_close((uv_handle_t *)&l->poll_net, on_closed);
    uv_close((uv_handle_t *)&l->poll_inner, on_closed);
}

static void set_deadline(struct tls_link *l, uint32_t seconds)
{
    l->deadline_ns = clock_now_ns() + seconds * UINT64_C(1000000000);
}

/* ---- bytes ---------------------------------------------------------------------------------- */

static size_t held(const struct piece *p)
{
    return p->to - p->from;
}

/* What a call of OpenSSL that gave nothing waits for. False: the connection has ended. */
static bool waits(struct tls_link *l, int result)
{
    const int error = SSL_get_error(l->ssl, result);
    ERR_clear_error(); /* of this connection: the next call is of another one */
    l->wants_write |= error == SSL_ERROR_WANT_WRITE;
    return error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE;
}

static bool is_later(void)
{
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

/* Each returns whether it has moved something. */
static bool read_net(struct tls_link *l)
{
    if (l->net_ended || held(&l->in) > 0)
        return false;
    const int got = SSL_read(l->ssl, l->to_server, sizeof l->to_server);
    if (got > 0)
        l->in = (struct piece){0, (size_t)got};
    else
        l->net_ended = !waits(l, got);
    return (got > 0 && !l->inner_ended) || l->net_ended; /* what nobody reads: a piece per event */
}

static bool write_inner(struct tls_link *l)
{
    if (l->inner_ended)
        l->in = (struct piece){0}; /* nobody reads it any more */
    if (held(&l->in) == 0) {
        if (l->net_ended && !l->inner_shut)
            shutdown(l->inner, SHUT_WR);
        l->inner_shut |= l->net_ended;
        return false;
    }
    const ssize_t sent =
        send(l->inner, l->to_server + l->in.from, held(&l->in), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent > 0)
        l->in.from += (size_t)sent;
    else if (!is_later())
        l->in = (struct piece){0};
    return sent > 0;
}

static bool read_inner(struct tls_link *l)
{
    if (l->inner_ended || held(&l->out) > 0)
        return false;
    const ssize_t got = recv(l->inner, l->to_client, sizeof l->to_client, MSG_DONTWAIT);
    if (got > 0)
        l->out = (struct piece){0, (size_t)got};
    else
        l->inner_ended = got == 0 || !is_later();
    return got > 0 || l->inner_ended;
}

static bool write_net(struct tls_link *l)
{
    if (held(&l->out) == 0) {
        if (l->inner_ended && !l->said_end) {
            l->said_end = true;
            (void)!SSL_shutdown(l->ssl);
            ERR_clear_error();
            shutdown(l->net, SHUT_WR);
            set_deadline(l, LINGER_S);
        }
        return false;
    }
    const int sent = SSL_write(l->ssl, l->to_client + l->out.from, (int)held(&l->out));
    if (sent > 0) {
        l->out.from += (size_t)sent;
        if (l->deadline_ns)
            set_deadline(l, REST_S);
    } else if (!waits(l, sent)) {
        l->out = (struct piece){0};
        l->net_ended = l->inner_ended = true;
    }
    return sent > 0;
}

/* ---- events --------------------------------------------------------------------------------- */

static void on_event(uv_poll_t *poll, int status, int events);

static void watch(uv_poll_t *poll, int *watched, int events)
{
    if (*watched == events)
        return;
    *watched = events;
    if (events)
        uv_poll_start(poll, events, on_event);
    else
        uv_poll_stop(poll);
}

static void watch_both(struct tls_link *l)
{
    const bool reads = !l->shaken || (!l->net_ended && held(&l->in) == 0);
    watch(&l->poll_net, &l->watched_net,
          (reads ? UV_READABLE : 0) | (l->wants_write ? UV_WRITABLE : 0));
    watch(&l->poll_inner, &l->watched_inner,
          l->shaken ? (!l->inner_ended && held(&l->out) == 0 ? UV_READABLE : 0) |
                          (held(&l->in) > 0 ? UV_WRITABLE : 0)
                    : 0);
}

static void relay(struct tls_link *l)
{
    bool moved = true;
    while (moved) {
        moved = read_net(l);
        moved |= write_inner(l);
        moved |= read_inner(l);
        moved |= write_net(l);
    }
    if (l->net_ended && l->inner_ended)
        end_link(l);
    else
        watch_both(l);
}

static void shake(struct tls_link *l)
{
    struct tls_relay *r = l->relay;
    const int done = SSL_accept(l->ssl);
    if (done != 1) {
        if (waits(l, done))
            watch_both(l);
        else
            end_link(l);
        return;
    }
    const uint32_t established = r->open - r->shaking;
    if (established >= r->config.most) {
        end_link(l);
        return;
    }
    ERR_clear_error();
    l->shaken = true;
    l->deadline_ns = 0;
    r->shaking--;
    r->handshakes_total++;
    const int outer = l->outer;
    l->outer = -1;
    r->config.ready(r->config.user, outer, &l->from);
    relay(l);
}

static void on_event(uv_poll_t *poll, int status, int events)
{
    struct tls_link *l = poll->data;
    (void)status, (void)events; /* a failed socket fails in the call that uses it */
    l->wants_write = false;
    if (l->shaken)
        relay(l);
    else
        shake(l);
}

/* ---- the relay ------------------------------------------------------------------------------ */

/* The server has closed its end, and the client does not take what is left. */
static bool is_left(const struct tls_link *l)
{
    struct pollfd inner = {.fd = l->inner};
    return l->shaken && !l->deadline_ns && held(&l->out) > 0 && poll(&inner, 1, 0) > 0 &&
           (inner.revents & POLLHUP);
}

static void on_tick(uv_timer_t *tick)
{
    struct tls_relay *r = tick->data;
    const uint64_t now = clock_now_ns();
    for (struct tls_link *l = r->first, *next; l; l = next) {
        next = l->next;
        if (is_left(l))
            set_deadline(l, REST_S);
        if (l->deadline_ns && now >= l->deadline_ns)
            end_link(l);
    }
}

static unsigned shaking_of(const struct tls_relay *r, const struct address *a)
{
    unsigned count = 0;
    for (const struct tls_link *l = r->first; l; l = l->next)
        count += !l->shaken && address_same(&l->from, a);
    return count;
}

/* Newest first: the last of those with the most is its oldest. */
static void end_oldest(struct tls_relay *r)
{
    struct tls_link *oldest = NULL;
    unsigned most = 0;
    for (struct tls_link *l = r->first; l; l = l->next) {
        const unsigned count = l->shaken ? 0 : shaking_of(r, &l->from);
        if (count > 0 && count >= most) {
            most = count;
            oldest = l;
        }
    }
    if (oldest)
        end_link(oldest);
}

static void set_socket(int fd)
{
    const int bytes = PAIR_BYTES;
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
}

static int open_link(struct tls_relay *r, struct tls_link *l, int fd)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) < 0)
        return -errno;
    l->net = fd;
    l->inner = pair[0];
    l->outer = pair[1];
    set_socket(l->inner);
    l->ssl = SSL_new(r->context->ssl);
    if (l->ssl)
        SSL_clear_mode(l->ssl,
                       SSL_MODE_AUTO_RETRY); /* else one call takes all new keys that come */
    int err = l->ssl && SSL_set_fd(l->ssl, fd) == 1 ? 0 : -ENOMEM;
    if (err == 0 && (err = uv_poll_init(r->config.loop, &l->poll_net, fd)) == 0)
        l->handles++;
    if (err == 0 && (err = uv_poll_init(r->config.loop, &l->poll_inner, l->inner)) == 0)
        l->handles++;
    if (err == 0)
        return 0;
    close(pair[0]);
    close(pair[1]);
    SSL_free(l->ssl);
    ERR_clear_error();
    return err;
}

void tls_relay_add(struct tls_relay *r, int fd, const struct address *from)
{
    struct tls_link *l = r->stopped ? NULL : calloc(1, sizeof *l);
    if (r->shaking >= TLS_HANDSHAKES_MAX)
        end_oldest(r);
    if (!l || open_link(r, l, fd) < 0) {
        assert(!l || l->handles == 0); /* uv_poll_init fails for no socket */
        r->failures_total++;
        free(l);
        close(fd);
        return;
    }
    assert(l->handles == HANDLES);
    l->relay = r;
    l->from = *from;
    l->poll_net.data = l->poll_inner.data = l;
    l->next = r->first;
    l->at = &r->first;
    if (l->next)
        l->next->at = &l->next;
    r->first = l;
    r->open++;
    r->shaking++;
    set_deadline(l, r->config.handshake_s);
    shake(l);
}

int tls_relay_create(struct tls_relay **out, const struct tls_relay_config *config,
                     struct tls_context *context)
{
    struct tls_relay *r = calloc(1, sizeof *r);
    *out = r;
    if (!r) {
        tls_context_destroy(context);
        return -ENOMEM;
    }
    r->config = *config;
    r->context = context;
    r->tick.data = r;
    uv_timer_init(config->loop, &r->tick); /* never fails */
    uv_timer_start(&r->tick, on_tick, 1000, 1000);
    return 0;
}

void tls_relay_renew(struct tls_relay *r, struct tls_context *context)
{
    tls_context_destroy(r->context);
    r->context = context;
}

void tls_relay_counts(const struct tls_relay *r, struct tls_counts *out)
{
    *out = (struct tls_counts){0};
    if (r)
        *out = (struct tls_counts){.open = r->open,
                                   .handshakes_total = r->handshakes_total,
                                   .failures_total = r->failures_total,
                                   .not_after_s = r->context->not_after_s};
}

void tls_relay_stop(struct tls_relay *r)
{
    if (!r || r->stopped)
        return;
    r->stopped = true;
    while (r->first)
        end_link(r->first);
    uv_close((uv_handle_t *)&r->tick, NULL);
}

void tls_relay_destroy(struct tls_relay *r)
{
    if (!r)
        return;
    tls_context_destroy(r->context);
    free(r);
}
