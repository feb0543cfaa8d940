/* http_service.c - opens and closes a server: sockets, the context of libwebsockets, new
 * connections.
 */
#include "daemon/http/service/http_service.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/http/answer/assets.h"
#include "daemon/http/answer/pending.h"
#include "daemon/http/connection.h"
#include "daemon/http/http_server.h"
#include "daemon/http/quirks.h"
#include "daemon/http/service/http.h"
#include "daemon/tls/tls_relay.h"
#include "daemon/wire/wire.h"

enum {
    HANDSHAKE_S = 5, /* for a request to arrive, and for a connection to be reused */
    SEND_BUFFER = 128 << 10,
    SPARE_DESCRIPTORS = 64, /* for the rest of the daemon */
};

/* ---- new connections -------------------------------------------------------------------- */

/* Answers a connection for which no place or no descriptor is left. */
static void refuse_connection(int fd)
{
    static const char busy[] = "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n"
                               "Content-Type: text/plain; charset=utf-8\r\nRetry-After: 5\r\n"
                               "Content-Length: 21\r\n\r\ntoo many connections\n";
    char drop[4096];
    (void)!recv(fd, drop, sizeof drop, MSG_DONTWAIT); /* with unread bytes close() would reset */
    (void)!send(fd, busy, sizeof busy - 1, MSG_DONTWAIT | MSG_NOSIGNAL);
    shutdown(fd, SHUT_WR);
    close(fd);
}

static void adopt(void *user, int fd, const struct address *from)
{
    struct http_server *s = user;
    if (!connections_evict(s, from) || s->sockets >= s->options.max_clients + 2 * HTTP_EXTRA) {
        s->refused_total++;
        refuse_connection(fd);
        return;
    }
    struct lws *wsi = lws_adopt_socket_vhost(s->vhost, fd); /* closes fd if it fails */
    if (!wsi || !connection_add(s, wsi, from))
        s->refused_total++;
}

static void on_accepted(void *user, int fd, bool tls)
{
    struct http_server *s = user;
    const int on = 1;
    const int bytes = SEND_BUFFER;
    struct sockaddr_storage peer = {0};
    socklen_t size = sizeof peer;
    if (getpeername(fd, (struct sockaddr *)&peer, &size) < 0) { /* it has ended already */
        close(fd);
        return;
    }
    const struct address from = address_from_socket((struct sockaddr *)&peer);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on); /* fails on Unix sockets */
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
    if (tls)
        tls_relay_add(s->tls, fd, &from);
    else
        adopt(s, fd, &from);
}

/*
 * Every connection needs a descriptor, an encrypted one three. Without one a client would wait in
 * the listen queue.
 */
int http_service_raise_descriptors(const struct server_options *o, struct reason *why)
{
    const uint32_t max_clients = o->max_clients;
    const rlim_t connections = max_clients + 2 * HTTP_EXTRA;
    const rlim_t tls = TLS_DESCRIPTORS * (connections + TLS_HANDSHAKES_MAX);
    const rlim_t need = (o->tls_certificate ? tls : connections) + SPARE_DESCRIPTORS;
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
        return -errno;
    if (limit.rlim_cur >= need)
        return 0;
    limit.rlim_cur = need < limit.rlim_max ? need : limit.rlim_max;
    if (limit.rlim_cur >= need && setrlimit(RLIMIT_NOFILE, &limit) == 0)
        return 0;
    return reason_set(why, -EMFILE, "max-clients %u needs %lu open files, the limit is %lu",
                      max_clients, (unsigned long)need, (unsigned long)limit.rlim_max);
}

/* ---- the context ------------------------------------------------------------------------ */

static void on_library_log(int level, const char *text)
{
    (void)level;
    log_capped("libwebsockets", text);
}

static void make_protocols(struct http_server *s)
{
    /* A websocket without a subprotocol gets the first. No client can request its name. */
    s->protocols[0] = (struct lws_protocols){.name = " http",
                                             .callback = http_callback,
                                             .per_session_data_size = sizeof(struct pending_answer),
                                             .tx_packet_size = 64 << 10,
                                             .user = s};
    s->protocols[1] = (struct lws_protocols){.name = "fftd.3",
                                             .callback = s->websocket.callback,
                                             .per_session_data_size = s->websocket.session,
                                             .rx_buffer_size = WIRE_MESSAGE_MAX,
                                             .tx_packet_size = 64 << 10,
                                             .user = s->websocket.user};
    /* Its views and frames are the same; what changed something there is refused with its call. */
    s->protocols[2] = s->protocols[1];
    s->protocols[2].name = "fftd.2";
}

static uint32_t handshake_s(const struct http_server *s)
{
    return s->options.handshake_s ? s->options.handshake_s : HANDSHAKE_S;
}

static int start_context(struct http_server *s, struct reason *why)
{
    const uint32_t patience_s = handshake_s(s);
    const uint32_t connections = s->options.max_clients + 2 * HTTP_EXTRA;
    void *loops[] = {s->loop};
    const struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN,
        .foreign_loops = loops,
        .pcontext = &s->context, /* libwebsockets sets it to NULL when the context is destroyed */
        .options = LWS_SERVER_OPTION_LIBUV | LWS_SERVER_OPTION_EXPLICIT_VHOSTS |
                   LWS_SERVER_OPTION_VALIDATE_UTF8 |
                   /* a request with an unknown method becomes a raw connection, for an answer */
                   LWS_SERVER_OPTION_FALLBACK_TO_APPLY_LISTEN_ACCEPT_CONFIG,
        .fd_limit_per_thread = quirks_descriptors(connections),
        .max_http_header_pool = (unsigned short)(connections > 65535 ? 65535 : connections),
        .max_http_header_data2 = HTTP_HEADER_MAX,
        .timeout_secs = patience_s,
        .timeout_secs_ah_idle = patience_s,
        .keepalive_timeout = (int)patience_s,
        .retry_and_idle_policy = &quirks_no_keepalive,
        .protocols = s->protocols,
        .vhost_name = "fftd",
    };
    lws_set_log_level(LLL_ERR, on_library_log);
    make_protocols(s);
    s->context = lws_create_context(&info);
    if (s->context)
        s->vhost = lws_create_vhost(s->context, &info);
    if (s->vhost)
        return 0;
    return reason_set(why, -ENOTSUP, "libwebsockets does not start%s",
                      s->context ? "" : " (is libwebsockets-evlib-uv installed?)");
}

/* ---- start and stop --------------------------------------------------------------------- */

static void on_tick(uv_timer_t *timer)
{
    struct http_server *s = timer->data;
    listener_resume(&s->listener);
    s->site->tick(s->user);
}

static int start_handles(struct http_server *s, struct reason *why)
{
    int err = uv_timer_init(s->loop, &s->tick);
    if (err == 0) {
        s->tick.data = s;
        uv_timer_start(&s->tick, on_tick, 0, 1000);
        err = listener_start(&s->listener, s->loop, on_accepted, s);
    }
    if (err < 0)
        reason_set(why, err, "listen %s: %s", s->options.listen, uv_strerror(err));
    return err;
}

static int start_tls(struct http_server *s, struct reason *why)
{
    const struct server_options *o = &s->options;
    const struct tls_relay_config config = {.loop = s->loop,
                                            .handshake_s = handshake_s(s),
                                            .most = o->max_clients + 2 * HTTP_EXTRA,
                                            .ready = adopt,
                                            .user = s};
    struct tls_context *context;
    if (!s->listener.has_tls && o->tls_certificate)
        log_warn("tls-certificate is not used: no address of listen has tls: before it");
    if (!s->listener.has_tls)
        return 0;
    int err = tls_context_load(&context, o->tls_certificate, o->tls_key, why);
    if (err < 0)
        return err;
    if (s->listener.remote_plain)
        log_warn("listen: an address is not encrypted, and other machines can reach it; tls: "
                 "before it mends that");
    err = tls_relay_create(&s->tls, &config, context);
    return err < 0 ? reason_set(why, err, "no memory for TLS") : 0;
}

void http_service_reload_tls(struct http_server *s)
{
    const struct server_options *o = &s->options;
    struct reason why = {0};
    struct tls_context *context;
    if (!s->tls || s->stopping)
        return;
    if (tls_context_load(&context, o->tls_certificate, o->tls_key, &why) < 0) {
        log_error("reload: %s; the certificate from before stays in use", why.sentence);
        return;
    }
    tls_relay_renew(s->tls, context);
}

int http_service_open(struct http_server *s, struct reason *why)
{
    const struct server_options *o = &s->options;
    connections_init(&s->connections);
    s->login.peers = &s->peers;
    int err = token_load_service(&s->login.token, o->token, o->token_file, why);
    if (s->login.token.is_short)
        log_warn("the control token can be guessed: it has less than 16 characters");
    if (err == 0)
        err = peers_init(&s->peers, 2 * (o->max_clients + 2 * HTTP_EXTRA) + 2);
    if (err == 0 && o->web_root)
        err = asset_check_root(o->web_root, why);
    if (err == 0)
        err = http_service_raise_descriptors(o, why);
    if (err == 0)
        err = listener_open(&s->listener, o, why);
    if (err == 0)
        err = start_tls(s, why);
    if (err == 0)
        err = start_context(s, why);
    if (err == 0)
        err = start_handles(s, why);
    return err;
}

void http_service_stop(struct http_server *s)
{
    if (s->stopping)
        return;
    s->stopping = true;
    listener_close(&s->listener);
    tls_relay_stop(s->tls);
    if (s->tick.data)
        uv_close((uv_handle_t *)&s->tick, NULL);
    if (s->context)
        lws_context_destroy(s->context); /* asynchronous: the loop completes it */
}

void http_service_finish(struct http_server *s)
{
    if (s->context)
        lws_context_destroy(s->context);
    tls_relay_destroy(s->tls);
    peers_finish(&s->peers);
}
