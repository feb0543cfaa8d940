/* internal.h - structs and functions that the server's files share. Loop thread only. */
#ifndef FFTD_DAEMON_HTTP_INTERNAL_H
#define FFTD_DAEMON_HTTP_INTERNAL_H

#include <libwebsockets.h>

#include "daemon/access/peers.h"
#include "daemon/access/token.h"
#include "daemon/api/reference_takes.h"
#include "daemon/api/services.h"
#include "daemon/api/spur_learning.h"
#include "daemon/client/control.h"
#include "daemon/client/feed.h"
#include "daemon/control/choices.h"
#include "daemon/control/lease.h"
#include "daemon/control/presets.h"
#include "daemon/control/replay_change.h"
#include "daemon/control/setting_change.h"
#include "daemon/http/answer/answer.h"
#include "daemon/http/answer/answer_work.h"
#include "daemon/http/connection.h"
#include "daemon/http/listener.h"
#include "daemon/http/role.h"
#include "daemon/http/stream/density_service.h"
#include "daemon/http/stream/history_service.h"
#include "daemon/http/stream/spectra.h"
#include "daemon/live/outgoing.h"
#include "daemon/live/topic.h"
#include "daemon/server/server.h"
#include "daemon/server/wishes.h"
#include "daemon/status/metrics.h"

enum {
    HTTP_EXTRA =
        64, /* connections served in addition to max_clients; as many again may be closing */
    CLIENT_QUEUE = 16,     /* messages that may wait for one client */
    HEADER_MAX = 16384,    /* bytes of a request's line and headers */
    MESSAGES_PER_S = 500,  /* of one client, on average */
    MESSAGES_BURST = 1000, /* and at once */
    MEASURE_MESSAGES_PER_S = 10,
    OWN_MESSAGES_PER_S = 50,    /* with the results of a client's own measurements */
    OWN_MEASUREMENTS = 16,      /* of one client */
    OWN_MEASUREMENTS_ALL = 128, /* of all clients */
    PEAK_TABLES_PER_S = 4,
    SERVER_ANCHORS = 128, /* the newest ones, for browsers that connect */
};

/* The anchors of a recording, and the first line of each (line/line.h). */
struct reason;
struct remote_call;
struct rest_change;

struct server_anchor {
    uint64_t line;
    double rate_hz;
    struct line_anchor anchor;
};
struct server_replay {
    struct server_anchor anchors[SERVER_ANCHORS]; /* a ring */
    uint64_t count;                               /* of all so far */
};

/* An answer that is being made or sent, in the per-session memory of libwebsockets. */
struct pending_answer {
    struct server *server;      /* NULL: there is none */
    struct rest_change *change; /* in place of an answer: it waits for its body; NULL: none */
    struct lws *wsi;
    struct peer *peer;           /* held; counts the bytes of the body */
    struct frame *head;          /* NULL: not made yet */
    struct body *body;           /* held; NULL: none */
    struct file_body *file;      /* in place of a body; NULL: none */
    uint64_t sent;               /* bytes of head and body */
    bool head_only, close;       /* of the request */
    struct spectrum *spectrum;   /* that it waits for; NULL: none */
    struct pending_answer *next; /* of those that wait for it */
    struct answer_work *work;    /* that it waits for; NULL: none */
    struct remote_call *call;    /* the same */
    bool changes;                /* the request had another method than GET: see finish */
    uv_poll_t *poll;             /* of libwebsockets, taken (socket_poll.h); NULL: not yet */
};

/* The newest status for clients. status_message.c */
struct status_news {
    uint64_t number;       /* counts them, from 1 */
    json_t *json;          /* NULL before the first */
    struct frame *all;     /* NULL before the first */
    struct frame *changes; /* since the one before; NULL: not known */
};

/* Recordings for clients: the newest ones, as they were sent. recording_message.c */
enum { RECORDINGS_TOLD = 20 };
struct recording_news {
    uint64_t number;       /* counts the messages, from 1 */
    struct frame *all;     /* NULL before the first */
    struct frame *changes; /* since the one before */
    struct record_info told[RECORDINGS_TOLD];
    size_t count;
    uint64_t look_ns, progress_ns; /* not before */
};

/* One websocket, in the per-session memory of libwebsockets. */
struct client {
    struct client *next, **link;         /* of all; link: what points to this one */
    struct client *due_next, **due_link; /* of those with output; due_link: NULL: not one of them */
    struct server *server;               /* NULL: not in its list */
    struct lws *wsi;
    struct feed_client feed;
    struct peer *peer;                 /* held */
    struct peer *own;                  /* of the socket's own address; the connection holds it */
    struct frame *queue[CLIENT_QUEUE]; /* messages, oldest first */
    uint32_t queued;
    bool forwarded;   /* comes through a proxy, so its user may be on another machine */
    bool welcomed;    /* its first message was handled */
    bool control;     /* may change the settings */
    bool presets_due; /* they have changed since it was told */
    bool choices_due; /* they have changed since the welcome */
    bool lease_due,
        lease_taken;        /* lease_message.c: it has to be told; it lost the lease to another */
    char name[CLIENT_NAME]; /* for people; "": not given */
    bool status_due;
    bool status_changes;    /* it wants no more than changes */
    uint64_t status_number; /* of the one that it has; 0: none */
    bool recordings_due;
    uint64_t recordings_number; /* of the message that it has; 0: none */
    struct topic_state topic[TOPICS];
    bool measures_due;
    uint64_t events_sent;      /* the newest change of an event that it was told */
    bool own_due;              /* results of its own measurements */
    uint32_t owner;            /* of these measurements: its number; 0: it never had any */
    uint32_t own_measurements; /* how many */
    uint64_t own_next_ns;      /* no results before */
    struct density_form density_form;
    uint64_t density_round; /* of the frames that it got last */
    struct {
        bool tells;           /* of the view in this slot: view_message.c */
        uint32_t trace, news; /* what it was told last */
    } told[FEED_SLOTS];
    struct client_markers *markers; /* marker_message.c; NULL: none are wanted */
    uint64_t anchors_sent;
    struct frame *density; /* the newest, not sent yet; NULL: none */
    /* history.c */
    struct history_request history; /* asked for, if history_turn is not 0 */
    uint64_t history_turn;          /* smaller numbers are answered first */
    struct frame *history_rows;     /* not sent yet; NULL: none */
    struct hub_viewer *viewer;      /* of a hub; NULL: none yet */
    bool leaving;                   /* another client gets its place */
    bool closed;                    /* its close frame has come: what follows does not count */
    bool failed;                    /* nothing more can be sent: it is being closed */
    bool pinged;                    /* since it was heard */
    uint64_t heard_ns, number;      /* number: counts all clients */
    double allowance;               /* messages that it may send now; grows with time */
    uint64_t refilled_ns;
    size_t size; /* bytes of `message` received so far */
    char message[WIRE_MESSAGE_MAX];
};

struct server {
    const struct server_role *role;
    struct hub_service *hub; /* of a hub; NULL: of a radio */
    struct server_options options;
    struct server_hooks hooks;
    const struct services *services; /* for resources; NULL: a hub has none */
    struct services own_services;
    struct listener listener;
    struct lws_context *context;
    struct lws_vhost *vhost;
    struct lws *requested; /* whose request is handled by http.c at this moment; NULL: none */
    bool closes_requested; /* it has been answered, and closes */
    struct lws_protocols protocols[4]; /* HTTP, websocket, its number before, none */
    lws_retry_bo_t no_keepalive;       /* keepalive.c has one for all */
    uv_timer_t tick;                   /* once a second */
    uv_async_t remaining_lines;        /* more lines wait than one call may handle */
    uv_idle_t sending;                 /* runs while clients wait for their turn */
    struct client *due, **due_end;     /* those that wait, in their order */
    struct outgoing outgoing;          /* empty between slices */

    struct token token;
    struct peers peers;
    bool proxy_blamed; /* logged once: a proxy drops the port of the Host header */
    uint64_t guesses_unlogged, next_guess_log_ns;
    struct line_reader reader;
    struct feed feed;
    struct server_replay replay;
    struct spectra spectra;
    struct answer_works event_queries;
    struct answer_works archive_reads, surveys;
    struct density_service density;
    struct wishes wishes;
    struct spur_learning learning;
    struct spur_table *spur_table; /* held: of the rules; NULL: none */
    struct band_rules *spur_rules; /* for markers, of the newest line read; NULL: none yet */
    struct history_service history;
    struct radio_options *radio; /* held; NULL: no radio is open */
    struct reference_takes references;
    uint64_t body_bytes; /* in memory, of answers */
    uint32_t downloads;  /* files that are being sent */
    struct client *clients;
    struct status_news status;
    struct recording_news recordings;
    struct frame *measures;            /* the same, of the measurements */
    struct measure_snapshot *measured; /* held: what `measures` says */
    bool measures_changed;             /* measurements or the clients that want them */
    uint64_t next_measures_ns;         /* not before */
    struct measure_snapshot *owned;    /* held: the newest of the measurements of clients */
    uint32_t last_owner;               /* counts clients with measurements */
    struct server_counts counts;
    struct connections connections;
    uint32_t sockets; /* HTTP and websocket, also those that close */
    uint32_t epoch;   /* of the newest line */
    bool drained, stopping;
    uint64_t drained_ns; /* since when it is */
};

/* server.c */
/* Reads the token, and opens all that does not depend on the role. As server_start. */
int server_open(struct server *s, struct reason *why);
void server_update_status(struct server *s, struct status *out);
struct server_counts server_count(struct server *s);
/* status_message.c */
void server_push_status(struct server *s); /* sends the status to every client */
bool status_is_due(const struct client *c);
struct frame *status_message_next(struct client *c); /* held */
void status_news_finish(struct status_news *news);

/* recording_message.c: makes the message "recording" due, if there is news and it is time. */
void server_push_recordings(struct server *s);
bool recordings_are_news(const struct client *c);
struct frame *recordings_message_next(struct client *c); /* held */
void recording_news_finish(struct recording_news *news);

/* radio_role.c: the services for resources; clients are told of what becomes of the radio. */
void server_serve_radio(struct server *s);

/*
 * view_message.c: the message "view", for views with what older clients do not ask for. True if
 * the client has to be told something new.
 */
bool view_is_news(const struct client *c);
/* The slot has this view now; NULL: none. */
void view_message_expect(struct client *c, unsigned slot, const struct view *view);
struct frame *view_message_next(struct client *c); /* NULL: no memory */

/*
 * marker_message.c: the message "markers", which precedes each frame of a client that asked for it.
 */
int markers_choose(struct client *c,
                   const struct readout_choice *choice); /* NULL: no more. -ENOMEM */
void markers_drop(struct client *c);
bool markers_are_due(const struct client *c);
struct frame *markers_next(struct client *c); /* NULL: no memory */
void markers_finish(struct server *s);

/*
 * replay.c: the message "replay", with the anchors that a client does not have yet; it goes before
 * the frames that they are for.
 */
void replay_on_line(struct server *s, const struct line *line);
bool replay_is_news(const struct client *c);
struct frame *replay_message_next(struct client *c); /* NULL: no memory */

/* context.c */
int server_raise_descriptors(uint32_t max_clients, struct reason *why);
int server_start_context(struct server *s, struct reason *why);
void server_on_accepted(void *user, int fd); /* user: the server; takes over fd */

/* pending.c */
/* True if the bodies of all answers may hold `size` bytes more. */
bool server_has_room(const struct server *s, size_t size);
extern const char server_full[]; /* why there is no room */
void pending_prepare(struct pending_answer *out, struct server *s, struct lws *wsi,
                     const struct request *r);
/* The same of a request whose headers are gone. from: server_address_of */
void pending_prepare_for(struct pending_answer *out, struct server *s, struct lws *wsi,
                         const struct address *from);
/*
 * Takes over the answer, sends it, and completes or closes the connection: *out may be zeroed when
 * it returns. host: for a file of the page, else "".
 */
void pending_start(struct pending_answer *out, struct answer *a, const char *host);
void pending_keep(struct pending_answer *out); /* its connection has its whole patience again */
void pending_wait(struct pending_answer *out); /* the answer comes later, if it has not come yet */
void pending_drop(struct pending_answer *out); /* NULL and zeroed are fine */

/*
 * client_message.c. client_on_message does what a message asks for. All return 0, or -1 if the
 * connection must be closed.
 */
struct control;
int client_on_message(struct client *c, const struct control *m);
int client_queue_error(struct client *c, const char *error);
/* Of a message that was not understood: a call is answered with its id. */
int client_refuse_message(struct client *c, const struct control *m, const char *error);
int client_queue_message(struct client *c, json_t *message); /* takes over the reference */
/* `why` is the reason in the close frame. Returns -1. */
int client_close(struct client *c, enum lws_close_status code, const char *why);

/* http.c, ws.c: the callbacks of the two protocols */
int server_on_http(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                   size_t size);
int server_on_websocket(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                        size_t size);

/* send.c */
/* Gives a client its turn soon, from the loop itself: no client is removed meanwhile. */
void client_make_due(struct client *c);
void server_request_writes(struct server *s); /* the same for all clients */
void client_request_write(struct client *c);  /* requests a write callback if anything is due */
int client_on_writable(struct client *c);     /* the write callback; -1: close the connection */
void client_forget_due(struct client *c);     /* it is being removed */
void client_fail(struct client *c);           /* sends nothing more: it is closed soon */

/* keepalive.c */
void client_heard(struct client *c);         /* it has sent something */
void server_check_silence(struct server *s); /* once a second */

/* radio_role.c: NULL: no memory. user: the server. */
json_t *server_status_json(void *user, const struct status *status);
json_t *server_limits_json(const struct server *s); /* limits.c; a new reference */

/* measure.c: makes the message "measure" due for the clients that want it, if there is news and it
 * is time. */
void server_push_measures(struct server *s);

/* lease_message.c, preset_message.c */
bool lease_is_news(const struct client *c);
struct frame *lease_message_next(struct client *c); /* NULL: no memory */
void lease_leave(struct client *c);
void client_name(struct client *c, const char *name); /* NULL: stays as it is */
struct lease_user client_user(const struct client *c);
struct frame *presets_message(struct client *c); /* NULL: no memory */

/* events.c: the message "event", for clients that want it */
void events_begin(struct client *c); /* from now on */
bool events_are_news(const struct client *c);
struct frame *events_next(struct client *c); /* NULL: no memory */

/*
 * http.c: sends a short answer at once, frees it, and returns -1, which closes the connection. To
 * complete the transaction instead would hang the loop: libwebsockets 4.1.6 spins when a body was
 * buffered after another request.
 */
struct answer;
int http_answer_now(struct lws *wsi, struct answer *a, bool head_only);

/* own_measure.c: measurements that belong to one client */
/* Makes results due for the clients that have new ones. */
void server_push_own_measures(struct server *s);
bool own_measure_is_due(const struct client *c);  /* if it is too early, sets the client's timer */
struct frame *own_measure_next(struct client *c); /* NULL: no memory */
/* Sets up or removes one. One line in error. */
int own_measure_change(struct client *c, const struct control *m, struct reason *why);
void own_measure_leave(struct client *c); /* removes all */

/* connection.c: what is known of the other end. */
/* The address that a request comes from. A proxy on this machine passes it on (X-Forwarded-For). */
struct address server_address_of(struct lws *wsi);
struct address server_socket_address(struct lws *wsi); /* of the other end, whatever it says */
/* True if the request came through a proxy, so its user may be on another machine. */
bool server_is_forwarded(struct lws *wsi);

/* login.c: before a token of a client is compared, and after it was wrong. visitor:
 * server_address_of. */
uint32_t server_token_wait_ms(struct server *s, struct lws *wsi, const struct address *visitor);
void server_count_wrong_token(struct server *s, struct lws *wsi, const struct address *visitor);
/*
 * login.c: decides by its first message whether a client may change the settings. token: NULL if it
 * sent none. Returns NULL, or why a token was refused; the text is in `error`.
 */
const char *server_login(struct client *c, const char *token, struct reason *why);

/*
 * The same for an HTTP request with Authorization: Bearer TOKEN. NULL: it may change measurements;
 * else the reason, which may be in `error`, and an HTTP status.
 */
const char *server_refuse_change(struct server *s, struct lws *wsi, unsigned *status,
                                 struct reason *why);

/* The text after "Bearer " of the Authorization header; NULL: there is none. */
const char *server_bearer(struct lws *wsi, char *into, size_t size);

/*
 * hub/remote_call.c: calls of radios over HTTP. The answer goes to `out`; who leaves gets none.
 */
void remote_call_wait(struct remote_call *call, struct pending_answer *out);
void remote_call_leave(struct remote_call *call);

/*
 * room.c: true if a client may connect. When max-clients are connected and more than half of them
 * are of one other address, the oldest of these is closed, if possible one without a view. An
 * address is first that of the socket, then that which a proxy names (visitor).
 */
bool server_make_room(struct server *s, const struct peer *own, const struct address *visitor);

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
/* NULL if each Origin header is allowed, else the reason; host: of the request. */
const char *server_refuse_origin(struct server *s, struct lws *wsi, const char *host);

#endif
