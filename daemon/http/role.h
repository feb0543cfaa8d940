/*
 * role.h - what the server serves: the radio of this process, or the radios of a hub. Loop thread.
 *
 * Connections, requests, limits and tokens are the same for both; a role has its routes, the page,
 * and the messages of websockets.
 */
#ifndef FFTD_DAEMON_HTTP_ROLE_H
#define FFTD_DAEMON_HTTP_ROLE_H

#include <stdbool.h>
#include <stddef.h>

struct reason;
struct answer;
struct api_resource;
struct client;
struct frame;
struct lws;
struct request;
struct rest_change;
struct server;

struct route {
    const char *path; /* with a final '/': the beginning of paths */
    void (*answer)(struct server *s, const struct request *r, struct answer *a);
    const char *parameters; /* of the query; NULL: the answer checks them */
};

struct server_role {
    const struct route *routes;
    size_t route_count;
    const char *index; /* the file of "/" */
    /* The resource at a path, and so its methods; NULL: it is none. */
    const struct api_resource *(*resource)(const char *path);
    /*
     * NULL, or why a request may change nothing, and a status; the text may be in error. credential
     * [REST_CREDENTIAL]: what the change needs of its headers (rest_change.h).
     */
    const char *(*admit)(struct server *s, struct lws *wsi, char *credential, unsigned *status,
                         struct reason *why);
    /* Makes a change that was admitted; its body is among the values. */
    void (*change)(struct rest_change *c, struct answer *a);
    void (*tick)(struct server *s);  /* once a second */
    void (*join)(struct client *c);  /* (optional) there is a new websocket */
    void (*leave)(struct client *c); /* a websocket has ended */
    /* Has anything to send beside the queued messages, and the next of it, held; NULL: nothing. */
    bool (*has_output)(struct client *c);
    struct frame *(*next_frame)(struct client *c);
    /* A whole message, c->message [c->size]. 0, or -1: the connection closes. */
    int (*on_message)(struct client *c);
    void (*stop)(struct server *s);   /* (optional) closes its handles of the loop */
    void (*finish)(struct server *s); /* after the loop ended */
};

extern const struct server_role radio_role; /* radio_role.c */
extern const struct server_role hub_role;   /* hub/hub_role.c */

void answer_websocket(struct server *s, const struct request *r, struct answer *a); /* of both */

#endif
