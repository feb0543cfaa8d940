/* internal.h - what the server's own files share. Loop thread only. */
#ifndef FFTD_DAEMON_SERVER_INTERNAL_H
#define FFTD_DAEMON_SERVER_INTERNAL_H

#include <libwebsockets.h>

#include "daemon/client/feed.h"
#include "daemon/server/assets.h"
#include "daemon/server/listener.h"
#include "daemon/server/server.h"
#include "daemon/server/token.h"
#include "daemon/status/metrics.h"

enum {
    HTTP_EXTRA = 64, /* connections beside max_clients that are served, and as many again that are
                       told to come back later */
    CLIENT_QUEUE = 16,
};

/* One websocket. Lives in libwebsockets' per-session memory, zeroed before joined. */
struct client {
    struct client *next;
    struct server *server; /* NULL: not joined */
    struct lws *wsi;
    struct feed_client feed;
    struct frame *queue[CLIENT_QUEUE]; /* answers, oldest first */
    uint32_t queued;
    bool forwarded; /* comes through a proxy: who is behind it is not on this machine */
    bool welcomed;  /* its first message is through */
    bool control;   /* may change the radio */
    bool status_due;
    double allowance; /* messages that it may still send, refilled with time */
    uint64_t refilled_ns;
    size_t size; /* of the message that is coming in */
    char message[WIRE_MESSAGE_MAX];
};

struct server {
    struct server_options options;
    struct server_hooks hooks;
    struct listener listener;
    struct lws_context *context;
    struct lws_vhost *vhost;
    struct lws_protocols protocols[3]; /* HTTP, websocket, none */
    lws_retry_bo_t keepalive;
    uv_timer_t tick;            /* every second */
    uv_async_t remaining_lines; /* lines are left that had to wait for the loop */

    struct token token;
    struct line_reader reader;
    struct feed feed;
    struct client *clients;
    struct frame *status; /* newest text for browsers; NULL before the first */
    struct server_counts counts;
    uint32_t connections; /* of all kinds */
    uint32_t epoch;       /* of the newest line */
    bool drained, stopping;
};

/* server.c */
void server_update_status(struct server *s, struct status *out);
struct server_counts server_count(struct server *s);
void server_push_status(struct server *s); /* to every client, now */

/* http.c, ws.c: the callbacks of the two protocols */
int server_on_http(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                   size_t size);
int server_on_websocket(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                        size_t size);
/* Asks for a chance to write wherever there is something to send. */
void server_request_writes(struct server *s);
json_t *server_status_json(struct server *s, const struct status *status);

/* ---- HTTP answers: answer.c knows nothing of the library -------------------------- */

struct request {
    const char *path; /* decoded */
    char host[256];   /* "" if absent */
    char accept[256], etag[80];
    char format[8], trace[8], low[32], high[32], columns[16]; /* of the query; "" if absent */
    bool head;
    bool close; /* do not keep the connection */
};

struct answer {
    unsigned status;
    const char *type;
    char etag[40];
    bool page; /* part of the page: cached by etag, with a content policy */
    const void *body;
    size_t size;
    void *memory; /* the body's, or NULL */
};

/* printf-style text; a is empty before. */
void answer_text(struct answer *a, unsigned status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void answer_request(struct server *s, const struct request *r, struct answer *a);
void answer_free(struct answer *a);
/* The whole answer as bytes; NULL: no memory. */
struct frame *answer_to_frame(const struct request *r, const struct answer *a);

/* spectrum.c: /api/spectrum */
void answer_spectrum(struct server *s, const struct request *r, struct answer *a);

/* upgrade.c: may this request become a websocket? NULL: yes, else why not (in *status). */
const char *server_refuse_upgrade(struct server *s, struct lws *wsi, unsigned *status);
/* The Host header, checked: false if it is foreign. host: "" if absent. */
bool server_check_host(struct server *s, struct lws *wsi, char host[256]);

#endif
