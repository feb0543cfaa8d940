/*
 * pending.h - an answer that is being made or sent: in pieces, as fast as its client reads, within
 * bounds of memory. In the per-session memory of libwebsockets, zeroed. Loop thread.
 */
#ifndef FFTD_DAEMON_HTTP_ANSWER_PENDING_H
#define FFTD_DAEMON_HTTP_ANSWER_PENDING_H

#include <libwebsockets.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

struct address;
struct answer;
struct answer_source;
struct http_server;
struct request;
struct rest_change;

struct pending_answer {
    struct http_server *server; /* NULL: none */
    struct rest_change *change; /* in place of an answer: it waits for its body; NULL: none */
    struct lws *wsi;
    struct peer *peer;            /* a reference; counts the bytes of the body */
    struct ws_message *head;      /* NULL: not made yet */
    struct body *body;            /* a reference; NULL: none */
    struct body_stream *stream;   /* in place of a body; NULL: none */
    uint64_t sent;                /* bytes of head and body */
    bool head_only, close;        /* of the request */
    struct answer_source *source; /* that it waits for; NULL: none */
    struct pending_answer *next;  /* of the answers that wait for the same source */
    bool changes;                 /* the request had another method than GET */
    uv_poll_t *poll;              /* of libwebsockets, taken (quirks.h); NULL: not yet */
};

void pending_prepare(struct pending_answer *out, const struct request *r);
/* The same of a request whose headers are gone. visitor: connection_visitor */
void pending_prepare_for(struct pending_answer *out, struct http_server *s, struct lws *wsi,
                         const struct address *visitor);
/*
 * Takes over the answer of the request that is being handled: sends it, or waits for its source.
 * Completes or closes the connection: *out may be zeroed when it returns. host: for a file of the
 * page, else "".
 */
void pending_take(struct pending_answer *out, struct answer *a, const char *host);
/* The same of what the source has made. */
void pending_come(struct pending_answer *out, struct answer *a);
void pending_keep(struct pending_answer *out); /* its connection has its whole patience again */
/*
 * libwebsockets does not read a connection whose answer is being made. Closes it if its client has
 * left: *out is zeroed then. Not while a request is handled.
 */
void pending_notice(struct pending_answer *out);
void pending_drop(struct pending_answer *out); /* NULL and zeroed are fine */

#endif
