/*
 * client.h - a websocket, and the list of all: what they share with their role. Loop thread.
 *
 * What a client is sent in addition to the answers to its messages depends on its role: the radio
 * of this process (live.h), or the radios of a hub (hub/serve/viewers.h).
 */
#ifndef FFTD_DAEMON_LIVE_CLIENT_H
#define FFTD_DAEMON_LIVE_CLIENT_H

#include <libwebsockets.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

#include "daemon/live/outgoing.h"
#include "daemon/wire/wire.h"

struct client;
struct ws_message;
struct http_server;
struct peer;
struct reason;

enum {
    CLIENT_QUEUE = 16,            /* messages that may wait for one client */
    CLIENT_MESSAGES_PER_S = 500,  /* of one client, on average */
    CLIENT_MESSAGES_BURST = 1000, /* and at once */
};

struct client_role {
    size_t state;                    /* bytes of client_state() */
    void (*join)(struct client *c);  /* there is a new one; its state is zeroed */
    void (*leave)(struct client *c); /* it has ended */
    /*
     * Has anything to send in addition to the queued messages, and the next of it, as a reference;
     * NULL: nothing.
     */
    bool (*has_output)(struct client *c);
    struct ws_message *(*next_frame)(struct client *c);
    /* A whole message, c->message [c->size]. 0, or -1: the connection closes. */
    int (*on_message)(struct client *c);
    bool (*is_idle)(const struct client *c); /* it goes first where places are short */
};

/* All websockets of a server. */
struct clients {
    /* set by the owner */
    struct http_server *http;
    const struct client_role *role;
    void *user; /* of the role */

    struct client *first; /* the newest */
    uint32_t count;
    uint64_t total, displaced_total; /* displaced: closed to make room for another */

    /* client_send.c */
    uv_idle_t sending;                     /* runs while clients wait for their turn */
    struct client *pending, **pending_end; /* the clients that wait, in their order */
    struct outgoing outgoing;              /* empty between slices */
};

/* One websocket, in the per-session memory of libwebsockets. */
struct client {
    struct client *next, **link; /* of all; link: what points to this one */
    struct clients *all;         /* NULL: not in its list */
    struct lws *wsi;
    struct peer *peer; /* a reference */
    struct peer *own;  /* of the socket's own address; the connection holds it */
    struct ws_message *queue[CLIENT_QUEUE]; /* messages, oldest first */
    uint32_t queued;
    bool forwarded;  /* comes through a proxy, so its user may be on another machine */
    bool welcomed;   /* its first message was handled */
    bool control;    /* may change the settings */
    bool closed;     /* its close frame has come: what follows does not count */
    bool failed;     /* nothing more can be sent: it is being closed */
    uint64_t number; /* counts all clients */

    /* client_send.c */
    struct client *pending_next, **pending_link; /* pending_link NULL: it has no output */
    /* client_silence.c */
    uint64_t heard_ns;
    bool pinged; /* since it was heard */
    /* clients.c */
    double allowance; /* messages that it may send now; grows with time */
    uint64_t refilled_ns;
    size_t size; /* bytes of `message` received so far */
    char message[WIRE_MESSAGE_MAX];

    _Alignas(max_align_t) unsigned char state[];
};

/* What the role has of a client. */
static inline void *client_state(const struct client *c)
{
    return (void *)c->state;
}
/* The client of such a state. */
static inline struct client *client_of_state(const void *state)
{
    return (struct client *)(void *)((char *)state - offsetof(struct client, state));
}

/*
 * Decides by its first message whether a client may change the settings. token: NULL if it sent
 * none. 0, or -errno: the token was refused.
 */
int client_login(struct client *c, const char *token, struct reason *why);

/* `why` is the reason in the close frame. Returns -1. */
int client_close(struct client *c, enum lws_close_status code, const char *why);

#endif
