/* internal.h - structs and functions that the server's files share. Loop thread only. */
#ifndef FFTD_DAEMON_SERVER_INTERNAL_H
#define FFTD_DAEMON_SERVER_INTERNAL_H

#include <libwebsockets.h>

#include "daemon/client/choices.h"
#include "daemon/client/feed.h"
#include "daemon/client/setting_change.h"
#include "daemon/server/answer.h"
#include "daemon/server/density.h"
#include "daemon/server/listener.h"
#include "daemon/server/peers.h"
#include "daemon/server/server.h"
#include "daemon/server/spectrum.h"
#include "daemon/server/token.h"
#include "daemon/status/metrics.h"

enum {
    HTTP_EXTRA = 64,    /* connections served in addition to max_clients; as many again get 503 */
    CLIENT_QUEUE = 16,  /* messages that may wait for one client */
    HEADER_MAX = 16384, /* bytes of a request's line and headers */
};

/* An answer that is being made or sent, in the per-session memory of libwebsockets. */
struct pending_answer {
    struct server *server; /* NULL: there is none */
    struct lws *wsi;
    struct peer *peer;           /* held; counts the bytes of the body */
    struct frame *head;          /* NULL: not made yet */
    struct body *body;           /* held; NULL: none */
    size_t sent;                 /* bytes of head and body */
    bool head_only, close;       /* of the request */
    struct spectrum *spectrum;   /* that it waits for; NULL: none */
    struct pending_answer *next; /* of those that wait for it */
};

/* One websocket, in the per-session memory of libwebsockets. */
struct client {
    struct client *next;
    struct server *server; /* NULL: not in its list */
    struct lws *wsi;
    struct feed_client feed;
    struct peer *peer;                 /* held */
    struct frame *queue[CLIENT_QUEUE]; /* messages, oldest first */
    uint32_t queued;
    bool forwarded; /* comes through a proxy, so its user may be on another machine */
    bool welcomed;  /* its first message was handled */
    bool control;   /* may change the settings */
    bool status_due;
    bool measures_wanted, measures_due;
    bool wants_density;
    struct frame *density; /* the newest, not sent yet; NULL: none */
    bool leaving;          /* another client gets its place */
    double allowance;      /* messages that it may send now; grows with time */
    uint64_t refilled_ns;
    size_t size; /* bytes of `message` received so far */
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
    uv_timer_t tick;            /* once a second */
    uv_async_t remaining_lines; /* more lines wait than one call may handle */

    struct token token;
    struct peers peers;
    uint64_t guesses_unlogged, next_guess_log_ns;
    struct line_reader reader;
    struct feed feed;
    struct spectra spectra;
    struct density_service density;
    uint64_t body_bytes; /* in memory, of answers */
    struct client *clients;
    struct frame *status;              /* newest text for browsers; NULL before the first */
    struct frame *measures;            /* the same, of the measurements */
    struct measure_snapshot *measured; /* held: what `measures` says */
    bool measures_changed;             /* measurements or the clients that want them */
    uint64_t next_measures_ns;         /* not before */
    struct server_counts counts;
    uint32_t connections; /* HTTP and websocket */
    uint32_t epoch;       /* of the newest line */
    bool drained, stopping;
};

/* server.c */
void server_update_status(struct server *s, struct status *out);
struct server_counts server_count(struct server *s);
void server_push_status(struct server *s); /* sends the status to every client */
/* Applies a complete change and sends the status. -errno with one line in error. */
int server_apply_change(struct server *s, const struct setting_change *change, char *error,
                        size_t error_size);

/* change.c */
const char *change_methods(const char *path); /* of a path that has more than GET, HEAD; or NULL */
bool change_is_one(struct lws *wsi, const char *path); /* a PUT or DELETE that the path has */
/* Makes the change if the client may. Returns the HTTP status, and the answer in `text`. */
unsigned change_make(struct server *s, struct lws *wsi, const struct request *r, char *text,
                     size_t size);

/* context.c */
int server_raise_descriptors(uint32_t max_clients, char *error, size_t error_size);
int server_start_context(struct server *s, char *error, size_t error_size);
void server_on_accepted(void *user, int fd); /* user: the server; takes over fd */

/* pending.c */
/* True if the bodies of all answers may hold `size` bytes more. */
bool server_has_room(const struct server *s, size_t size);
extern const char server_full[]; /* why there is no room */
void pending_prepare(struct pending_answer *out, struct server *s, struct lws *wsi,
                     const struct request *r);
/* Takes over the answer. host: for a file of the page, else "". Without memory it closes. */
void pending_start(struct pending_answer *out, struct answer *a, const char *host);
int pending_send(struct pending_answer *out);  /* the next piece; -1: close the connection */
void pending_drop(struct pending_answer *out); /* NULL and zeroed are fine */

/* http.c, ws.c: the callbacks of the two protocols */
int server_on_http(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                   size_t size);
int server_on_websocket(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                        size_t size);
/* Requests a write callback for each client that has something to send. */
void server_request_writes(struct server *s);
json_t *server_status_json(struct server *s, const struct status *status);

/*
 * measure.c: the path of one measurement, up to its name.
 */
extern const char server_measure_path[];
/* Makes the message "measure" due for the clients that want it, if there is news and it is time. */
void server_push_measures(struct server *s);
/* For clients with control: sets up what the object says. One line in error. */
int server_set_measure(struct server *s, const json_t *object, char *error, size_t error_size);
int server_set_measure_text(struct server *s, const struct measure_text *text, char *error,
                            size_t error_size);
int server_remove_measure(struct server *s, const char *name, char *error, size_t error_size);
/* {"measurements": [...]}, the newest results; NULL: no memory. */
json_t *server_measures_json(struct server *s);

/* connection.c: what is known of the other end. */
/* The address that a request comes from. A proxy on this machine passes it on (X-Forwarded-For). */
struct address server_address_of(struct lws *wsi);
/* True if the request came through a proxy, so its user may be on another machine. */
bool server_is_forwarded(struct lws *wsi);

/*
 * login.c: decides by its first message whether a client may change the settings. token: NULL if it
 * sent none. Returns NULL, or why a token was refused; the text is in `error`.
 */
const char *server_login(struct client *c, const char *token, char *error, size_t error_size);

/*
 * The same for an HTTP request with Authorization: Bearer TOKEN. NULL: it may change measurements;
 * else the reason, which may be in `error`, and an HTTP status.
 */
const char *server_refuse_change(struct server *s, struct lws *wsi, unsigned *status, char *error,
                                 size_t error_size);

/*
 * room.c: true if a client of this address may connect. When max-clients are connected and more
 * than half of them are of one other address, the oldest of these is closed, if possible one
 * without a view.
 */
bool server_make_room(struct server *s, const struct address *newcomer);

/* request.c */
/* Copies a header: "" if it is absent or too long. */
void header_copy(struct lws *wsi, enum lws_token_indexes token, char *into, size_t size);
void request_read(struct lws *wsi, const char *path, struct request *r);
bool request_is_http_1_0(struct lws *wsi);
/* NULL, or what HTTP forbids (RFC 9112) in the version or the Host header, and an HTTP status. */
const char *request_find_fault(struct lws *wsi, unsigned *status);
const char *request_find_body(struct lws *wsi, unsigned *status); /* the same for a body */

/* upgrade.c: NULL if the request may become a websocket, else the reason and an HTTP status. */
const char *server_refuse_upgrade(struct server *s, struct lws *wsi, unsigned *status);
/* Copies the Host header ("" if absent). Returns false if it names a foreign host. */
bool server_check_host(struct server *s, struct lws *wsi, char host[256]);
/* True if each Origin header is allowed; host: of the request. */
bool server_check_origin(struct server *s, struct lws *wsi, const char *host);

#endif
