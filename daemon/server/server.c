/* server.c - starts and stops the server, and passes lines and the status to its clients. */
#include "daemon/server/server.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/server/internal.h"

enum {
    PING_S = 20, /* a client silent for this long gets a ping, and is dropped after twice that */
    HANDSHAKE_S = 5, /* for a request to arrive, and for a connection to be reused */
    HEADER_MAX = 16384,
    SEND_BUFFER = 128 << 10,
    LINES_PER_CALL = 64,
    SPARE_DESCRIPTORS = 64, /* for the rest of the daemon */
};

/* ---- lines and the status --------------------------------------------------------------- */

void server_update_status(struct server *s, struct status *out)
{
    *out = (struct status){0};
    s->hooks.status(s->hooks.user, out);
    s->feed.line_rate_hz = out->dsp.line_rate_hz;
}

struct server_counts server_count(struct server *s)
{
    s->counts.views = s->feed.view_count;
    s->counts.frames_total = s->feed.frames;
    s->counts.merged_total = s->feed.merged;
    s->counts.lines_missed = line_reader_missed(&s->reader);
    return s->counts;
}

void server_push_status(struct server *s)
{
    struct status now;
    server_update_status(s, &now);
    if (!s->clients)
        return;
    json_t *message = server_status_json(s, &now);
    json_object_set_new(message, "type", json_string("status"));
    struct frame *frame = frame_from_json(message);
    if (!frame)
        return;
    frame_drop(s->status);
    s->status = frame;
    for (struct client *c = s->clients; c; c = c->next)
        c->status_due = true;
    server_request_writes(s);
}

static void on_tick(uv_timer_t *timer)
{
    struct server *s = timer->data;
    listener_resume(&s->listener);
    server_push_status(s);
}

void server_on_lines(struct server *s)
{
    bool closed = false;
    bool changed = false;
    struct line *line = NULL;
    int budget = LINES_PER_CALL;
    while (!s->stopping && budget-- > 0 && (line = line_reader_next(&s->reader, 0, &closed))) {
        changed = changed || line->epoch != s->epoch;
        s->epoch = line->epoch;
        feed_line(&s->feed, line);
    }
    s->drained = closed;
    if (line) /* LINES_PER_CALL is used up */
        uv_async_send(&s->remaining_lines);
    if (changed)
        server_push_status(s);
    server_request_writes(s);
}

static void on_remaining_lines(uv_async_t *remaining_lines)
{
    server_on_lines(remaining_lines->data);
}

bool server_drained(const struct server *s)
{
    return s->drained;
}

const char *server_url(const struct server *s)
{
    return s->listener.url;
}

/* ---- new connections -------------------------------------------------------------------- */

/* Answers a connection for which no descriptor is left. */
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

static void on_accepted(void *user, int fd)
{
    struct server *s = user;
    const int on = 1;
    const int bytes = SEND_BUFFER;
    if (s->connections >= s->options.max_clients + 2 * HTTP_EXTRA) {
        s->counts.refused_total++;
        refuse_connection(fd);
        return;
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on); /* fails on Unix sockets */
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
    if (!lws_adopt_socket_vhost(s->vhost, fd)) /* closes fd if it fails */
        s->counts.refused_total++;
}

/* Every connection needs a descriptor. Without one a client would wait in the listen queue. */
static int raise_descriptor_limit(uint32_t max_clients, char *error, size_t error_size)
{
    const rlim_t need = max_clients + 2 * HTTP_EXTRA + SPARE_DESCRIPTORS;
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
        return -errno;
    if (limit.rlim_cur >= need)
        return 0;
    limit.rlim_cur = need < limit.rlim_max ? need : limit.rlim_max;
    if (limit.rlim_cur >= need && setrlimit(RLIMIT_NOFILE, &limit) == 0)
        return 0;
    snprintf(error, error_size, "max-clients %u needs %lu open files, the limit is %lu",
             max_clients, (unsigned long)need, (unsigned long)limit.rlim_max);
    return -EMFILE;
}

/* ---- the library ------------------------------------------------------------------------ */

/* Logs at most 10 errors a minute, because requests must not fill the journal. */
static void on_library_log(int level, const char *text)
{
    static uint64_t minute;
    static unsigned logged;
    const uint64_t now = clock_now_ns() / 60000000000;
    if (now != minute) {
        minute = now;
        logged = 0;
    }
    (void)level;
    if (logged++ < 10)
        log_warn("libwebsockets: %.*s", (int)strcspn(text, "\n"), text);
}

static void make_protocols(struct server *s)
{
    /* A websocket without a subprotocol gets the first. No client can request its name. */
    s->protocols[0] = (struct lws_protocols){.name = " http",
                                             .callback = server_on_http,
                                             .per_session_data_size = sizeof(void *),
                                             .tx_packet_size = 64 << 10,
                                             .user = s};
    s->protocols[1] = (struct lws_protocols){.name = "fftd.1",
                                             .callback = server_on_websocket,
                                             .per_session_data_size = sizeof(struct client),
                                             .rx_buffer_size = WIRE_MESSAGE_MAX,
                                             .tx_packet_size = 64 << 10,
                                             .user = s};
}

static int start_websockets(struct server *s, char *error, size_t error_size)
{
    const uint32_t handshake_s = s->options.handshake_s ? s->options.handshake_s : HANDSHAKE_S;
    const uint32_t ping_s = s->options.ping_s ? s->options.ping_s : PING_S;
    const uint32_t connections = s->options.max_clients + 2 * HTTP_EXTRA;
    void *loops[] = {s->hooks.loop};
    s->keepalive = (lws_retry_bo_t){.secs_since_valid_ping = (uint16_t)ping_s,
                                    .secs_since_valid_hangup = (uint16_t)(2 * ping_s)};
    const struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN,
        .foreign_loops = loops,
        .pcontext = &s->context, /* libwebsockets sets it to NULL when the context is destroyed */
        .options = LWS_SERVER_OPTION_LIBUV | LWS_SERVER_OPTION_EXPLICIT_VHOSTS |
                   LWS_SERVER_OPTION_VALIDATE_UTF8,
        .fd_limit_per_thread = connections + 8,
        .max_http_header_pool = (unsigned short)(connections > 65535 ? 65535 : connections),
        .max_http_header_data2 = HEADER_MAX,
        .timeout_secs = handshake_s,
        .timeout_secs_ah_idle = handshake_s,
        .keepalive_timeout = (int)handshake_s,
        .retry_and_idle_policy = &s->keepalive,
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
    snprintf(error, error_size, "libwebsockets does not start%s",
             s->context ? "" : " (is libwebsockets-evlib-uv installed?)");
    return -ENOTSUP;
}

/* ---- start and stop --------------------------------------------------------------------- */

static int start_handles(struct server *s, char *error, size_t error_size)
{
    int err = uv_async_init(s->hooks.loop, &s->remaining_lines, on_remaining_lines);
    if (err == 0) {
        s->remaining_lines.data = s;
        err = uv_timer_init(s->hooks.loop, &s->tick);
    }
    if (err == 0) {
        s->tick.data = s;
        uv_timer_start(&s->tick, on_tick, 0, 1000);
        err = listener_start(&s->listener, s->hooks.loop, on_accepted, s);
    }
    if (err < 0)
        snprintf(error, error_size, "listen %s: %s", s->options.listen, uv_strerror(err));
    return err;
}

static int open_all(struct server *s, char *error, size_t error_size)
{
    const struct server_options *o = &s->options;
    int err = token_load(&s->token, o->token, o->token_file, error, error_size);
    if (err == 0 && o->web_root)
        err = asset_check_root(o->web_root, error, error_size);
    if (err == 0)
        err = raise_descriptor_limit(o->max_clients, error, error_size);
    if (err == 0)
        err = listener_open(&s->listener, o->listen, error, error_size);
    if (err == 0)
        err = start_websockets(s, error, error_size);
    if (err == 0)
        err = start_handles(s, error, error_size);
    return err;
}

int server_start(struct server **out, const struct server_options *options,
                 const struct server_hooks *hooks, char *error, size_t error_size)
{
    struct server *s = calloc(1, sizeof *s);
    *out = NULL;
    if (!s)
        return -ENOMEM;
    s->options = *options;
    s->hooks = *hooks;
    feed_init(&s->feed, hooks->lines, options->max_views);
    line_reader_join(&s->reader, hooks->lines, false);
    const int err = open_all(s, error, error_size);
    if (err < 0) {
        server_stop(s);
        uv_run(hooks->loop, UV_RUN_NOWAIT); /* runs the close callbacks */
        server_destroy(s);
        return err;
    }
    *out = s;
    return 0;
}

void server_stop(struct server *s)
{
    if (s->stopping)
        return;
    s->stopping = true;
    listener_close(&s->listener);
    if (s->tick.data)
        uv_close((uv_handle_t *)&s->tick, NULL);
    if (s->remaining_lines.data)
        uv_close((uv_handle_t *)&s->remaining_lines, NULL);
    if (s->context)
        lws_context_destroy(s->context); /* asynchronous: the loop completes it */
}

void server_destroy(struct server *s)
{
    if (!s)
        return;
    if (s->context)
        lws_context_destroy(s->context);
    line_reader_leave(&s->reader);
    feed_finish(&s->feed);
    frame_drop(s->status);
    free(s);
}
